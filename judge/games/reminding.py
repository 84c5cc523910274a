"""Reminder times that players chose for themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from judge.games.game import Game
from judge.games.person import PersonId


def holders(game: Game) -> frozenset[PersonId]:
    """Return the persons who play."""
    return frozenset(seat.holder for seat in game.seats if seat.holder is not None)


def with_own_reminders(game: Game, wanted: Mapping[PersonId, tuple[timedelta, ...]], now: datetime) -> Game:
    """Return the game with its players' own reminder times; reminders already past are not sent."""
    after = replace(game, own_reminders=tuple(sorted(wanted.items())))
    if after.clock.deadline is None or after.own_reminders == game.own_reminders:
        return after
    past = sum(after.clock.deadline - before <= now for before in after.all_reminders)
    return replace(after, clock=replace(after.clock, reminded=past))

"""Decisions of a master and votes of a player that are due in a game."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from judge.games.ballots import Proposal
from judge.games.draws import living
from judge.games.game import Game, GameState, Petition, Seat
from judge.games.person import PersonId
from judge.games.proposals import entitled

_HELD_UP = timedelta(hours=1)
"""Time after which a phase that is due counts as held up.

A mail or a mailbox holds it up.
"""
_LONG = timedelta(days=3)
"""Time after which a phase without a deadline counts as open for long.

It applies if the game sends no reminders.
"""


class Stall(StrEnum):
    """Reasons why a phase waits, as far as everyone knows."""

    AWAITED = "awaited"
    """The deadline has passed, and a power sent nothing."""
    HELD_UP = "held-up"
    """The phase is due and could not be closed."""
    OPEN_LONG = "open-long"
    """The phase has no deadline and has been open for long."""


def votes_due(game: Game, person: PersonId) -> tuple[Proposal, ...]:
    """Return the open proposals that a person's powers may still vote on."""
    mine = {seat.power for seat in game.seats_of(person)}
    return tuple(one for one in game.proposals if not mine.isdisjoint({*entitled(game, one)} - {*one.yes, *one.no}))


def requests(game: Game, person: PersonId) -> tuple[Petition, ...]:
    """Return the requests for a seat that no master has decided; none for others.

    Only masters get them, and none of a game that is over.
    """
    if person not in game.masters or game.state is GameState.FINISHED:
        return ()
    return tuple(one for one in game.petitions if not one.is_denied)


def missing_players(game: Game, person: PersonId) -> tuple[Seat, ...]:
    """Return the seats whose players sent nothing for the last movement phases.

    Only a master who does not play gets them.
    """
    if not game.is_running or person not in game.referees:
        return ()
    alive = living(game)
    return tuple(one for one in game.seats if one.missed and one.holder is not None and one.power in alive)


def stall(game: Game, now: datetime) -> Stall | None:
    """Return why the open phase waits; None if it does not."""
    clock, due = game.clock, game.due
    if game.state is not GameState.ACTIVE or clock.opened_at is None:
        return None
    if clock.awaits:
        return Stall.AWAITED
    if due is not None:
        return Stall.HELD_UP if now >= due + _HELD_UP else None
    return Stall.OPEN_LONG if now >= clock.opened_at + (game.settings.nudge or _LONG) else None


def joined_since(game: Game, since: datetime) -> tuple[PersonId, ...]:
    """Return people who joined a forming game after a time and are still there."""
    there = {one.person for one in game.applicants}
    return tuple(person for person, at in game.arrivals if at > since and person in there)

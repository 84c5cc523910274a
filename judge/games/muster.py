"""Muster of a forming game: silent players are asked, then lose their seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from judge.games.events import Event, MusterAsked, MusterOffered, SeatGivenUp
from judge.games.game import SILENT_FOR, TIME_TO_ANSWER, Game
from judge.games.person import PersonId

_NEXT_LOOK = timedelta(hours=1)
"""The shortest time between two looks."""


def is_muster_due(game: Game, now: datetime) -> bool:
    """Whether silent players are to be asked, or a question is not answered in time."""
    due = game.next_muster
    return due is not None and due <= now


def mustered(game: Game, heard: Mapping[PersonId, datetime], now: datetime) -> tuple[Game, tuple[Event, ...]]:
    """Ask silent players, and free the seats of those who did not answer.

    `heard` is when the last mail of a player arrived, of any kind that a person writes. Without the setting `muster`,
    the masters are offered it once.
    """
    if not game.settings.muster:
        return replace(game, muster_offered=True), (MusterOffered(game, now),)
    there = {applicant.person: _last_sign(game, applicant.person, heard) for applicant in game.applicants}
    asked = {person: at for person, at in game.asked_whether_there if person in there and there[person] < at}
    gone = [person for person, at in asked.items() if now >= at + TIME_TO_ANSWER]
    silent = [person for person, last in there.items() if person not in asked and now >= last + SILENT_FOR]
    events: list[Event] = []
    for person in gone:
        left = tuple(one for one in game.applicants if one.person != person)
        game = replace(game, applicants=left, chance=game.chance.without(person))
        events.append(SeatGivenUp(game, person, now))
    asked = {person: at for person, at in asked.items() if person not in gone} | dict.fromkeys(silent, now)
    waits = [last + SILENT_FOR for person, last in there.items() if person not in asked and person not in gone]
    game = replace(
        game,
        asked_whether_there=tuple(asked.items()),
        muster_at=max(min(waits, default=now + SILENT_FOR), now + _NEXT_LOOK),
    )
    return game, (*events, *(MusterAsked(game, person, now + TIME_TO_ANSWER) for person in silent))


def _last_sign(game: Game, person: PersonId, heard: Mapping[PersonId, datetime]) -> datetime:
    """Return when a player last wrote anything; at the latest when they joined."""
    joined = [at for one, at in game.arrivals if one == person]
    return max([*joined, *([heard[person]] if person in heard else [])])

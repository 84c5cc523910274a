"""Votes that stand no more though their voter did not take them back: each voter is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from judge.commands import Concede, Elect, VoteDraw
from judge.games.draws import living, played, sharing
from judge.games.events import Dropped, VoteDropped
from judge.games.game import Game, Seat
from judge.games.person import PersonId

_LEAST = 2
"""So many share a draw."""


def without_void(game: Game) -> Game:
    """The game without votes of powers that are out, and votes for powers that are gone or have no player."""
    if not game.is_running:
        return game
    seats = tuple(_without_void(game, seat) for seat in game.seats)
    return game if seats == game.seats else replace(game, seats=seats)


def _without_void(game: Game, seat: Seat) -> Seat:
    if not (seat.draws or seat.concedes_to or seat.elects):
        return seat
    if seat.power not in living(game):
        return replace(seat, draws=False, draws_among=(), concedes_to=None, elects=None)
    if seat.draws_among and len(set(seat.draws_among) & set(sharing(game))) < _LEAST:
        seat = replace(seat, draws=False, draws_among=())
    if seat.concedes_to is not None and all(one.power != seat.concedes_to for one in played(game)):
        seat = replace(seat, concedes_to=None)
    if seat.elects is not None and game.seat(seat.elects).holder is None:
        seat = replace(seat, elects=None)
    return seat


def votes_dropped(
    before: Game, after: Game, now: datetime, why: Dropped | None = None, own: PersonId | None = None
) -> tuple[VoteDropped, ...]:
    """What the voters are told, each once for each vote; `own` changed votes by a word of their own.

    Nothing is told once the game is over; a vote for a master comes to its end when there is a new one.
    """
    if not after.is_running or after.is_sandbox:
        return ()
    found: dict[tuple[PersonId, VoteDraw | Concede | Elect, Dropped], VoteDropped] = {}
    for old, new in zip(before.seats, after.seats, strict=True):
        person = old.holder
        if person is None or person == own:
            continue
        for vote in _lost(before, after, old, new):
            reason = why or _why(after, old, new)
            told = found.get((person, vote, reason))
            powers = (*told.powers, old.power) if told is not None else (old.power,)
            found[person, vote, reason] = VoteDropped(after, powers, vote, person, now, reason)
    return tuple(found.values())


def _lost(before: Game, after: Game, old: Seat, new: Seat) -> Iterator[VoteDraw | Concede | Elect]:
    is_other = old.holder != new.holder
    if old.draws and (is_other or not new.draws):
        yield VoteDraw(agrees=True, among=old.draws_among)
    if old.concedes_to is not None and (is_other or new.concedes_to is None):
        yield Concede(old.concedes_to)
    if old.elects is not None and (is_other or new.elects is None) and before.master == after.master:
        yield Elect(old.elects)


def _why(after: Game, old: Seat, new: Seat) -> Dropped:
    if old.holder != new.holder:
        return Dropped.SEAT
    if old.power not in living(after):
        return Dropped.OUT
    return Dropped.NOBODY

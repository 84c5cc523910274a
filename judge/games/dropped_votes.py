"""Votes that ended although the voter did not withdraw them: each voter is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from judge.commands import Concede, Elect, VoteDraw
from judge.games.ballots import Ballots
from judge.games.draws import living, played, sharing
from judge.games.events import Dropped, VoteDropped
from judge.games.game import Game, Seat
from judge.games.person import PersonId

_LEAST = 2
"""The fewest powers that can share a draw."""


def without_void(game: Game) -> Game:
    """Return the game without votes that are no longer possible.

    These are votes of powers that are out, votes for powers that are out or have no player, and votes that the settings
    no longer allow.
    """
    if not game.is_running:
        return game
    for seat in game.seats:
        ballots = _without_void(game, seat)
        if ballots != seat.ballots:
            game = game.with_seat(replace(seat, ballots=ballots))
    return game


def _without_void(game: Game, seat: Seat) -> Ballots:
    ballots = seat.ballots
    if not (ballots.would_end or ballots.elects):
        return ballots
    if seat.power not in living(game):
        return replace(ballots, draws=False, draws_among=(), concedes_to=None, elects=None)
    is_shared = len(set(ballots.draws_among) & set(sharing(game))) >= _LEAST
    if ballots.draws_among and not (is_shared and game.settings.named_draws):
        ballots = replace(ballots, draws=False, draws_among=())
    if ballots.concedes_to is not None and all(one.power != ballots.concedes_to for one in played(game)):
        ballots = replace(ballots, concedes_to=None)
    if ballots.elects is not None and game.seat(ballots.elects).holder is None:
        ballots = replace(ballots, elects=None)
    return ballots


def votes_dropped(
    before: Game, after: Game, now: datetime, why: Dropped | None = None, own: PersonId | None = None
) -> tuple[VoteDropped, ...]:
    """Return a notice for each voter whose vote was dropped.

    There is none for the person `own` and for the player they sit for, because they changed the votes themselves. There
    are none once the game is over. A vote for a master simply ends when there is a new master.
    """
    if not after.is_running or after.is_sandbox:
        return ()
    found: dict[tuple[PersonId, VoteDraw | Concede | Elect, Dropped], VoteDropped] = {}
    for old, new in zip(before.seats, after.seats, strict=True):
        person = old.holder
        if person is None or (own is not None and own in (person, before.sitter_of(old))):
            continue
        for vote in _lost(before, after, old, new):
            reason = why or _why(after, old, new)
            told = found.get((person, vote, reason))
            powers = (*told.powers, old.power) if told is not None else (old.power,)
            found[person, vote, reason] = VoteDropped(after, powers, vote, person, now, reason)
    return tuple(found.values())


def _lost(before: Game, after: Game, old: Seat, new: Seat) -> Iterator[VoteDraw | Concede | Elect]:
    was, now = old.ballots, new.ballots if old.holder == new.holder else Ballots()
    if was.draws and not now.draws:
        yield VoteDraw(agrees=True, among=was.draws_among)
    if was.concedes_to is not None and now.concedes_to is None:
        yield Concede(was.concedes_to)
    if was.elects is not None and now.elects is None and before.master == after.master:
        yield Elect(was.elects)


def _why(after: Game, old: Seat, new: Seat) -> Dropped:
    if old.holder != new.holder:
        return Dropped.SEAT
    if old.power not in living(after):
        return Dropped.OUT
    if old.ballots.draws_among and not (new.ballots.draws or after.settings.named_draws):
        return Dropped.SETTING
    return Dropped.NOBODY

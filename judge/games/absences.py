"""Waiting of phases for absent players, within the limits of the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from judge.games.draws import played
from judge.games.game import Game, Seat
from judge.games.leave import Waited


def waiting(game: Game, deadline: datetime) -> tuple[Game, datetime]:
    """Return the game and its deadline, moved past absences of players who must decide.

    One absence may lead into the next. The time waited is noted for each absent player. When a player's days or those
    of the phase are used up, the phase waits no longer.
    """
    phase = str(game.position.phase)
    for seat in game.seats:
        if any(one.phase == phase for one in seat.leave.waited):  # recomputed below
            others = tuple(one for one in seat.leave.waited if one.phase != phase)
            game = game.with_seat(replace(seat, leave=replace(seat.leave, waited=others)))
    moment, latest = deadline, deadline + game.settings.absence_per_phase
    while True:
        ends = {seat: min(until, latest, moment + _left(game, seat, moment)) for seat, until in _away(game, moment)}
        end = max(ends.values(), default=moment)
        if end <= moment:
            return game, moment
        for seat, its_end in ends.items():
            if its_end > moment:
                waited = (*seat.leave.waited, Waited(phase, moment, its_end - moment))
                game = game.with_seat(replace(seat, leave=replace(seat.leave, waited=waited)))
        moment = end


def left(game: Game, seat: Seat, now: datetime) -> timedelta | None:
    """Return how long the game still waits for a player this year.

    None means that the game has no limit.
    """
    budget = game.settings.absence
    if budget is None:
        return None
    return max(timedelta(), budget - seat.leave.waited_lately(now))


def goes_on(game: Game, seat: Seat, now: datetime) -> datetime | None:
    """Return when a phase may first close without a player who is still absent then.

    That is the deadline of the open phase if it waits for the player, otherwise the earliest possible deadline of a
    phase that does. None means that the whole absence is waited for.
    """
    start, end, deadline = seat.leave.start, seat.leave.end, game.clock.deadline
    if start is None or end is None:
        return None
    phase = str(game.position.phase)
    if deadline is not None and any(one.phase == phase for one in seat.leave.waited):
        soonest = deadline
    else:
        begins = max(start, deadline or now)
        soonest = begins + min(_left(game, seat, begins), game.settings.absence_per_phase)
    return soonest if soonest < end else None


def _left(game: Game, seat: Seat, moment: datetime) -> timedelta:
    still = left(game, seat, moment)
    return game.settings.absence_per_phase if still is None else still


def _away(game: Game, moment: datetime) -> Iterator[tuple[Seat, datetime]]:
    """Yield the seats of absent players who are not ready, with each absence's end.

    Absent means absent at `moment`, without a sitter. In fog every phase waits for all players, because a deadline
    would tell who has something to decide.
    """
    with_sitters = {one.player for one in game.sittings if one.sitter is not None}
    for seat in played(game) if game.is_foggy else map(game.seat, game.deciding):
        start, end = seat.leave.start, seat.leave.end
        is_away = start and end and start <= moment < end and seat.holder not in with_sitters
        if not seat.filed.ready and is_away and end:
            yield seat, end

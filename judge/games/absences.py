"""How long a phase waits for those who are away, and how much of that a game allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from judge.games.game import Game, Seat
from judge.games.leave import Waited


def waiting(game: Game, deadline: datetime) -> tuple[Game, datetime]:
    """The open phase, and its deadline behind the absences of those who still have to decide something.

    One absence may lead into the next. What the phase waits is noted for each of them, and when his days are used up,
    or those of a phase, nobody waits any more.
    """
    phase = str(game.position.phase)
    for seat in game.seats:
        if any(one.phase == phase for one in seat.leave.waited):  # it is reckoned anew
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
    """How long the game still waits for a player this year; None where that has no end."""
    budget = game.settings.absence
    if budget is None:
        return None
    return max(timedelta(), budget - seat.leave.waited_lately(now))


def _left(game: Game, seat: Seat, moment: datetime) -> timedelta:
    still = left(game, seat, moment)
    return game.settings.absence_per_phase if still is None else still


def _away(game: Game, moment: datetime) -> Iterator[tuple[Seat, datetime]]:
    """Who is away then, and until when: nobody waits for those who are ready."""
    for power in game.deciding:
        seat = game.seat(power)
        start, end = seat.leave.start, seat.leave.end
        if not seat.filed.ready and start and end and start <= moment < end:
            yield seat, end

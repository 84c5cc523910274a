"""State of phases as they opened, kept for a rollback beside the public record."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from judge.games.filed import FiledOrder, Planned
from judge.games.game import Game, PlannedThen, Seat, SeatThen, Stood
from judge.rules.notation import read_order, write_order
from judge.rules.position import Phase, PhaseKind, Power

AS_IT_IS = ("in_disorder", "is_dummy", "missed", "offered_at", "is_voted_out", "extensions")
"""Fields of a seat that are remembered unchanged; plans are remembered in notation."""


def remembered(game: Game) -> Game:
    """Return the game with the state of its open phase remembered.

    Later phases that were rolled back are kept.
    """
    phase = game.position.phase
    stood = [*(one for one in without_changed_seats(game).stood if one.phase != phase), _standing(game)]
    return replace(game, stood=tuple(sorted(stood, key=lambda one: one.phase.order_key)))


def without_later_phases(game: Game) -> Game:
    """Return the game without the memory of phases after the one now closing.

    These phases cannot be restored any more.
    """
    key = game.position.phase.order_key
    return replace(game, stood=tuple(one for one in game.stood if one.phase.order_key <= key))


def with_plans_remembered(game: Game) -> Game:
    """Return the game with the plans at the end of its open phase remembered.

    The rest was remembered as the phase opened.
    """
    then = stood_in(game, game.position.phase)
    if then is None:  # opened by an older version, or by another judge
        return remembered(game)
    planned = {seat.power: written(seat) for seat in game.seats}
    known = {power: replace(seat_then(then, power), planned=planned[power]) for power in unchanged(game, then)}
    now = replace(then, seats=tuple(one for one in known.values() if one != SeatThen(one.power)))
    return replace(game, stood=tuple(now if one is then else one for one in game.stood))


def without_changed_seats(game: Game) -> Game:
    """Return the game without the memory of seats that have changed hands.

    The memory cannot be restored.
    """
    stood = tuple(
        replace(one, seats=tuple(seat for seat in one.seats if seat.power in unchanged(game, one)))
        for one in game.stood
    )
    return replace(game, stood=stood)


def stood_in(game: Game, phase: Phase) -> Stood | None:
    """Return the remembered state of a phase; None if there is none."""
    return next((one for one in game.stood if one.phase == phase and one.serials), None)


def unchanged(game: Game, then: Stood) -> Collection[Power]:
    """Return the powers whose seats have not changed hands since then."""
    return [seat.power for seat, serial in zip(game.seats, then.serials, strict=False) if seat.serial == serial]


def seat_then(then: Stood, power: Power) -> SeatThen:
    """Return the remembered state of a seat; defaults if nothing was stored."""
    return next((one for one in then.seats if one.power == power), SeatThen(power))


def written(seat: Seat) -> tuple[PlannedThen, ...]:
    """Return the plans of a seat in the form in which they are remembered."""
    return tuple(
        PlannedThen(
            plan.phase,
            write_order(plan.filed.order),
            plan.filed.line,
            plan.filed.mail,
            tuple(map(write_order, plan.filed.otherwise)),
        )
        for plan in seat.filed.planned
    )


def planned_again(seat: SeatThen) -> tuple[Planned, ...]:
    """Return the remembered plans of a seat."""
    return tuple(
        Planned(one.phase, FiledOrder(read_order(one.order), one.line, one.mail, tuple(map(read_order, one.otherwise))))
        for one in seat.planned
    )


def _standing(game: Game) -> Stood:
    time = game.clock.added if game.position.phase.kind is PhaseKind.MOVEMENT else game.clock.carried
    seats = tuple(seat for seat in map(as_it_is, game.seats) if seat != SeatThen(seat.power))
    return Stood(game.position.phase, tuple(seat.serial for seat in game.seats), seats, time)


def as_it_is(seat: Seat) -> SeatThen:
    """Return the present state of a seat in the form in which it is remembered."""
    known = {name: getattr(seat, name) for name in AS_IT_IS}
    filed, waited = seat.filed, seat.leave.waited
    then = SeatThen(seat.power, **known, planned=written(seat), waited=waited)
    return replace(then, questions=filed.questions, refused=filed.refused)

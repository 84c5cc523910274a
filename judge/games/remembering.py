"""How each phase stood when it opened, as far as no record tells everybody: for a rollback."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from judge.games.filed import FiledOrder, Planned
from judge.games.game import Game, PlannedThen, Seat, SeatThen, Stood
from judge.rules.notation import read_order, write_order
from judge.rules.position import Phase, PhaseKind, Power

AS_IT_IS = ("in_disorder", "is_dummy", "missed", "offered_at", "is_voted_out", "extensions")
"""The fields of a seat that are remembered as they are; plans are remembered in notation."""


def remembered(game: Game) -> Game:
    """The game, knowing how its open phase stands; later phases that were rolled back are known still."""
    phase = game.position.phase
    stood = [*(one for one in without_changed_seats(game).stood if one.phase != phase), _standing(game)]
    return replace(game, stood=tuple(sorted(stood, key=lambda one: one.phase.order_key)))


def without_later_phases(game: Game) -> Game:
    """The game once a phase is closed: what was open after it before a rollback cannot come back."""
    key = game.position.phase.order_key
    return replace(game, stood=tuple(one for one in game.stood if one.phase.order_key <= key))


def with_plans_remembered(game: Game) -> Game:
    """The game, knowing what is planned at the end of its open phase; the rest it has known since that opened."""
    then = stood_in(game, game.position.phase)
    if then is None:  # it was opened by a version that did not remember it, or by another judge
        return remembered(game)
    planned = {seat.power: written(seat) for seat in game.seats}
    known = {power: replace(seat_then(then, power), planned=planned[power]) for power in unchanged(game, then)}
    now = replace(then, seats=tuple(one for one in known.values() if one != SeatThen(one.power)))
    return replace(game, stood=tuple(now if one is then else one for one in game.stood))


def without_changed_seats(game: Game) -> Game:
    """The game without what it remembers of people who have their seats no more: nothing brings it back."""
    stood = tuple(
        replace(one, seats=tuple(seat for seat in one.seats if seat.power in unchanged(game, one)))
        for one in game.stood
    )
    return replace(game, stood=stood)


def stood_in(game: Game, phase: Phase) -> Stood | None:
    """How a phase stood; None if that was not remembered."""
    return next((one for one in game.stood if one.phase == phase and one.serials), None)


def unchanged(game: Game, then: Stood) -> Collection[Power]:
    """The powers whose seats have not changed hands since."""
    return [seat.power for seat, serial in zip(game.seats, then.serials, strict=False) if seat.serial == serial]


def seat_then(then: Stood, power: Power) -> SeatThen:
    """How a seat stood; what is not told was nothing special."""
    return next((one for one in then.seats if one.power == power), SeatThen(power))


def written(seat: Seat) -> tuple[PlannedThen, ...]:
    """What is planned, as it is remembered."""
    return tuple(
        PlannedThen(plan.phase, write_order(plan.filed.order), plan.filed.line, plan.filed.mail)
        for plan in seat.filed.planned
    )


def planned_again(seat: SeatThen) -> tuple[Planned, ...]:
    """What was planned."""
    return tuple(Planned(one.phase, FiledOrder(read_order(one.order), one.line, one.mail)) for one in seat.planned)


def _standing(game: Game) -> Stood:
    time = game.clock.added if game.position.phase.kind is PhaseKind.MOVEMENT else game.clock.carried
    seats = tuple(seat for seat in map(as_it_is, game.seats) if seat != SeatThen(seat.power))
    return Stood(game.position.phase, tuple(seat.serial for seat in game.seats), seats, time)


def as_it_is(seat: Seat) -> SeatThen:
    """How a seat stands."""
    known = {name: getattr(seat, name) for name in AS_IT_IS}
    filed, waited = seat.filed, seat.leave.waited
    then = SeatThen(seat.power, **known, planned=written(seat), waited=waited)
    return replace(then, questions=filed.questions, refused=filed.refused)

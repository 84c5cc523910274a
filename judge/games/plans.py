"""Orders for later phases: kept until their phase opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from judge.games import refusals
from judge.games.answers import Cleared, Filed
from judge.games.context import MailContext
from judge.games.filed import FiledOrder, Planned
from judge.games.filing import belongs_to, seats_meant, subject_of
from judge.games.game import Game, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.readiness import is_offered, kept_idle, not_offered
from judge.games.sight import seen_as, seen_by
from judge.rules.adjustments import never_possible
from judge.rules.orders import Build, Order, Waive
from judge.rules.outcomes import Illegal
from judge.rules.position import Phase, PhaseKind, Power, Unit

_YEARS_AHEAD = 2
"""Orders for phases further ahead are taken as typing errors; on some boards such a year is ten."""


def is_coming(meant: Phase, game: Game) -> bool:
    """Whether orders may already be written for that phase."""
    open_ = game.position.phase
    ahead = _YEARS_AHEAD * game.map.years_per_turn
    return meant.order_key > open_.order_key and meant.year <= open_.year + ahead


def plan(game: Game, seats: Iterable[Seat], order: Order, phase: Phase, context: MailContext) -> Handled:
    """Keep an order until its phase opens."""
    if not belongs_to(phase.kind, order):
        return refused(game, refusals.WrongKindOfOrder(phase))
    seat = _seat_to_plan_for(game, tuple(seats), order, context)
    idle = kept_idle(game, (seat.power,), phase) if context.ordering is None else ()
    if idle:
        return refused(game, refusals.NothingToDecide(phase, idle=idle))
    never = never_possible(game.map, game.settings.rules, seat.power, order)
    if never is not None:
        return refused(game, refusals.NeverPossible(seat.power, never))
    planned, place = seat.filed.planned, subject_of(order)
    same = [plan for plan in planned if plan.phase == phase and subject_of(plan.filed.order) == place]
    waives = isinstance(order, Waive)
    kept = tuple(plan for plan in planned if plan not in same or waives)
    plan = Planned(phase, FiledOrder(order, context.line, context.mail))
    keeps = is_offered(game, seat) and context.ordering is None
    seat = replace(seat, filed=seat.filed.with_plans((*kept, plan), context.mail))
    game = game.with_seat(not_offered(seat) if keeps else seat)
    replaced = () if waives else tuple(one.filed.order for one in same if one.filed.order != order)
    return Handled(game, Filed(seat.power, order, replaced, phase=phase, keeps=keeps))


def clear_plans(game: Game, person: PersonId, unit: Unit | None, context: MailContext) -> Handled:
    """Remove orders planned for a later phase."""
    before, seats = game, seats_meant(game, person, context)
    if isinstance(seats, Handled):
        return seats
    cleared: list[Order] = []
    for seat in seats:
        mine = [plan for plan in seat.filed.planned if plan.phase == context.meant_phase]
        gone = [plan for plan in mine if unit is None or subject_of(plan.filed.order) == unit.province]
        cleared += [plan.filed.order for plan in gone]
        if gone:
            left = tuple(plan for plan in seat.filed.planned if plan not in gone)
            game = game.with_seat(replace(seat, filed=seat.filed.with_plans(left, context.mail)))
    if not cleared:
        return refused(before, refusals.NothingToClear(unit))
    return Handled(game, Cleared(tuple(cleared)))


def _seat_to_plan_for(game: Game, seats: tuple[Seat, ...], order: Order, context: MailContext) -> Seat:
    """Return the seat to plan an order for.

    It is the power in a heading, else the owner of the unit or home center, else the first.
    """
    place = subject_of(order)
    owners = {power for unit, power in game.position.units.items() if unit.province == place}
    homes = {power for power, land in game.map.build_centers.items() if place in land}
    fitting = [seat for seat in seats if seat.power in (homes if isinstance(order, Build) else owners)]
    named = [seat for seat in seats if seat.power == context.power]
    return (named or fitting or list(seats))[0]


def with_plans(game: Game) -> Game:
    """Put the orders planned for the phase that has just opened on file."""
    phase = game.position.phase
    for seat in game.seats:
        planned = seat.filed.planned
        due = [plan.filed for plan in planned if plan.phase == phase and _can_be_meant(game, seat, plan.filed)]
        left = tuple(plan for plan in planned if plan.phase.order_key > phase.order_key)
        if due or left != planned:
            game = game.with_seat(replace(seat, filed=replace(seat.filed, orders=tuple(due), planned=left)))
    return game


def plans_left_out(before: Game, game: Game) -> Iterator[tuple[Power, Order]]:
    """Yield the orders planned for the phase that has just opened that were not put on file."""
    for seat in before.seats:
        filed = {one.order for one in game.seat(seat.power).filed.orders}
        planned = [plan.filed.order for plan in seat.filed.planned if plan.phase == game.position.phase]
        yield from ((seat.power, order) for order in planned if order not in filed)


def _can_be_meant(game: Game, seat: Seat, filed: FiledOrder) -> bool:
    """Whether a planned order can be filed: its unit is there, or the adjustment is legal."""
    place = subject_of(filed.order)
    match game.position.phase.kind:
        case PhaseKind.MOVEMENT:
            return any(unit.province == place for unit in game.position.units_of(seat.power))
        case PhaseKind.RETREAT:
            dislodged = game.position.dislodged.items()
            return any(unit.province == place and loss.power == seat.power for unit, loss in dislodged)
        case PhaseKind.ADJUSTMENT:
            game = seen_by(game, seat.holder) if seat.holder is not None else seen_as(game, (seat.power,))
            meant = game.referee.meaning(seat.power, filed.order)
            return not isinstance(meant, Illegal) and seat.power in game.deciding

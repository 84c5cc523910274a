"""Orders for later phases, kept until their phase opens.

An order may be the first of several in order of preference. When the phase opens, the first possible one is put on
file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from judge.games import refusals
from judge.games.answers import Cleared, Filed
from judge.games.context import MailContext
from judge.games.filed import FiledOrder, PlanDecided, Planned
from judge.games.filing import belong_to, seats_meant, subject_of
from judge.games.game import Game, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.readiness import is_offered, kept_idle, not_offered
from judge.games.sight import seen_as, seen_by
from judge.rules.adjudication import adjudicate
from judge.rules.adjustments import never_possible
from judge.rules.orders import Build, Order, Waive
from judge.rules.outcomes import Illegal
from judge.rules.position import Phase, PhaseKind, Power, Unit

_YEARS_AHEAD = 2
"""The most years ahead for which orders are planned.

Orders for later phases are taken as typing errors. On some boards such a year is ten.
"""


def is_coming(meant: Phase, game: Game) -> bool:
    """Whether orders may already be planned for a phase."""
    open_ = game.position.phase
    ahead = _YEARS_AHEAD * game.map.years_per_turn
    return meant.order_key > open_.order_key and meant.year <= open_.year + ahead


def plan(
    game: Game, seats: Iterable[Seat], preferences: Sequence[Order], phase: Phase, context: MailContext
) -> Handled:
    """Keep an order, or several in order of preference, until the phase opens."""
    if not belong_to(phase.kind, preferences):
        return refused(game, refusals.WrongKindOfOrder(phase))
    order, *otherwise = preferences
    seat = _seat_to_plan_for(game, tuple(seats), order, context)
    idle = kept_idle(game, (seat.power,), phase) if context.ordering is None else ()
    if idle:
        return refused(game, refusals.NothingToDecide(phase, idle=idle))
    if otherwise and phase == replace(game.position.phase, kind=PhaseKind.RETREAT):
        place = subject_of(order)
        standing = {unit.province: power for unit, power in game.position.units.items()}
        if place is not None and standing.get(place) != seat.power:
            return refused(game, (refusals.ForeignUnit if place in standing else refusals.NoSuchUnit)(place))
    for one in preferences:
        never = never_possible(game.map, game.settings.rules, seat.power, one)
        if never is not None:
            return refused(game, refusals.NeverPossible(seat.power, never))
    planned, place = seat.filed.planned, subject_of(order)
    same = [plan for plan in planned if plan.phase == phase and subject_of(plan.filed.order) == place]
    waives = isinstance(order, Waive)
    kept = tuple(plan for plan in planned if plan not in same or waives)
    plan = Planned(phase, FiledOrder(order, context.line, context.mail, tuple(otherwise)))
    keeps = is_offered(game, seat) and context.ordering is None
    seat = replace(seat, filed=seat.filed.with_plans((*kept, plan), context.mail))
    game = game.with_seat(not_offered(seat) if keeps else seat)
    gone = [] if waives else [one.filed.preferences for one in same]
    replaced = tuple(one for one in gone if one != plan.filed.preferences)
    return Handled(game, Filed(seat.power, order, replaced, phase=phase, keeps=keeps, otherwise=tuple(otherwise)))


def clear_plans(game: Game, person: PersonId, unit: Unit | None, context: MailContext) -> Handled:
    """Remove orders planned for a later phase."""
    before, seats = game, seats_meant(game, person, context)
    if isinstance(seats, Handled):
        return seats
    cleared: list[Order] = []
    for seat in seats:
        mine = [plan for plan in seat.filed.planned if plan.phase == context.meant_phase]
        gone = [plan for plan in mine if unit is None or subject_of(plan.filed.order) == unit.province]
        cleared += [one for plan in gone for one in plan.filed.preferences]
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
    for seat in game.seats:
        decided = _decided(game, seat.power, seat.filed.planned)
        due = tuple(FiledOrder(order, plan.filed.line, plan.filed.mail) for plan, order in decided if order is not None)
        left = tuple(plan for plan in seat.filed.planned if _is_later(plan, game))
        if due or left != seat.filed.planned:
            game = game.with_seat(replace(seat, filed=replace(seat.filed, orders=due, planned=left)))
    return game


def came_of_plans(before: Game, game: Game) -> tuple[PlanDecided, ...]:
    """Return the results of plans for the phase just opened, and for skipped phases."""
    return tuple(
        PlanDecided(seat.power, plan.filed.preferences, order, is_needed=_is_needed(game, seat.power, plan))
        for seat in before.seats
        for plan, order in _decided(game, seat.power, seat.filed.planned)
    )


def _is_later(plan: Planned, game: Game) -> bool:
    return plan.phase.order_key > game.position.phase.order_key


def _decided(game: Game, power: Power, planned: Iterable[Planned]) -> Iterator[tuple[Planned, Order | None]]:
    """Yield each plan that is due or was skipped, with its order on file."""
    due = [plan for plan in planned if not _is_later(plan, game)]
    if not due:
        return
    seat = game.seat(power)
    game = game.with_seat(replace(seat, filed=replace(seat.filed, orders=())))
    game = seen_by(game, seat.holder) if seat.holder is not None else seen_as(game, (power,))
    filed: list[Order] = []
    for plan in due:
        is_open = plan.phase == game.position.phase
        order = _first_possible(game, power, filed, plan.filed.preferences) if is_open else None
        filed += [order] if order is not None else []
        yield plan, order


def _first_possible(game: Game, power: Power, filed: Sequence[Order], preferences: Iterable[Order]) -> Order | None:
    """Return the first order that can be obeyed beside others.

    In a movement phase it is the first whose unit is there.
    """
    if game.position.phase.kind is PhaseKind.MOVEMENT:
        standing = {unit.province for unit in game.position.units_of(power)}
        return next((order for order in preferences if subject_of(order) in standing), None)
    for order in preferences if power in game.deciding else ():
        meant = game.referee.meaning(power, order)
        if not isinstance(meant, Illegal) and _fits(game, power, (*filed, meant)):
            return meant
    return None


def _fits(game: Game, power: Power, orders: Sequence[Order]) -> bool:
    """Whether the last of several legal orders can be obeyed beside the others."""
    if game.position.phase.kind is PhaseKind.RETREAT:
        return True
    played = adjudicate(game.map, game.position, {power: orders}, game.settings.rules, game.circumstances)
    return [verdict.succeeded for verdict in played.verdicts if verdict.power == power and verdict.given][-1]


def _is_needed(game: Game, power: Power, plan: Planned) -> bool:
    """Whether the phase of a plan is open, and a retreating unit was dislodged."""
    place = subject_of(plan.filed.order)
    lost = [unit.province for unit, loss in game.position.dislodged.items() if loss.power == power]
    return plan.phase == game.position.phase and (plan.phase.kind is not PhaseKind.RETREAT or place in lost)

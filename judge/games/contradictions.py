"""Contradictory orders of one player: lawful, but pointed out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from judge.games.game import Game, Seat
from judge.rules.convoys import has_route, on_some_route
from judge.rules.legality import Referee
from judge.rules.orders import Convoy, Move, Order, Retreat, Support
from judge.rules.outcomes import Illegal
from judge.rules.position import Location, Province, UnitKind, province_of


class Contradicts(StrEnum):
    """The kinds of contradiction."""

    SUPPORT = "support"
    """Support for a move that is not ordered, or for holding although the unit moves."""
    CONVOY = "convoy"
    """A convoy without its army."""
    CARRIER = "carrier"
    """A move that needs a fleet to convoy it, but that fleet has another order."""
    SAME_PLACE = "same-place"
    """Two units would be in one place."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An order that the player's other orders contradict."""

    kind: Contradicts
    order: Order
    other: Order | None = None
    """The contradicting order of the same player; None if that unit has none."""
    is_void: bool = False
    """The other order is impossible, so that unit holds."""


def contradictions(game: Game, seats: Sequence[Seat], referee: Referee) -> Iterator[Contradiction]:
    """Yield the contradictions among the orders on file of these seats."""
    powers = {seat.power for seat in seats}
    own = {unit.province for unit, power in game.position.units.items() if power in powers}
    orders: dict[Province, Order] = {}
    void: dict[Province, Order] = {}
    for seat in seats:
        for filed in seat.filed.orders:
            order, meant = filed.order, referee.meaning(seat.power, filed.order)
            if isinstance(meant, Illegal):
                if (unit := getattr(order, "unit", None)) is not None:
                    void[unit.province] = order
            elif (unit := getattr(order, "unit", None)) is not None:
                orders[unit.province] = order
    for order in orders.values():
        yield from _unmatched(order, own, orders, void)
        yield from _not_carried(order, game, {**void, **orders}, void)
    yield from _crowded(orders)


def _unmatched(
    order: Order, own: set[Province], orders: Mapping[Province, Order], void: Mapping[Province, Order]
) -> Iterator[Contradiction]:
    """Yield a support or convoy that contradicts the order of the player's own unit."""
    match order:
        case Support(_, supported, to) if supported.province in own:
            about, kind = supported.province, Contradicts.SUPPORT
            other = orders.get(about)
            fits = _goes(other, to) if to is not None else not isinstance(other, Move)
        case Convoy(_, army, to) if army.province in own:
            about, kind = army.province, Contradicts.CONVOY
            other = orders.get(about)
            fits = _goes(other, to)
        case _:
            return
    if not fits and other is None and about in void:
        yield Contradiction(kind, order, void[about], is_void=True)
    elif not fits:
        yield Contradiction(kind, order, other)


def _not_carried(
    order: Order, game: Game, given: Mapping[Province, Order], void: Mapping[Province, Order]
) -> Iterator[Contradiction]:
    """Yield a move by sea that the player's other orders leave without a route."""
    if not isinstance(order, Move) or order.unit.kind is not UnitKind.ARMY:
        return
    start, board = order.unit.province, game.map
    if order.goal in board.army_steps[order.unit.location] and not order.by_convoy:
        return
    fleets = {
        unit.province for unit in game.position.units if unit.kind is UnitKind.FLEET and unit.province in board.carriers
    }
    gone = {sea for sea in fleets if sea in given and not _carries(given[sea], order, void)}
    if has_route(board, fleets - gone, start, order.goal):
        return
    for sea in sorted(gone & on_some_route(board, fleets, start, order.goal)):
        yield Contradiction(Contradicts.CARRIER, order, given[sea], is_void=sea in void)


def _carries(order: Order, army: Move, void: Mapping[Province, Order]) -> bool:
    if not isinstance(order, Convoy) or order.unit.province in void:
        return False
    return order.army.province == army.unit.province and province_of(order.to) == army.goal


def _goes(order: Order | None, to: Location) -> bool:
    return isinstance(order, Move) and province_of(order.to) == province_of(to)


def _crowded(orders: Mapping[Province, Order]) -> Iterator[Contradiction]:
    """Yield two units that go to one place, or one that goes where another stays."""
    goals = [(order, province_of(order.to)) for order in orders.values() if isinstance(order, Move | Retreat)]
    for (one, goal), (other, same) in combinations(goals, 2):
        if goal == same:
            yield Contradiction(Contradicts.SAME_PLACE, one, other)
    for order, goal in goals:
        there = orders.get(goal)
        if isinstance(order, Move) and there is not None and not isinstance(there, Move):
            yield Contradiction(Contradicts.SAME_PLACE, order, there)

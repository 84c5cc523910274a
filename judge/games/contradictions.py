"""Orders of one player that do not go together: he hears of them when he says READY."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from judge.games.game import Game, Seat
from judge.rules.orders import Convoy, Move, Order, Retreat, Support
from judge.rules.outcomes import Illegal
from judge.rules.position import Location, Province, province_of


class Contradicts(StrEnum):
    """How."""

    SUPPORT = "support"
    """Support for a move that is not ordered, or to hold for a unit that moves."""
    CONVOY = "convoy"
    """A convoy without its army."""
    SAME_PLACE = "same-place"
    """Two units would be in one place."""
    VOID = "void"
    """It was legal only before."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An order, and what is against it."""

    kind: Contradicts
    order: Order
    other: Order | None = None
    """An order of the same player; None where that unit has none."""
    illegal: Illegal | None = None


def contradictions(game: Game, seats: Sequence[Seat], mail: int) -> tuple[Contradiction, ...]:
    """All there are among the orders on file of these seats; of those of the mail itself it is told which are void."""
    return tuple(_contradictions(game, seats, mail))


def _contradictions(game: Game, seats: Sequence[Seat], mail: int) -> Iterator[Contradiction]:
    powers = {seat.power for seat in seats}
    own = {unit.province for unit, power in game.position.units.items() if power in powers}
    orders: dict[Province, Order] = {}
    referee = game.referee
    for seat in seats:
        for filed in seat.orders:
            order, meant = filed.order, referee.meaning(seat.power, filed.order)
            if isinstance(meant, Illegal):
                if filed.mail != mail:
                    yield Contradiction(Contradicts.VOID, order, illegal=meant)
            elif (unit := getattr(order, "unit", None)) is not None:
                orders[unit.province] = order
    for order in orders.values():
        yield from _unmatched(order, own, orders)
    yield from _crowded(orders)


def _unmatched(order: Order, own: set[Province], orders: Mapping[Province, Order]) -> Iterator[Contradiction]:
    """Support and convoy for an own unit that is told otherwise."""
    match order:
        case Support(_, supported, to) if supported.province in own:
            other, kind = orders.get(supported.province), Contradicts.SUPPORT
            fits = _goes(other, to) if to is not None else not isinstance(other, Move)
        case Convoy(_, army, to) if army.province in own:
            other, kind = orders.get(army.province), Contradicts.CONVOY
            fits = _goes(other, to)
        case _:
            return
    if not fits:
        yield Contradiction(kind, order, other)


def _goes(order: Order | None, to: Location) -> bool:
    return isinstance(order, Move) and province_of(order.to) == province_of(to)


def _crowded(orders: Mapping[Province, Order]) -> Iterator[Contradiction]:
    """Two units that go to one place, or one that goes where another stays."""
    goals = [(order, province_of(order.to)) for order in orders.values() if isinstance(order, Move | Retreat)]
    for (one, goal), (other, same) in combinations(goals, 2):
        if goal == same:
            yield Contradiction(Contradicts.SAME_PLACE, one, other)
    for order, goal in goals:
        there = orders.get(goal)
        if isinstance(order, Move) and there is not None and not isinstance(there, Move):
            yield Contradiction(Contradicts.SAME_PLACE, order, there)

"""All legal movement orders of a unit, in a fixed order.

First the hold, then moves, supports and convoys, each sorted by place.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules.legality import Referee
from judge.rules.orders import Convoy, Hold, Move, MovementOrder, Support
from judge.rules.outcomes import Illegal
from judge.rules.position import Power, Unit, UnitKind, province_of


def possible_orders(referee: Referee, power: Power, unit: Unit) -> tuple[MovementOrder, ...]:
    """Return the legal orders of a unit of this power."""
    legal = (referee.in_movement(power, order) for order in _conceivable(referee, unit))
    return tuple(dict.fromkeys(order for order in legal if not isinstance(order, Illegal)))


def _conceivable(referee: Referee, unit: Unit) -> Iterator[MovementOrder]:
    """Yield orders that may be legal; every legal order is among them."""
    board = referee.map
    yield Hold(unit)
    yield from (Move(unit, to) for to in sorted(board.steps[unit.text]))
    overseas = (
        [place for place in sorted(board.sea_borders) if not board.is_sea(place)] if referee.fleets_at_sea else []
    )
    is_army = unit.kind is UnitKind.ARMY
    if is_army and unit.province in board.sea_borders:
        yield from (Move(unit, to, by_convoy=True) for to in overseas)
    reach = sorted({province_of(place) for place in board.provinces_in_reach[unit.text]})
    others = sorted((one for one in referee.standing.values() if one != unit), key=lambda one: one.location)
    for other in others:
        if other.province in reach:
            yield Support(unit, other)
        walks = {province_of(place) for place in board.steps[other.text]}
        sails = overseas if other.kind is UnitKind.ARMY and other.province in board.sea_borders else []
        yield from (Support(unit, other, to) for to in reach if to in walks or to in sails)
    if not is_army and unit.province in referee.fleets_at_sea:
        carried = (one for one in others if one.kind is UnitKind.ARMY and one.province in board.sea_borders)
        yield from (Convoy(unit, army, to) for army in carried for to in overseas)

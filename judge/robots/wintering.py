"""Builds and removals of a robot."""

from __future__ import annotations

from random import Random

from judge.robots.values import Values
from judge.robots.view import RobotView
from judge.rules import Map, Power, Unit, UnitKind
from judge.rules.adjustments import adjustments
from judge.rules.orders import AdjustmentOrder, Build, Disband, Order, Waive
from judge.rules.position import province_of

_MANY_ALIKE = 0.04
"""How much less a unit is worth for each unit of the same kind."""
_ON_A_CENTER = 6.0


def winter_orders(view: RobotView, power: Power, chance: Random) -> list[AdjustmentOrder]:
    """Return the most promising builds, one per province, or the least useful units."""
    decision = adjustments(view.map, view.position, view.options, view.circumstances).get(power)
    if decision is None or not decision.count:
        return []
    if decision.count > 0:
        return _builds(view, power, decision.count, decision.options, chance)
    return _removals(view, power, -decision.count, chance)


def _builds(
    view: RobotView, power: Power, count: int, options: tuple[Order, ...], chance: Random
) -> list[AdjustmentOrder]:
    values = Values(view)
    left = [order for order in options if isinstance(order, Build)]
    kinds = [unit.kind for unit in view.position.units_of(power)]
    found: list[AdjustmentOrder] = []
    while len(found) < count and left:
        worth = {order: _promise(values, order.unit, kinds) * chance.uniform(0.95, 1.05) for order in left}
        best = max(left, key=worth.__getitem__)
        found.append(best)
        kinds.append(best.unit.kind)
        left = [order for order in left if order.unit.province != best.unit.province]
    return [*found, *(Waive() for _ in range(count - len(found)))]


def _promise(values: Values, unit: Unit, kinds: list[UnitKind]) -> float:
    around = [Unit(unit.kind, to) for to in values.view.map.neighbors(unit)]
    best = max((values.of(there) for there in around), default=0.0)
    return best * (1 - _MANY_ALIKE * kinds.count(unit.kind)) * _usual(values.view.map, unit.kind)


def _usual(map_: Map, kind: UnitKind) -> float:
    """Return the usefulness of a kind; fleets are worth more with more coastal centers."""
    coasts = sum(province_of(center) in map_.sea_borders for center in map_.supply_centers)
    return 1.0 if kind is UnitKind.ARMY else 0.6 + 0.5 * coasts / max(1, len(map_.supply_centers))


def _removals(view: RobotView, power: Power, count: int, chance: Random) -> list[AdjustmentOrder]:
    values = Values(view)
    worth = {
        unit: values.of(unit) * chance.uniform(0.95, 1.05)
        + (_ON_A_CENTER if unit.province in view.map.supply_centers else 0.0)
        for unit in view.position.units_of(power)
    }
    return [Disband(unit) for unit in sorted(worth, key=worth.__getitem__)[:count]]

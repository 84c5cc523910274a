"""The retreat phase (R-RET): everybody at once, without supports or convoys; who meets, disbands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import Options
from judge.rules.orders import Disband, Order, Retreat
from judge.rules.outcomes import Destroyed, Illegal, IllegalReason, Outcome, Verdict
from judge.rules.position import Position, Power, Province, Unit, province_of


def resolve_retreats(
    map_: Map, position: Position, orders: Mapping[Power, Sequence[Order]], options: Options
) -> tuple[tuple[Verdict, ...], Mapping[Unit, Power]]:
    """The verdicts, and the units on the board afterwards; the first legal order of a unit counts."""
    judged = _judged(Referee(map_, position, options), orders)
    told = {
        order.unit: order for _, order, illegal in judged if illegal is None and isinstance(order, Retreat | Disband)
    }
    clashes = _clashes(told)
    units = dict(position.units)
    verdicts: list[Verdict] = []
    for power, order, illegal in judged:
        outcomes: tuple[Outcome, ...] = (illegal,) if illegal else ()
        if illegal is None and isinstance(order, Retreat):
            if clashes[order.unit]:
                outcomes = (Destroyed(clashes[order.unit]),)
            else:
                units[Unit(order.unit.kind, order.to)] = power
        verdicts.append(Verdict(power, order, outcomes))
    verdicts += [
        Verdict(loss.power, Disband(unit), (Destroyed(),), given=False)
        for unit, loss in position.dislodged.items()
        if unit not in told
    ]
    return tuple(verdicts), units


def _judged(referee: Referee, orders: Mapping[Power, Sequence[Order]]) -> list[tuple[Power, Order, Illegal | None]]:
    """Every order with why it does not count; of several legal ones for a unit the first does."""
    judged: list[tuple[Power, Order, Illegal | None]] = []
    told: set[Unit] = set()
    for power, its_orders in orders.items():
        for order in its_orders:
            meant = referee.meaning(power, order)
            if isinstance(meant, Retreat | Disband) and meant.unit in told:
                meant = Illegal(IllegalReason.ORDERED_TWICE, meant.unit.location, meant.unit)
            if isinstance(meant, Illegal):
                judged.append((power, order, meant))
            elif isinstance(meant, Retreat | Disband):
                told.add(meant.unit)
                judged.append((power, meant, None))
    return judged


def _clashes(told: Mapping[Unit, Retreat | Disband]) -> Mapping[Unit, tuple[Unit, ...]]:
    """Every retreating unit → the others that retreat to the same province."""
    heading: dict[Province, list[Unit]] = {}
    for unit, order in told.items():
        if isinstance(order, Retreat):
            heading.setdefault(province_of(order.to), []).append(unit)
    return {unit: tuple(u for u in units if u != unit) for units in heading.values() for unit in units}

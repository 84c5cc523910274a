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
    referee = Referee(map_, position, options)
    told: dict[Unit, Retreat | Disband] = {}
    judged: list[tuple[Power, Order, Illegal | None]] = []
    for power, its_orders in orders.items():
        for order in its_orders:
            meant = referee.meaning(power, order)
            if isinstance(meant, Illegal):
                judged.append((power, order, meant))
            elif isinstance(meant, Retreat | Disband):
                if meant.unit in told:
                    judged.append((power, order, Illegal(IllegalReason.ORDERED_TWICE, meant.unit.location, meant.unit)))
                    continue
                told[meant.unit] = meant
                judged.append((power, meant, None))

    heading: dict[Province, list[Unit]] = {}
    for unit, order in told.items():
        if isinstance(order, Retreat):
            heading.setdefault(province_of(order.to), []).append(unit)
    clashes = {unit: tuple(u for u in units if u != unit) for units in heading.values() for unit in units}

    verdicts: list[Verdict] = []
    units = dict(position.units)
    unsettled = dict(position.dislodged)
    for power, order, illegal in judged:
        if illegal is None and isinstance(order, Retreat | Disband):
            unsettled.pop(order.unit, None)
            outcomes: tuple[Outcome, ...] = ()
            if isinstance(order, Retreat):
                if clashes[order.unit]:
                    outcomes = (Destroyed(clashes[order.unit]),)
                else:
                    units[Unit(order.unit.kind, order.to)] = power
            verdicts.append(Verdict(power, order, outcomes))
        else:
            verdicts.append(Verdict(power, order, (illegal,) if illegal else ()))
    verdicts += [Verdict(loss.power, Disband(unit), (Destroyed(),), given=False) for unit, loss in unsettled.items()]
    return tuple(verdicts), units

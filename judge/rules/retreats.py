"""The retreat phase (R-RET): simultaneous retreats without supports or convoys.

Units that retreat to the same province are disbanded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from judge.rules.circumstances import Circumstances
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import Options, SingleSpaceRetreat
from judge.rules.orders import Disband, Order, Retreat, Waive
from judge.rules.outcomes import Destroyed, DestroyedReason, Illegal, IllegalReason, Outcome, Verdict
from judge.rules.position import Position, Power, Province, Unit, province_of


def resolve_retreats(
    map_: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options,
    circumstances: Circumstances,
) -> tuple[tuple[Verdict, ...], Mapping[Unit, Power]]:
    """Return the verdicts, and the units on the board afterwards.

    The first legal order of a unit counts.
    """
    referee = Referee(map_, position, options, circumstances)
    judged = _judged(referee, orders)
    ordered = {
        order.unit: order for _, order, illegal in judged if illegal is None and isinstance(order, Retreat | Disband)
    }
    lost = dict(_clashes(ordered))
    if options.single_space_retreat is SingleSpaceRetreat.STRICT:
        lost = dict(_trapped(position, ordered)) | lost
    units = dict(position.units)
    verdicts: list[Verdict] = []
    unordered = {unit: loss.power for unit, loss in position.dislodged.items() if unit not in ordered}
    for power, order, illegal in judged:
        outcomes: tuple[Outcome, ...] = (illegal,) if illegal else ()
        misled = _misled(power, order, unordered) if illegal else None
        if misled is not None:
            del unordered[misled]
            reason = DestroyedReason.LEADERLESS if power in referee.silent else DestroyedReason.VOID_ORDER
            outcomes += (Destroyed(reason),)
        if illegal is None and isinstance(order, Retreat):
            if order.unit in lost:
                outcomes = (lost[order.unit],)
            else:
                units[Unit(order.unit.kind, order.to)] = power
        verdicts.append(Verdict(power, order, outcomes))
    for unit, power in unordered.items():
        reason = DestroyedReason.LEADERLESS if power in referee.silent else DestroyedReason.NO_ORDER
        verdicts.append(Verdict(power, Disband(unit), (Destroyed(reason),), given=False))
    return tuple(verdicts), units


def _misled(power: Power, order: Order, unordered: Mapping[Unit, Power]) -> Unit | None:
    """Return the unit whose loss is told with this illegal order, if any.

    The loss of a unit without a legal order is told with the first order its power gave for it.
    """
    if isinstance(order, Waive):
        return None
    return next((unit for unit in unordered if unit.province == order.unit.province and unordered[unit] == power), None)


def _judged(referee: Referee, orders: Mapping[Power, Sequence[Order]]) -> list[tuple[Power, Order, Illegal | None]]:
    """Return every order with the reason it does not count, or None.

    The first of several legal orders for a unit counts.
    """
    judged: list[tuple[Power, Order, Illegal | None]] = []
    ordered: set[Unit] = set()
    for power, its_orders in orders.items():
        for order in its_orders:
            meant = referee.meaning(power, order)
            if isinstance(meant, Retreat | Disband) and meant.unit in ordered:
                meant = Illegal(IllegalReason.ORDERED_TWICE, meant.unit.location, meant.unit)
            if isinstance(meant, Illegal):
                judged.append((power, order, meant))
            elif isinstance(meant, Retreat | Disband):
                ordered.add(meant.unit)
                judged.append((power, meant, None))
    return judged


def _clashes(ordered: Mapping[Unit, Retreat | Disband]) -> Iterator[tuple[Unit, Destroyed]]:
    """Yield the units that retreat to the same province as another."""
    heading: dict[Province, list[Unit]] = {}
    for unit, order in ordered.items():
        if isinstance(order, Retreat):
            heading.setdefault(province_of(order.to), []).append(unit)
    for units in heading.values():
        if len(units) > 1:
            yield from ((unit, Destroyed(DestroyedReason.CLASH, _others(unit, units))) for unit in units)


def _trapped(position: Position, ordered: Mapping[Unit, Retreat | Disband]) -> Iterator[tuple[Unit, Destroyed]]:
    """Yield the units whose only retreat is also the only retreat of another unit.

    Units that were ordered to disband are left out on both sides.
    """
    only_way: dict[Province, list[Unit]] = {}
    for unit, loss in position.dislodged.items():
        ways = {province_of(to) for to in loss.retreats}
        if len(ways) == 1:
            only_way.setdefault(ways.pop(), []).append(unit)
    for units in only_way.values():
        staying = [unit for unit in units if not isinstance(ordered.get(unit), Disband)]
        if len(staying) > 1:
            yield from ((unit, Destroyed(DestroyedReason.SINGLE_SPACE, _others(unit, staying))) for unit in staying)


def _others(unit: Unit, units: Iterable[Unit]) -> tuple[Unit, ...]:
    return tuple(other for other in units if other != unit)

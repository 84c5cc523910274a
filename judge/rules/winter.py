"""The adjustment phase (R-ADJ): builds and removals as ordered, then removals by rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.rules.adjustments import adjustment_due
from judge.rules.circumstances import Circumstances
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import Options
from judge.rules.orders import Build, Disband, Order, Waive
from judge.rules.outcomes import Illegal, IllegalReason, Verdict
from judge.rules.position import Position, Power, Province, Unit
from judge.rules.removals import Removals


def resolve_adjustments(
    map_: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options,
    circumstances: Circumstances,
) -> tuple[tuple[Verdict, ...], Mapping[Unit, Power]]:
    """Return the verdicts, and the units afterwards.

    The first legal orders count (DATC 4.D.4–4.D.6).
    """
    referee = Referee(map_, position, options, circumstances)
    units = dict(position.units)
    verdicts: list[Verdict] = []
    for power in [*orders, *(power for power in map_.powers if power not in orders)]:
        muster = _Muster(referee, power, units)
        verdicts += muster.verdicts(orders.get(power, ()))
        verdicts += muster.removals_by_rule()
    return tuple(verdicts), units


class _Muster:
    """The units of one power while they are adjusted to the number of its centers."""

    def __init__(self, referee: Referee, power: Power, units: dict[Unit, Power]) -> None:
        self.referee = referee
        self.power = power
        self.units = units
        """The units of all powers; changed as orders are carried out."""
        self.due = adjustment_due(referee.position, power)
        """Builds left to order if positive, removals if negative."""
        self.built: set[Province] = set()

    def verdicts(self, orders: Sequence[Order]) -> list[Verdict]:
        """Return one verdict for each order.

        Removals are carried out first: where removals are free, they make room for builds.
        """
        obeyed = sorted(enumerate(orders), key=lambda numbered: not isinstance(numbered[1], Disband))
        verdicts = {number: self._obeyed(order) for number, order in obeyed}
        return [verdicts[number] for number in range(len(orders))]

    def removals_by_rule(self) -> Iterator[Verdict]:
        """Remove units by rule until none is due; yield their verdicts."""
        if self.due < 0:
            referee = self.referee
            rule = Removals(referee.map, referee.position, self.power, referee.options, referee.circumstances)
            standing = [unit for unit in rule.order() if unit in self.units]
            kept = next(iter(standing[-self.due :]), None)
            for unit in standing[: -self.due]:
                del self.units[unit]
                yield Verdict(self.power, Disband(unit), given=False, by_rule=rule.why(unit, kept))

    def _obeyed(self, order: Order) -> Verdict:
        meant = self.referee.meaning(self.power, order)
        meant = meant if isinstance(meant, Illegal) else self._refused(meant) or meant
        if isinstance(meant, Illegal):
            return Verdict(self.power, order, (meant,))
        if isinstance(meant, Build):
            self.units[meant.unit] = self.power
            self.built.add(meant.unit.province)
        elif isinstance(meant, Disband):
            del self.units[meant.unit]
        self.due += 1 if isinstance(meant, Disband) else -1
        return Verdict(self.power, meant)

    def _refused(self, order: Order) -> Illegal | None:
        """Return why a legal order cannot be carried out after the ones before it."""
        match order:
            case Disband(unit) if unit not in self.units:
                return Illegal(IllegalReason.ORDERED_TWICE, unit.location, unit)
            case Disband() if self.due >= 0 and not self.referee.removes_at_will:
                return Illegal(IllegalReason.NO_REMOVAL_DUE)
            case Build() | Waive() if self.due <= 0:
                return Illegal(IllegalReason.NO_BUILD_LEFT)
            case Build(unit) if unit.province in self.built:
                return Illegal(IllegalReason.ORDERED_TWICE, unit.location, unit)
            case Build(unit) if unit.province in {other.province for other in self.units}:
                return Illegal(IllegalReason.CENTER_OCCUPIED, unit.location)
        return None

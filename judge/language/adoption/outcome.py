"""The position that orders and their results lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from judge.language.adoption.sheet import Lost
from judge.rules.position import Location, Power, Province, Unit


class DeedKind(Enum):
    """What became of a unit."""

    STAYED = auto()
    MOVED = auto()
    RETREATED = auto()
    BUILT = auto()
    REMOVED = auto()


@dataclass(frozen=True, slots=True)
class Deed:
    """What a report tells of one unit."""

    power: Power
    kind: DeedKind
    unit: Unit
    to: Location | None = None
    is_beaten: bool = False
    """The unit was dislodged."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where the units stand after a turn."""

    units: Mapping[Power, tuple[Unit, ...]]
    lost: Mapping[Power, tuple[Lost, ...]]
    """The dislodged units of which the report does not tell what became of them."""


def after(deeds: Iterable[Deed]) -> Outcome:
    """Return where the units stand after all this."""
    told = tuple(dict.fromkeys(deeds))
    moves = [one for one in told if one.kind in (DeedKind.STAYED, DeedKind.MOVED)]
    standing = [(one.power, _moved(one)) for one in moves if not one.is_beaten]
    attackers = {_moved(one).province: one.unit.province for one in moves if one.kind is DeedKind.MOVED}
    beaten = [one for one in moves if one.is_beaten]
    for deed in told:
        if deed.kind is DeedKind.RETREATED:
            standing.append((deed.power, _moved(deed)))
        elif deed.kind is DeedKind.BUILT:
            standing.append((deed.power, deed.unit))
        elif deed.kind is DeedKind.REMOVED and deed.unit.province not in {one.unit.province for one in beaten}:
            standing = [(power, unit) for power, unit in standing if unit.province != deed.unit.province]
    settled = {one.unit.province for one in told if one.kind in (DeedKind.RETREATED, DeedKind.REMOVED)}
    left = [one for one in beaten if one.unit.province not in settled]
    powers = dict.fromkeys(one.power for one in told)
    return Outcome(
        {power: tuple(unit for whose, unit in standing if whose == power) for power in powers},
        {power: lost for power in powers if (lost := _lost_by(power, left, attackers))},
    )


def _moved(deed: Deed) -> Unit:
    return replace(deed.unit, location=deed.to) if deed.to is not None else deed.unit


def _lost_by(power: Power, left: Sequence[Deed], attackers: Mapping[Province, Province]) -> tuple[Lost, ...]:
    return tuple(Lost(one.unit, attackers.get(one.unit.province)) for one in left if one.power == power)

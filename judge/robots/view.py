"""What a robot knows: what stands in the report of whoever plays its powers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from judge.rules import NORMAL, STANDARD, Circumstances, Map, Options, Position, Power, Province, Unit
from judge.rules.legality import Referee
from judge.rules.position import Season


@dataclass(frozen=True)
class RobotView:
    """A position, seen by the player of some powers; look-ups are made once."""

    map: Map
    position: Position
    powers: tuple[Power, ...]
    """Its own: one, or all that its player has where few play."""
    options: Options = STANDARD
    circumstances: Circumstances = field(default=NORMAL)

    @cached_property
    def own(self) -> tuple[Unit, ...]:
        """Its units, sorted by location."""
        mine = (unit for unit, power in self.position.units.items() if power in self.powers)
        return tuple(sorted(mine, key=lambda unit: unit.location))

    @cached_property
    def foreign(self) -> Mapping[Province, Unit]:
        """Where the others stand."""
        return {unit.province: unit for unit, power in self.position.units.items() if power not in self.powers}

    @cached_property
    def threats(self) -> Mapping[Province, int]:
        """Province → how many foreign units could go there without a convoy, of the power that has most there."""
        idle = self.circumstances.unplayed | self.map.unplayed
        by_power: dict[Province, dict[Power, int]] = {}
        for unit in self.foreign.values():
            power = self.position.units[unit]
            for place in self.map.reach(unit) if power not in idle else ():
                there = by_power.setdefault(Province(place), {})
                there[power] = there.get(power, 0) + 1
        return {place: max(there.values()) for place, there in by_power.items()}

    @cached_property
    def centers(self) -> frozenset[Province]:
        """Its own."""
        owned = self.position.centers or {}
        return frozenset(center for center, power in owned.items() if power in self.powers)

    @property
    def turns(self) -> int:
        """How many years' turns have been played."""
        return max(0, self.position.phase.year - self.map.first_year) // self.map.years_per_turn

    @cached_property
    def is_fall(self) -> bool:
        """Whether who stands on a center at the end of the turn takes it."""
        return self.position.phase.season is not Season.SPRING

    @cached_property
    def referee(self) -> Referee:
        """Says whether an order is allowed."""
        return Referee(self.map, self.position, self.options, self.circumstances)

"""What a robot knows: the contents of its player's report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from judge.rules import NORMAL, STANDARD, Circumstances, Map, Options, Position, Power, Province, Unit
from judge.rules.legality import Referee
from judge.rules.position import Season


@dataclass(frozen=True)
class RobotView:
    """A position as the player of some powers sees it; look-ups are made once."""

    map: Map
    position: Position
    powers: tuple[Power, ...]
    """The robot's powers: one, or several in games with few players."""
    options: Options = STANDARD
    circumstances: Circumstances = field(default=NORMAL)

    @cached_property
    def own(self) -> tuple[Unit, ...]:
        """Its units, sorted by location."""
        mine = (unit for unit, power in self.position.units.items() if power in self.powers)
        return tuple(sorted(mine, key=lambda unit: unit.location))

    @cached_property
    def foreign(self) -> Mapping[Province, Unit]:
        """Province → the foreign unit there."""
        return {unit.province: unit for unit, power in self.position.units.items() if power not in self.powers}

    @cached_property
    def threats(self) -> Mapping[Province, int]:
        """Province → the most units that one foreign power could move there.

        Only moves without a convoy count.
        """
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
        """The centers its powers own."""
        owned = self.position.centers or {}
        return frozenset(center for center, power in owned.items() if power in self.powers)

    @property
    def turns(self) -> int:
        """The number of years played, in turns of the board."""
        return max(0, self.position.phase.year - self.map.first_year) // self.map.years_per_turn

    @cached_property
    def is_fall(self) -> bool:
        """Whether units on centers take them at the end of the turn."""
        return self.position.phase.season is not Season.SPRING

    @cached_property
    def referee(self) -> Referee:
        """Checks the legality of orders."""
        return Referee(self.map, self.position, self.options, self.circumstances)

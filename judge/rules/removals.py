"""Removals by rule, where a power does not choose (R-ADJ-10, R-NMR-3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.map import Map
from judge.rules.options import STANDARD, DefaultRemoval, Options
from judge.rules.outcomes import ByRule
from judge.rules.position import Location, Position, Power, Province, Unit, UnitKind


class Removals:
    """Order in which the units of one power are removed, by the option `default_removal`."""

    def __init__(
        self,
        map_: Map,
        position: Position,
        power: Power,
        options: Options = STANDARD,
        circumstances: Circumstances = NORMAL,
    ) -> None:
        self.map = map_
        self.position = position
        self.power = power
        self.measured = options.default_removal
        self.closed = circumstances.closed

    def order(self) -> list[Unit]:
        """Return the units in the order of removal.

        Ties are broken by fleets before armies, then by English name.
        """
        return sorted(self.position.units_of(self.power), key=self._first_to_go)

    def why(self, unit: Unit, kept: Unit | None) -> ByRule:
        """Return why the unit is removed; `kept` is the unit that would have gone next."""
        return ByRule(unit, self.measured, self.spaces(unit), kept, self.spaces(kept) if kept else None)

    def spaces(self, unit: Unit) -> int | None:
        """Return the distance by the option in use; None if no way leads there."""
        place = unit.location if self.measured is DefaultRemoval.ROUTE_FLEET_ALPHA else unit.province
        return self._distances[unit.kind].get(place)

    def _first_to_go(self, unit: Unit) -> tuple[int, bool, str]:
        spaces = self.spaces(unit)
        farthest = len(self.map.provinces)
        name = self.map.provinces[unit.province].name
        return (-(farthest if spaces is None else spaces), unit.kind is UnitKind.ARMY, name)

    @cached_property
    def _distances(self) -> Mapping[UnitKind, Mapping[Location, int]]:
        home = self.map.home_centers.get(self.power, frozenset())
        if self.measured is DefaultRemoval.ROUTE_FLEET_ALPHA:
            return {kind: self.map.routes_from(kind, home, self.closed) for kind in UnitKind}
        distances: Mapping[Province, int]
        match self.measured:
            case DefaultRemoval.OWNED_DISTANCE_FLEET_ALPHA:
                distances = self.map.distances_from(self.position.centers_of(self.power))
            case DefaultRemoval.DISTANCE_FLEET_ALPHA:
                distances = self.map.distances_from(sorted(home))
            case DefaultRemoval.ABROAD_NONCENTER_FLEET_ALPHA:
                # Three rings instead of a distance: home centers, the rest of the home country, abroad.
                land = self.map.home_land.get(self.power, frozenset())
                distances = {place: 0 if place in self.map.supply_centers else 1 for place in land}
        by_province: Mapping[Location, int] = dict(distances.items())
        return dict.fromkeys(UnitKind, by_province)

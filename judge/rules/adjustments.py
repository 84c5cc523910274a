"""Winter: who owns what, who builds, who removes (R-OWN, R-ADJ)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.map import Map, ProvinceKind
from judge.rules.orders import Build, Disband, Order
from judge.rules.outcomes import Adjustment, Illegal, IllegalReason
from judge.rules.position import Location, Position, Power, Province, Unit, UnitKind


def owners_after(map_: Map, position: Position) -> Mapping[Province, Power]:
    """Who owns every center once the units standing there have taken them (R-OWN-1)."""
    owners = dict(position.centers or {})
    owners.update(
        {unit.province: power for unit, power in position.units.items() if unit.province in map_.supply_centers}
    )
    return owners


def strength_due(position: Position, power: Power) -> int:
    """Builds a power may make if positive, removals it must make if negative; free room is not looked at."""
    return len(position.centers_of(power)) - sum(owner == power for owner in position.units.values())


def room_for(map_: Map, position: Position, power: Power, unit: Unit) -> Illegal | None:
    """Why a unit cannot be built there; None if it can (R-ADJ-3, R-ADJ-4)."""
    place = unit.province
    if place not in map_.home_centers.get(power, frozenset()):
        return Illegal(IllegalReason.NOT_HOME_CENTER, unit.location)
    if (position.centers or {}).get(place) != power:
        return Illegal(IllegalReason.CENTER_NOT_OWNED, unit.location)
    if any(standing.province == place for standing in position.units):
        return Illegal(IllegalReason.CENTER_OCCUPIED, unit.location)
    if map_.can_stand(unit):
        return None
    if unit.kind is UnitKind.FLEET and map_.provinces[place].coasts and unit.location == place:
        return Illegal(IllegalReason.COAST_NEEDED, unit.location)
    return Illegal(IllegalReason.CANNOT_STAND, unit.location)


def possible_builds(map_: Map, position: Position, power: Power) -> tuple[Build, ...]:
    """Every build that is open to a power, sorted by province, armies first."""
    builds = []
    for place in sorted(map_.home_centers[power]):
        info = map_.provinces[place]
        units = [Unit(UnitKind.ARMY, Location(place))]
        if info.kind is ProvinceKind.COASTAL:
            units += [Unit(UnitKind.FLEET, coast) for coast in info.coasts or (Location(place),)]
        builds += [Build(unit) for unit in units if room_for(map_, position, power, unit) is None]
    return tuple(builds)


def removable(position: Position, power: Power) -> tuple[Unit, ...]:
    """The units a power may choose among when it has to remove some."""
    return position.units_of(power)


def adjustments(map_: Map, position: Position) -> Mapping[Power, Adjustment]:
    """What every power that has something to decide may decide; builds are capped by the room there is."""
    result = {}
    for power in map_.powers:
        due = strength_due(position, power)
        if due > 0:
            options: tuple[Order, ...] = possible_builds(map_, position, power)
            due = min(due, len({build.unit.province for build in options if isinstance(build, Build)}))
        else:
            options = tuple(Disband(unit) for unit in removable(position, power)) if due else ()
        if due:
            result[power] = Adjustment(due, options)
    return result


def default_removals(map_: Map, position: Position, power: Power, count: int, spared: Sequence[Unit]) -> list[Unit]:
    """The units that go when a power does not say which: farthest from its centers first.

    Distance is to the nearest owned center over all borders, then fleets before armies, then by
    English name (DATC 4.D.8, rulebook 2023). `spared` are already removed otherwise.
    """
    distances = map_.distances_from(position.centers_of(power))
    unreachable = len(map_.provinces)

    def first_to_go(unit: Unit) -> tuple[int, bool, str]:
        distance = distances.get(unit.province, unreachable)
        return (-distance, unit.kind is UnitKind.ARMY, map_.provinces[unit.province].name)

    return sorted((unit for unit in position.units_of(power) if unit not in spared), key=first_to_go)[:count]

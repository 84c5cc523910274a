"""Ownership of centers, and what may be built or removed in winter (R-OWN, R-ADJ)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from operator import attrgetter

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.map import Map
from judge.rules.options import (
    STANDARD,
    BuildsWaivable,
    CivilDisorder,
    DeclineOwnership,
    Options,
    VoluntaryRemoval,
)
from judge.rules.orders import Build, Order, Waive
from judge.rules.outcomes import Adjustment, Illegal, IllegalReason
from judge.rules.position import Position, Power, Province, Unit, UnitKind


def owners_after(
    map_: Map, position: Position, options: Options = STANDARD, circumstances: Circumstances = NORMAL
) -> Mapping[Province, Power]:
    """Return the owner of every center after standing units have taken them (R-OWN-1).

    A center that is declined stays with its owner, or stays unowned (R-OWN-3).
    """
    owners = dict(position.centers or {})
    declined = circumstances.declined if options.decline_ownership is DeclineOwnership.YES else {}
    supply_centers = map_.supply_centers
    for unit, power in position.units.items():
        if unit.province in supply_centers and not (declined and unit.province in declined.get(power, ())):
            owners[unit.province] = power
    return owners


def adjustment_due(position: Position, power: Power) -> int:
    """Return the builds a power may make (positive), or the removals due (negative).

    Whether there is room for the builds is not checked.
    """
    owners, leaders = (position.centers or {}).values(), position.units.values()
    return [*owners].count(power) - [*leaders].count(power)


def room_for(map_: Map, position: Position, occupied: Container[Province], power: Power, unit: Unit) -> Illegal | None:
    """Return why a unit cannot be built there; None if it can (R-ADJ-3, R-ADJ-4)."""
    place = unit.province
    if place in map_.build_centers.get(power, frozenset()):
        owner = (position.centers or {}).get(place)
        if owner != power:
            return Illegal(IllegalReason.CENTER_NOT_OWNED, unit.location, owner=owner)
        if place in occupied:
            return Illegal(IllegalReason.CENTER_OCCUPIED, unit.location)
    return _never_built(map_, power, unit)


def never_possible(map_: Map, options: Options, power: Power, order: Order) -> Illegal | None:
    """Return why a build or waiver can never be legal in a game, or None."""
    match order:
        case Build(unit):
            return _never_built(map_, power, unit)
        case Waive() if options.builds_waivable is BuildsWaivable.NO:
            return Illegal(IllegalReason.WAIVING_FORBIDDEN)
    return None


def _never_built(map_: Map, power: Power, unit: Unit) -> Illegal | None:
    place = unit.province
    if place not in map_.build_centers.get(power, frozenset()):
        builds_at_home = map_.build_centers.get(power) == map_.home_centers.get(power)
        reason = IllegalReason.NOT_HOME_CENTER if builds_at_home else IllegalReason.NOT_BUILD_CENTER
        return Illegal(reason, unit.location)
    if map_.can_stand(unit):
        return None
    if unit.kind is UnitKind.FLEET and map_.provinces[place].coasts and unit.location == place:
        return Illegal(IllegalReason.COAST_NEEDED, unit.location)
    return Illegal(IllegalReason.CANNOT_STAND, unit.location, unit)


def possible_builds(map_: Map, position: Position, power: Power) -> tuple[Build, ...]:
    """Return every build open to a power, sorted by province, armies first."""
    occupied = {unit.province for unit in position.units}
    return _open_builds(map_, position.centers or {}, occupied, power)


def _open_builds(
    map_: Map, centers: Mapping[Province, Power], occupied: Container[Province], power: Power
) -> tuple[Build, ...]:
    open_ = {center for center in map_.build_centers[power] if centers.get(center) == power and center not in occupied}
    return tuple([build for build in map_.possible_builds[power] if build.unit.province in open_]) if open_ else ()


def adjustments(
    map_: Map, position: Position, options: Options = STANDARD, circumstances: Circumstances = NORMAL
) -> Mapping[Power, Adjustment]:
    """Return what each power with something to decide may decide.

    Builds are capped by the room there is. Powers that are unplayed or in civil disorder decide nothing; their
    removals go by rule. Where removals are free, every power with units has a decision, even about 0 builds.
    """
    result = {}
    at_will = options.voluntary_removal is VoluntaryRemoval.YES
    centers = position.centers or {}
    owned = Counter(centers.values())
    occupied = {unit.province for unit in position.units}
    standing: dict[Power, list[Unit]] = {power: [] for power in map_.powers}
    for unit, power in position.units.items():
        standing[power].append(unit)
    idle = leaderless(map_, options, circumstances)
    for power, units in standing.items():
        if power in idle:
            continue
        due = owned[power] - len(units)
        choices: tuple[Order, ...] = ()
        if due > 0:
            builds = _open_builds(map_, centers, occupied, power)
            due = min(due, len({build.unit.province for build in builds}))
            choices = builds
        if due < 0 or at_will:
            choices += tuple([map_.disbands[unit.text] for unit in sorted(units, key=_location)])
        if choices:
            result[power] = Adjustment(due, choices)
    return result


_location = attrgetter("location")


def leaderless(map_: Map, options: Options, circumstances: Circumstances) -> frozenset[Power]:
    """Return the powers that cannot give orders (R-NMR-1, R-MULTI-1).

    Their units only hold, and can be lost.
    """
    unplayed = circumstances.unplayed | map_.unplayed
    return unplayed | circumstances.disorder if options.civil_disorder is CivilDisorder.DISORDER else unplayed

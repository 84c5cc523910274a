"""The worth of places to a unit: the centers there and nearby, as it travels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from judge.robots.view import RobotView
from judge.rules import Location, Power, Province, Unit, UnitKind
from judge.rules.position import province_of

_NEUTRAL, _HELD = 10.0, 6.0
"""Worth of a center that is undefended and of one that is defended."""
_BY_SIZE = 0.35
"""Extra worth for each center of its owner: large powers must be stopped."""
_DEFENDED = 2.5
"""Worth of a center the robot owns, for each unit that may attack it."""
_AT_HOME = 2.0
"""Extra worth of a home center: without it nothing can be built."""
_STEPS = 6
"""How many steps ahead a unit looks."""
_FADING = 0.55
"""Factor of worth for each further step."""
_BREADTH = 0.3
"""Share of the mean of the surroundings; the rest is their best.

A unit with many ways to go on is more flexible.
"""


class Values:
    """The worth of places in one position."""

    def __init__(self, view: RobotView) -> None:
        self.view = view
        self.centers = {center: self._center(center) for center in view.map.supply_centers}

    def of(self, unit: Unit) -> float:
        """Return the worth of standing where the unit stands."""
        return (self._armies if unit.kind is UnitKind.ARMY else self._fleets)[unit.location]

    @cached_property
    def _armies(self) -> Mapping[Location, float]:
        return self._spread(self.view.map.army_borders)

    @cached_property
    def _fleets(self) -> Mapping[Location, float]:
        return self._spread(self.view.map.fleet_borders)

    @cached_property
    def sizes(self) -> Mapping[Power, int]:
        """Power → number of centers it owns."""
        return Counter((self.view.position.centers or {}).values())

    def _center(self, center: Province) -> float:
        view = self.view
        if center in view.circumstances.closed:
            return 0.0
        if center in view.centers:
            home = any(center in view.map.home_centers[power] for power in view.powers)
            return view.threats.get(center, 0) * (_DEFENDED + (_AT_HOME if home else 0.0))
        owner = (view.position.centers or {}).get(center)
        if center not in view.foreign and (owner is None or not view.threats.get(center)):
            return _NEUTRAL
        return _HELD + _BY_SIZE * self.sizes[owner] if owner is not None else _HELD

    def _spread(self, borders: Mapping[Location, tuple[Location, ...]]) -> Mapping[Location, float]:
        """Return location → worth of the centers there and nearby, fading with distance."""
        closed = self.view.circumstances.closed
        # In spring a unit may stand anywhere from which a center is in reach in fall.
        here = 1.0 if self.view.is_fall else 0.6
        own = {place: self.centers.get(province_of(place), 0.0) for place in borders}
        steps = {
            place: [to for to in there if province_of(to) not in closed] or [place] for place, there in borders.items()
        }
        worth = dict(own)
        for _ in range(_STEPS):
            worth = {
                place: own[place]
                + _FADING
                * (
                    (1 - _BREADTH) * max(worth[to] for to in steps[place])
                    + _BREADTH * sum(worth[to] for to in steps[place]) / len(steps[place])
                )
                for place in borders
            }
        return {place: worth[place] - (1 - here) * own[place] for place in borders}

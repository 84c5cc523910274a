"""What it is worth to stand somewhere: the centers there and near by, as a unit of that kind travels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from judge.robots.view import RobotView
from judge.rules import Location, Power, Province, Unit, UnitKind
from judge.rules.position import province_of

_NEUTRAL, _HELD = 10.0, 6.0
"""A center that only has to be entered; one whose owner defends it."""
_BY_SIZE = 0.35
"""For each center of its owner: the great are to be stopped."""
_DEFENDED = 2.5
"""A center of one's own, for each unit that may come for it."""
_AT_HOME = 2.0
"""More for one's home: without it nothing is built."""
_STEPS = 6
"""How far a unit looks."""
_FADING = 0.55
"""What is one step farther counts so much."""
_BREADTH = 0.3
"""How much of what lies around a place is its mean, and not the best of it: whoever can go on in many ways is free."""


class Values:
    """The worth of places, for one position."""

    def __init__(self, view: RobotView) -> None:
        self.view = view
        self.centers = {center: self._center(center) for center in view.map.supply_centers}

    def of(self, unit: Unit) -> float:
        """What it is worth that a unit stands there."""
        return (self._armies if unit.kind is UnitKind.ARMY else self._fleets)[unit.location]

    @cached_property
    def _armies(self) -> Mapping[Location, float]:
        return self._spread(self.view.map.army_borders)

    @cached_property
    def _fleets(self) -> Mapping[Location, float]:
        return self._spread(self.view.map.fleet_borders)

    @cached_property
    def sizes(self) -> Mapping[Power, int]:
        """Power → how many centers it owns."""
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
        """Every location a unit can stand in → the centers there and near by, faded with the distance."""
        closed = self.view.circumstances.closed
        # In spring one may stand anywhere, if only a center is in reach in fall.
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

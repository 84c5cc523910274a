"""Project degrees to drawing units: a hand-scaled cone, and lenses over cramped regions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

Point: TypeAlias = tuple[float, float]

_STEP = 0.25
"""Degrees; longer lines are bent."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The drawn width of one degree: linear between points, constant outside them."""

    points: tuple[Point, ...]

    def at(self, degree: float) -> float:
        """Return the scale at this degree."""
        (first, before), (last, after) = self.points[0], self.points[-1]
        if not first < degree < last:
            return before if degree <= first else after
        (low, start), (high, end) = next(pair for pair in pairwise(self.points) if degree <= pair[1][0])
        return start + (end - start) * (degree - low) / (high - low)

    def way(self, start: float, end: float) -> float:
        """Return the drawn distance from `start` to `end` degrees."""
        if end < start:
            return -self.way(end, start)
        stops = [start, *(degree for degree, _ in self.points if start < degree < end), end]
        return sum((self.at(low) + self.at(high)) / 2 * (high - low) for low, high in pairwise(stops))


@dataclass(frozen=True, slots=True)
class Lens:
    """Make room within a radius: what lies further out is moved, and keeps its area."""

    middle: Point
    radius: float
    power: float
    """How much longer lines become in the middle; below 0, shorter."""

    def push(self, point: Point) -> Point:
        """Return how far a point is moved."""
        x, y = point[0] - self.middle[0], point[1] - self.middle[1]
        distance = (x * x + y * y) / (2 * self.radius**2)
        strength = self.power * (-math.expm1(-distance) / distance if distance else 1.0)
        return x * strength, y * strength


@dataclass(frozen=True, slots=True)
class Projection:
    """The map projection; y grows downward."""

    meridian: float
    parallel: float
    center: Point
    unit: float
    latitudes: Scale
    longitudes: Scale
    lenses: tuple[Lens, ...]

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Projection:
        """Read the projection from its table in the TOML file."""
        cone = cls(
            table["meridian"],
            table["parallel"],
            tuple(table["center"]),
            table["unit"],
            Scale(tuple(map(tuple, table["latitudes"]))),
            Scale(tuple(map(tuple, table["longitudes"]))),
            (),
        )
        lenses = tuple(Lens(cone.flat((x, y)), radius, power) for x, y, radius, power in table["lenses"])
        return cls(cone.meridian, cone.parallel, cone.center, cone.unit, cone.latitudes, cone.longitudes, lenses)

    def flat(self, degrees: Point) -> Point:
        """Return a point on the cone, before the lenses."""
        longitude, latitude = degrees
        slope = math.radians(self.parallel)
        apex = math.degrees(1 / math.tan(slope))
        distance = apex - self.latitudes.way(self.parallel, latitude)
        angle = math.radians(self.longitudes.way(0, longitude - self.meridian)) * math.sin(slope)
        x, y = distance * math.sin(angle), apex - distance * math.cos(angle)
        return self.center[0] + self.unit * x, self.center[1] - self.unit * y

    def __call__(self, degrees: Point) -> Point:
        """Return where a point of the earth is drawn."""
        flat = self.flat(degrees)
        pushes = [lens.push(flat) for lens in self.lenses]
        return flat[0] + sum(x for x, _ in pushes), flat[1] + sum(y for _, y in pushes)

    def line(self, points: Sequence[Point]) -> list[Point]:
        """Return a line through these points, bent by the projection."""
        return [self(point) for point in _dense(points)]


def _dense(points: Sequence[Point]) -> Iterable[Point]:
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = max(1, math.ceil(math.hypot(to_x - x, to_y - y) / _STEP))
        yield from ((x + (to_x - x) * step / steps, y + (to_y - y) * step / steps) for step in range(steps))
    yield points[-1]

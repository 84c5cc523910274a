"""Cut the picture into provinces that share their borders point by point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import shapely
from shapely import LineString, MultiPolygon, Polygon, STRtree, box
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

from cartography.projection import Point, Projection

WASTE = "waste"
"""The name of impassable land."""

_GRID = 1.0
"""Grid of coordinates: lines are snapped to whole numbers at the start.

An end near another line then lies on it, and nothing is rounded later.
"""

Regions: TypeAlias = dict[str, list[Polygon]]
"""Province, or `waste` → its parts, the largest first, with whole coordinates."""


def points(text: str, nodes: Mapping[str, str]) -> list[Point]:
    """Return the points of a line such as `"-9.1 38.7, gas mar spa"`."""
    words = [nodes.get(word.strip(), word).split() for word in text.split(",")]
    return [(float(x), float(y)) for x, y in words]


def _rounded(line: Sequence[Point], rounds: int = 2) -> list[Point]:
    """Return the line with its corners cut off (Chaikin) and its ends unchanged."""
    for _ in range(rounds):
        cut = [line[0]]
        for (x, y), (to_x, to_y) in pairwise(line):
            cut += [(0.75 * x + 0.25 * to_x, 0.75 * y + 0.25 * to_y), (0.25 * x + 0.75 * to_x, 0.25 * y + 0.75 * to_y)]
        line = [*cut, line[-1]]
    return list(line)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The picture: its table in the TOML file, and its projection."""

    table: Mapping[str, Any]
    projection: Projection

    @property
    def frame(self) -> Polygon:
        """The edge of the picture."""
        return box(0, 0, *self.table["size"])

    def drawn(self, text: str) -> LineString:
        """Return a line of the file in drawing units."""
        return LineString(self.projection.line(_rounded(points(text, self.table["nodes"]))))

    def seeds(self) -> Iterable[tuple[str, Spot]]:
        """Yield province and point; each point marks a part of the picture as its province's."""
        for name, text in self.table["seeds"].items():
            yield from ((name, Spot(self.projection(point))) for point in points(text, {}))

    def land(self, coast: Sequence[Sequence[Point]]) -> BaseGeometry:
        """Return the land with generalized coasts, without islands that have no seed."""
        table = self.table["coast"]
        margin = self.frame.buffer(60, join_style="mitre")
        gap = table["smallest_gap"]
        rings = [shapely.make_valid(Polygon(self.projection.line([*ring, ring[0]]))) for ring in coast]
        land = unary_union(rings).intersection(margin).buffer(gap).buffer(-2 * gap).buffer(gap)
        filled = [self._band(*row) for row in table["fill"]]
        cut = [self._band(*row) for row in table["cut"]]
        land = unary_union([land, *filled]).difference(unary_union(cut))
        seeds = [seed for _, seed in self.seeds()]
        parts = [_without_ponds(part, table["smallest_water"]) for part in shapely.get_parts(land)]
        return unary_union([part for part in parts if any(part.contains(seed) for seed in seeds)])

    def _band(self, text: str, width: float) -> BaseGeometry:
        return LineString(self.projection.line(points(text, {}))).buffer(width / 2)

    def regions(self, coast: Sequence[Sequence[Point]]) -> Regions:
        """Return the provinces."""
        land = self.land(coast)
        lines = [land.boundary, self.frame.boundary]
        lines += [self.drawn(text).intersection(land) for text in self.table["land"].values()]
        lines += [self.drawn(text).difference(land) for text in self.table["sea"].values()]
        faces = [
            face
            for face in polygonize(shapely.union_all(lines, grid_size=_GRID))
            if self.frame.contains(face.representative_point())
        ]
        named = _named(faces, list(self.seeds()), land)
        return _merged(named, self.table["coast"]["simplify"])


def _without_ponds(part: Polygon, smallest: float) -> Polygon:
    return Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area >= smallest])


def _named(faces: list[Polygon], seeds: Sequence[tuple[str, Spot]], land: BaseGeometry) -> list[tuple[str, Polygon]]:
    """Return each face with its province.

    Slivers without a seed go to the neighbor with the longest border.
    """
    tree = STRtree(faces)
    owner: dict[int, str] = {}
    for name, seed in seeds:
        for number in map(int, tree.query(seed, predicate="within")):
            if owner.setdefault(number, name) != name:
                raise ValueError(f"{owner[number]} and {name} are one: no line parts them")
    dry = [land.contains(face.representative_point()) for face in faces]
    for number in sorted(set(range(len(faces))) - set(owner), key=lambda number: -faces[number].area):
        shared = {
            other: (length > 0, dry[other] == dry[number], length)
            for other in map(int, tree.query(faces[number]))
            if other in owner
            for length in [faces[number].boundary.intersection(faces[other].boundary).length]
        }
        owner[number] = owner[max(shared, key=lambda other: shared[other])]
    return [(owner[number], face) for number, face in enumerate(faces)]


def _merged(named: list[tuple[str, Polygon]], tolerance: float) -> Regions:
    """Merge faces into regions, simplified together so that borders stay shared."""
    names = sorted({name for name, _ in named})
    merged = [unary_union([face for owner, face in named if owner == name]) for name in names]
    simple = shapely.coverage_simplify(merged, tolerance)
    regions: Regions = {}
    for name, shape in zip(names, simple, strict=True):
        parts = shape.geoms if isinstance(shape, MultiPolygon) else [shape]
        regions[name] = sorted(parts, key=lambda part: -part.area)
    return regions

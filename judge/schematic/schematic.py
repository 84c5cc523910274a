"""The schematic drawing of a board, in the form of `drawing.json`."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import shapely
import shapely.ops
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from judge.rules.map import Map, ProvinceKind
from judge.rules.position import Location, Province, province_of
from judge.schematic import places
from judge.schematic.layout import NO_COMPASS, Cells, cells
from judge.schematic.mesh import GAP
from judge.schematic.places import Spot
from judge.schematic.plane import Pair, laid_out

Point: TypeAlias = tuple[float, float]
Ring: TypeAlias = list[Point]

_WIDTH = 1800
_HEIGHTS = (1300, 1700)
_EACH = 34_000
"""Square units per province whose signs are as large as on the standard board."""
_LARGEST = 1.5
_SMALLER, _SMALLEST = 0.94, 0.4
_MARGIN = 3.0
_KINDS = {ProvinceKind.SEA: "sea", ProvinceKind.INLAND: "land", ProvinceKind.COASTAL: "coast"}


def drawing(board: Map, compass: Mapping[str, Sequence[str]] = NO_COMPASS) -> dict[str, Any]:
    """Return a drawing of a board, the same on every machine.

    `compass` maps directions to provinces that lie there; without it, names and coasts decide the orientation. Raises
    ValueError if the board falls apart or has no room for its signs.
    """
    plane = laid_out(board)
    count = len(plane.islands) + len(board.provinces)
    height = max(_HEIGHTS[0], min(_HEIGHTS[1], round(count * _EACH / _WIDTH, -1)))
    size = (_WIDTH, int(height))
    scale = min(_LARGEST, math.sqrt(size[0] * size[1] / (count * _EACH)))
    regions = _regions(cells(board, plane, size, 60 * scale, compass), size)
    while True:
        try:
            described = _Signs(board, regions.shapes, plane.islands, _sizes(board, scale)).described()
        except NoRoomError as error:
            scale *= _SMALLER
            if scale < _SMALLEST:
                raise ValueError(f"there is no room for the signs of {error}") from error
        else:
            break
    for island, host in plane.islands.items():
        ring = described[island]["rings"][0]
        regions.borders[min(island, host), max(island, host)] = [[*ring, ring[0]]]
    marks = _marks(board, regions, plane.links, described, scale)
    return {
        "size": list(size),
        "signs": _sizes(board, scale),
        "provinces": described,
        "impassable": regions.gaps,
    } | marks


def written(drawing: Mapping[str, Any]) -> str:
    """Return a drawing as the text of its file, with a line for each province."""

    def line(value: object) -> str:
        return json.dumps(value, separators=(",", ":")).replace(".0,", ",").replace(".0]", "]")

    def table(values: Iterable[object]) -> str:
        return ",\n".join(f" {line(value)}" for value in values)

    described = ",\n".join(f' "{code}": {line(province)}' for code, province in drawing["provinces"].items())
    head = f'{{"size": {line(drawing["size"])},\n"signs": {line(drawing["signs"])},\n'
    marks = "".join(f',\n"{kind}": [\n{table(drawing[kind])}\n]' for kind in ("links", "bars") if drawing.get(kind))
    return f'{head}"provinces": {{\n{described}\n}},\n"impassable": [\n{table(drawing["impassable"])}\n]{marks}}}\n'


class NoRoomError(Exception):
    """The signs are too large for a cell."""


def _sizes(board: Map, scale: float) -> dict[str, Any]:
    longest = max(map(len, board.provinces))
    wide = {"unit": (52, 37), "dislodged": (36, 25), "label": (max(50, 15 * longest), 20)}
    return {sign: [round(w * scale), round(h * scale)] for sign, (w, h) in wide.items()} | {"center": round(8 * scale)}


@dataclass(frozen=True, slots=True)
class _Regions:
    """Cells as rings of points that share their borders point by point."""

    rings: Mapping[Province, Ring]
    gaps: list[Ring]
    borders: dict[Pair, list[Ring]]
    """Two provinces → the lines along which they touch."""

    @property
    def shapes(self) -> dict[Province, Polygon]:
        return {code: Polygon(ring) for code, ring in self.rings.items()}


def _regions(cells: Cells, size: tuple[int, int]) -> _Regions:
    """Round the cells to rings; the rest of the picture becomes gaps.

    Sharp corners of gaps may close by this.
    """
    owner = {}
    for triangle, whose in zip(cells.mesh.triangles.tolist(), cells.mesh.owners.tolist(), strict=True):
        for n in range(3):
            owner[triangle[n], triangle[(n + 1) % 3]] = whose
    steps: dict[str, dict[int, int]] = defaultdict(dict)
    for (one, other), whose in owner.items():
        if owner.get((other, one)) != whose:
            steps[cells.mesh.names[whose]][one] = other
    spots = [_spot(x, y) for x, y in cells.at.tolist()]
    rings = {
        Province(Location(name)): _ring(ways, spots) for name, ways in sorted(steps.items()) if not name.startswith(GAP)
    }
    rest = shapely.box(0, 0, *size).difference(shapely.union_all([Polygon(ring) for ring in rings.values()]))
    gaps = [part for part in getattr(rest, "geoms", [rest]) if part.area > 0]
    return _Regions(rings, sorted([_spot(x, y) for x, y in gap.exterior.coords[:-1]] for gap in gaps), _borders(rings))


def _spot(x: float, y: float) -> Point:
    return (round(x, 1), round(y, 1))


def _ring(ways: Mapping[int, int], spots: Sequence[Point]) -> Ring:
    start = node = min(ways)
    ring = [spots[start]]
    while (node := ways[node]) != start:
        if spots[node] != ring[-1]:
            ring.append(spots[node])
    return ring[:-1] if ring[-1] == ring[0] else ring


def _borders(rings: Mapping[Province, Ring]) -> dict[Pair, list[Ring]]:
    sides: dict[tuple[Point, Point], list[Province]] = defaultdict(list)
    for code, ring in rings.items():
        for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
            sides[min(one, other), max(one, other)].append(code)
    pieces: dict[Pair, list[tuple[Point, Point]]] = defaultdict(list)
    for side, codes in sides.items():
        if len(codes) == 2:
            pieces[codes[0], codes[1]].append(side)
    return {pair: _lines(parts) for pair, parts in sorted(pieces.items())}


def _lines(pieces: Iterable[tuple[Point, Point]]) -> list[Ring]:
    """Return the pieces joined to lines, each from its smaller end."""
    joined = shapely.line_merge(shapely.MultiLineString(sorted(pieces)))
    parts = joined.geoms if hasattr(joined, "geoms") else [joined]
    found = [[_spot(x, y) for x, y in part.coords] for part in parts]
    return sorted(min(line, line[::-1]) for line in found)


@dataclass(slots=True)
class _Signs:
    """Places of signs: islands, then fleets of split coasts, then the rest.

    Later signs use the room that earlier ones leave.
    """

    board: Map
    shapes: dict[Province, Any]
    islands: Mapping[Province, Province]
    signs: Mapping[str, Any]
    _sizes: places.Sizes = field(init=False)
    _free: dict[Province, BaseGeometry] = field(init=False)

    def described(self) -> dict[str, Any]:
        """Return the description of each province; islands come last, as they lie on others."""
        self._sizes = places.sizes(self.signs)
        self._free = {code: shape.buffer(-_MARGIN) for code, shape in self.shapes.items()}
        for island, host in self.islands.items():
            self.shapes[island] = self._island(host, list(self.islands.values()).count(island))
            self._free[host] = self._free[host].difference(self.shapes[island].buffer(2 * _MARGIN))
            self._free[island] = self.shapes[island].buffer(-1)
        return {code: self._province(code) for code in [*sorted(self.shapes.keys() - self.islands), *self.islands]}

    def _island(self, host: Province, inner: int) -> Polygon:
        """Return an island in its host, far from the middle of the host.

        The signs of the host stand in the middle. The island is larger if there are `inner` islands in it.
        """
        (unit, high), (dislodged, _), (label, low) = (self._sizes[sign] for sign in ("unit", "dislodged", "label"))
        width = max(unit + dislodged, label + self._sizes["center"][0]) + 30
        width, height = round(width * (1 + 0.5 * inner)), round((high + low + 26) * (1 + 1.3 * inner))
        grid = places.Raster(self._free[host], 4)
        inside = grid.inside(width + 16, height + 16)
        if not inside.any():
            raise NoRoomError(host)
        middle = self._free[host].representative_point()
        away = ((grid.xs - middle.x) ** 2 + (grid.ys - middle.y) ** 2) * inside
        spot = int(away.argmax())
        x, y, w, h, cut = float(grid.xs.flat[spot]), float(grid.ys.flat[spot]), width / 2, height / 2, 10
        corners = ((-w + cut, -h), (w - cut, -h), (w, -h + cut), (w, h - cut))
        around = [*corners, *((-right, -down) for right, down in corners)]
        return Polygon([(round(x + right), round(y + down)) for right, down in around])

    def _province(self, code: Province) -> dict[str, Any]:
        info = self.board.provinces[code]
        ring = [_spot(x, y) for x, y in self.shapes[code].exterior.coords[:-1]]
        coasts = {coast.partition("/")[2]: self._coast(code, coast) for coast in info.coasts}
        middle = shapely.maximum_inscribed_circle(self._free[code], tolerance=1).coords[0]
        kept = ["label", "unit", "dislodged", *(["center"] if info.is_center else [])]
        found = self._placed(code, kept, middle)
        name = places.name(self._free[code], len(info.name), found["label"])
        if not name["width"]:
            name = {"at": list(found["label"]), "angle": 0, "width": self._sizes["label"][0]}
        signs = {sign: found.get(sign) for sign in ("unit", "dislodged", "center", "label")}
        return {"kind": _KINDS[info.kind], "rings": [ring], **signs, "name": name, "coasts": coasts}

    def _coast(self, code: Province, coast: Location) -> dict[str, Spot]:
        """Return the places of signs on a coast, near the seas of that coast."""
        shape = self.shapes[code]
        shores = [
            shore.centroid
            for to in self.board.fleet_borders[coast]
            if (sea := self.shapes.get(province_of(to))) is not None and self.board.is_sea(province_of(to))
            if not (shore := shape.intersection(sea)).is_empty
        ]
        near = shapely.MultiPoint(shores).centroid if shores else shape.centroid
        return self._placed(code, ("label", "unit", "dislodged"), (near.x, near.y))

    def _placed(self, code: Province, kept: Sequence[str], near: tuple[float, float]) -> dict[str, Spot]:
        found = {} if self._free[code].is_empty else places.Room(self._free[code]).best(kept, self._sizes, near)
        if not found:
            raise NoRoomError(code)
        for sign, at in found.items():
            if sign != "label" or len(kept) == 3:
                self._free[code] = self._free[code].difference(places.box_at(at, self._sizes[sign]).buffer(_MARGIN))
        return found


# Links and bars: corrections where the cells alone would mislead


def _marks(
    board: Map, regions: _Regions, links: Sequence[Pair], described: Mapping[str, Any], scale: float
) -> dict[str, Any]:
    joined = [_link(pair, _passage(board, pair), described, scale) for pair in links]
    barred = []
    for pair, lines in regions.borders.items():
        if set(pair) & board.seas:
            continue
        shores = [line for line in lines if _shore_ends(board, regions, pair, line)]
        if pair[1] not in board.army_steps.get(pair[0], ()):
            barred += [{"between": list(pair), "against": "army", "line": line} for line in lines]
        if _sails(board, pair) and not shores:
            joined.append(_link(pair, "fleet", described, scale))
        if not _sails(board, pair):
            barred += [
                {"between": list(pair), "against": "fleet", "line": _stub(line, end, 34 * scale)}
                for line in shores
                for end in _shore_ends(board, regions, pair, line)
            ]
    return {"links": joined, "bars": barred}


def _sails(board: Map, pair: Pair) -> bool:
    one, other = pair
    return any(other in board.fleet_reach[here] for here in board.fleet_borders if province_of(here) == one)


def _passage(board: Map, pair: Pair) -> str:
    if pair[1] not in board.army_steps.get(pair[0], ()):
        return "fleet"
    return "any" if _sails(board, pair) else "army"


def _shore_ends(board: Map, regions: _Regions, pair: Pair, line: Ring) -> list[Point]:
    """Return the ends of a land border at seas that touch both provinces."""
    shared = {sea for sea in board.seas if all(sea in board.borders[code] for code in pair)}
    return [end for end in (line[0], line[-1]) if any(end in regions.rings.get(sea, ()) for sea in shared)]


def _stub(line: Ring, end: Point, long: float) -> Ring:
    """Return the first part of a line from one of its ends."""
    way = shapely.LineString(line if line[0] == end else line[::-1])
    part = shapely.ops.substring(way, 0, min(long, way.length / 2))
    return [_spot(x, y) for x, y in part.coords]


def _link(pair: Pair, by: str, described: Mapping[str, Any], scale: float) -> dict[str, Any]:
    """Return a line between two provinces that crosses from one cell to the other.

    It leads from inside one to inside the other, along the line between their units.
    """
    one, other = (Polygon(described[code]["rings"][0]) for code in pair)
    middles = [shapely.Point(described[code]["unit"]) for code in pair]
    way = shapely.LineString(middles)
    inside = [min(30 * scale, way.intersection(cell).length / 2) for cell in (one, other)]
    first, last = way.intersection(one).length - inside[0], way.length - way.intersection(other).length + inside[1]
    line = [way.interpolate(max(0, first)), way.interpolate(min(way.length, last))]
    return {"between": list(pair), "by": by, "line": [[round(spot.x), round(spot.y)] for spot in line]}

"""Draw the standard board.

`python -m cartography.standard` writes `judge/maps/standard/drawing.json`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from cartography.partition import WASTE, Regions, Sheet, points
from cartography.projection import Projection
from judge.schematic import places

HERE = Path(__file__).parent
MAP = HERE.parent / "judge" / "maps" / "standard"
_NEAR = 100
"""The most units between the fleet of a split coast and its wished place."""
KINDS = {"inland": "land", "coastal": "coast", "sea": "sea"}


def drawing() -> str:
    """Return the content of the drawing's file, with a line for each province."""
    table = tomllib.loads((HERE / "standard.toml").read_text("utf-8"))
    board = tomllib.loads((MAP / "board.toml").read_text("utf-8"))["provinces"]
    sheet = Sheet(table, Projection.read(table["projection"]))
    regions = sheet.regions(json.loads((HERE / "coast.json").read_text("utf-8")))
    if set(regions) - {WASTE} != set(board):
        raise ValueError(f"drawn, or on the board, but not both: {sorted((set(regions) - {WASTE}) ^ set(board))}")
    return _written(table, _described(sheet, board, regions), [_ring(part) for part in regions[WASTE]])


def _ring(part: Polygon) -> list[list[int]]:
    return [[int(x), int(y)] for x, y in part.exterior.coords[:-1]]


def _open(code: str, board: Mapping[str, Any], regions: Regions) -> BaseGeometry:
    """Return where a province's signs can stand: its largest part, without islands at sea."""
    place = regions[code][0]
    if board[code]["kind"] != "sea":
        return place
    shores = [part for other, parts in regions.items() if other != code for part in parts if part.intersects(place)]
    return place.difference(unary_union(shores))


class Signs:
    """The places of the signs: fleets of split coasts first, then everything else."""

    def __init__(self, sheet: Sheet, board: Mapping[str, Any], regions: Regions) -> None:
        self._table, self._projection, self._board = sheet.table, sheet.projection, board
        self._sizes = places.sizes(self._table["signs"])
        self._whole = {code: _open(code, board, regions) for code in board}
        self._free = {code: shape.buffer(-1.5) for code, shape in self._whole.items()}
        self.coasts: dict[str, dict[str, dict[str, places.Spot]]] = {}
        for location, row in self._table["coasts"].items():
            self._place_coast(location, row)

    def _place_coast(self, location: str, row: Mapping[str, str]) -> None:
        code, coast = location.split("/")
        codes = [code, *([row["afloat"]] if "afloat" in row else [])]
        shape = unary_union([self._whole[code] for code in codes]).buffer(-1.5)
        taken = [self._box(sign, at) for found in self.coasts.get(code, {}).values() for sign, at in found.items()]
        near = self._projection(points(row["at"], {})[0])
        shore = shape.difference(unary_union(taken)).intersection(shapely.Point(near).buffer(_NEAR))
        found = places.Room(shore).best(("label", "unit", "dislodged"), self._sizes, near, nearest="unit")
        if not found:
            raise ValueError(f"no room for the fleet of {location}")
        self.coasts.setdefault(code, {})[coast] = found
        self._take(codes, found)

    def _take(self, codes: Iterable[str], found: Mapping[str, places.Spot]) -> None:
        boxes = unary_union([self._box(sign, at).buffer(1.5) for sign, at in found.items()])
        for code in codes:
            self._free[code] = self._free[code].difference(boxes)

    def _box(self, sign: str, at: places.Spot) -> BaseGeometry:
        return places.box_at(at, self._sizes[sign])

    def of(self, code: str) -> dict[str, Any]:
        """Return the signs of a province and the room for its name."""
        hint = self._table["middles"].get(code)
        middle = shapely.maximum_inscribed_circle(self._whole[code]).coords[0]
        near = self._projection(points(hint, {})[0]) if hint else middle
        kept = ["label", "unit", "dislodged", *(["center"] if self._board[code].get("center") else [])]
        found = places.Room(self._free[code]).best(kept, self._sizes, near)
        if not found:
            raise ValueError(f"no room for the signs of {code}")
        self._take([code], {sign: at for sign, at in found.items() if sign != "label"})
        name = places.name(self._free[code], len(self._board[code]["name"]), found["label"])
        if not name["width"]:
            name = {"at": list(found["label"]), "angle": 0, "width": self._sizes["label"][0]}
        return {**{sign: found.get(sign) for sign in ("unit", "dislodged", "center", "label")}, "name": name}


def _described(sheet: Sheet, board: Mapping[str, Any], regions: Regions) -> dict[str, Any]:
    """Return the description of each province in the drawing."""
    signs = Signs(sheet, board, regions)
    described = {}
    for code in sorted(board):
        kind = {"kind": KINDS[board[code]["kind"]], "rings": [_ring(part) for part in regions[code]]}
        described[code] = {**kind, **signs.of(code), "coasts": signs.coasts.get(code, {})}
    return described


def _written(table: Mapping[str, Any], provinces: Mapping[str, Any], impassable: list[Any]) -> str:
    def line(value: object) -> str:
        return json.dumps(value, separators=(",", ":"))

    described = ",\n".join(f' "{code}": {line(province)}' for code, province in provinces.items())
    waste = ",\n".join(f" {line(ring)}" for ring in impassable)
    head = f'{{"size": {line(table["size"])},\n"signs": {line(table["signs"])},\n'
    return f'{head}"provinces": {{\n{described}\n}},\n"impassable": [\n{waste}\n]}}\n'


if __name__ == "__main__":
    (MAP / "drawing.json").write_text(drawing(), "utf-8")

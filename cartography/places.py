"""Where the signs of a province stand: clusters of rows, moved over the province until they lie well inside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

Spot: TypeAlias = tuple[int, int]
Sizes: TypeAlias = Mapping[str, tuple[float, float]]
Rows: TypeAlias = tuple[tuple[str, ...], ...]

_STEP = 4
"""Units between the places that are tried."""
_GAP = 5
_ENOUGH = 12.0
"""Units from the signs to the border; more is no better."""

_FULL: tuple[Rows, ...] = (
    (("label", "center"), ("unit", "dislodged")),
    (("unit", "dislodged"), ("label", "center")),
    (("label", "center"), ("unit",), ("dislodged",)),
    (("unit",), ("label", "center"), ("dislodged",)),
    (("unit",), ("dislodged",), ("label", "center")),
    (("label",), ("unit", "center"), ("dislodged",)),
    (("label",), ("unit",), ("dislodged", "center")),
    (("label", "unit"), ("center", "dislodged")),
    (("unit", "label"), ("dislodged", "center")),
    (("label", "center", "unit"), ("dislodged",)),
    (("label", "center", "unit", "dislodged"),),
    (("label",), ("center",), ("unit",), ("dislodged",)),
)
_SKEWS = (0, 8, -8, 16, -16, 24, -24, 36, -36)
"""How far each row stands to the right of the one above; a slanted province has slanted rows."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Signs with their places around a middle."""

    offsets: Mapping[str, tuple[float, float]]
    fault: float
    """How much less it is liked than the first."""


def sizes(signs: Mapping[str, Any]) -> Sizes:
    """Width and height of each sign."""
    radius = signs["center"]
    return {**{name: tuple(signs[name]) for name in ("unit", "dislodged", "label")}, "center": (2 * radius, 2 * radius)}


def box_at(at: Sequence[float], size: tuple[float, float]) -> BaseGeometry:
    """The room of a sign."""
    return shapely.box(at[0] - size[0] / 2, at[1] - size[1] / 2, at[0] + size[0] / 2, at[1] + size[1] / 2)


def _clusters(kept: Iterable[str], room: Sizes) -> Iterable[Cluster]:
    seen = set()
    for number, full in enumerate(_FULL):
        rows = tuple(row for row in (tuple(sign for sign in row if sign in kept) for row in full) if row)
        for skew in _SKEWS if len(rows) > 1 else (0,):
            if (rows, skew) not in seen:
                seen.add((rows, skew))
                yield Cluster(_laid_out(rows, skew, room), 0.15 * number + abs(skew) / 12)


def _laid_out(rows: Rows, skew: float, room: Sizes) -> dict[str, tuple[float, float]]:
    heights = [max(room[sign][1] for sign in row) for row in rows]
    top = -(sum(heights) + _GAP * (len(rows) - 1)) / 2
    offsets = {}
    for number, (row, height) in enumerate(zip(rows, heights, strict=True)):
        left = -(sum(room[sign][0] for sign in row) + _GAP * (len(row) - 1)) / 2 + skew * (number - (len(rows) - 1) / 2)
        for sign in row:
            offsets[sign] = (left + room[sign][0] / 2, top + height / 2)
            left += room[sign][0] + _GAP
        top += height + _GAP
    return offsets


class Room:
    """A part of the picture in which signs can stand."""

    def __init__(self, shape: BaseGeometry) -> None:
        self._edge = shape.boundary
        self._shape = shape
        shapely.prepare(self._shape)
        left, top, right, bottom = shape.bounds
        xs = np.arange(math.ceil(left), right, _STEP)
        ys = np.arange(math.ceil(top), bottom, _STEP)
        self._xs, self._ys = (grid.ravel() for grid in np.meshgrid(xs, ys))
        self._columns, self._rows = len(xs), len(ys)

    def _clearance(self, size: tuple[float, float]) -> NDArray[np.float64]:
        """How far the box at each grid point is from the edge; negative outside. Rows of the grid, then columns."""
        width, height = size
        x, y = self._xs, self._ys
        boxes = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        inside = shapely.contains(self._shape, boxes)
        clear = np.full(len(boxes), -1.0)
        clear[inside] = np.minimum(shapely.distance(self._edge, boxes[inside]), _ENOUGH)
        return clear.reshape(self._rows, self._columns)

    def best(self, kept: Sequence[str], room: Sizes, near: tuple[float, float]) -> dict[str, Spot]:
        """Where these signs stand well together, as near to a point as they can."""
        clear = {sign: self._clearance(room[sign]) for sign in kept}
        away = np.hypot(self._xs - near[0], self._ys - near[1]).reshape(self._rows, self._columns)
        found: tuple[float, dict[str, Spot]] = (-math.inf, {})
        for cluster in _clusters(kept, room):
            least = np.full((self._rows, self._columns), _ENOUGH)
            steps = {sign: (round(x / _STEP), round(y / _STEP)) for sign, (x, y) in cluster.offsets.items()}
            for sign, (right, down) in steps.items():
                least = np.minimum(least, _moved(clear[sign], right, down))
            score = np.where(least < 0, -math.inf, least - cluster.fault - away * 0.04)
            spot = int(score.argmax())
            if score.flat[spot] > found[0]:
                x, y = self._xs[spot], self._ys[spot]
                places = {
                    sign: (int(x + right * _STEP), int(y + down * _STEP)) for sign, (right, down) in steps.items()
                }
                found = (float(score.flat[spot]), places)
        return found[1]


def _moved(grid: NDArray[np.float64], right: int, down: int) -> NDArray[np.float64]:
    """What lies so far from each point of the grid."""
    rows, columns = grid.shape
    moved = np.full(grid.shape, -1.0)
    to_y, from_y = slice(max(0, -down), rows - max(0, down)), slice(max(0, down), rows - max(0, -down))
    to_x, from_x = slice(max(0, -right), columns - max(0, right)), slice(max(0, right), columns - max(0, -right))
    if abs(right) < columns and abs(down) < rows:
        moved[to_y, to_x] = grid[from_y, from_x]
    return moved


_NAME_HEIGHT = 22
_NAME_WIDTHS = (240, 200, 170, 150, 130, 115, 100, 85, 70, 55)
_NAME_ANGLES = (0, -15, 15, -30, 30, -45, 45, -60, 60, -75, 75, 90)
_NAME_ENOUGH = 130


def name(shape: BaseGeometry) -> dict[str, Any] | None:
    """The longest strip for the full name; level if that is long enough."""
    best: tuple[float, dict[str, Any]] | None = None
    for angle in _NAME_ANGLES:
        level = affinity.rotate(shape, -angle, origin=(0, 0))
        found = _strip(level)
        if found is None:
            continue
        width, x, y = found
        score = min(width, _NAME_ENOUGH) - abs(angle) * 0.5
        if best is None or score > best[0]:
            at = affinity.rotate(shapely.Point(x, y), angle, origin=(0, 0))
            best = (score, {"at": [round(at.x), round(at.y)], "angle": angle, "width": width})
    return best[1] if best else None


def _strip(shape: BaseGeometry) -> tuple[int, float, float] | None:
    shapely.prepare(shape)
    left, top, right, bottom = shape.bounds
    xs, ys = (g.ravel() for g in np.meshgrid(np.arange(left, right, 8), np.arange(top, bottom, 8)))
    for width in _NAME_WIDTHS:
        boxes = shapely.box(xs - width / 2, ys - _NAME_HEIGHT / 2, xs + width / 2, ys + _NAME_HEIGHT / 2)
        inside = np.flatnonzero(shapely.contains(shape, boxes))
        if len(inside):
            middle = shape.centroid
            away = np.hypot(xs[inside] - middle.x, ys[inside] - middle.y)
            spot = inside[int(away.argmin())]
            return width, float(xs[spot]), float(ys[spot])
    return None

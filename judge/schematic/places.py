"""Places of the signs of a province.

Clusters of rows of signs are moved over the province until they lie well inside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

Spot: TypeAlias = tuple[int, int]
Sizes: TypeAlias = Mapping[str, tuple[float, float]]
Rows: TypeAlias = tuple[tuple[str, ...], ...]

_STEP = 2
"""Units between the places that are tried; doubled in wide provinces."""
_WIDE = 40_000
_GAP = 5
_ENOUGH = 10
"""Units from the signs to the border; a larger distance is no better."""
_PULL = 0.06
"""Cost of each unit of distance from the wished place, in units of room."""

_IMPORTANCE = ("unit", "label", "dislodged", "center")
_ROWS: tuple[Rows, ...] = (
    (("label", "center"), ("unit", "dislodged")),
    (("unit", "dislodged"), ("label", "center")),
    (("label", "center"), ("dislodged", "unit")),
    (("dislodged", "unit"), ("label", "center")),
    (("label", "center"), ("unit",), ("dislodged",)),
    (("unit",), ("label", "center"), ("dislodged",)),
    (("dislodged",), ("label", "center"), ("unit",)),
    (("label",), ("unit", "center"), ("dislodged",)),
    (("unit",), ("dislodged",), ("label", "center")),
    (("label",), ("unit",), ("dislodged", "center")),
    (("unit", "label"), ("dislodged", "center")),
    (("unit", "label"), ("center", "dislodged")),
    (("label", "unit"), ("center", "dislodged")),
    (("center", "label", "unit", "dislodged"),),
    (("label",), ("center",), ("unit",), ("dislodged",)),
)
"""Arrangements, the best liked first; the most important signs of the rows are aligned."""
_SKEWS = (0, 8, -8, 16, -16, 24, -24, 36, -36)
"""Offsets of each row to the right of the one above, for slanted provinces."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Signs with their places around a middle."""

    offsets: Mapping[str, tuple[float, float]]
    fault: float
    """How much less it is liked than the first arrangement."""


def sizes(signs: Mapping[str, Any]) -> Sizes:
    """Return width and height of each sign."""
    radius = signs["center"]
    return {**{name: tuple(signs[name]) for name in ("unit", "dislodged", "label")}, "center": (2 * radius, 2 * radius)}


def box_at(at: Sequence[float], size: tuple[float, float]) -> BaseGeometry:
    """Return the box of a sign."""
    return shapely.box(at[0] - size[0] / 2, at[1] - size[1] / 2, at[0] + size[0] / 2, at[1] + size[1] / 2)


def _clusters(kept: Iterable[str], room: Sizes) -> Iterable[Cluster]:
    seen = set()
    for number, full in enumerate(_ROWS):
        rows = tuple(row for row in (tuple(sign for sign in row if sign in kept) for row in full) if row)
        for mirrored, skew in product((False, True), _SKEWS if len(rows) > 1 else (0,)):
            shown = tuple(row[::-1] for row in rows) if mirrored else rows
            if (shown, skew) not in seen:
                seen.add((shown, skew))
                yield Cluster(_laid_out(shown, skew, room), 0.25 * number + 0.2 * mirrored + abs(skew) / 10)


def _laid_out(rows: Rows, skew: float, room: Sizes) -> dict[str, tuple[float, float]]:
    heights = [max(room[sign][1] for sign in row) for row in rows]
    top = -(sum(heights) + _GAP * (len(rows) - 1)) / 2
    offsets = {}
    for number, (row, height) in enumerate(zip(rows, heights, strict=True)):
        main = row.index(min(row, key=_IMPORTANCE.index))
        before = sum(room[sign][0] + _GAP for sign in row[:main])
        left = skew * (number - (len(rows) - 1) / 2) - room[row[main]][0] / 2 - before
        for sign in row:
            offsets[sign] = (left + room[sign][0] / 2, top + height / 2)
            left += room[sign][0] + _GAP
        top += height + _GAP
    return offsets


class Raster:
    """A shape as a grid of points, with sums that make box tests fast."""

    def __init__(self, shape: BaseGeometry, step: int) -> None:
        left, top, right, bottom = shape.bounds
        self.step = step
        self.xs, self.ys = np.meshgrid(np.arange(math.ceil(left), right, step), np.arange(math.ceil(top), bottom, step))
        shapely.prepare(shape)
        inside = shapely.contains_xy(shape, self.xs, self.ys)
        self._sums = np.zeros((inside.shape[0] + 1, inside.shape[1] + 1), dtype=np.int64)
        self._sums[1:, 1:] = inside.cumsum(0).cumsum(1)

    def inside(self, width: float, height: float) -> NDArray[np.bool_]:
        """Return for each point whether a box around it lies in the shape."""
        right, down = math.ceil(width / 2 / self.step), math.ceil(height / 2 / self.step)
        found = np.zeros(self.xs.shape, dtype=np.bool_)
        across, along = 2 * right + 1, 2 * down + 1
        if found.shape[0] >= along and found.shape[1] >= across:
            sums = self._sums
            counts = sums[along:, across:] - sums[:-along, across:] - sums[along:, :-across] + sums[:-along, :-across]
            found[down : found.shape[0] - down, right : found.shape[1] - right] = counts == across * along
        return found


class Room:
    """A part of the picture in which signs can stand."""

    def __init__(self, shape: BaseGeometry) -> None:
        self._raster = Raster(shape, _STEP if shape.area < _WIDE else 2 * _STEP)

    def _clearance(self, size: tuple[float, float]) -> NDArray[np.float64]:
        """Return the distance of each point's box from the edge; -1 where it crosses."""
        clear = np.full(self._raster.xs.shape, -1.0)
        for margin in range(0, _ENOUGH + 1, 2):
            inside = self._raster.inside(size[0] + 2 * margin, size[1] + 2 * margin)
            if not inside.any():
                break
            clear[inside] = margin
        return clear

    def best(
        self, kept: Sequence[str], room: Sizes, near: tuple[float, float], nearest: str | None = None
    ) -> dict[str, Spot]:
        """Return where these signs stand well together, as near to a point as possible.

        The distance is that of their middle, or of the sign `nearest`.
        """
        grid, step = self._raster, self._raster.step
        clear = {sign: self._clearance(room[sign]) for sign in kept}
        found: tuple[float, dict[str, Spot]] = (-math.inf, {})
        for cluster in _clusters(kept, room):
            steps = {sign: (round(x / step), round(y / step)) for sign, (x, y) in cluster.offsets.items()}
            right, down = steps[nearest] if nearest else (0, 0)
            away = np.hypot(grid.xs + right * step - near[0], grid.ys + down * step - near[1]) * _PULL
            least = np.full(grid.xs.shape, float(_ENOUGH))
            for sign, (right, down) in steps.items():
                np.minimum(least, _moved(clear[sign], right, down), out=least)
            score = np.where(least < 0, -math.inf, least - cluster.fault - away)
            spot = int(score.argmax())
            if score.flat[spot] > found[0]:
                x, y = int(grid.xs.flat[spot]), int(grid.ys.flat[spot])
                places = {sign: (x + right * step, y + down * step) for sign, (right, down) in steps.items()}
                found = (float(score.flat[spot]), places)
        return found[1]


def _moved(grid: NDArray[np.float64], right: int, down: int) -> NDArray[np.float64]:
    """Return the grid shifted by that many points; -1 where nothing is."""
    rows, columns = grid.shape
    moved = np.full(grid.shape, -1.0)
    to_y, from_y = slice(max(0, -down), rows - max(0, down)), slice(max(0, down), rows - max(0, -down))
    to_x, from_x = slice(max(0, -right), columns - max(0, right)), slice(max(0, right), columns - max(0, -right))
    if abs(right) < columns and abs(down) < rows:
        moved[to_y, to_x] = grid[from_y, from_x]
    return moved


_NAME_HEIGHT = 20
_LETTER = 9
"""Units of width for each letter of a name."""
_TILT, _AWAY = 0.35, 0.25
"""Cost of a degree, and of a unit from the code, in units of width."""
_NEAR = 60
"""A level strip within this distance is taken at once."""
_NAME_ANGLES = (0, -15, 15, -30, 30, -45, 45, -60, 60, -75, 75, 90)


def name(shape: BaseGeometry, letters: int, near: tuple[float, float]) -> dict[str, Any]:
    """Return a strip for the full name, long, level and near its code.

    If there is none, its width is 0.
    """
    best: tuple[float, dict[str, Any]] = (-math.inf, {"at": [0, 0], "angle": 0, "width": 0})
    for angle in _NAME_ANGLES:
        turned = affinity.rotate(shapely.Point(near), -angle, origin=(0, 0))
        width, away, x, y = _strip(affinity.rotate(shape, -angle, origin=(0, 0)), _LETTER * letters, turned)
        score = width - abs(angle) * _TILT - away * _AWAY
        if width and score > best[0]:
            at = affinity.rotate(shapely.Point(x, y), angle, origin=(0, 0))
            best = (score, {"at": [round(at.x), round(at.y)], "angle": angle, "width": width})
        if best[0] > _LETTER * letters - _NEAR * _AWAY:
            break
    return best[1]


def _strip(shape: BaseGeometry, enough: int, near: shapely.Point) -> tuple[int, float, float, float]:
    """Return width, distance from the wished point, and place of the strip."""
    grid = Raster(shape, 4)
    away = np.hypot(grid.xs - near.x, grid.ys - near.y)
    for width in range(enough, 4 * _LETTER, -_LETTER):
        inside = grid.inside(width, _NAME_HEIGHT)
        if inside.any():
            spot = int(np.where(inside, away, math.inf).argmin())
            return width, float(away.flat[spot]), float(grid.xs.flat[spot]), float(grid.ys.flat[spot])
    return 0, 0, 0, 0

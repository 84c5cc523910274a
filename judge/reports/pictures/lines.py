"""Lines for arrows: bend them, cut them to length, measure them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from judge.reports.pictures.drawing import Point

Line: TypeAlias = tuple[Point, ...]
_PIECES = 18


def bent(start: Point, goal: Point, bend: float = 0.1) -> Line:
    """Return a line between two points, bent to its right.

    This keeps the arrows of two opposite moves apart.
    """
    (x0, y0), (x1, y1) = start, goal
    middle = ((x0 + x1) / 2 - (y1 - y0) * bend, (y0 + y1) / 2 + (x1 - x0) * bend)
    return tuple(_between(start, middle, goal, n / _PIECES) for n in range(_PIECES + 1))


def _between(start: Point, middle: Point, goal: Point, t: float) -> Point:
    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
    return (a * start[0] + b * middle[0] + c * goal[0], a * start[1] + b * middle[1] + c * goal[1])


def through(stops: Sequence[Point]) -> Line:
    """Return a smooth line through all the points (Catmull-Rom)."""
    if len(stops) == 2:
        return bent(stops[0], stops[1])
    ends = (stops[0], *stops, stops[-1])
    line: list[Point] = []
    for before, start, goal, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        line += [_smooth((before, start, goal, after), n / 10) for n in range(10)]
    return (*line, stops[-1])


def _smooth(four: Sequence[Point], t: float) -> Point:
    def along(axis: int) -> float:
        a, b, c, d = (point[axis] for point in four)
        return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)

    return (along(0), along(1))


def length(line: Line) -> float:
    """Return the length of a line."""
    return sum(math.dist(a, b) for a, b in pairwise(line))


def at(line: Line, fraction: float) -> Point:
    """Return the point after a fraction of the line."""
    return cut(line, fraction * length(line), 0)[0]


def heading(line: Line) -> float:
    """Return the direction at the end of the line."""
    (x0, y0), (x1, y1) = line[-2], line[-1]
    return math.atan2(y1 - y0, x1 - x0)


def cut(line: Line, first: float, last: float) -> Line:
    """Cut a length off the beginning and one off the end of a line.

    A short rest in the middle always remains.
    """
    whole = length(line)
    if first + last > whole - 2:
        first, last = first * (whole - 2) / (first + last), last * (whole - 2) / (first + last)
    return _shortened(_shortened(line, first)[::-1], last)[::-1]


def _shortened(line: Line, by: float) -> Line:
    for n, (a, b) in enumerate(pairwise(line)):
        step = math.dist(a, b)
        if step > by:
            part = by / step
            return ((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part), *line[n + 1 :])
        by -= step
    return line[-2:]

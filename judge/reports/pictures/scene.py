"""What is drawn, before it is written as SVG or painted: outlines, words and groups, in colors by their part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge.reports.pictures.drawing import Point, Ring

Step: TypeAlias = tuple[str, tuple[float, ...]]
Path: TypeAlias = tuple[Step, ...]
"""M, L, Q, C with absolute coordinates, and Z."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline, filled or stroked; a color is named by its part in the picture (`palette`)."""

    path: Path
    fill: str = ""
    stroke: str = ""
    width: float = 0
    dash: tuple[float, ...] = ()
    butt: bool = False
    """Whether a line ends where it ends; else it is rounded."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text."""

    at: Point
    """The middle of its height; where it begins, or its middle if `centered`."""
    text: str
    size: float
    fill: str
    halo: str = ""
    centered: bool = True
    angle: float = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Things that belong together, found by what they are."""

    items: tuple[Item, ...]
    id: str = ""
    kinds: tuple[str, ...] = ()
    title: str = ""


Item: TypeAlias = Shape | Words | Group


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture in the layers it is drawn in, lowest first."""

    size: tuple[float, float]
    ground: tuple[Item, ...]
    """Land and sea: the same in every phase."""
    tints: tuple[Item, ...]
    lines: tuple[Item, ...]
    """Borders and coasts: the same in every phase."""
    marks: tuple[Item, ...]
    labels: tuple[Item, ...]
    """The same in every phase; above all arrows."""
    strip: tuple[Item, ...]
    """Title and key, beneath the board."""
    description: str = ""


def ring_path(rings: Sequence[Ring]) -> Path:
    """Closed outlines."""
    steps: list[Step] = []
    for ring in rings:
        steps += [("L" if n else "M", point) for n, point in enumerate(ring)]
        steps.append(("Z", ()))
    return tuple(steps)


def line_path(points: Sequence[Point]) -> Path:
    """An open line."""
    return tuple(("L" if n else "M", point) for n, point in enumerate(points))


def circle(center: Point, radius: float) -> Path:
    """A circle of four curves."""
    x, y = center
    k = radius * 0.5523
    r = radius
    return (
        ("M", (x + r, y)),
        ("C", (x + r, y + k, x + k, y + r, x, y + r)),
        ("C", (x - k, y + r, x - r, y + k, x - r, y)),
        ("C", (x - r, y - k, x - k, y - r, x, y - r)),
        ("C", (x + k, y - r, x + r, y - k, x + r, y)),
        ("Z", ()),
    )


def cross(center: Point, radius: float) -> Path:
    """Two strokes through a point."""
    (x, y), r = center, radius
    return (("M", (x - r, y - r)), ("L", (x + r, y + r)), ("M", (x + r, y - r)), ("L", (x - r, y + r)))


def star(center: Point, radius: float, points: int = 8) -> Path:
    """A burst."""
    x, y = center
    around = [
        (
            x + (radius if n % 2 else radius * 0.55) * math.sin(math.pi * n / points),
            y - (radius if n % 2 else radius * 0.55) * math.cos(math.pi * n / points),
        )
        for n in range(2 * points)
    ]
    return ring_path((tuple(around),))

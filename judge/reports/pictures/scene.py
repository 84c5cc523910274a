"""The drawn items before they become SVG or a bitmap: outlines, words and groups.

Each color is named by the part of the picture it is for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge.reports.pictures.drawing import Point, Ring

Step: TypeAlias = tuple[str, tuple[float, ...]]
Path: TypeAlias = tuple[Step, ...]
"""M, L, Q and C with absolute coordinates, and Z."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline, filled or stroked.

    Colors are named by the part of the picture they are for (`palette`).
    """

    path: Path
    fill: str = ""
    stroke: str = ""
    width: float = 0
    dash: tuple[float, ...] = ()
    butt: bool = False
    """Butt line caps; else round ones."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text."""

    at: Point
    """The point of the text.

    Vertically it is the middle of the line. Horizontally it is the beginning, or the middle if `centered`.
    """
    text: str
    size: float
    fill: str
    halo: str = ""
    centered: bool = True
    angle: float = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Items that belong together, labeled with what they show."""

    items: tuple[Item, ...]
    id: str = ""
    kinds: tuple[str, ...] = ()
    title: str = ""


Item: TypeAlias = Shape | Words | Group


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture in the layers it is drawn in, lowest first."""

    size: tuple[float, float]
    """The size of the board, without the strip below it."""
    ground: tuple[Item, ...] = ()
    """Land and sea: the same in every phase."""
    tints: tuple[Item, ...] = ()
    lines: tuple[Item, ...] = ()
    """Borders and coasts: the same in every phase."""
    marks: tuple[Item, ...] = ()
    labels: tuple[Item, ...] = ()
    """The labels above all arrows; the same in every phase unless an arrow crosses them."""
    strip: tuple[Item, ...] = ()
    """The title and key below the board, measured from the strip's own top.

    With codes as labels, only the strip has words of the reader's language.
    """
    strip_height: float = 0
    description: str = ""

    @property
    def height(self) -> float:
        """The height of the board and its strip."""
        return self.size[1] + self.strip_height


def ring_path(rings: Sequence[Ring]) -> Path:
    """Return closed outlines."""
    steps: list[Step] = []
    for ring in rings:
        steps += [("L" if n else "M", point) for n, point in enumerate(ring)]
        steps.append(("Z", ()))
    return tuple(steps)


def line_path(points: Sequence[Point]) -> Path:
    """Return an open line."""
    return tuple(("L" if n else "M", point) for n, point in enumerate(points))


def circle(center: Point, radius: float) -> Path:
    """Return a circle made of four curves."""
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
    """Return two strokes that cross in a point."""
    (x, y), r = center, radius
    return (("M", (x - r, y - r)), ("L", (x + r, y + r)), ("M", (x + r, y - r)), ("L", (x - r, y + r)))


def star(center: Point, radius: float, points: int = 8) -> Path:
    """Return a star."""
    x, y = center
    around = [
        (
            x + (radius if n % 2 else radius * 0.55) * math.sin(math.pi * n / points),
            y - (radius if n % 2 else radius * 0.55) * math.cos(math.pi * n / points),
        )
        for n in range(2 * points)
    ]
    return ring_path((tuple(around),))

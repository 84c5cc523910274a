"""Signs for units and centers, and for what happened to them."""

from __future__ import annotations

from judge.reports.pictures.drawing import Point
from judge.reports.pictures.scene import Group, Item, Path, Shape, Words, circle, cross, ring_path, star
from judge.rules.position import Power, Unit, UnitKind

_LETTERS = {1: 0.62, 2: 0.54}
"""The size of letters by their number, as a share of their sign's height."""
_LEAST = 17.5
"""The smallest size of letters; on small signs they extend beyond the edge."""


def unit_sign(
    unit: Unit, power: Power, letters: str, at: Point, size: tuple[float, float], *, is_gone: bool = False
) -> tuple[Item, ...]:
    """Return a disc for an army or a hull for a fleet.

    It bears the letters of its power, for readers who see no colors. A unit that left the board is crossed out
    beneath its letters.
    """
    outline = army(at, size) if unit.kind is UnitKind.ARMY else fleet(at, size)
    return (
        Shape(outline, stroke="halo", width=size[1] * 0.24),
        Shape(outline, fill=power, stroke="edge", width=size[1] * 0.07),
        *(struck_out(at, size) if is_gone else ()),
        lettered(at, letters, size[1], power, halo=power),
    )


def lettered(at: Point, letters: str, height: float, power: Power, halo: str = "") -> Words:
    """Return the letters of a power for a sign of this height in its color."""
    size = max(height * _LETTERS[len(letters)], _LEAST)
    return Words(at, letters, size, f"{power}-letter", halo)


def owner(at: Point, letters: str, size: tuple[float, float]) -> Item:
    """Return the letters of a land's owner, for readers who see no colors."""
    return Words(at, letters, size[1] * 0.72, "text")


def army(at: Point, size: tuple[float, float]) -> Path:
    """Return a disc."""
    return circle(at, size[1] / 2)


def fleet(at: Point, size: tuple[float, float]) -> Path:
    """Return a hull with raised ends."""
    (x, y), w, h = at, size[0] / 2, size[1] / 2
    return (
        ("M", (x - w, y - h)),
        ("Q", (x, y - h * 0.45, x + w, y - h)),
        ("L", (x + w * 0.62, y + h * 0.75)),
        ("Q", (x + w * 0.55, y + h, x + w * 0.3, y + h)),
        ("L", (x - w * 0.3, y + h)),
        ("Q", (x - w * 0.55, y + h, x - w * 0.62, y + h * 0.75)),
        ("Z", ()),
    )


def dislodged_ring(at: Point, size: tuple[float, float]) -> Item:
    """Return a star, drawn behind a dislodged unit."""
    return Shape(star(at, size[1] * 1.0, 9), fill="alarm", stroke="halo", width=size[1] * 0.08)


def struck_out(at: Point, size: tuple[float, float]) -> tuple[Item, ...]:
    """Return a cross for a unit that left the board.

    Its arms reach beyond the sign.
    """
    strokes = cross(at, size[1] * 0.72)
    return (
        Shape(strokes, stroke="halo", width=size[1] * 0.3),
        Shape(strokes, stroke="alarm", width=size[1] * 0.15),
    )


def failure(at: Point, radius: float) -> tuple[Item, ...]:
    """Return a cross for the arrow of an order that failed."""
    return (
        Shape(circle(at, radius), fill="halo", stroke="alarm", width=radius * 0.22),
        Shape(cross(at, radius * 0.45), stroke="alarm", width=radius * 0.36),
    )


def new_ring(at: Point, size: tuple[float, float]) -> tuple[Item, ...]:
    """Return a ring around a new unit."""
    ring = circle(at, size[1] * 0.86)
    return (
        Shape(ring, stroke="halo", width=size[1] * 0.26),
        Shape(ring, stroke="good", width=size[1] * 0.13),
    )


def own_ring(at: Point, size: tuple[float, float]) -> tuple[Item, ...]:
    """Return a ring behind a unit of the reader."""
    ring = circle(at, size[1] * 0.92)
    return (Shape(ring, fill="halo", stroke="edge", width=size[1] * 0.12),)


def held_bars(unit: Unit, at: Point, size: tuple[float, float]) -> tuple[Item, ...]:
    """Return bars on both sides of a unit that holds.

    Its code is written above or below it.
    """
    aside = size[1] * 0.74 if unit.kind is UnitKind.ARMY else size[0] * 0.66
    (x, y), high = at, size[1] * 0.3
    bars: Path = (
        ("M", (x - aside, y - high)),
        ("L", (x - aside, y + high)),
        ("M", (x + aside, y - high)),
        ("L", (x + aside, y + high)),
    )
    return (
        Shape(bars, stroke="halo", width=size[1] * 0.28),
        Shape(bars, stroke="edge", width=size[1] * 0.13),
    )


def standoff(at: Point, radius: float) -> Item:
    """Return the sign of a standoff."""
    return Shape(star(at, radius, 6), fill="standoff", stroke="edge", width=radius * 0.12)


def center(at: Point, radius: float) -> tuple[Item, ...]:
    """Return a supply center."""
    return (
        Shape(circle(at, radius), fill="center", stroke="line", width=radius * 0.3),
        Shape(circle(at, radius * 0.35), fill="line"),
    )


def flag(at: Point, radius: float, power: Power | None, letters: str = "") -> tuple[Item, ...]:
    """Return a flag for a center that changed hands.

    It has the color and letters of its new owner.
    """
    (x, y), r = at, radius * 2.2
    outline = ring_path((((x, y - r), (x + r, y), (x, y + r), (x - r, y)),))
    shapes: tuple[Item, ...] = (
        Shape(outline, stroke="halo", width=r * 0.4),
        Shape(outline, fill=power or "center", stroke="edge", width=r * 0.14),
    )
    return (*shapes, lettered(at, letters, r * 1.5, power, halo=power)) if power else shapes


def marked(kind: str, about: str, items: tuple[Item, ...]) -> Group:
    """Group signs by their kind and by what they are about."""
    return Group(items, id=f"{kind}-{about}".replace(" ", "-").replace("/", "-"), kinds=(kind,))

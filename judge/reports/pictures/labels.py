"""Where codes and names are written: at their places, or beside other things drawn there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import TypeAlias

from judge.reports.pictures.drawing import Drawing, Point, Ring
from judge.reports.pictures.font import wide
from judge.reports.pictures.scene import Group, Item, Shape, Words
from judge.reports.wording import Wording
from judge.rules.position import Location, Province, province_of


class Labels(StrEnum):
    """The text written on provinces."""

    CODES = "codes"
    NAMES = "names"
    """In the reader's language; meant for the large format."""


Disc: TypeAlias = tuple[Point, float, Location]
"""Something drawn: its middle, its radius and the label it belongs to, or ""."""
_NOTHING = Location("")

_CODE = 1.25
"""The size of codes, as a share of the room for a code.

It is above 1, because capitals are lower than their line height.
"""
_COAST = 0.9
_NAME = 0.9
"""The size of names, as a share of the room for a code.

`_COAST` is that of the words for coasts.
"""
_AWAY = (0.8, 1.3, 1.8)
"""How far a label may move, in its sizes."""
_DIRECTIONS = tuple((math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)) for turn in (2, 6, 0, 4, 1, 3, 5, 7))


@dataclass(frozen=True, slots=True)
class Label:
    """The lines of one label."""

    place: Location
    lines: tuple[Words, ...]

    def moved(self, by: Point) -> Label:
        """Return the label at another place."""
        lines = (replace(line, at=(line.at[0] + by[0], line.at[1] + by[1])) for line in self.lines)
        return Label(self.place, tuple(lines))

    def spots(self) -> Iterator[Point]:
        """Yield points all over the label."""
        for line in self.lines:
            half, high, turn = wide(line.text) * line.size / 2, line.size * 0.35, math.radians(line.angle)
            count = max(2, round(half / 5))
            for n, down in product(range(count + 1), (-high, high)):
                right = half * (2 * n / count - 1)
                yield (
                    line.at[0] + right * math.cos(turn) - down * math.sin(turn),
                    line.at[1] + right * math.sin(turn) + down * math.cos(turn),
                )

    def further(self) -> Iterator[Label]:
        """Yield the label at places around its own, nearer ones first."""
        for away, (x, y) in product(_AWAY, _DIRECTIONS):
            reach = away * self.lines[0].size
            yield self.moved((reach * x, reach * y))


class Occupied:
    """What is drawn, found by its place."""

    def __init__(self, discs: Iterable[Disc]) -> None:
        self.cells: dict[tuple[int, int], list[Disc]] = {}
        for disc in discs:
            (x, y), radius, _ = disc
            across = range(int((x - radius) // _CELL), int((x + radius) // _CELL) + 1)
            along = range(int((y - radius) // _CELL), int((y + radius) // _CELL) + 1)
            for cell in product(across, along):
                self.cells.setdefault(cell, []).append(disc)

    def at(self, spot: Point) -> Iterator[Location]:
        """Yield what lies at a point."""
        for at, radius, of in self.cells.get((int(spot[0] // _CELL), int(spot[1] // _CELL)), ()):
            if math.dist(spot, at) < radius:
                yield of

    def hits(self, label: Label) -> int:
        """Return how many spots of a label lie on something else."""
        return sum(any(of != label.place for of in self.at(spot)) for spot in label.spots())

    def is_free_for(self, label: Label) -> bool:
        """Whether a label lies on nothing else."""
        return not any(of != label.place for spot in label.spots() for of in self.at(spot))


_CELL = 48


@lru_cache(maxsize=8)
def labels_of(drawing: Drawing, wording: Wording, kind: Labels) -> tuple[Label, ...]:
    """Return the labels of a board without anything on it.

    Names keep clear of the places of units and centers.
    """
    if kind is Labels.CODES:
        return (*_codes(drawing), *_coasts(drawing, wording, kind))
    signs = Occupied(_places(drawing))
    names = [_freest(_as_written(drawing, code, wording.place(code)), signs, drawing) for code in drawing.provinces]
    return (*names, *_coasts(drawing, wording, kind))


def _codes(drawing: Drawing) -> Iterator[Label]:
    size = drawing.signs.label[1] * _CODE
    for code in drawing.provinces:
        yield Label(code, (Words(drawing.at(code).label, code, size, _ink(drawing, code), "halo"),))


def _coasts(drawing: Drawing, wording: Wording, kind: Labels) -> Iterator[Label]:
    for location, places in drawing.places.items():
        if "/" in location:
            code, size = location.partition("/")[2], drawing.signs.label[1] * _COAST
            named = wording.place(location).removeprefix(wording.place(province_of(location))).strip(" ()/")
            yield Label(location, (Words(places.label, code if kind is Labels.CODES else named, size, "text", "halo"),))


def _ink(drawing: Drawing, code: Province) -> str:
    return "sea-text" if drawing.provinces[code].is_sea else "text"


def _as_written(drawing: Drawing, code: Province, text: str) -> list[Label]:
    """Return a name in one line, and in two if it has several words."""
    name, size = drawing.provinces[code].name, drawing.signs.label[1] * _NAME
    words = Words(name.at, text, size, _ink(drawing, code), "halo")
    level = Label(code, (words,))
    slanted = Label(code, (replace(words, angle=name.angle),))
    parts = text.split()
    cuts = [(" ".join(parts[:n]), " ".join(parts[n:])) for n in range(1, len(parts))]
    if not cuts:
        return [level, slanted] if name.angle else [level]
    (x, y), lines = name.at, min(cuts, key=lambda cut: max(map(wide, cut)))
    placed = zip(lines, (y - size * 0.52, y + size * 0.52), strict=True)
    return [level, Label(code, tuple(replace(words, text=line, at=(x, at)) for line, at in placed)), slanted]


def _freest(ways: Sequence[Label], signs: Occupied, drawing: Drawing) -> Label:
    """Return the placement with the least on signs and outside the province.

    Of equal placements, it is the one nearest to the label's place.
    """

    def fault(label: Label) -> int:
        return 3 * signs.hits(label) + _outside(label, drawing)

    return min(chain(ways, *(way.further() for way in ways)), key=fault)


def _outside(label: Label, drawing: Drawing) -> int:
    rings = drawing.provinces[province_of(label.place)].rings
    return sum(not _contains(rings, spot) for spot in label.spots())


def _contains(rings: Sequence[Ring], spot: Point) -> bool:
    """Whether a point lies in an area."""
    x, y = spot
    crossed = 0
    for ring in rings:
        for (x0, y0), (x1, y1) in pairwise((*ring, ring[0])):
            if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
                crossed += 1
    return crossed % 2 == 1


def _places(drawing: Drawing) -> Iterator[Disc]:
    """Yield where units may stand, and the centers."""
    width, high = drawing.signs.unit
    aside = (width - high) / 2
    for (x, y), across in product((places.unit for places in drawing.places.values()), (-aside, 0, aside)):
        yield (x + across, y), high * 0.6, _NOTHING
    yield from _centers(drawing)


def _centers(drawing: Drawing) -> Iterator[Disc]:
    for province in drawing.provinces.values():
        if province.center is not None:
            yield province.center, drawing.signs.center * 1.4, _NOTHING


def written(
    drawing: Drawing, wording: Wording, kind: Labels, marks: Iterable[Item], standing: Iterable[Point]
) -> tuple[Label, ...]:
    """Return the labels of a picture.

    A label that an arrow crosses moves aside, if its province has room.
    """
    usual, fixed = labels_of(drawing, wording, kind), _fixed(drawing, wording, kind)
    size = drawing.signs.unit[1]
    points = list(_along(marks, size * 0.3))
    crossed = {place for point in points for place in fixed.at(point) if place}
    if not crossed:
        return usual
    signs = Occupied([*((at, size * 0.3, _NOTHING) for at in points), *((at, size * 0.7, _NOTHING) for at in standing)])
    return tuple(_aside(label, (fixed, signs), drawing) if label.place in crossed else label for label in usual)


@lru_cache(maxsize=8)
def _fixed(drawing: Drawing, wording: Wording, kind: Labels) -> Occupied:
    """Return the usual labels and the centers, as obstacles.

    The labels are as wide as an arrow that crosses them.
    """
    radius = drawing.signs.unit[1] * 0.25
    spots = ((spot, radius, label.place) for label in labels_of(drawing, wording, kind) for spot in label.spots())
    return Occupied([*spots, *_centers(drawing)])


def _aside(label: Label, taken: Sequence[Occupied], drawing: Drawing) -> Label:
    free = (one for one in _inside(label, drawing) if all(occupied.is_free_for(one) for occupied in taken))
    return next(free, label)


@lru_cache(maxsize=512)
def _inside(label: Label, drawing: Drawing) -> tuple[Label, ...]:
    """Return the places around a label that lie in its province."""
    return tuple(one for one in label.further() if not _outside(one, drawing))


def _along(items: Iterable[Item], step: float) -> Iterator[Point]:
    """Yield points along all lines, each line once: by its light edge."""
    for item in items:
        if isinstance(item, Group):
            yield from _along(item.items, step)
        elif isinstance(item, Shape) and item.stroke == "halo" and not item.fill:
            last = (-math.inf, 0.0)
            for letter, numbers in item.path:
                if letter in "ML" and math.dist(last, (numbers[0], numbers[1])) > step:
                    last = (numbers[0], numbers[1])
                    yield last

"""The drawing of a board, read from `maps/<board>/drawing.json`.

It says where provinces are and where signs are placed. Distances are whole units of the drawing; y grows downward.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from judge.errors import BoardError
from judge.resources import board_file
from judge.rules.position import Location, Province, province_of

Point: TypeAlias = tuple[float, float]
Ring: TypeAlias = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """Where signs are drawn in a province or on a coast: the center of each."""

    unit: Point
    dislodged: Point
    label: Point


@dataclass(frozen=True, slots=True)
class Name:
    """Where the name of a province is written in the large format."""

    at: Point
    angle: float
    """Degrees, clockwise."""
    width: float
    """How much room there is along the baseline."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The drawn shape of a province."""

    is_sea: bool
    rings: tuple[Ring, ...]
    center: Point | None
    name: Name


@dataclass(frozen=True, slots=True)
class Signs:
    """The sizes of signs that the places were made for."""

    unit: tuple[float, float]
    dislodged: tuple[float, float]
    center: float
    label: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """A line between two provinces, or on the border of two.

    A link joins provinces that do not touch. A bar stands on a border that not every unit may cross.
    """

    line: Ring
    kind: str
    """The units that it concerns.

    A link is for `any` unit, an `army` or a `fleet`. A bar stops an `army` or a `fleet`.
    """


@dataclass(frozen=True, eq=False)
class Drawing:
    """A whole board; there is one instance of each, used as a cache key."""

    board: str
    size: tuple[int, int]
    provinces: Mapping[Province, Outline]
    places: Mapping[Location, Places]
    """Keys are provinces and coasts."""
    impassable: tuple[Ring, ...]
    signs: Signs
    links: tuple[Mark, ...] = ()
    bars: tuple[Mark, ...] = ()

    def at(self, location: Location) -> Places:
        """Return the places of a location.

        A coast without places of its own has those of its province.
        """
        return self.places.get(location) or self.places[province_of(location)]


@cache
def drawing_of(board: str) -> Drawing | None:
    """Return the drawing of a board; None if it has none.

    Raises BoardError if it cannot be read.
    """
    path = board_file(board, "drawing.json")
    if not path.is_file():
        return None
    try:
        return read_drawing(board, json.loads(path.read_text("utf-8")))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BoardError(board, f"{path}: {error!r}") from error


def read_drawing(board: str, facts: Mapping[str, Any]) -> Drawing:
    """Return a drawing from the contents of a `drawing.json`."""
    width, height = facts["size"]
    signs = facts["signs"]
    places: dict[Location, Places] = {}
    for code, province in facts["provinces"].items():
        places[Location(code)] = _places(province)
        for coast, its in province["coasts"].items():
            places[Location(f"{code}/{coast}")] = _places(its)
    return Drawing(
        board,
        (width, height),
        {Province(Location(code)): _outline(province) for code, province in facts["provinces"].items()},
        places,
        tuple(map(_ring, facts["impassable"])),
        Signs(_point(signs["unit"]), _point(signs["dislodged"]), signs["center"], _point(signs["label"])),
        tuple(Mark(_ring(link["line"]), link["by"]) for link in facts.get("links", ())),
        tuple(Mark(_ring(bar["line"]), bar["against"]) for bar in facts.get("bars", ())),
    )


def _outline(province: Mapping[str, Any]) -> Outline:
    center, name = province["center"], province["name"]
    return Outline(
        is_sea=province["kind"] == "sea",
        rings=tuple(map(_ring, province["rings"])),
        center=None if center is None else _point(center),
        name=Name(_point(name["at"]), name["angle"], name["width"]),
    )


def _places(facts: Mapping[str, Any]) -> Places:
    return Places(_point(facts["unit"]), _point(facts["dislodged"]), _point(facts["label"]))


def _ring(points: list[list[float]]) -> Ring:
    return tuple(map(_point, points))


def _point(pair: list[float]) -> Point:
    x, y = pair
    return (x, y)

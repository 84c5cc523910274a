"""Centers by year: a line for each power."""

from __future__ import annotations

import math

from judge.reports.pictures.compose import Look
from judge.reports.pictures.drawing import Point
from judge.reports.pictures.font import wide
from judge.reports.pictures.scene import Group, Item, Scene, Shape, Words, circle, line_path, ring_path
from judge.reports.pictures.views import CentersChart
from judge.reports.pictures.wording import chart_titled
from judge.reports.wording import wording_in
from judge.rules.map import load_map
from judge.rules.position import Power

_WIDTH, _HEIGHT = 1800.0, 1200.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 110.0, 1230.0, 150.0, 1080.0
_TITLE, _NUMBERS, _NAMES = 60.0, 50.0, 56.0
"""Sizes that can be read where the chart is as wide as a phone."""
_LINE_OF_NAMES = 76.0
_MOST_YEARS = 6


def chart_scene(view: CentersChart, look: Look) -> Scene:
    """Return the whole chart, with names at the ends of the lines."""
    wording = wording_in(look.language, view.board)
    frame = ring_path((((0, 0), (_WIDTH, 0), (_WIDTH, _HEIGHT), (0, _HEIGHT)),))
    title = Words((_LEFT, 72), chart_titled(view, wording), _TITLE, "text", centered=False)
    powers = load_map(view.board).powers
    names = {power: wording.power(power) for power in powers}
    return Scene(
        (_WIDTH, _HEIGHT),
        ground=(Shape(frame, fill="paper"),),
        lines=tuple(_grid(view)),
        marks=tuple(_line(view, power) for power in powers),
        labels=(title, *_named(view, names)),
        description=chart_titled(view, wording),
    )


def _most(view: CentersChart) -> int:
    """Return the top of the chart: at least the number of centers needed to win."""
    return max(load_map(view.board).victory_centers, *(max(year.centers.values(), default=0) for year in view.years), 1)


def _at(view: CentersChart, nth: int, count: float) -> Point:
    steps = max(1, len(view.years) - 1)
    return (
        _LEFT + (_RIGHT - _LEFT) * nth / steps,
        _BOTTOM - (_BOTTOM - _TOP) * count / _most(view),
    )


def _grid(view: CentersChart) -> list[Item]:
    items: list[Item] = []
    most, wins = _most(view), load_map(view.board).victory_centers
    for count in sorted({*range(0, most + 1, 5 if most > 10 else 1), wins}):
        y = _at(view, 0, count)[1]
        heavy = count in (0, wins)
        dash = (12.0, 8.0) if count == wins else ()
        items.append(
            Shape(line_path(((_LEFT, y), (_RIGHT, y))), stroke="line" if heavy else "sea-line", width=2, dash=dash)
        )
        items.append(Words((_LEFT - 50, y), str(count), _NUMBERS, "text"))
    every = math.ceil(len(view.years) / _MOST_YEARS)
    items += [
        Words((_at(view, n, 0)[0], _BOTTOM + 64), str(year.year), _NUMBERS, "text")
        for n, year in enumerate(view.years)
        if n % every == 0
    ]
    return items


def _line(view: CentersChart, power: Power) -> Item:
    """Return the line of a power, up to the year in which it was eliminated."""
    counts = [year.centers.get(power, 0) for year in view.years]
    last = next((n for n in range(len(counts)) if not any(counts[n:])), len(counts) - 1)
    points = [_at(view, n, count) for n, count in enumerate(counts[: last + 1])]
    dots = [Shape(circle(point, 13), fill=power, stroke="edge", width=2) for point in points]
    return Group(
        (
            Shape(line_path(points), stroke="halo", width=21),
            Shape(line_path(points), stroke="edge", width=14),
            Shape(line_path(points), stroke=power, width=10),
            *dots,
        ),
        id=f"centers-{power}",
        kinds=("centers", f"of-{power}"),
    )


def _named(view: CentersChart, names: dict[Power, str]) -> list[Item]:
    """Return the names beside the ends of the lines, moved apart if they would overlap.

    The power with most centers comes first.
    """
    if not view.years:
        return []
    last = view.years[-1].centers
    order = sorted(names, key=lambda power: -last.get(power, 0))
    letters = load_map(view.board).letters
    items: list[Item] = []
    told = {power: f"{name} {last.get(power, 0)}" for power, name in names.items()}
    size = min(_NAMES, (_WIDTH - _RIGHT - 120) / max(map(wide, told.values())))
    floor = _TOP - _LINE_OF_NAMES
    lowest = _BOTTOM - _LINE_OF_NAMES * (len(order) - 1)
    for nth, power in enumerate(order):
        y = min(max(_at(view, 0, last.get(power, 0))[1], floor + _LINE_OF_NAMES), lowest + _LINE_OF_NAMES * nth)
        floor = y
        sign = (
            Shape(circle((_RIGHT + 60, y), 32), fill=power, stroke="edge", width=2),
            Words((_RIGHT + 60, y), letters[power], 36, f"{power}-letter"),
        )
        text = Words((_RIGHT + 104, y), told[power], size, "text", centered=False)
        items.append(Group((*sign, text), kinds=("power", f"of-{power}")))
    return items

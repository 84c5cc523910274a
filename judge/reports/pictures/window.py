"""The part of a board around the front of some powers, at double size."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from judge.reports.pictures import signs
from judge.reports.pictures.compose import Look
from judge.reports.pictures.drawing import Drawing, Point
from judge.reports.pictures.scene import Scene
from judge.reports.pictures.views import PictureView, front
from judge.rules.position import Power

FRONT = (352, 264)
"""The width and height of a window in pixels, for which a report has room."""
_MOST = 0.6
"""The largest share of its board's width that a window may take.

A wider one shows nothing new.
"""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a picture, in pixels of the whole."""

    left: int
    top: int
    size: tuple[int, int] = FRONT

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom."""
        return (self.left, self.top, self.left + self.size[0], self.top + self.size[1])


def window_on(view: PictureView, drawing: Drawing, powers: Collection[Power], look: Look) -> Window | None:
    """Return the window that holds most of a front.

    It is None if no units touch, or if the board is hardly larger.
    """
    scale = look.width / drawing.size[0]
    width, height = (size / scale for size in FRONT)
    spots = sorted(drawing.at(province).unit for province in front(view, powers))
    if not spots or width > _MOST * drawing.size[0]:
        return None
    x, y = max(_middles(spots), key=lambda middle: sum(_is_near(spot, middle, (width, height)) for spot in spots))
    inside = [spot for spot in spots if _is_near(spot, (x, y), (width, height))]
    x, y = (sum(values) / len(inside) for values in zip(*inside, strict=True))
    left = min(max(0, x - width / 2), drawing.size[0] - width)
    top = min(max(0, y - height / 2), drawing.size[1] - height)
    return Window(round(left * scale), round(top * scale))


def _middles(spots: Collection[Point]) -> list[Point]:
    """Return the middles of all pairs of units, each unit paired with itself too."""
    return [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0 in spots for x1, y1 in spots]


def _is_near(spot: Point, middle: Point, size: tuple[float, float]) -> bool:
    """Whether a unit is seen whole in a window around a point."""
    return abs(spot[0] - middle[0]) < size[0] * 0.44 and abs(spot[1] - middle[1]) < size[1] * 0.44


def emphasized(scene: Scene, view: PictureView, drawing: Drawing, powers: Collection[Power]) -> Scene:
    """Return the scene with a ring around each unit of these powers."""
    size = drawing.signs.unit
    own = [unit for unit, power in sorted(view.units.items(), key=str) if power in powers]
    rings = [ring for unit in own for ring in signs.own_ring(drawing.at(unit.location).unit, size)]
    return replace(scene, marks=(*rings, *scene.marks))

"""Output: a view as SVG, PNG or GIF, and in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from PIL import Image

from judge.commands import Language
from judge.reports.pictures.bitmap import Rows, gif_bytes, png_bytes, upper_rows
from judge.reports.pictures.chart import chart_scene
from judge.reports.pictures.compose import Look, board_scene, scene_of, strip_scene
from judge.reports.pictures.drawing import drawing_of
from judge.reports.pictures.paint import has_skia, painted, painted_plain
from judge.reports.pictures.paint_from_svg import painted_from_svg
from judge.reports.pictures.scene import Scene
from judge.reports.pictures.svg import svg_text
from judge.reports.pictures.views import CentersChart, PictureView
from judge.reports.pictures.wording import chart_titled, described
from judge.reports.wording import wording_in

Shown: TypeAlias = PictureView | CentersChart
Paint: TypeAlias = Callable[[Scene, str, Look], Image.Image]


def has_drawing(board: str) -> bool:
    """Whether the board has pictures."""
    return drawing_of(board) is not None


def alt(view: Shown, language: Language) -> str:
    """Return what stands in place of the picture where it is not shown."""
    wording = wording_in(language, view.board)
    return described(view, wording) if isinstance(view, PictureView) else chart_titled(view, wording)


def svg(view: Shown, look: Look) -> str | None:
    """Return the picture as SVG; None if the board has no drawing."""
    if isinstance(view, CentersChart):
        return svg_text(chart_scene(view, look), view.board, look.theme)
    drawing = drawing_of(view.board)
    return None if drawing is None else svg_text(scene_of(view, drawing, look), view.board, look.theme)


def png(view: Shown, look: Look) -> bytes | None:
    """Return the picture as PNG; None if the board has no drawing."""
    if isinstance(view, CentersChart):
        chart = _painted(chart_scene(view, look), view.board, look, painted_plain)
        return png_bytes(upper_rows(chart, view.board, look.theme))
    board = board_rows(view, look)
    return None if board is None else png_on(board, view, look)


def board_rows(view: PictureView, look: Look) -> Rows | None:
    """Draw and compress the board of a picture, the same in all languages if labeled with codes; None as above."""
    drawing = drawing_of(view.board)
    if drawing is None:
        return None
    return upper_rows(_painted(board_scene(view, drawing, look), view.board, look), view.board, look.theme)


def png_on(board: Rows, view: PictureView, look: Look) -> bytes:
    """Return the picture as PNG: its board, and the strip of words below it."""
    drawing = drawing_of(view.board)
    assert drawing is not None  # its board was drawn
    return png_bytes(board, _painted(strip_scene(view, drawing, look), view.board, look, painted_plain))


_WIDEST, _NARROWEST = 720, 240
_FRAMES_OF_FULL_WIDTH = 20


def _frame_width(count: int) -> int:
    """Return the width of a frame: smaller for longer games, to keep the whole below 2 MB."""
    return max(_NARROWEST, min(_WIDEST, round(_WIDEST * math.pow(_FRAMES_OF_FULL_WIDTH / count, 0.6))))


def replay(views: Sequence[PictureView], look: Look, milliseconds: int = 1600) -> bytes | None:
    """Return a game as an animation with a frame for each view; None if there is nothing to show."""
    drawing = drawing_of(views[0].board) if views else None
    if drawing is None:
        return None
    small = replace(look, width=min(look.width, _frame_width(len(views))))
    frames = [_painted(scene_of(view, drawing, small), view.board, small) for view in views]
    return gif_bytes(frames, drawing.board, look.theme, milliseconds)


def _painted(scene: Scene, board: str, look: Look, paint: Paint = painted) -> Image.Image:
    return paint(scene, board, look) if has_skia() else painted_from_svg(scene, board, look)

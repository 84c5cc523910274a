"""The ways out: a view as SVG, PNG or GIF, and in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from judge.commands import Language
from judge.reports.pictures.bitmap import gif_bytes, png_bytes
from judge.reports.pictures.chart import chart_scene
from judge.reports.pictures.compose import Look, scene_of
from judge.reports.pictures.drawing import drawing_of
from judge.reports.pictures.paint import painted, painted_plain
from judge.reports.pictures.svg import svg_text
from judge.reports.pictures.views import CentersChart, PictureView
from judge.reports.pictures.wording import charted, described
from judge.reports.wording import wording_in

Shown: TypeAlias = PictureView | CentersChart


def has_drawing(board: str) -> bool:
    """Whether there are pictures of a board."""
    return drawing_of(board) is not None


def alt(view: Shown, language: Language) -> str:
    """The picture in words: what changed, who stands where."""
    wording = wording_in(language, view.board)
    return described(view, wording) if isinstance(view, PictureView) else charted(view, wording)


def svg(view: Shown, look: Look) -> str | None:
    """The picture as text; None where the board has no drawing."""
    if isinstance(view, CentersChart):
        return svg_text(chart_scene(view, look), view.board, look.theme)
    drawing = drawing_of(view.board)
    return None if drawing is None else svg_text(scene_of(view, drawing, look), view.board, look.theme)


def png(view: Shown, look: Look) -> bytes | None:
    """The picture as a bitmap; None where the board has no drawing."""
    if isinstance(view, CentersChart):
        return png_bytes(painted_plain(chart_scene(view, look), view.board, look), view.board, look.theme)
    drawing = drawing_of(view.board)
    if drawing is None:
        return None
    return png_bytes(painted(scene_of(view, drawing, look), view.board, look), view.board, look.theme)


_WIDEST, _NARROWEST = 720, 240
_FRAMES_OF_FULL_WIDTH = 20


def _frame_width(count: int) -> int:
    """The longer the game, the smaller its frames: the whole stays below 2 MB."""
    return max(_NARROWEST, min(_WIDEST, round(_WIDEST * math.pow(_FRAMES_OF_FULL_WIDTH / count, 0.6))))


def replay(views: Sequence[PictureView], look: Look, milliseconds: int = 1600) -> bytes | None:
    """A game as one moving picture, a frame for each view; None where there is nothing to show."""
    drawing = drawing_of(views[0].board) if views else None
    if drawing is None:
        return None
    small = replace(look, width=min(look.width, _frame_width(len(views))))
    frames = [painted(scene_of(view, drawing, small), view.board, small) for view in views]
    return gif_bytes(frames, drawing.board, look.theme, milliseconds)

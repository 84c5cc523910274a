"""Output: a view as SVG, PNG or GIF, and in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from PIL import Image

from judge.commands import Language
from judge.reports.pictures.bitmap import Rows, gif_bytes, png_bytes, upper_rows
from judge.reports.pictures.card import WIDTH as CARD
from judge.reports.pictures.card import card_scene
from judge.reports.pictures.chart import chart_scene
from judge.reports.pictures.compose import Look, board_scene, scene_of, strip_scene
from judge.reports.pictures.drawing import drawing_of
from judge.reports.pictures.paint import has_skia, painted, painted_plain
from judge.reports.pictures.paint_from_svg import painted_from_svg
from judge.reports.pictures.scene import Scene
from judge.reports.pictures.strip import SAMPLE_SIZE, SAMPLES
from judge.reports.pictures.svg import snippet, svg_text
from judge.reports.pictures.views import CentersChart, PictureView
from judge.reports.pictures.wording import chart_titled, described, key_word
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


def board_png(view: PictureView, look: Look) -> bytes | None:
    """Return the board as PNG, without the strip of words below it; None if the board has no drawing."""
    board = board_rows(view, look)
    return None if board is None else png_bytes(board)


def card_png(view: PictureView, look: Look) -> bytes | None:
    """Return the picture beside a link to a game as PNG; None if the board has no drawing."""
    drawing = drawing_of(view.board)
    if drawing is None:
        return None
    look = replace(look, width=CARD)
    card = _painted(card_scene(view, drawing, look), view.board, look, painted_plain)
    return png_bytes(upper_rows(card, view.board, look.theme))


def board_size(board: str) -> tuple[int, int] | None:
    """Return width and height of the drawing of a board; None if it has none."""
    drawing = drawing_of(board)
    return None if drawing is None else drawing.size


def key(board: str, language: Language) -> list[tuple[str, str]]:
    """Return the key to the lines and signs on a board: each as inline SVG, and what it means."""
    wording = wording_in(language, board)
    at = (0.0, SAMPLE_SIZE[1] / 2)
    return [(snippet(sample(at), SAMPLE_SIZE, board), key_word(one, wording)) for one, sample in SAMPLES.items()]


_WIDEST, _NARROWEST = 720, 240
_FRAMES_OF_FULL_WIDTH = 60


def _frame_width(count: int) -> int:
    """Return the width of a frame: smaller for very long games, to keep a letter with all of them below 2 MB."""
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

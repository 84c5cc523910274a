"""Output: a view as SVG, PNG or GIF, and in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from PIL import Image

from judge.commands import Language
from judge.reports.pictures.bitmap import Rows, gif_bytes, png_bytes, upper_rows
from judge.reports.pictures.card import WIDTH as CARD
from judge.reports.pictures.card import card_scene
from judge.reports.pictures.chart import chart_scene
from judge.reports.pictures.compose import Look, board_scene, scene_of, strip_scene
from judge.reports.pictures.drawing import Drawing, drawing_of
from judge.reports.pictures.paint import has_skia, painted, painted_plain
from judge.reports.pictures.paint_from_svg import painted_from_svg
from judge.reports.pictures.scene import Scene
from judge.reports.pictures.strip import SAMPLE_SIZE, SAMPLES
from judge.reports.pictures.svg import snippet, svg_text
from judge.reports.pictures.views import CentersChart, PictureView
from judge.reports.pictures.window import emphasized, window_on
from judge.reports.pictures.wording import chart_titled, described, described_front, key_word
from judge.reports.wording import wording_in
from judge.rules.position import Power

Shown: TypeAlias = PictureView | CentersChart
Paint: TypeAlias = Callable[[Scene, str, Look], Image.Image]


def has_drawing(board: str) -> bool:
    """Whether the board has pictures."""
    return drawing_of(board) is not None


def alt(view: Shown, language: Language) -> str:
    """Return the text for where the picture is not shown."""
    wording = wording_in(language, view.board)
    return described(view, wording) if isinstance(view, PictureView) else chart_titled(view, wording)


def alt_of_front(view: PictureView, powers: Collection[Power], language: Language) -> str:
    """Return the text for where the picture of a front is not shown."""
    return described_front(view, powers, wording_in(language, view.board))


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
    board = board_of(view, look)
    return None if board is None else board.png(look.language)


@dataclass(frozen=True)
class Board:
    """A board with what is on it, drawn once for all pictures that show it.

    There is one picture in each language, and one for each front.
    """

    view: PictureView
    drawing: Drawing
    look: Look

    @cached_property
    def scene(self) -> Scene:
        """The scene without the strip of words.

        With codes as labels, it is the same in all languages.
        """
        return board_scene(self.view, self.drawing, self.look)

    @cached_property
    def rows(self) -> Rows:
        """The scene without the strip, drawn and compressed."""
        return upper_rows(_painted(self.scene, self.view.board, self.look), self.view.board, self.look.theme)

    def png(self, language: Language) -> bytes:
        """Return the whole picture as PNG, with the strip of words below the board."""
        words = strip_scene(self.view, self.drawing, replace(self.look, language=language))
        return png_bytes(self.rows, _painted(words, self.view.board, self.look, painted_plain))

    def front_png(self, powers: Collection[Power]) -> bytes | None:
        """Return the front of these powers at double size; None where they touch no others."""
        window = window_on(self.view, self.drawing, powers, self._double)
        if window is None:
            return None
        scene = emphasized(self.scene, self.view, self.drawing, powers)
        if has_skia():
            image = painted(scene, self.view.board, self._double, window)
        else:
            image = painted_from_svg(scene, self.view.board, self._double).crop(window.box)
        return png_bytes(upper_rows(image, self.view.board, self.look.theme))

    def has_front(self, powers: Collection[Power]) -> bool:
        """Whether these powers have a front to show."""
        return window_on(self.view, self.drawing, powers, self._double) is not None

    @property
    def _double(self) -> Look:
        return replace(self.look, width=2 * self.look.width)


def board_of(view: PictureView, look: Look) -> Board | None:
    """Return a board to be drawn; None if it has no drawing."""
    drawing = drawing_of(view.board)
    return None if drawing is None else Board(view, drawing, look)


def board_png(view: PictureView, look: Look) -> bytes | None:
    """Return the board as PNG, without its strip; None if it has no drawing."""
    board = board_of(view, look)
    return None if board is None else png_bytes(board.rows)


def card_png(view: PictureView, look: Look) -> bytes | None:
    """Return the picture beside a link as PNG; None for a board without a drawing."""
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
    """Return the key to the lines and signs on a board.

    Each entry is inline SVG and its meaning.
    """
    wording = wording_in(language, board)
    at = (0.0, SAMPLE_SIZE[1] / 2)
    return [(snippet(sample(at), SAMPLE_SIZE, board), key_word(one, wording)) for one, sample in SAMPLES.items()]


_WIDEST, _NARROWEST = 720, 240
_FRAMES_OF_FULL_WIDTH = 60


def _frame_width(count: int) -> int:
    """Return the width of a frame: smaller for very long games.

    This keeps a letter with all frames below 2 MB.
    """
    return max(_NARROWEST, min(_WIDEST, round(_WIDEST * math.pow(_FRAMES_OF_FULL_WIDTH / count, 0.6))))


def replay(views: Sequence[PictureView], look: Look, milliseconds: int = 1600) -> bytes | None:
    """Return a game as an animation with a frame for each view.

    It is None if there is nothing to show.
    """
    drawing = drawing_of(views[0].board) if views else None
    if drawing is None:
        return None
    small = replace(look, width=min(look.width, _frame_width(len(views))))
    frames = [_painted(scene_of(view, drawing, small), view.board, small) for view in views]
    return gif_bytes(frames, drawing.board, look.theme, milliseconds)


def _painted(scene: Scene, board: str, look: Look, paint: Paint = painted) -> Image.Image:
    return paint(scene, board, look) if has_skia() else painted_from_svg(scene, board, look)

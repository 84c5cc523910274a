"""The picture beside a link to a game: the board and the standings.

Other sites show it.
"""

from __future__ import annotations

from dataclasses import replace

from judge.reports.pictures import signs
from judge.reports.pictures.compose import Look, board_scene
from judge.reports.pictures.drawing import Drawing
from judge.reports.pictures.font import wide
from judge.reports.pictures.scene import Group, Item, Scene, Shape, Words, circle, ring_path
from judge.reports.pictures.strip import shortened
from judge.reports.pictures.views import PictureView
from judge.reports.wording import wording_in
from judge.rules.map import load_map

WIDTH = 1200
"""The width of the bitmap, in pixels.

It is 630 high, as social networks ask for.
"""
_RATIO = 1200 / 630
_MARGIN, _TITLE, _ROW = 90.0, 150.0, 150.0


def card_scene(view: PictureView, drawing: Drawing, look: Look) -> Scene:
    """Return the board, with a title and the standings to its right.

    The powers with most centers come first.
    """
    board = board_scene(view, drawing, look)
    width, height = drawing.size
    across = max(height * _RATIO, width * 1.5)
    size = (across, across / _RATIO)
    frame = ring_path((((0, 0), (size[0], 0), size, (0, size[1])),))
    room = across - width - 2 * _MARGIN
    large = max(min(_TITLE, room / max(1, wide(view.title))), _TITLE / 2)
    title = Words((width + _MARGIN, 130), shortened(view.title, room / large), large, "text", centered=False)
    return replace(
        board,
        size=size,
        ground=(Shape(frame, fill="paper"), *board.ground),
        labels=(*board.labels, title, *_standings(view, look, width + _MARGIN, size[1])),
    )


def _standings(view: PictureView, look: Look, left: float, height: float) -> list[Item]:
    wording, board = wording_in(look.language, view.board), load_map(view.board)
    powers = sorted(board.powers, key=lambda power: -view.counts.get(power, 0))
    row = min(_ROW, (height - 2 * _TITLE) / len(powers))
    return [
        Group(
            (
                Shape(circle((left + row * 0.3, y), row * 0.3), fill=power, stroke="edge", width=row * 0.03),
                signs.lettered((left + row * 0.3, y), board.letters[power], row * 0.6, power),
                Words(
                    (left + row * 0.85, y),
                    f"{wording.power(power)} {view.counts.get(power, 0)}",
                    row * 0.55,
                    "text",
                    centered=False,
                ),
            )
        )
        for power, y in zip(powers, (2 * _TITLE + row * nth for nth in range(len(powers))), strict=True)
    ]

"""Pictures of a game: the board, the orders just played, all phases, centers by year.

A view says what is shown (`position_view`, `played_view`, `filed_view`, `CentersChart`), and a `Look` how. `svg`, `png`
and `replay` draw. They return None for a board without a drawing. `alt` returns the text for where no picture is shown.
`Board` draws as `png` does, once for all languages, and also draws the fronts of powers.
"""

from judge.reports.palette import Theme
from judge.reports.pictures.compose import LARGE, Look
from judge.reports.pictures.drawn import (
    Board,
    alt,
    alt_of_front,
    board_of,
    board_png,
    board_size,
    card_png,
    has_drawing,
    key,
    png,
    replay,
    svg,
)
from judge.reports.pictures.labels import Labels
from judge.reports.pictures.paint import has_skia
from judge.reports.pictures.views import (
    CentersChart,
    PictureKind,
    PictureView,
    Taken,
    filed_view,
    played_view,
    position_view,
)
from judge.reports.pictures.window import FRONT
from judge.reports.pictures.wording import left_out

__all__ = [
    "FRONT",
    "LARGE",
    "Board",
    "CentersChart",
    "Labels",
    "Look",
    "PictureKind",
    "PictureView",
    "Taken",
    "Theme",
    "alt",
    "alt_of_front",
    "board_of",
    "board_png",
    "board_size",
    "card_png",
    "filed_view",
    "has_drawing",
    "has_skia",
    "key",
    "left_out",
    "played_view",
    "png",
    "position_view",
    "replay",
    "svg",
]

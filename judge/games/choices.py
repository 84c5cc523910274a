"""What a master may choose, as values."""

from __future__ import annotations

from enum import StrEnum


class Access(StrEnum):
    """Who may take a seat."""

    OPEN = "open"
    APPROVAL = "by-approval"
    """Whoever the masters ALLOW."""
    INVITED = "invited"
    """Whoever a master invited."""


class ScoreSystem(StrEnum):
    """How the hundred points of a game are shared out at its end."""

    NONE = "none"
    DRAW_SIZE = "draw-size"
    """Whoever shares the result, in equal parts."""
    SUM_OF_SQUARES = "sum-of-squares"
    """By the squares of the centers, unless somebody has won."""
    CENTERS = "centers"
    """By the centers, unless somebody has won."""

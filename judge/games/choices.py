"""Choices of a master, as enumerations."""

from __future__ import annotations

from enum import StrEnum


class Access(StrEnum):
    """Access to the seats of a game."""

    OPEN = "open"
    APPROVAL = "by-approval"
    """People the masters ALLOW."""
    INVITED = "invited"
    """People a master invited."""


class ScoreSystem(StrEnum):
    """How the hundred points of a game are divided at its end."""

    NONE = "none"
    DRAW_SIZE = "draw-size"
    """Equal parts for those who share the result."""
    SUM_OF_SQUARES = "sum-of-squares"
    """Shares by the squares of the centers, unless a player has won."""
    CENTERS = "centers"
    """Shares by the centers, unless a player has won."""

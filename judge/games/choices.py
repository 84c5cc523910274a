"""Choices of a master, as enumerations."""

from __future__ import annotations

from enum import StrEnum


class Access(StrEnum):
    """Who may take a seat."""

    OPEN = "open"
    APPROVAL = "by-approval"
    """People the masters ALLOW."""
    INVITED = "invited"
    """People a master invited."""


class ScoreSystem(StrEnum):
    """How the hundred points of a game are divided at its end."""

    NONE = "none"
    DRAW_SIZE = "draw-size"
    """In equal parts among those who share the result."""
    SUM_OF_SQUARES = "sum-of-squares"
    """By the squares of the centers, unless a player has won."""
    CENTERS = "centers"
    """By the centers, unless a player has won."""

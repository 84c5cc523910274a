"""Colors of the powers and of the parts of pictures, for light and dark.

The colors of a power are used wherever it is named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache

from judge.rules.map import load_map
from judge.rules.position import Power


class Theme(StrEnum):
    """The background that the picture is for."""

    LIGHT = "light"
    DARK = "dark"


INKS = (
    *("#b3200f", "#0c257b", "#63b1f5", "#585858", "#3d9149", "#b0a6c8", "#e6bb3c"),
    *("#b014f0", "#b0f090", "#501414", "#f09090", "#70f0d0"),
)
"""The colors of units, by power in the order of the board.

Tests check that color-blind people can tell them apart.
"""

_PARTS: Mapping[Theme, Mapping[str, str]] = {
    Theme.LIGHT: {
        "sea": "#e3edf3",
        "land": "#f6f2e7",
        "impassable": "#d5d0c3",
        "line": "#6f6a60",
        "coast": "#4d5a66",
        "sea-line": "#a9bfce",
        "text": "#23262b",
        "sea-text": "#35536b",
        "halo": "#fdfcf8",
        "edge": "#1b1c20",
        "alarm": "#b3140c",
        "good": "#12703f",
        "standoff": "#ffb300",
        "center": "#ffffff",
        "paper": "#fdfcf8",
    },
    Theme.DARK: {
        "sea": "#1a2530",
        "land": "#2c2d2c",
        "impassable": "#191b1c",
        "line": "#8e918f",
        "coast": "#a9b4bd",
        "sea-line": "#3c4d5c",
        "text": "#f1efe9",
        "sea-text": "#a9c6dc",
        "halo": "#15181b",
        "edge": "#f4f2ec",
        "alarm": "#ff7a66",
        "good": "#6fd695",
        "standoff": "#ffb300",
        "center": "#f1efe9",
        "paper": "#15181b",
    },
}
TINTS: Mapping[Theme, Sequence[str]] = {
    Theme.LIGHT: (
        *("#c27a71", "#8c9bc0", "#afd8ff", "#a39a9f", "#92af61", "#bdc6d6", "#eccf7b"),
        *("#d489eb", "#b7cf94", "#a58988", "#d4a899", "#95c3bf"),
    ),
    Theme.DARK: (
        *("#7a1f14", "#2a366b", "#326898", "#474c4a", "#457149", "#71687e", "#806915"),
        *("#8120aa", "#587637", "#643a31", "#915966", "#1b7d6d"),
    ),
}
"""The colors of centers, in the order of the inks.

Each is near its ink. A test checks that they differ enough from each other.
"""
_PALER = {Theme.LIGHT: 0.78, Theme.DARK: 0.72}
"""The share of the tint in the color of land without a center."""


@cache
def inks(board: str) -> Mapping[Power, str]:
    """Return power → the color of its units."""
    return {power: INKS[n % len(INKS)] for n, power in enumerate(load_map(board).powers)}


@cache
def colors(board: str, theme: Theme) -> Mapping[str, str]:
    """Return part → color.

    Each power has its ink, the color of a letter on the ink, the tint of its centers and a paler tint for other land.
    """
    parts = dict(_PARTS[theme])
    for n, (power, ink) in enumerate(inks(board).items()):
        tint = TINTS[theme][n % len(INKS)]
        parts[power] = ink
        parts[f"{power}-letter"] = "#14151a" if _lightness(ink) > 0.35 else "#ffffff"
        parts[f"{power}-tint"] = tint
        parts[f"{power}-paler"] = mixed(tint, parts["land"], _PALER[theme])
    return parts


def mixed(one: str, other: str, part: float) -> str:
    """Mix two colors; `part`: the share of the first."""
    return written([a * part + b * (1 - part) for a, b in zip(channels(one), channels(other), strict=True)])


def channels(color: str) -> tuple[int, int, int]:
    """Return red, green and blue."""
    return (int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16))


def written(parts: Sequence[float]) -> str:
    """Return a color as `#rrggbb`."""
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def _lightness(color: str) -> float:
    red, green, blue = (math.pow(part / 255, 2.2) for part in channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

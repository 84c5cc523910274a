"""Colors as people see them, with all cones or without one kind.

The missing cones are the red, the green or the blue ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from judge.reports.palette import channels

Three: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = Sequence[Sequence[float]]

SIGHTS: dict[str, Matrix] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Matrices for the complete loss of one kind of cone.

They apply to linear light (Machado, Oliveira and Fernandes 2009).
"""
_XYZ = ((41.24564, 35.75761, 18.04375), (21.26729, 71.51522, 7.21750), (1.93339, 11.91920, 95.03041))


def linear(color: str) -> Three:
    """Return the linear light of each channel (IEC 61966-2-1)."""
    return _three(
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255 for x in channels(color))
    )


def seen(color: str, sight: str) -> Three:
    """Return CIE XYZ of a color as this sight sees it; white is at 100."""
    return _through(_XYZ, _three(min(1.0, max(0.0, part)) for part in _through(SIGHTS[sight], linear(color))))


# CIECAM02 (CIE 159:2004) for a picture on a screen: white of D65, ground of 20, 64 lux, an average surround

_CAT02 = ((0.7328, 0.4296, -0.1624), (-0.7036, 1.6975, 0.0061), (0.0030, 0.0136, 0.9834))
_TO_CONES = ((0.7409792, 0.2180250, 0.0410058), (0.2853532, 0.6242014, 0.0904454), (-0.0096280, -0.0056980, 1.0153260))
"""The matrix from CAT02 to the cones of Hunt, Pointer and Estevez."""
_WHITE = (95.047, 100.0, 108.883)
_ADAPTING, _INDUCTION = 64 / math.pi / 5, 0.725 * 5**0.2
_ADAPTED = 1 - math.exp((-_ADAPTING - 42) / 92) / 3.6
_K = 1 / (5 * _ADAPTING + 1)
_LUMINANCE = 0.2 * _K**4 * 5 * _ADAPTING + 0.1 * (1 - _K**4) ** 2 * (5 * _ADAPTING) ** (1 / 3)
_EXPONENT = 0.69 * (1.48 + math.sqrt(0.2))


def cam02(xyz: Three) -> Three:
    """Return J', a' and b' of CAM02-UCS (Luo, Cui and Li 2006).

    Distances there equal perceived differences.
    """
    r, g, b = _adapted(xyz)
    across, along = r - 12 * g / 11 + b / 11, (r + g - 2 * b) / 9
    hue = math.atan2(along, across)
    lightness = 100 * (_achromatic((r, g, b)) / _achromatic(_adapted(_WHITE))) ** _EXPONENT
    t = 50000 / 13 * _INDUCTION * (math.cos(hue + 2) + 3.8) / 4 * math.hypot(across, along) / (r + g + 1.05 * b)
    chroma = t**0.9 * math.sqrt(lightness / 100) * (1.64 - 0.29**0.2) ** 0.73
    colorful = math.log(1 + 0.0228 * chroma * _LUMINANCE**0.25) / 0.0228
    return (1.7 * lightness / (1 + 0.007 * lightness), colorful * math.cos(hue), colorful * math.sin(hue))


def _adapted(xyz: Three) -> Three:
    white = _through(_CAT02, _WHITE)
    sharpened = zip(_through(_CAT02, xyz), white, strict=True)
    return _three(
        map(_answer, _through(_TO_CONES, _three(c * (100 * _ADAPTED / w + 1 - _ADAPTED) for c, w in sharpened)))
    )


def _answer(cone: float) -> float:
    power = (_LUMINANCE * abs(cone) / 100) ** 0.42
    return math.copysign(400 * power / (27.13 + power), cone) + 0.1


def _achromatic(cones: Three) -> float:
    return (2 * cones[0] + cones[1] + cones[2] / 20 - 0.305) * _INDUCTION


def _through(matrix: Matrix, values: Three) -> Three:
    return _three(sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix)


def _three(values: Iterable[float]) -> Three:
    one, two, three = values
    return (one, two, three)

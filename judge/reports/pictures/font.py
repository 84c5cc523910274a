"""The font of all pictures: the letters they use from M PLUS 2.

It is under the Open Font License. `cartography/font.py` makes it and knows the letters.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from judge.errors import InstallationError
from judge.resources import shipped

FAMILY = "M PLUS 2"


def wide(text: str) -> float:
    """Estimate the width of a text, in units of its size."""
    return sum(1.0 if ord(letter) > 0x2E7F else 0.57 for letter in text)


@cache
def font_file(*, latin_only: bool = False) -> Path:
    """Return the font file, whole or with European letters only; raises InstallationError."""
    path = shipped("reports") / "pictures" / "fonts" / ("mplus2-latin.ttf" if latin_only else "mplus2.ttf")
    if not path.is_file():
        raise InstallationError(f"the font {path} is missing; the judge is not installed completely")
    return path

"""The one font of all pictures: a part of M PLUS 2 with the letters they use, under the Open Font License.

`cartography/font.py` makes it, and knows which letters those are.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from judge.errors import InstallationError
from judge.resources import shipped

FAMILY = "M PLUS 2"


@cache
def font_file(*, latin_only: bool = False) -> Path:
    """Where it lies, whole or with the letters of Europe alone; raises InstallationError."""
    path = shipped("reports") / "pictures" / "fonts" / ("mplus2-latin.ttf" if latin_only else "mplus2.ttf")
    if not path.is_file():
        raise InstallationError(f"the font {path} is missing; the judge is not installed completely")
    return path

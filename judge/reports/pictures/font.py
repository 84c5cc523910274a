"""The one font of all pictures: a part of M PLUS 2 with the letters they use, under the Open Font License.

`benchmarks`, tests and the script `make_font.py` beside it say which letters those are.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from judge.errors import InstallationError
from judge.resources import shipped

FAMILY = "M PLUS 2"


@cache
def font_file() -> Path:
    """Where it lies; raises InstallationError."""
    path = shipped("reports") / "pictures" / "fonts" / "mplus2-subset.ttf"
    if not path.is_file():
        raise InstallationError(f"the font {path} is missing; the judge is not installed completely")
    return path

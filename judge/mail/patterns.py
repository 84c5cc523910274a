"""What mail programs write, from `patterns.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files


@cache
def _patterns() -> Mapping[str, Sequence[str]]:
    return tomllib.loads((files("judge.mail") / "patterns.toml").read_text("utf-8"))


@cache
def pattern(name: str, before: str = "", behind: str = "") -> re.Pattern[str]:
    """Any of the patterns under a name, in any case, with what has to stand before and behind it."""
    return re.compile(f"{before}(?:{'|'.join(_patterns()[name])}){behind}", re.IGNORECASE | re.VERBOSE)

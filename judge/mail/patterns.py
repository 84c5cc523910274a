"""Phrases that mail programs write, from `patterns.toml`."""

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
    """Compile all patterns under a name into one, case-insensitive, between `before` and `behind`."""
    return re.compile(f"{before}(?:{'|'.join(_patterns()[name])}){behind}", re.IGNORECASE | re.VERBOSE)

"""The words and shapes of times, from `grammar/times.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from judge.resources import shipped


@cache
def times() -> Mapping[str, Any]:
    """Subject → tongue → its words and patterns."""
    return tomllib.loads((shipped("grammar") / "times.toml").read_text("utf-8"))

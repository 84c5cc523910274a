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


def all_of(subject: str, name: str) -> list[Any]:
    """What every tongue that has it says under a name."""
    return [words[name] for words in times()[subject].values() if name in words]


def any_of(subject: str, name: str) -> str:
    """A pattern for what any tongue says under a name."""
    return f"(?:{'|'.join(all_of(subject, name))})"

"""The words and patterns of times, from `grammar/times.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from judge.resources import shipped_data


@cache
def times() -> Mapping[str, Any]:
    """Return subject → language → its words and patterns."""
    return shipped_data("grammar/times.toml")


def all_of(subject: str, name: str) -> list[Any]:
    """Return what the languages have under a name, one entry for each that has it."""
    return [words[name] for words in times()[subject].values() if name in words]


def any_of(subject: str, name: str) -> str:
    """Return a pattern for what any language has under a name."""
    return f"(?:{'|'.join(all_of(subject, name))})"

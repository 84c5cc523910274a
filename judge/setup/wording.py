"""What `judge setup` says, in the operator's language, from `templates/setup.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from judge.resources import shipped


@cache
def sentences() -> Mapping[str, Mapping[str, str]]:
    """All of them: name → language → text."""
    return tomllib.loads((shipped("templates") / "setup.toml").read_text("utf-8"))


@cache
def words(name: str) -> tuple[str, ...]:
    """Words by which something is known, in all languages."""
    return tuple(tomllib.loads((files("judge.setup") / "words.toml").read_text("utf-8"))[name])


def say(language: str, sentence: str, **values: object) -> str:
    """A sentence with its values."""
    return sentences()[sentence][language].format(**values)

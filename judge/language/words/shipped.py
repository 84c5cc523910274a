"""The languages whose words we ship, each from its files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from judge.language.words.tongue import is_japanese
from judge.languages import Language
from judge.resources import shipped


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words of orders in one tongue, and the names it has for what is on the map."""

    code: str
    """Under which its names stand in `names.toml`: `en`."""

    def words(self) -> Mapping[str, Any]:
        """Terminal → the words, or letter or number → the words."""
        return _read(shipped("grammar") / "words" / f"{self.code}.toml")

    def names(self, map_name: str) -> Mapping[str, Any]:
        """What it calls what is on a map."""
        return names_on(map_name)


def names_on(map_name: str) -> Mapping[str, Any]:
    """The names of a board in all languages, as its folder has them: `provinces`, `powers`, `coasts` and more."""
    return _read(shipped("maps") / map_name / "names.toml")


@cache
def _read(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


SHIPPED = tuple(Tongue(language.value) for language in Language)


def written_like(text: str) -> tuple[Language, ...]:
    """The languages in whose letters a text is written, English first.

    >>> written_like("ミュンヘン陸軍")[0].value
    'ja'
    """
    return tuple(language for language in Language if language.is_latin is not is_japanese(text))


def apart_and_run_on(tongues: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Words by language, told apart: those that blanks part from the next, and those that run on into it."""
    apart: list[str] = []
    run_on: list[str] = []
    for tongue, words in tongues.items():
        (apart if Language(tongue).is_latin else run_on).extend(words)
    return apart, run_on

"""The languages whose words are shipped, each with its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.language.words.tongue import is_japanese
from judge.languages import Language
from judge.resources import shipped_data


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words of orders in one language, and its names for what is on the map."""

    code: str
    """The key of its names in `names.toml`: `en`."""

    def words(self) -> Mapping[str, Any]:
        """Return terminal → its words, or → letter or number → its words."""
        return shipped_data(f"grammar/words/{self.code}.toml")

    def names(self, map_name: str) -> Mapping[str, Any]:
        """Return the names of what is on a map."""
        return names_on(map_name)


def names_on(map_name: str) -> Mapping[str, Any]:
    """Return the names of a board in all languages, from its folder: `provinces`, `powers`, `coasts` and more."""
    return shipped_data(f"maps/{map_name}/names.toml")


SHIPPED = tuple(Tongue(language.value) for language in Language)


def written_like(text: str) -> tuple[Language, ...]:
    """Return the languages that use the letters of a text, English first.

    >>> written_like("ミュンヘン陸軍")[0].value
    'ja'
    """
    return tuple(language for language in Language if language.is_latin is not is_japanese(text))


def apart_and_run_on(tongues: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return words by language as two lists: those separated by blanks, and those written without blanks."""
    apart: list[str] = []
    run_on: list[str] = []
    for tongue, words in tongues.items():
        (apart if Language(tongue).is_latin else run_on).extend(words)
    return apart, run_on

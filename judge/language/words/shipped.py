"""The languages whose words are shipped, each with its files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.language.words.tongue import is_japanese
from judge.languages import Language
from judge.resources import shipped_data


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words of one language: those of orders, and its names on the map."""

    code: str
    """The key of its names in `names.toml`, such as `en`."""

    def words(self) -> Mapping[str, Any]:
        """Return terminal → its words, or terminal → letter or number → its words."""
        return shipped_data(f"grammar/words/{self.code}.toml")


SPOKEN = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
SHIPPED = tuple(Tongue(language.value) for language in Language)


def written_like(text: str) -> tuple[Language, ...]:
    """Return the languages that use the letters of a text, English first.

    >>> written_like("ミュンヘン陸軍")[0].value
    'ja'
    """
    return tuple(language for language in Language if language.is_latin is not is_japanese(text))


def likely_spoken(text: str) -> tuple[Language, ...]:
    """Return the languages that a sentence may be in.

    These are the languages with its letters, to which most of its small words belong.

    >>> [language.value for language in likely_spoken("zeig mir die karte")]
    ['de']
    """
    languages = written_like(text)
    if len(languages) == 1:
        return languages
    words, small = SPOKEN.findall(text), small_words()
    said = {language: sum(word in small.get(language, ()) for word in words) for language in languages}
    return tuple(language for language in languages if said[language] == max(said.values()))


@cache
def small_words() -> Mapping[str, frozenset[str]]:
    """Return language → small words that show the language of a sentence."""
    data = shipped_data("grammar/answers.toml")
    return {language: frozenset(words) for language, words in data["small_words"].items()}


def apart_and_run_on(tongues: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return words by language as two lists: separated by blanks, and run on."""
    apart: list[str] = []
    run_on: list[str] = []
    for tongue, words in tongues.items():
        (apart if Language(tongue).is_latin else run_on).extend(words)
    return apart, run_on

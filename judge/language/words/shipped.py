"""The languages whose words are shipped, each with its files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.language.words.tongue import is_japanese
from judge.languages import Language
from judge.resources import board_data, shipped_data
from judge.rules.map import Map, load_map


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words of orders in one language, and its names for what is on the map."""

    code: str
    """The key of its names in `names.toml`: `en`."""

    def words(self) -> Mapping[str, Any]:
        """Return terminal → its words, or → letter or number → its words."""
        return shipped_data(f"grammar/words/{self.code}.toml")


@cache
def names_on(map_name: str) -> Mapping[str, Any]:
    """Return the names of a board in all languages, from its folder: `provinces`, `powers`, `coasts` and more."""
    return with_usual_names(load_map(map_name), board_data(map_name, "names.toml"))


def with_usual_names(map_: Map, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the contents of a `names.toml` with every table; what it leaves out is as in English or on all boards."""
    everywhere = shipped_data("grammar/places.toml")
    used = {location.partition("/")[2] for info in map_.provinces.values() for location in info.coasts}
    coasts = [*(coast for coast in everywhere["coasts"] if coast in used), *sorted(used - everywhere["coasts"].keys())]
    usual: Mapping[str, Mapping[str, Any]] = {
        "provinces": {code: {"en": [info.name]} for code, info in map_.provinces.items()},
        "powers": {power: {"en": [power.capitalize()]} for power in map_.powers},
        "coasts": {coast: {"en": [coast.lower()]} | everywhere["coasts"].get(coast, {}) for coast in coasts},
        "board": {"en": map_.name.capitalize()},
        "about": {"en": ""},
        "seas": everywhere["seas"],
    }
    named: dict[str, Any] = {table: {} for table in ("slips", "ambiguous", "coast_words", "forms")}
    named |= {table: {**words, **given.get(table, {})} for table, words in usual.items()}
    for table in ("provinces", "powers", "coasts"):
        named[table] = {key: {**words, **given.get(table, {}).get(key, {})} for key, words in usual[table].items()}
    for code, words in named["provinces"].items():
        words["codes"] = list(dict.fromkeys([code, *words.get("codes", ())]))
    return {**named, **{table: given[table] for table in given.keys() - usual.keys()}}


SPOKEN = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
SHIPPED = tuple(Tongue(language.value) for language in Language)


def written_like(text: str) -> tuple[Language, ...]:
    """Return the languages that use the letters of a text, English first.

    >>> written_like("ミュンヘン陸軍")[0].value
    'ja'
    """
    return tuple(language for language in Language if language.is_latin is not is_japanese(text))


def likely_spoken(text: str) -> tuple[Language, ...]:
    """Return the languages that a sentence may be in: those with its letters that most of its small words belong to.

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
    """Return language → small words that tell in which language a sentence is."""
    data = shipped_data("grammar/answers.toml")
    return {language: frozenset(words) for language, words in data["small_words"].items()}


def apart_and_run_on(tongues: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return words by language as two lists: those separated by blanks, and those written without blanks."""
    apart: list[str] = []
    run_on: list[str] = []
    for tongue, words in tongues.items():
        (apart if Language(tongue).is_latin else run_on).extend(words)
    return apart, run_on

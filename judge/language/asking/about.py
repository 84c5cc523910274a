"""Find the command that a line is about when no phrase fits, from the ideas of its words in `about.toml`.

An idea is a group of words that mean the same to the judge; each command has sets of ideas that suggest it.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from judge.language.asking.builder import load_asker
from judge.language.asking.data import any_of, pattern_of
from judge.language.asking.phrases import Entry, load_phrases
from judge.language.words.names import pattern
from judge.language.words.shipped import written_like
from judge.languages import Language
from judge.resources import shipped_data

_SHAPES = ("day", "length", "language", "address", "game")
"""What a line can name besides a power."""


@dataclass(frozen=True, slots=True)
class _Set:
    """Ideas that together suggest a command."""

    entry: Entry
    ideas: frozenset[str]
    without: frozenset[str]
    """The set does not apply if one of these ideas occurs too."""
    weight: float


def spoken_of(text: str, map_name: str) -> Iterator[tuple[float, Entry]]:
    """Yield the commands that a text suggests, each with its weight."""
    found = ideas_in(text, map_name)
    for one in _sets():
        if one.ideas <= found and one.without.isdisjoint(found):
            yield one.weight, one.entry


@lru_cache(maxsize=256)
def ideas_in(text: str, map_name: str) -> frozenset[str]:
    """Return the ideas in a text, and what it names."""
    ideas = [one for language in written_like(text) for one in _patterns(language).items()]
    shapes = ((f"<{name}>", looks) for name, looks in named(map_name).items())
    return frozenset(idea for idea, words in (*ideas, *shapes) if words.search(text))


@cache
def named(map_name: str) -> Mapping[str, re.Pattern[str]]:
    """Return what a line can name → the pattern for it."""
    powers = pattern(load_asker(map_name).names.powers)
    shapes = {name: pattern_of("%s", f"named_{name}") for name in _SHAPES}
    return {**shapes, "power": re.compile(f"(?<![a-z])(?:{powers})(?![a-z])(?!{any_of('no_power_here')})")}


@cache
def _data() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    return shipped_data("grammar/words/commands/about.toml")


@cache
def _patterns(language: Language) -> Mapping[str, re.Pattern[str]]:
    shape = "(?<![a-z])(?:%s)(?![a-z'])" if language.is_latin else "(?:%s)"
    return {idea: re.compile(shape % words) for idea, words in _data()["ideas"].get(language, {}).items()}


@cache
def _sets() -> tuple[_Set, ...]:
    """Return all sets; an idea that few commands have weighs more than a common one."""
    rows = [(key, row.split()) for key, rows in _data()["about"].items() for row in rows]
    having: dict[str, set[str]] = defaultdict(set)
    for key, ideas in rows:
        for idea in ideas:
            having[idea].add(key)
    entries = {entry.key: entry for entry in load_phrases().entries}
    number = len(_data()["about"])

    def made(key: str, ideas: list[str]) -> _Set:
        there = frozenset(idea for idea in ideas if not idea.startswith("-"))
        without = frozenset(idea.removeprefix("-") for idea in ideas if idea.startswith("-"))
        return _Set(entries[key], there, without, sum(math.log(number / len(having[idea])) for idea in there))

    return tuple(made(key, ideas) for key, ideas in rows)

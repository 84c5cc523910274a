"""Rank the commands for a line by its likeness to sentences known to ask for them.

The counts from those sentences are data, in `grammar/words/commands/learned.txt`; `python -m tests.learning` counts
anew. The features of a line are its words, pairs of words and ideas; each counts by its frequency for a command.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from judge.language.asking.about import ideas_in, named
from judge.language.asking.data import pattern_of
from judge.language.words.shipped import written_like
from judge.language.words.tongue import is_japanese
from judge.languages import Language
from judge.resources import shipped

TALK = "talk"
"""Lines that ask for nothing, or say what is not to be done."""

_NEVER_SEEN = 0.1
"""The count assumed for a feature that only occurred with other commands."""
_WEIGHT_OF_NUMBER = 0.5
"""How much commands with many sentences are favored."""
_KINDS = ("demands", "requests", "asks_about", "remarks", "tells", "negated", "named_day")
"""Patterns of `lines.toml`: whether a line asks, tells, or refuses something."""
_WORD = re.compile(r"[a-z']+|[@?]|[A-Z]+|\d+")
_NUMBER = re.compile(r"\d+")
_SIGNS = re.compile(r"[\s、。!?,.:;「」()~-]+")


@dataclass(frozen=True, slots=True)
class _Counts:
    """The counts for the sentences of one language."""

    sentences: Mapping[str, int]
    """Command → its number of sentences."""
    total: Mapping[str, float]
    """Command → the logarithm of its number of features, including the assumed ones."""
    seen: Mapping[str, Mapping[str, float]]
    """Feature → command → how much more often it occurs than a feature never seen."""


def likenesses(text: str, map_name: str) -> list[tuple[float, str]]:
    """Return the commands and talk, each with its likeness to a line; best first."""
    counts = _learned()[written_like(text)[0]]
    known = [counts.seen[one] for one in features(text, map_name) if one in counts.seen]
    number = sum(counts.sentences.values())
    found = [
        (
            _WEIGHT_OF_NUMBER * math.log(of_it / number)
            - len(known) * counts.total[key]
            + sum(commands.get(key, 0.0) for commands in known),
            key,
        )
        for key, of_it in counts.sentences.items()
    ]
    return sorted(found, reverse=True)


def features(text: str, map_name: str) -> frozenset[str]:
    """Return the features of a line: words, pairs of words, ideas, and whether it asks, tells or refuses something."""
    plain = _with_names_alike(text, map_name)
    pieces = _pieces_of_japanese(plain) if is_japanese(text) else _pieces(plain)
    kinds = {f"={kind}" for kind in _KINDS if pattern_of("%s", kind).search(text)}
    return pieces | kinds | {f"={idea}" for idea in ideas_in(text, map_name)}


def _with_names_alike(text: str, map_name: str) -> str:
    """Return the text with one symbol for any address, and one for any power."""
    found = named(map_name)
    return found["power"].sub("P", found["address"].sub("@", text)).strip()


def _pieces(text: str) -> frozenset[str]:
    words = ["^", *(_NUMBER.sub("0", word) for word in _WORD.findall(text)), "$"]
    return frozenset((*words, *(f"{one}_{other}" for one, other in pairwise(words))))


def _pieces_of_japanese(text: str) -> frozenset[str]:
    """Return all sequences of two and three characters, as there are no blanks."""
    run = f"^{_NUMBER.sub('0', _SIGNS.sub('', text))}$"
    return frozenset(run[place : place + length] for length in (2, 3) for place in range(len(run) - length + 1))


@cache
def _learned() -> Mapping[str, _Counts]:
    text = (shipped("grammar") / "words" / "commands" / "learned.txt").read_text("utf-8")
    parts = dict(part.split("\n", 1) for part in text.split("# ")[1:] if part[:2] in list(Language))
    return {tongue: _counts(part.splitlines()) for tongue, part in parts.items()}


def _counts(lines: list[str]) -> _Counts:
    head, *rows = [line.split("\t") for line in lines if line]
    keys = [cell.split(":") for cell in head]
    counted = {feature: _pairs(cells.split()) for feature, cells in rows}
    unseen = _NEVER_SEEN * len(counted)
    total = dict.fromkeys((key for key, _ in keys), unseen)
    for pairs in counted.values():
        for place, count in pairs:
            total[keys[place][0]] += count
    return _Counts(
        {key: int(number) for key, number in keys},
        {key: math.log(all_of_it / _NEVER_SEEN) for key, all_of_it in total.items()},
        {
            feature: {keys[place][0]: math.log((count + _NEVER_SEEN) / _NEVER_SEEN) for place, count in pairs}
            for feature, pairs in counted.items()
        },
    )


def _pairs(cells: list[str]) -> list[tuple[int, int]]:
    return [(int(place), int(count or 1)) for place, _, count in (cell.partition(":") for cell in cells)]

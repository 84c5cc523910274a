"""Phases in words: `S1901M`, `Fall 1902 retreats`, `Spring '02`, `1902年秋 撤退`, or a season alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, NamedTuple

from judge.language.times.data import times
from judge.language.words.tongue import KANJI_DIGITS, is_japanese
from judge.rules.map import USUAL_BOARD, load_map
from judge.rules.position import Phase, PhaseKind, Season

_DIGITS = str.maketrans(KANJI_DIGITS, "0123456789")
_ANY = "any"
_LONG = 1000
"""From this year on, years are written in full or with two digits."""
_GROUP = re.compile(r"\(\?P<(\w+)>")


@dataclass(frozen=True, slots=True)
class _Words:
    """The words for phases in all languages."""

    seasons: Mapping[str, str]
    """Word → `S`, `F` or `W`."""
    kinds: Mapping[str, str]
    """Word → `M`, `R`, `A` or `any`."""
    named: re.Pattern[str]
    short: re.Pattern[str]
    """The same phases, and those with years below 1000."""
    alone: re.Pattern[str]
    season_words: tuple[str, ...]
    """The seasons that may be named without a year."""


@cache
def _words() -> _Words:
    tongues = times()["phases"].values()
    return _Words(
        seasons=_by_word(tongue["season"] for tongue in tongues),
        kinds=_by_word(tongue["kind"] for tongue in tongues),
        named=_pattern((tongue, shape) for tongue in tongues for shape in tongue["named"]),
        short=_pattern((tongue, shape) for kind in ("named", "short") for tongue in tongues for shape in tongue[kind]),
        alone=_pattern(((tongue, shape) for tongue in tongues for shape in tongue["alone"]), before=r"\W*"),
        season_words=tuple(word for tongue in tongues for word in _of_some_length(tongue["season"])),
    )


def _by_word(tables: Iterable[Mapping[str, list[str]]]) -> dict[str, str]:
    return {_ANY: _ANY} | {word: meant for table in tables for meant, words in table.items() for word in words}


def _of_some_length(table: Mapping[str, list[str]]) -> list[str]:
    """Return the words except single Latin letters, longest first."""
    words = [word for words in table.values() for word in words if len(word) > 1 or is_japanese(word)]
    return sorted(words, key=len, reverse=True)


def _pattern(shapes: Iterable[tuple[Mapping[str, Any], str]], before: str = "") -> re.Pattern[str]:
    """Return a pattern for any of the shapes.

    The groups are numbered, because the names of groups must be unique.
    """
    numbers = count(1)
    filled = [
        shape.replace("SEASON", "|".join(_of_some_length(tongue["season"]))).replace(
            "KIND", "|".join(_of_some_length(tongue["kind"]))
        )
        for tongue, shape in shapes
    ]
    numbered = [_GROUP.sub(lambda group: f"(?P<{group[1]}{next(numbers)}>", shape) for shape in filled]
    return re.compile(f"{before}(?:{'|'.join(numbered)})", re.VERBOSE)


class NamedPhase(NamedTuple):
    """A phase and its position in a line."""

    phase: Phase
    start: int
    end: int


def phases_in(text: str, current: Phase | None = None) -> list[NamedPhase]:
    """Return the phases that a line in normal form names.

    A name without a kind of phase means `current` if that fits.
    """
    words = _words()
    named = words.short if current is not None and current.year < _LONG else words.named
    found = [_named(match, current) for match in named.finditer(text)] if any(map(str.isnumeric, text)) else []
    if found or current is None or not any(season in text for season in words.season_words):
        return found
    alone = words.alone.match(text)
    return [_named(alone, current)] if alone else []


def with_plain_phases(text: str, current: Phase | None = None) -> str:
    """Return the text with phases written as `s1901m`."""
    for named in reversed(phases_in(text, current)):
        text = f"{text[: named.start]} {str(named.phase).lower()} {text[named.end :]}"
    return text


def without(text: str, named: list[NamedPhase]) -> str:
    """Return the text with blanks in place of the phases."""
    for _, start, end in named:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _named(match: re.Match[str], current: Phase | None) -> NamedPhase:
    groups = {name: value for name, value in match.groupdict().items() if value}

    def first(name: str) -> str | None:
        return next((value for group, value in groups.items() if group.startswith(name)), None)

    season = _words().seasons[first("season") or ""]
    year = _year(first("year"), current)
    named = _words().kinds[first("kind") or _ANY]
    kind = None if named == _ANY else named
    if kind is None and current is not None and (current.year == year and _may_be(current.season, season)):
        return NamedPhase(current, match.start(), match.end())
    kind = kind or ("A" if season == "W" else "M")
    # Adjustments are made in winter, even if the year ended with another season.
    phase = Phase(Season("W" if kind == "A" and season == "F" else season), year, PhaseKind(kind))
    return NamedPhase(phase, match.start(), match.end())


def _may_be(current: Season, season: str) -> bool:
    """Whether a season can mean the open phase: the winter adjustments also count as fall."""
    return current.value in ("FW" if season == "F" else season)


def _year(written: str | None, current: Phase | None) -> int:
    """Return the year; two digits are a year of the game's century.

    They are the year as written if that is nearer to the game. Without digits it is the current year.
    """
    digits = (written or "").strip("'").translate(_DIGITS)
    if not digits and current is not None:
        return current.year
    year = int(digits or -1)
    now = current.year if current else load_map(USUAL_BOARD).first_year
    return year if len(digits) > 2 else min(year, now // 100 * 100 + year, key=lambda one: abs(one - now))

"""Phases in words: `S1901M`, `Fall 1902 retreats`, `Spring '02`, `1902年秋 撤退`, or a season alone."""

from __future__ import annotations

import re
from typing import NamedTuple

from judge.rules.position import Phase, PhaseKind, Season

_ENGLISH_SEASON = "spring|autumn|fall|winter"
_ENGLISH_KIND = "movements?|moves?|orders?|retreats?|adjustments?|builds?|removals?"
_JAPANESE_KIND = "移動|外交|交渉|行動|命令|撤退|後退|退却|調整|増減|増設|解体|ユニット増減"
_KANJI = "〇一二三四五六七八九"
_DIGITS = str.maketrans(_KANJI, "0123456789")
_NAMED = re.compile(
    rf"""(?<![a-z0-9])(?:
      (?P<letter>[sfw])(?:(?P<year1>\d{{4}})(?P<suffix>[mra])?|(?P<year2>\d\d)(?P<suffix2>[mra])?)
    | (?:(?P<season1>{_ENGLISH_SEASON})[\s,]*(?:of\s+|year\s+)?(?P<year3>\d{{4}}|'\d\d|\d\d(?=\s*(?:[:,.)\]]|$)))
        |(?P<year4>\d{{4}})[\s,/-]*(?P<season2>{_ENGLISH_SEASON}))
      (?:\s*[:,]?\s*(?P<kind1>{_ENGLISH_KIND}))?
    )(?![a-z0-9])
    |(?:(?:(?P<year5>\d{{4}})年?|(?P<year6>\d\d|[{_KANJI}]{{4}})年)[\s/]*の?\s*(?P<season3>[春秋冬])
       |(?P<season4>[春秋冬])[\s/]*(?P<year7>\d{{4}})年?(?!\d))(?:ターン|期)?
      (?:の?\s*(?P<kind2>{_JAPANESE_KIND}))?(?:フェイズ|フェーズ)?""",
    re.VERBOSE,
)
_SEASON_ALONE = re.compile(
    rf"""\W*(?:(?P<season1>{_ENGLISH_SEASON})(?:\s+(?P<kind1>{_ENGLISH_KIND})(?![a-z])|(?=\s*(?::|$)))
    |(?P<season2>[春秋冬])(?:ターン|期)?の?(?P<kind2>{_JAPANESE_KIND})?(?:フェイズ|フェーズ)?(?=\s*(?:[:。]|です|$)))""",
    re.VERBOSE,
)
_SEASONS = {"s": "S", "春": "S", "a": "F", "f": "F", "秋": "F", "w": "W", "冬": "W"}
_KINDS = dict.fromkeys("r撤後退", "R") | dict.fromkeys("ab調増ユ解", "A") | dict.fromkeys("m移外交", "M")
_REMOVALS = ("removal", "removals")


class NamedPhase(NamedTuple):
    """A phase, and where in a line it is named."""

    phase: Phase
    start: int
    end: int


def phases_in(text: str, current: Phase | None = None) -> list[NamedPhase]:
    """The phases that a line in normal form names; without a kind, `current` if it can be."""
    may_name = "年" in text or any(map(str.isdigit, text))
    found = [_named(match, current) for match in _NAMED.finditer(text)] if may_name else []
    if found or current is None or not any(season in text for season in _SEASON_WORDS):
        return found
    alone = _SEASON_ALONE.match(text)
    return [_named(alone, current)] if alone else []


_SEASON_WORDS = (*_ENGLISH_SEASON.split("|"), *"春秋冬")


def with_plain_phases(text: str, current: Phase | None = None) -> str:
    """Phases in words as `s1901m`."""
    for named in reversed(phases_in(text, current)):
        text = f"{text[: named.start]} {str(named.phase).lower()} {text[named.end :]}"
    return text


def without(text: str, named: list[NamedPhase]) -> str:
    """The text with blanks where phases are named."""
    for _, start, end in named:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _named(match: re.Match[str], current: Phase | None) -> NamedPhase:
    groups = {name: value for name, value in match.groupdict().items() if value}

    def first(name: str) -> str | None:
        return next((value for group, value in groups.items() if group.startswith(name)), None)

    season = _SEASONS[(first("letter") or first("season") or "")[0]]
    year = _year(first("year"), current)
    told = first("suffix") or first("kind")
    kind = None if told is None else "A" if told in _REMOVALS else _KINDS.get(told[0])
    if kind is None and current is not None and (current.year == year and _may_be(current.season, season)):
        return NamedPhase(current, match.start(), match.end())
    kind = kind or ("A" if season == "W" else "M")
    # Adjustments are made in winter, whatever season the year ended with.
    phase = Phase(Season("W" if kind == "A" and season == "F" else season), year, PhaseKind(kind))
    return NamedPhase(phase, match.start(), match.end())


def _may_be(current: Season, season: str) -> bool:
    """Whether the season told is the open one: the adjustments of winter end the fall as well."""
    return current.value in ("FW" if season == "F" else season)


def _year(told: str | None, current: Phase | None) -> int:
    """A year of two digits is one of the game's century."""
    year = int((told or "").strip("'").translate(_DIGITS) or -1)
    if year < 0 and current is not None:
        return current.year
    century = (current.year if current else 1901) // 100 * 100
    return year if year > 99 else century + year

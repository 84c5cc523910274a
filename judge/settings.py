"""The settings of a game under all their names, shared by `judge.language` and `judge.games`.

The words are in `grammar/settings.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from enum import Enum, auto
from functools import cache
from string import ascii_lowercase
from typing import Any

from judge.languages import Language, is_latin
from judge.resources import board_data, boards, shipped_data
from judge.rules.map import is_board
from judge.rules.options import Options

OPTIONS = frozenset(option.name for option in fields(Options))
"""The options of the rules, which can be set like any other setting."""


class TimeKind(Enum):
    """The kind of time that a setting holds."""

    TIMETABLE = auto()
    ZONE = auto()
    LENGTH = auto()
    LENGTHS = auto()


TIMES: Mapping[str, TimeKind] = {
    "deadline": TimeKind.TIMETABLE,
    "first movement": TimeKind.TIMETABLE,
    "retreats": TimeKind.TIMETABLE,
    "adjustments": TimeKind.TIMETABLE,
    "zone": TimeKind.ZONE,
    "earliest": TimeKind.LENGTH,
    "grace": TimeKind.LENGTH,
    "absence": TimeKind.LENGTH,
    "absence per phase": TimeKind.LENGTH,
    "wait": TimeKind.LENGTH,
    "nudge": TimeKind.LENGTH,
    "stand in": TimeKind.LENGTH,
    "extension": TimeKind.LENGTH,
    "reminders": TimeKind.LENGTHS,
    "outage": TimeKind.LENGTH,
    "objection": TimeKind.LENGTH,
    "writing": TimeKind.LENGTH,
    "votes last": TimeKind.LENGTH,
}
"""The settings that are times: `judge.language` parses these, `judge.games` all others."""


@cache
def _data() -> Mapping[str, Any]:
    return shipped_data("grammar/settings.toml")


def names_of(setting: str, tongue: str | None = None) -> tuple[str, ...]:
    """Return the names of a setting or option, the preferred one first.

    They are those of one language, or of all languages.

    >>> names_of("zone", "en")
    ('zone', 'game zone', 'time zone', 'timezone')
    """
    table = _data()["options" if setting in OPTIONS else "settings"]
    own = {"en": [setting.replace("_", " ")]}
    tongues = list(table) if tongue is None else [tongue]
    return tuple(name for one in tongues for name in (*own.get(one, ()), *table.get(one, {}).get(setting, ())))


@cache
def all_settings() -> tuple[str, ...]:
    """Return the settings, then the options of the rules."""
    return (*_data()["settings"]["en"], *(option.name for option in fields(Options)))


@cache
def _named() -> Mapping[str, str]:
    """Return lower-case name → setting or option."""
    return {name.lower(): setting for setting in all_settings() for name in names_of(setting)}


@cache
def most_words() -> int:
    """Return how many words the longest name of a setting has."""
    return max(len(name.split()) for name in _named())


@cache
def _written_apart() -> frozenset[str]:
    """Return the names that must be followed by a space."""
    return frozenset(name for name in _named() if is_latin(name[-1]))


def setting_named(written: str) -> str | None:
    """Return the setting or option with that name; None if there is none.

    >>> setting_named("Short-game")
    'short_game'
    """
    return _named().get(" ".join(written.lower().replace("_", " ").replace("-", " ").split()))


def setting_like(written: str) -> str | None:
    """Return the name most similar to a misspelled one; None if none is similar.

    >>> setting_like("dedline"), setting_like("pres"), setting_like("weather")
    ('deadline', 'press', None)
    """
    plain = " ".join(written.lower().replace("_", " ").replace("-", " ").split())
    return next(iter(get_close_matches(plain, _named(), 1, 0.75)), None)


_MARK = re.compile(r"[=＝]|(?<!\d)[:：]|[:：](?!\d\d)")
"""Separator between a setting and its value; not the colon in a time of day."""


def split_setting(text: str) -> tuple[str, str] | None:
    """Split a setting into name and value; None if it is no setting.

    It may be written `first movement: 5 days`, `deadline 2 days` or `締切を2日`.

    >>> split_setting("master reads yes")
    ('master reads', 'yes')
    >>> split_setting("締切 火金 22:00")
    ('deadline', '火金 22:00')
    """
    head, *tail = (part.strip() for part in _MARK.split(text, maxsplit=1))
    if tail:
        name = setting_named(head)
        return (name, tail[0]) if name else None
    plain = " ".join(text.replace("_", " ").split())
    for written in sorted(_named(), key=len, reverse=True):
        rest = plain[len(written) :]
        if plain.lower().startswith(written) and (rest[:1] in (" ", "") or written not in _written_apart()):
            return _named()[written], _around().sub("", rest)
    return None


@cache
def _around() -> re.Pattern[str]:
    before, behind = ("|".join(_data()["around"][place]) for place in ("before", "behind"))
    return re.compile(rf"^\s*(?:{before})?\s*|(?:\s|{behind})+$")


def parts_of(text: str) -> list[str]:
    """Split several values of one setting."""
    return [
        part.strip()
        for part in re.split("|".join(mark for marks in _data()["between"].values() for mark in marks), text)
    ]


def without_year(text: str) -> str:
    """Remove the words that mean "each year" from a length of time.

    >>> without_year("14 days a year"), without_year("年に14日")
    ('14 days', '14日')
    """
    for shape in _data()["each_year"].values():
        text = re.sub(shape, "", text)
    return text


def year_in(text: str) -> int | None:
    """Return the year if the whole value is one."""
    found = (re.fullmatch(shape, text) for shape in _data()["year"].values())
    return next((int(match[1]) for match in found if match), None)


def plain_value(kind: str, written: str) -> str | None:
    """Return the game's own name of a value, or None.

    It is None if the value has no word in `[values.<kind>]`.

    >>> plain_value("answer", "On")
    'yes'
    """
    return _values(kind).get(written.lower())


def name_in(setting: str, tongue: str) -> str:
    """Return the name of a setting or option in one language, or in English."""
    return next(iter((*names_of(setting, tongue), *names_of(setting, "en"))))


def value_in(setting: str, written: str, tongue: str) -> str:
    """Translate a value that has a word in each language; return any other as written.

    >>> value_in("missing", "extend", "ja"), value_in("press", "なし", "en"), value_in("update_type", "手動", "en")
    ('延長', 'none', 'manual')
    >>> value_in("master_reads", "off", "de"), value_in("press", "none", "de")
    ('nein', 'none')
    """
    for kind in _kinds_of_value(setting):
        words = _data()["values"][kind]
        plain = "-".join(written.lower().split())
        value = plain_value(kind, written) or (plain if plain in words else None)
        if value is not None:
            own = _data()["written"].get(kind, {}).get(tongue, {}).get(value)
            return own or _word_for(value, words[value], Language(tongue))
    return str(year_in(written) or written)


def board_named(written: str) -> str | None:
    """Return the board with that name, or that title in any language, or None.

    >>> board_named("Standard"), board_named("atlantis")
    ('standard', None)
    """
    plain = "-".join(written.lower().split())
    return plain if is_board(plain) else _board_titles(boards()).get(plain)


@cache
def _board_titles(names: Iterable[str]) -> Mapping[str, str]:
    named = {name: board_data(name, "names.toml").get("board", {}) for name in names}
    return {"-".join(title.lower().split()): name for name, titles in named.items() for title in titles.values()}


def players_as_written(set_up: str) -> str:
    """Return the name of a set-up as it is written in mails.

    >>> players_as_written("7"), players_as_written("3b")
    ('7', '3 plan 2')
    """
    plan = re.fullmatch(r"(\d+)([a-z])", set_up)
    return f"{plan[1]} plan {ord(plan[2]) - ord('a') + 1}" if plan else set_up


def set_up_named(written: str, set_ups: Collection[str]) -> str | None:
    """Return the set-up with that name; if several have as many players, the first."""
    plain = " ".join(written.lower().split())
    alike = (name for name in set_ups if plain in (name, players_as_written(name), name.rstrip(ascii_lowercase)))
    return plain if plain in set_ups else next(alike, None)


def _word_for(value: str, words: Sequence[str], language: Language) -> str:
    """Return the word for a value in a language.

    A language with Latin letters uses the value itself.
    """
    return value if language.is_latin else next((one for one in words if not is_latin(one[0])), value)


@cache
def _kinds_of_value(setting: str) -> tuple[str, ...]:
    own = {"votes last": "lasting", "tell votes": "telling"}.get(
        setting, "majority" if setting.endswith(" majority") else setting
    )
    none = setting in TIMES or setting in ("extensions", "reliability", "short_game")
    kinds = (own, *(("option",) if setting in OPTIONS else ()), "none" if none else "answer")
    return tuple(kind for kind in kinds if kind in _data()["values"])


@cache
def _values(kind: str) -> Mapping[str, str]:
    return {word: value for value, words in _data()["values"][kind].items() for word in words}

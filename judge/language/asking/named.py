"""What a line can name: powers, places, days, lengths, addresses, languages, games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from judge.language.asking.builder import load_asker
from judge.language.asking.data import any_of, pattern_of
from judge.language.context import Context
from judge.language.words import is_japanese
from judge.language.words.names import pattern
from judge.rules.position import Power

_SHAPES = ("day", "length", "language", "address", "game")
_CODE = 3
"""In letters: names of places up to this length are also words."""


@cache
def named(map_name: str) -> Mapping[str, re.Pattern[str]]:
    """Return kind of thing that a line can name → its pattern."""
    powers = pattern(load_asker(map_name).names.powers)
    shapes = {name: pattern_of("%s", f"named_{name}") for name in _SHAPES}
    return {**shapes, "power": re.compile(f"(?<![a-z])(?:{powers})(?![a-z])(?!{any_of('no_power_here')})")}


@cache
def written_alike(map_name: str, *, is_run_on: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns, each with the symbol that replaces its matches.

    Sentences that differ only in names and numbers become the same.
    `is_run_on`: for a text without blanks between words.
    """
    names = load_asker(map_name).names
    powers = [one for one in names.powers if is_japanese(one) is is_run_on and len(one) > 1]  # 土 also means Saturday
    least = 1 if is_run_on else _CODE
    places = [
        one for one in names.places if is_japanese(one) is is_run_on and len(one) > least and one not in names.powers
    ]
    shape = "(?:%s)" if is_run_on else "(?<![a-zäöüß])(?:%s)(?![a-zäöüß])"
    rows = (
        (any_of("named_address"), " @ "),
        (shape % any_of("alike_days"), "D"),
        (shape % any_of("alike_months"), "M"),
        (shape % pattern(powers), "P"),
        (shape % pattern(places), "T"),
        (shape % any_of("alike_numbers"), "0"),
        (r"\d+", "0"),
    )
    return tuple((re.compile(words), symbol) for words, symbol in rows)


def powers_named(text: str, context: Context) -> tuple[Power, ...]:
    """Return the powers that a text names, in their order."""
    return tuple(dict.fromkeys(power_called(match[0], context) for match in powers_in(context.map.name).finditer(text)))


def power_called(written: str, context: Context) -> Power:
    """Return the power with a name."""
    return load_asker(context.map.name).names.powers[" ".join(written.split())]


@cache
def powers_in(map_name: str) -> re.Pattern[str]:
    """Return the pattern for the powers that sentences name."""
    words = pattern(load_asker(map_name).names.powers)
    return re.compile(f"(?<![a-z])(?:{words})(?![a-z])(?!{any_of('no_power_before')}|{any_of('no_power_here')})")

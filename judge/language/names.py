"""What people call powers and provinces: every word of the map's names with what it can mean."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.language.normal import normal_form
from judge.resources import shipped
from judge.rules.map import load_map
from judge.rules.position import Location, Power, Province, province_of

_LEAST_PREFIX = 4


@dataclass(frozen=True, slots=True)
class Names:
    """Words in normal form → what they can mean."""

    places: Mapping[str, tuple[Province, ...]]
    powers: Mapping[str, Power]
    coasts: Mapping[str, str]
    coast_words: Mapping[str, Mapping[str, str]]
    """Province → coast as named → the coast that is meant: the north coast of Bulgaria is its east coast."""

    def coast(self, province: Province, word: str) -> Location:
        """The location a coast word means in a province."""
        named = self.coasts[word]
        meant = self.coast_words.get(province, {}).get(named, named)
        return Location(f"{province}/{meant}")

    def near(self, word: str, most: int = 3) -> tuple[str, ...]:
        """The provinces whose names come nearest to a misspelled word."""
        likeness: dict[Province, float] = {}
        for name in difflib.get_close_matches(word, self.places, n=most * 3, cutoff=0.6):
            # People seldom get the first letter wrong.
            alike = difflib.SequenceMatcher(None, word, name).ratio() + 0.2 * (name[0] == word[0])
            for province in self.places[name]:
                likeness[province] = max(alike, likeness.get(province, 0))
        best = max(likeness.values(), default=0)
        nearest = sorted(likeness, key=lambda province: -likeness[province])
        return tuple(province for province in nearest if likeness[province] > best - 0.15)[:most]


@cache
def load_names(map_name: str) -> Names:
    """The names of a map, from `names.toml` in its folder."""
    data = tomllib.loads((shipped("maps") / map_name / "names.toml").read_text("utf-8"))
    map_ = load_map(map_name)
    places: dict[str, tuple[Province, ...]] = {}
    for code, words in data["provinces"].items():
        for word in (*words["codes"], *words["en"], *words["ja"]):
            places[normal_form(word).text] = (province_of(Location(code)),)
    for word, codes in data["ambiguous"].items():
        places[normal_form(word).text] = tuple(province_of(Location(code)) for code in codes)
    powers = {
        normal_form(word).text: power for power in map_.powers for word in _power_words(power, data["powers"][power])
    }
    coasts = {
        normal_form(word).text: coast
        for coast, words in data["coasts"].items()
        for word in (*words["en"], *words["ja"])
        if len(word) > 1
    }
    places |= _prefixes(places, coasts)
    return Names(places, powers, coasts, data.get("coast_words", {}))


def _power_words(power: Power, words: Mapping[str, Any]) -> list[str]:
    return [power, *words["en"], *words["ja"]]


def _prefixes(places: Mapping[str, tuple[Province, ...]], coasts: Mapping[str, str]) -> dict[str, tuple[Province, ...]]:
    """Every beginning of an English name, four letters or more, that only one province has."""
    owners: dict[str, set[Province]] = {}
    taken = {word for name in coasts for word in name.split()}
    for name, codes in places.items():
        if name.isascii() and len(codes) == 1:
            for length in range(_LEAST_PREFIX, len(name)):
                prefix = name[:length]
                if prefix.isalpha() and prefix not in taken:
                    owners.setdefault(prefix, set()).update(codes)
    return {prefix: tuple(codes) for prefix, codes in owners.items() if len(codes) == 1 and prefix not in places}


def pattern(words: Iterable[str]) -> str:
    """A regular expression for any of the words, longest first; Latin words end where their letters end."""
    parts = []
    for word in sorted(words, key=len, reverse=True):
        begin = r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
        end = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
        parts.append(begin + re.escape(word).replace(r"\ ", r"\s+") + end)
    return "(?:" + "|".join(parts) + ")"

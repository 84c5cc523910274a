"""What people call powers and provinces: every word of the map's names with what it can mean."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.language.words.normal import normal_form
from judge.language.words.spelling import likeness_of, names_like, slips_between
from judge.resources import shipped
from judge.rules.map import load_map
from judge.rules.position import Location, Power, Province, province_of

_LEAST_PREFIX = 4
BEFORE_A_FLEET = "(海)"
"""Behind a name that 海 makes the name of a sea: ノルウェー海軍 is the fleet in Norway, at a pinch that at sea."""


@dataclass(frozen=True, slots=True)
class Names:
    """Words in normal form → what they can mean."""

    places: Mapping[str, tuple[Province, ...]]
    powers: Mapping[str, Power]
    coasts: Mapping[str, str]
    coast_words: Mapping[str, Mapping[str, str]]
    """Province → coast as named → the coast that is meant: the north coast of Bulgaria is its east coast."""
    slips: Mapping[str, tuple[Province, ...]]
    """Words of printed games that are slips → the province that was meant."""
    on_two_coasts: frozenset[str]
    """The names of provinces with more than one coast."""
    whole: tuple[str, ...]
    """The words that are more than the beginning of a name."""
    compared: tuple[str, ...]
    """The words that a misspelled name is compared with: those, and the beginnings of one word."""

    def coast(self, province: Province, word: str) -> Location:
        """The location a coast word means in a province."""
        named = self.coasts[word]
        meant = self.coast_words.get(province, {}).get(named, named)
        return Location(f"{province}/{meant}")

    def near(self, word: str, most: int = 3) -> tuple[Province, ...]:
        """The provinces whose names come nearest to a misspelled word; none if it is like no name."""
        likeness: dict[Province, float] = {}
        for name in names_like(word, self.whole, most * 3) or names_like(word, self.compared, most * 3):
            alike = likeness_of(word, name)
            for province in self.places[name]:
                likeness[province] = max(alike, likeness.get(province, 0))
        best = max(likeness.values(), default=0)
        nearest = sorted(likeness, key=lambda province: -likeness[province])
        return tuple(province for province in nearest if likeness[province] > best - 0.15)[:most]

    def is_like_one(self, word: str) -> bool:
        """Whether a word may well be a misspelled name."""
        return bool(names_like(word, self.whole, 4))

    def one_slip_away(self, word: str) -> tuple[Province, ...]:
        """The provinces one of whose names becomes the word by a single slip."""
        names = [name for name in names_like(word, self.whole, 12) if slips_between(word, name) == 1]
        return tuple(dict.fromkeys(province for name in names for province in self.places[name]))


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
    whole = tuple(places)
    places |= _prefixes(places, coasts)
    compared = tuple(places)
    places |= _beginnings_of_several_words(places)
    places |= _with_other_long_vowels(places)
    slips: dict[str, tuple[Province, ...]] = {
        normal_form(word).text: (province_of(Location(code)),) for word, code in data.get("slips", {}).items()
    }
    for name in [word for word in places if f"{word}海" in places and places[word] != places[f"{word}海"]]:
        places[name + BEFORE_A_FLEET] = places[name]
        slips[name + BEFORE_A_FLEET] = places[f"{name}海"]
    coastal = {name for name, codes in places.items() if any(map_.provinces[code].coasts for code in codes)}
    return Names(places, powers, coasts, data.get("coast_words", {}), slips, frozenset(coastal), whole, compared)


def _power_words(power: Power, words: Mapping[str, Any]) -> list[str]:
    return [power, *words["en"], *words["ja"]]


def _prefixes(places: Mapping[str, tuple[Province, ...]], coasts: Mapping[str, str]) -> dict[str, tuple[Province, ...]]:
    """Every beginning of an English name, four letters or more, that only one province has."""
    owners = _owners(places)
    taken = {word for name in coasts for word in name.split()}
    return {word: codes for word, codes in owners.items() if word.isalpha() and word not in taken and len(codes) == 1}


def _beginnings_of_several_words(places: Mapping[str, tuple[Province, ...]]) -> dict[str, tuple[Province, ...]]:
    """`St. Peter`, `North Atl`; and what begins several names, or the name of a coast as well: `Nort`, `Eastern`.

    Never so short that the last word may be a verb: the S in `Norwegian S` supports.
    """
    found: dict[str, tuple[Province, ...]] = {}
    for word, codes in _owners(places).items():
        *before, last = _BETWEEN_WORDS.split(word)
        if before and (not last or before[0] == "the" or len(codes) > 1):
            continue
        if not before or len(last) >= _LEAST_OF_LAST_WORD or (len(before) > 1 and len(last) > 1):
            found[word] = codes
    return found


_BETWEEN_WORDS = re.compile(r"[ .-]+")
_LEAST_OF_LAST_WORD = 3


def _owners(places: Mapping[str, tuple[Province, ...]]) -> dict[str, tuple[Province, ...]]:
    """Every beginning of an English name, four letters or more, that is no name → the provinces that have it."""
    owners: dict[str, dict[Province, None]] = {}
    for name, codes in places.items():
        if name[0].isascii():
            for length in range(_LEAST_PREFIX, len(name)):
                word = name[:length]
                if word not in places and sum(map(str.isalpha, word)) >= _LEAST_PREFIX:
                    owners.setdefault(word, {}).update(dict.fromkeys(codes))
    return {word: tuple(codes) for word, codes in owners.items()}


_LONG_VOWEL = "ー"
_LEAST_KANA = 3


def _with_other_long_vowels(places: Mapping[str, tuple[Province, ...]]) -> dict[str, tuple[Province, ...]]:
    """Names in which ー was typed as a dash, `スウェ-デン`, or left out: `スウェデン`."""
    found: dict[str, set[Province]] = {}
    for name, codes in places.items():
        if _LONG_VOWEL not in name:
            continue
        short = name.replace(_LONG_VOWEL, "")
        parts = name.split(_LONG_VOWEL)
        words = [_LONG_VOWEL.join(parts[:cut]) + "-" + _LONG_VOWEL.join(parts[cut:]) for cut in range(1, len(parts))]
        words += [name.replace(_LONG_VOWEL, "-"), *([short] if len(short) >= _LEAST_KANA else ())]
        for word in words:
            if word not in places and not (word[-1] == "-" and word[:-1] in places):
                found.setdefault(word, set()).update(codes)
    return {word: tuple(codes) for word, codes in found.items() if len(codes) == 1}


def pattern(words: Iterable[str]) -> str:
    """A regular expression for any of the words, longest first; Latin words end where their letters end."""
    parts = []
    for word in sorted(words, key=len, reverse=True):
        begin = r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
        end = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
        parts.append(begin + re.escape(word).replace(r"\ ", r"\s+") + end)
    return "(?:" + "|".join(parts) + ")"

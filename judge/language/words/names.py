"""Names of powers and provinces as people write them, with what each can mean."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from judge.language.words.normal import normal_form
from judge.language.words.shipped import SHIPPED, Tongue
from judge.language.words.spelling import likeness_of, names_like, slips_between
from judge.language.words.tongue import (
    KANA,
    LATIN,
    LONG_VOWEL,
    in_hiragana,
    is_japanese,
    is_katakana,
    is_latin,
)
from judge.names import names_on
from judge.rules.map import Map, load_map
from judge.rules.position import Location, Power, Province, province_of

_LEAST_PREFIX = 4
_LEAST_IN_HIRAGANA = 4
BEFORE_A_FLEET = "(fleet)"
"""Marks a name that 海 would turn into the name of a sea.

ノルウェー海軍 is the fleet in Norway, less likely the fleet in the Norwegian Sea.
"""


@dataclass(frozen=True, slots=True)
class Names:
    """Words in normal form → what they can mean."""

    places: Mapping[str, tuple[Province, ...]]
    powers: Mapping[str, Power]
    coasts: Mapping[str, str]
    coast_letters: Mapping[str, str]
    """Single letters that name a coast after a province with several coasts."""
    coast_words: Mapping[str, Mapping[str, str]]
    """Province → coast as named → the coast that is meant.

    The "north" coast of Bulgaria is its east coast.
    """
    slips: Mapping[str, tuple[Province, ...]]
    """Misprints of published games → the provinces that were meant."""
    on_two_coasts: frozenset[str]
    """The names of provinces with more than one coast."""
    whole: tuple[str, ...]
    """The complete names, without beginnings of names."""
    compared: tuple[str, ...]
    """Names compared with a misspelled word: whole names, and beginnings of one word."""
    short: re.Pattern[str]
    """Names in hiragana that are recognized only before a unit."""
    sea_endings: tuple[str, ...] = ()
    """Endings that make a name the name of a sea: 海, 湾."""
    fleet: str = ""
    """The word for a fleet, which begins with such an ending."""

    def coast(self, province: Province, word: str) -> Location:
        """Return the location that a coast word means in a province."""
        named = self.coasts[word]
        meant = self.coast_words.get(province, {}).get(named, named)
        return Location(f"{province}/{meant}")

    def near(self, word: str, most: int = 3) -> tuple[Province, ...]:
        """Return the provinces whose names are most similar to a misspelled word, if any."""
        likeness: dict[Province, float] = {}
        for name in names_like(word, self.whole, most * 3) or names_like(word, self.compared, most * 3):
            alike = likeness_of(word, name)
            for province in self.places[name]:
                likeness[province] = max(alike, likeness.get(province, 0))
        best = max(likeness.values(), default=0)
        nearest = sorted(likeness, key=lambda province: -likeness[province])
        return tuple(province for province in nearest if likeness[province] > best - 0.15)[:most]

    def shortened(self, word: str, most: int = 3) -> tuple[Province, ...]:
        """Return the provinces that a word abbreviates.

        The word is a beginning, a beginning with one slip, or letters in order: `mchn`.
        """
        least = _LEAST_CODE if is_latin(word[0]) else _LEAST_KANA_COMPARED
        if not least <= len(word) <= _LONGEST_NAME:
            return ()
        word = in_hiragana(word)
        likely = [(name, form) for name, form in _beginning(self.whole).get(word[0], ()) if len(name) > len(word)]
        found: tuple[Province, ...] = ()
        for is_meant in (str.startswith, _begins_with_a_slip, _has_in_order):
            names = [name for name, form in likely if is_meant(form, word)]
            found = tuple(dict.fromkeys(province for name in names for province in self.places[name]))
            if found or len(word) == least:
                break
        return found if len(found) <= most else ()

    def is_like_one(self, word: str) -> bool:
        """Whether a word may be a misspelled name."""
        return _is_like_one(word, self.whole)

    def may_be_meant(self, word: str) -> bool:
        """Whether a short word is one slip from a name, or a longer one two.

        The slips may be at any position.
        """
        return _may_be_meant(word, self.whole)

    def one_slip_away(self, word: str) -> tuple[Province, ...]:
        """Return the provinces with a name one slip away from the word."""
        names = [name for name in names_like(word, self.whole, 12) if slips_between(word, name) == 1]
        return tuple(dict.fromkeys(province for name in names for province in self.places[name]))


_LEAST_KANA_COMPARED, _LEAST_CODE, _LONGEST_CODE, _LONGEST_NAME = 2, 3, 4, 24


@cache
def _beginning(names: tuple[str, ...]) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return first letter → names that begin with it, as written and in hiragana."""
    beginning: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        form = in_hiragana(name)
        beginning.setdefault(form[0], []).append((name, form))
    return beginning


def _begins_with_a_slip(name: str, word: str) -> bool:
    return slips_between(word, name[: len(word)]) == 1


def _has_in_order(name: str, word: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in word)


@lru_cache(maxsize=4096)
def _is_latin_name(name: str) -> bool:
    """Whether a name is in Latin letters, with or without accents: münchen."""
    return not is_japanese(name)


@lru_cache(maxsize=4096)
def _is_like_one(word: str, names: tuple[str, ...]) -> bool:
    return bool(names_like(word, names, 4))


@lru_cache(maxsize=4096)
def _may_be_meant(word: str, names: tuple[str, ...]) -> bool:
    is_latin_word, letters = _is_latin_name(word), frozenset(word)
    is_in_signs = not is_latin_word and not any(map(is_katakana, word))
    least = _LEAST_CODE if is_latin_word or is_in_signs else _LEAST_KANA_COMPARED
    if not least <= len(word) <= _LONGEST_NAME:
        return False
    for name in names:
        if _is_latin_name(name) is not is_latin_word or len(name) < least:
            continue
        shorter = min(len(word), len(name))
        most = 1 if is_in_signs or shorter <= (_LONGEST_CODE if is_latin_word else _LEAST_CODE) else 2
        differs = max(abs(len(name) - len(word)), len(letters.difference(name)), len(set(name) - letters))
        if differs <= most and slips_between(word, name) <= most:
            return True
        if not is_latin_word and len(word) < len(name) and name.startswith(word):
            return True
    return False


@cache
def load_names(map_name: str, tongues: tuple[Tongue, ...] = SHIPPED) -> Names:
    """Return the names of a map in these languages, from `names.toml` in its folder."""
    return names_of(load_map(map_name), names_on(map_name), tongues)


def names_of(map_: Map, data: Mapping[str, Any], tongues: tuple[Tongue, ...] = SHIPPED) -> Names:
    """Return the names of a map in these languages.

    `data`: the contents of its `names.toml`, with every table.
    """
    named = [(tongue.code, data) for tongue in tongues]
    places: dict[str, tuple[Province, ...]] = {}
    for code, words in data["provinces"].items():
        for word in (*words["codes"], *_in_all(named, "provinces", code)):
            places[normal_form(word).text] = (province_of(Location(code)),)
    for word, codes in data["ambiguous"].items():
        places[normal_form(word).text] = tuple(province_of(Location(code)) for code in codes)
    powers = {
        normal_form(word).text: power for power in map_.powers for word in (power, *_in_all(named, "powers", power))
    }
    beside = {
        normal_form(word).text: coast for coast in data["coasts"] for word in (coast, *_in_all(named, "coasts", coast))
    }
    coasts = {word: coast for word, coast in beside.items() if len(word) > 1}
    whole = tuple(places)
    places |= _prefixes(places, coasts)
    compared = tuple(places)
    places |= _beginnings_of_several_words(places)
    places |= _in_hiragana(places)
    places |= _with_other_long_vowels(places)
    slips: dict[str, tuple[Province, ...]] = {
        normal_form(word).text: (province_of(Location(code)),) for word, code in data.get("slips", {}).items()
    }
    fleet: str = data["seas"]["fleet"]
    for name in [word for word in places if places.get(word + fleet[0], places[word]) != places[word]]:
        places[name + BEFORE_A_FLEET] = places[name]
        slips[name + BEFORE_A_FLEET] = places[name + fleet[0]]
    return Names(
        places=places,
        powers=powers,
        coasts=coasts,
        coast_letters={word: coast for word, coast in beside.items() if len(word) == 1},
        coast_words=data.get("coast_words", {}),
        slips=slips,
        on_two_coasts=frozenset(
            name for name, codes in places.items() if any(map_.provinces[code].coasts for code in codes)
        ),
        whole=whole,
        compared=compared,
        short=_before_a_unit(whole, data["seas"]["units"]),
        sea_endings=tuple(data["seas"]["endings"]),
        fleet=fleet,
    )


def _in_all(named: Sequence[tuple[str, Mapping[str, Any]]], table: str, code: str) -> Iterator[str]:
    """Yield the names of a province, power or coast in every language."""
    for tongue, names in named:
        yield from names[table].get(code, {}).get(tongue, ())


def _prefixes(places: Mapping[str, tuple[Province, ...]], coasts: Mapping[str, str]) -> dict[str, tuple[Province, ...]]:
    """Return the beginnings of Latin names that only one province has, four letters or more."""
    owners = _owners(places)
    taken = {word for name in coasts for word in name.split()}
    return {word: codes for word, codes in owners.items() if word.isalpha() and word not in taken and len(codes) == 1}


def _in_hiragana(places: Mapping[str, tuple[Province, ...]]) -> dict[str, tuple[Province, ...]]:
    """Return the names in hiragana, such as `みゅんへん`.

    Short names are left out: too many ordinary words end with them.
    """
    found = {in_hiragana(name): meant for name, meant in places.items() if all(map(is_katakana, name))}
    long = {word: meant for word, meant in found.items() if len(word) >= _LEAST_IN_HIRAGANA or LONG_VOWEL in word}
    return {word: meant for word, meant in long.items() if word not in places}


def _before_a_unit(places: Collection[str], units: Collection[str]) -> re.Pattern[str]:
    """Return a pattern for short names in hiragana before a unit: ぱり陸軍."""
    short = (name for name in places if len(name) < _LEAST_IN_HIRAGANA and all(map(is_katakana, name)))
    names = "|".join(map(in_hiragana, sorted(short, key=len, reverse=True)))
    return re.compile(f"(?<![{KANA}])(?:{names})(?= ?(?:{'|'.join(units)}))" if names else r"(?!)")


def _beginnings_of_several_words(places: Mapping[str, tuple[Province, ...]]) -> dict[str, tuple[Province, ...]]:
    """Return the beginnings of names of several words, or that several names share.

    Examples: `St. Peter`, `North Atl`; `Nort`, `Eastern` (also a coast).
    None is so short that its last word may be a verb: the S in `Norwegian S` supports.
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
    """Return beginnings of Latin names, four letters or more, → their provinces.

    Beginnings that are names themselves are left out.
    """
    owners: dict[str, dict[Province, None]] = {}
    for name, codes in places.items():
        if not is_japanese(name[0]):
            for length in range(_LEAST_PREFIX, len(name)):
                word = name[:length]
                if word not in places and sum(map(str.isalpha, word)) >= _LEAST_PREFIX:
                    owners.setdefault(word, {}).update(dict.fromkeys(codes))
    return {word: tuple(codes) for word, codes in owners.items()}


_LEAST_KANA = 3


def _with_other_long_vowels(places: Mapping[str, tuple[Province, ...]]) -> dict[str, tuple[Province, ...]]:
    """Return names with ー typed as a dash, `スウェ-デン`, or left out, `スウェデン`."""
    found: dict[str, set[Province]] = {}
    for name, codes in places.items():
        if LONG_VOWEL not in name:
            continue
        short = name.replace(LONG_VOWEL, "")
        parts = name.split(LONG_VOWEL)
        words = [LONG_VOWEL.join(parts[:cut]) + "-" + LONG_VOWEL.join(parts[cut:]) for cut in range(1, len(parts))]
        words += [name.replace(LONG_VOWEL, "-"), *([short] if len(short) >= _LEAST_KANA else ())]
        for word in words:
            if word not in places and not (word[-1] == "-" and word[:-1] in places):
                found.setdefault(word, set()).update(codes)
    return {word: tuple(codes) for word, codes in found.items() if len(codes) == 1}


def pattern(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, longest first.

    No letter or digit may stand directly before or behind a Latin word.
    """
    alike: dict[tuple[bool, bool], list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        alike.setdefault((is_latin(word[0]), is_latin(word[-1])), []).append(word)
    parts = []
    # The lookarounds are slow to compile: write each once. Words with letters of both scripts come first.
    for (begins, ends), group in sorted(alike.items(), key=lambda one: one[0][0] is one[0][1]):
        begin, end = (f"(?<![{LATIN}])" if begins else "", f"(?![{LATIN}])" if ends else "")
        parts.append(f"{begin}(?:{any_word_of(group)}){end}")
    return "(?:" + "|".join(parts) + ")"


def any_word_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the first that fits.

    It is quick, because the words are told apart by their first letters.
    """
    behind: dict[str, list[str]] = {}
    for word in words:
        behind.setdefault(word[0], []).append(re.escape(word[1:]).replace(r"\ ", r"\s+"))
    return "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in behind.items())

"""Faults in the names of a board: unknown tables, ambiguous or unreadable words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from judge.language.words import SHIPPED, normal_form
from judge.language.words.loading import lexicon_of, words_of_orders
from judge.language.words.names import names_of
from judge.names import with_usual_names
from judge.rules.map import Map

_PARTS = ("powers", "provinces", "coasts")


def faults_of_words(map_: Map, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield faults of a well-formed `names.toml`, and of names in `board.toml`.

    The codes in `board.toml` are checked, too.
    """
    unknown = tuple(_unknown(map_, given))
    yield from unknown
    if unknown:  # go on with the tables in which unknown keys do no harm
        given = {part: given[part] for part in _PARTS if part in given}
    meant = _meanings(map_, given)
    ordinary = words_of_orders(SHIPPED)
    lexicon = lexicon_of(names_of(map_, with_usual_names(map_, given)))
    for word, things in meant.items():
        places = things.difference(map_.powers)  # a power may be named like a province, which orders mean
        if not any(map(str.isalnum, word)):
            yield f"{', '.join(sorted(things))}: a name needs a letter"
        elif len(places) > 1 or len(things - places) > 1:
            yield f"{word!r} is the name of several: {', '.join(sorted(things))}"
        elif word in ordinary and not any(thing.startswith("the coast") for thing in things):
            yield f"{', '.join(things)}: {word!r} is a word of orders"
        elif places and places <= map_.provinces.keys() and [one.kind for one in lexicon.words(word)] != ["PLACE"]:
            yield f"{', '.join(things)}: {word!r} cannot be read as a name"


def _meanings(map_: Map, given: Mapping[str, Any]) -> Mapping[str, set[str]]:
    """Return each word in normal form → the things with that name.

    Words that are listed as ambiguous are left out.
    """
    names = with_usual_names(map_, given)
    several = {normal_form(word).text for word in names["ambiguous"]}
    meant: dict[str, set[str]] = {}
    for part in _PARTS:
        for key, called in names[part].items():
            for word in (key, *chain.from_iterable(called.values())):
                form = normal_form(word).text
                if form not in several and not (part == "coasts" and len(form) == 1 and form.isalnum()):
                    meant.setdefault(form, set()).add(f"the coast {key}" if part == "coasts" else key)
    return meant


def _unknown(map_: Map, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield keys and codes that the board does not have."""
    coasts = {location.partition("/")[2] for info in map_.provinces.values() for location in info.coasts}
    known: Mapping[str, Any] = {"provinces": map_.provinces, "powers": map_.powers, "coasts": coasts}
    for part, things in known.items():
        yield from (f"{part}.{key}: there is none" for key in given.get(part, {}) if key not in things)
    for code in given.get("coast_words", {}):
        if not (code in map_.provinces and map_.provinces[code].coasts):
            yield f"coast_words.{code}: is no province with several coasts"
    for word, code in given.get("slips", {}).items():
        if code not in map_.provinces:
            yield f"slips.{word}: there is no province {code}"
    for word, codes in given.get("ambiguous", {}).items():
        yield from (f"ambiguous.{word}: there is no province {code}" for code in codes if code not in map_.provinces)
        if len(set(codes)) < 2:
            yield f"ambiguous.{word}: has only one meaning"
    for language, forms in given.get("forms", {}).items():
        for form, words in forms.items():
            for key in words.keys() - map_.provinces.keys() - set(map_.powers):
                yield f"forms.{language}.{form}.{key}: there is no such province or power"

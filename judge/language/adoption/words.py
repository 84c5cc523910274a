"""The words of `grammar/adoption.toml`, and the units and places that a line names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from judge.language.words import Lexicon, Word
from judge.resources import shipped_data
from judge.rules.map import Map
from judge.rules.position import Location, Province, Unit, UnitKind, province_of

_BETWEEN = frozenset(("IN", "NOISE", "POWER", "NO", "WITH"))
"""Words between a kind of unit and its place: `army in Paris`."""


@cache
def matching(*tables: str, whole: bool = False) -> re.Pattern[str]:
    """Return a pattern for the words of these tables, in all languages."""
    words = [word for table in tables for one in shipped_data("grammar/adoption.toml")[table].values() for word in one]
    any_word = "|".join(f"(?<![a-z])(?:{word})(?![a-z])" if not word.startswith("^") else word for word in words)
    return re.compile(rf"\W*(?:{any_word})\W*" if whole else any_word, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A unit that a line names, and where its words end."""

    unit: Unit
    end: int
    """The index of the first word behind it."""


def units_in(words: Sequence[Word], lexicon: Lexicon, map_: Map) -> list[Named]:
    """Return the units that a line names, in order."""
    found: list[Named] = []
    place = 0
    while place < len(words):
        named = _unit_at(words, place, lexicon, map_)
        if named is not None:
            found.append(named)
        place = named.end if named is not None else place + 1
    return found


def places_in(words: Sequence[Word], lexicon: Lexicon, map_: Map, likely: Collection[Province]) -> list[Location]:
    """Return the places that a line names, each once.

    Of several provinces the `likely` one is meant. If none or several are, the place is left out.
    """
    found: dict[Location, None] = {}
    for index, word in enumerate(words):
        if word.kind == "PLACE":
            named = _location(words, index, lexicon, map_, likely)
            if named is not None:
                found[named[0]] = None
    coastal = {place.partition("/")[0] for place in found if "/" in place}
    return [place for place in found if place not in coastal]


def _unit_at(words: Sequence[Word], place: int, lexicon: Lexicon, map_: Map) -> Named | None:
    word = words[place]
    if word.kind in ("KIND", "LETTER"):
        index = place + 1
        while index < len(words) and words[index].kind in _BETWEEN:
            index += 1
        return _unit(words, index, lexicon, map_, lexicon.kinds[word.text], 0)
    if word.kind != "PLACE":
        return None
    end = place + 1
    while end < len(words) and (
        words[end].kind in ("OPEN", "COAST", "CLOSE") or (words[end].kind == "PLACE" and words[end - 1].kind == "OPEN")
    ):
        end += 1
    if end >= len(words) or words[end].kind != "KIND" or not words[end].is_japanese:
        return None
    return _unit(words[:end], place, lexicon, map_, lexicon.kinds[words[end].text], 1)


def _unit(words: Sequence[Word], index: int, lexicon: Lexicon, map_: Map, kind: UnitKind, behind: int) -> Named | None:
    """Return the unit whose place stands at a position; None if none does.

    `behind` words follow the place.
    """
    where = frozenset(one for one in map_.provinces if _may_stand(map_, kind, one))
    named = _location(words, index, lexicon, map_, where)
    if named is None:
        return None
    location = province_of(named[0]) if kind is UnitKind.ARMY else named[0]
    return Named(Unit(kind, location), named[1] + behind)


def _location(
    words: Sequence[Word], index: int, lexicon: Lexicon, map_: Map, likely: Collection[Province]
) -> tuple[Location, int] | None:
    """Return the location at a position, and where its words end."""
    if index >= len(words) or words[index].kind != "PLACE":
        return None
    meant = lexicon.names.places[words[index].text]
    if len(meant) > 1:
        meant = tuple(one for one in meant if one in likely)
    if len(meant) != 1:
        return None
    location: Location = meant[0]
    end = index + 1
    while (inner := end + (end < len(words) and words[end].kind == "OPEN")) < len(words):
        if words[inner].kind == "COAST":
            location = lexicon.names.coast(meant[0], words[inner].text)
        elif inner == end or words[inner].kind != "PLACE" or meant[0] not in lexicon.names.places[words[inner].text]:
            break
        end = inner + 1
        end += end < len(words) and words[end].kind == "CLOSE"
    known = map_.provinces[meant[0]]
    return (location if location in (known.code, *known.coasts) else meant[0]), end


def _may_stand(map_: Map, kind: UnitKind, province: Province) -> bool:
    info = map_.provinces[province]
    return any(map_.can_stand(Unit(kind, Location(one))) for one in (info.code, *info.coasts))

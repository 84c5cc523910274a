"""Remove brackets that repeat a unit by its code: `Fleet Ankara (F ANK)`, `アンカラ海軍(F ANK)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.language.words.names import Names
from judge.language.words.terminals import BRACKETS, Terminal, Word
from judge.rules.position import Province, UnitKind

_OF_A_UNIT: frozenset[Terminal] = frozenset(("LETTER", "KIND", "PLACE", "COAST"))
_LONGEST = 5
"""The most words of a unit.

They are its kind, its place and a coast, with a slash or in brackets.
"""


class _Told(NamedTuple):
    """The facts that some words give about a unit."""

    kind: UnitKind
    provinces: frozenset[Province]
    coast: str | None

    def is_same(self, other: _Told) -> bool:
        return (
            self.kind is other.kind
            and bool(self.provinces & other.provinces)
            and (self.coast is None or other.coast is None or self.coast == other.coast)
        )


def without_glosses(words: list[Word], names: Names, kinds: Mapping[str, UnitKind]) -> list[Word]:
    """Return the words without brackets that only repeat the unit named before them."""
    result: list[Word] = []
    place = 0
    while place < len(words):
        word = words[place]
        behind = _behind_a_gloss(words, place, result, names, kinds) if word.kind == "OPEN" else None
        if behind is None:
            result.append(word)
            place += 1
        else:
            place = behind
    return result


def _behind_a_gloss(
    words: Sequence[Word], place: int, before: Sequence[Word], names: Names, kinds: Mapping[str, UnitKind]
) -> int | None:
    """Return the index behind brackets that repeat the unit before them, or None."""
    closing = BRACKETS[words[place].text]
    within = words[place + 1 : place + 2 + _LONGEST]
    end = next((number for number, word in enumerate(within) if word.text == closing), None)
    gloss = _told(within[:end], names, kinds) if end is not None else None
    if gloss is None or end is None:
        return None
    named = (_told(before[-size:], names, kinds) for size in range(_LONGEST, 1, -1))
    return place + end + 2 if any(unit is not None and unit.is_same(gloss) for unit in named) else None


def _told(words: Sequence[Word], names: Names, kinds: Mapping[str, UnitKind]) -> _Told | None:
    """Return the unit that words name; None if they name none or say more."""
    telling = [word for word in words if word.text not in "/\\" and word.kind not in ("OPEN", "CLOSE")]
    by_kind: dict[str, list[str]] = {}
    for word in telling:
        by_kind.setdefault("KIND" if word.kind == "LETTER" else word.kind, []).append(word.text)
    if not by_kind.keys() <= _OF_A_UNIT or any(len(found) > 1 for found in by_kind.values()):
        return None
    if "KIND" not in by_kind or "PLACE" not in by_kind or by_kind["KIND"][0] not in kinds:
        return None
    (place,), coast = by_kind["PLACE"], by_kind.get("COAST", [""])[0]
    return _Told(kinds[by_kind["KIND"][0]], frozenset(names.places.get(place, ())), names.coasts.get(coast))

"""Names that look alike, or that could be mistaken for an office or a power."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from judge.language.asking.data import words_for
from judge.names import names_on
from judge.resources import boards, shipped_data

_ACCENTS = re.compile("[\u0300-\u036f]")


def look_of(name: str) -> str:
    """Return a form that is the same for all names that look alike.

    >>> look_of("Ｇ.\u041c.") == look_of("gm"), look_of("rnasteг") == look_of("Master")
    (True, True)
    """
    text = unicodedata.normalize("NFKC", name.translate(_characters()))
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", text)).translate(_characters()).casefold()
    for looks_like, written in _data()["plain"].items():
        for one in written:
            text = text.replace(one, looks_like)
    return "".join(filter(str.isalnum, text)) or text


def is_an_office(name: str) -> bool:
    """Whether a name could be mistaken for the name of a master or the judge."""
    return _offices().fullmatch(look_of(name)) is not None


def is_a_power(name: str) -> bool:
    """Whether a name could be mistaken for the name of a power."""
    return look_of(name) in _powers(boards())


@cache
def _data() -> Mapping[str, Mapping[str, Any]]:
    return shipped_data("grammar/look_alikes.toml")


@cache
def _characters() -> Mapping[int, str]:
    rows = (*_data()["latin"].items(), *_data()["japanese"].items())
    return {ord(one): looks_like for looks_like, written in rows for one in written}


@cache
def _offices() -> re.Pattern[str]:
    before, office, after = (_any_of(words_for(f"{place}offices")) for place in ("before_", "", "after_"))
    return re.compile(f"(?:{before})*(?:{office})(?:{after})?")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(look_of(word)) for word in words)


@cache
def _powers(on: Iterable[str]) -> frozenset[str]:
    named = (words for board in on for power in names_on(board)["powers"].values() for words in power.values())
    return frozenset(look_of(word) for words in named for word in words)

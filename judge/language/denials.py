"""Lines that withdraw what is above them: `scratch that`, `scrap it`, やっぱりなし.

A line is cut into clauses. A clause denies if it consists only of words of `grammar/around.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import takewhile
from typing import Any

from judge.language.words import normal_form
from judge.language.words.shipped import apart_and_run_on, written_like
from judge.language.words.tongue import LATIN_LETTERS
from judge.resources import shipped_data

_LONGEST = 120
"""In characters: a longer line is prose, not a denial."""
_BETWEEN_CLAUSES = re.compile(r"(?:\s*[,.;:!?。、()]+\s*|\s+-+\s+)+")
_WORD = re.compile(rf"[{LATIN_LETTERS}']+")
_LETTER = re.compile(r"\w")


class _Clause(Enum):
    """What a clause says."""

    DENIES = "denies"
    DENIES_WHAT_IS_NEAR = "denies what is near"
    """Only directly below an order: `no`, `bad idea`."""
    SAYS_NOTHING = "says nothing"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Denial:
    """What a line withdraws."""

    is_plain: bool
    """Whether it reaches orders further above.

    `scratch that` does, a mere `no` does not.
    """
    number: int | None = 1
    """How many orders it withdraws; None for all."""
    from_top: bool = False
    """Whether they are counted from the first order of the mail."""
    rest: int | None = None
    """Index in the written line where other text begins: `Scratch that, A Ber - Mun`."""
    of_its_line: bool = False
    """Whether it ends the line it is about: `A Ber - Mun, no, scratch that`."""


def _denial() -> Mapping[str, Any]:
    """Return the words of `around.toml`: what they say → language → patterns."""
    words: Mapping[str, Any] = shipped_data("grammar/around.toml")["denial"]
    return words


@cache
def _saying(what: str) -> re.Pattern[str]:
    """Return the pattern for all words that say something, compiled when first needed."""
    return _any_of(_denial()[what])


@cache
def _numbers() -> Mapping[int, re.Pattern[str]]:
    """Return how many orders a line is about → the pattern for it."""
    return {int(number): _any_of(tongues) for number, tongues in _denial()["number"].items()}


@cache
def _several() -> re.Pattern[str]:
    tongues = shipped_data("grammar/around.toml")["below"]["several"]
    return re.compile("|".join(row for rows in tongues.values() for row in rows))


@cache
def _of_a_unit() -> re.Pattern[str]:
    """Return a pattern for the words that stand for a unit in each language."""
    return re.compile("|".join(map(re.escape, _denial()["that"].values())))


@cache
def _beside() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return words that may stand beside a denial.

    Those of languages without blanks are returned as a pattern.
    """
    apart, run_on = apart_and_run_on(_denial()["beside"])
    return frozenset(apart), re.compile("|".join(map(re.escape, sorted(run_on, key=len, reverse=True))))


def _any_of(tongues: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    apart, run_on = apart_and_run_on(tongues)
    return re.compile("|".join([f"(?<![{LATIN_LETTERS}])(?:{'|'.join(apart)})(?![{LATIN_LETTERS}])", *run_on]))


def denial_in(written: str) -> Denial | None:
    """Return what a line withdraws; None if it withdraws nothing.

    >>> denial_in("Hmm, no, bad idea.")
    Denial(is_plain=False, number=1, from_top=False, rest=None, of_its_line=False)
    >>> denial_in("Scratch that, A Ber - Mun.")
    Denial(is_plain=True, number=1, from_top=False, rest=14, of_its_line=False)
    """
    if len(written) > _LONGEST:
        return None
    line = normal_form(written)
    text = line.text.rstrip()
    if text.endswith(":"):  # it introduces the lines below
        return None
    if not (_saying("plain").search(text) or _saying("mild").search(text)) or _saying("other").search(text):
        return None
    spans = _clauses(text)
    clauses = [_kind_of(text[start:end]) for start, end in spans]
    begins = list(takewhile(_belongs, clauses))
    ends = list(takewhile(_belongs, reversed(clauses)))
    denying = begins if any(map(_denies, begins)) else ends
    if not any(map(_denies, denying)):
        return None
    is_plain = _Clause.DENIES in denying
    said = text[: spans[len(begins) - 1][1]] if denying is begins else text[spans[-len(ends)][0] :]
    number = _number_in(said)
    from_top = _saying("first").search(said) is not None
    if len(denying) == len(clauses):
        return Denial(is_plain, number, from_top=from_top)
    if denying is begins:
        first, _ = line.span(*spans[len(begins)])
        return Denial(is_plain, number, from_top=from_top, rest=first)
    return Denial(is_plain, number, from_top=from_top, of_its_line=True) if is_plain else None


def may_deny(text: str) -> bool:
    """Whether a text in normal form, with `that` for each unit, contains words that deny."""
    return any(found.search(text) for found in (_saying("plain"), _saying("mild")))


def denies_units(text: str) -> bool:
    """Whether a line only withdraws the orders of the units it names.

    The line is in normal form, with `that` in place of each unit.

    >>> denies_units("strike the that one.")
    True
    """
    if len(text) > _LONGEST or _saying("other").search(text):
        return False
    clauses = [text[start:end] for start, end in _clauses(text)]
    kinds = list(map(_kind_of, clauses))
    of_units = [kind for kind, clause in zip(kinds, clauses, strict=True) if _of_a_unit().search(clause)]
    return (_Clause.DENIES in kinds or _Clause.DENIES_WHAT_IS_NEAR in of_units) and all(map(_belongs, kinds))


def said_of_it(text: str) -> str:
    """Return the word that stands for a unit in the language of a text."""
    word: str = _denial()["that"][written_like(text)[0]]
    return word


def points_below(text: str) -> bool:
    """Whether a line in normal form refers to the lines below it: `these`, 以下."""
    return text.endswith(":") or _saying("points_below").search(text) is not None


def expresses_doubt(text: str) -> bool:
    """Whether a line about an order doubts it, in any words.

    The line is in normal form.

    >>> expresses_doubt("that one worries me a bit.")
    True
    """
    if len(text) > _LONGEST or _saying("other").search(text):
        return False
    return any(found.search(text) for found in (_saying("doubts"), _saying("plain"), _saying("mild")))


def points_above(text: str, *, adjoins: bool = False) -> bool:
    """Whether a line in normal form refers to the order above it.

    Examples: `about that one`, 今の. A line that introduces the lines below does not.
    `adjoins`: the line is directly below an order, so `this was` refers to that order.
    """
    if points_below(text):
        return False
    return _saying("points_above").search(text) is not None or (
        adjoins and _saying("points_at_it").search(text) is not None
    )


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Return the begin and end of each clause of a text in normal form.

    `and` and `but` separate clauses too.
    """
    return [
        (start + first, start + end)
        for start, stop in _clauses(text)
        for first, end in _between(_saying("joins"), text[start:stop])
    ]


def _number_in(text: str) -> int | None:
    """Return how many orders a text is about."""
    found = next((number for number, words in _numbers().items() if words.search(text)), None)
    if found is not None:
        return found
    return None if _several().search(text) else 1


def says_nothing(written: str) -> bool:
    """Whether a line only has words that may accompany a denial: `Hmm`."""
    text = normal_form(written[:_LONGEST]).text.rstrip()
    return all(_kind_of(text[start:end]) is _Clause.SAYS_NOTHING for start, end in _clauses(text))


def _belongs(clause: _Clause) -> bool:
    return clause is not _Clause.OTHER


def _denies(clause: _Clause) -> bool:
    return clause in (_Clause.DENIES, _Clause.DENIES_WHAT_IS_NEAR)


def _clauses(text: str) -> list[tuple[int, int]]:
    """Return where each clause begins and ends."""
    return _between(_BETWEEN_CLAUSES, text)


def _between(signs_between: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    signs = [match.span() for match in signs_between.finditer(text)]
    starts = [0, *(end for _, end in signs)]
    ends = [*(start for start, _ in signs), len(text)]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]


def _kind_of(clause: str) -> _Clause:
    beside, run_on = _beside()
    left, plain = _saying("plain").subn(" ", clause)
    left, mild = _saying("mild").subn(" ", left)
    for nothing in (_saying("neutral"), *_numbers().values()):
        left = nothing.sub(" ", left)
    if not beside.issuperset(_WORD.findall(left)):
        return _Clause.OTHER
    if _LETTER.search(run_on.sub(" ", _WORD.sub(" ", left))):
        return _Clause.OTHER
    if plain:
        return _Clause.DENIES
    return _Clause.DENIES_WHAT_IS_NEAR if mild else _Clause.SAYS_NOTHING

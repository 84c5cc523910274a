"""Lines that withdraw what is above them: `scratch that`, `scrap it`, やっぱりなし.

A line is cut into clauses. A clause denies if it consists only of words of `grammar/around.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import takewhile

from judge.language.words import normal_form
from judge.language.words.shipped import apart_and_run_on, written_like
from judge.language.words.tongue import LATIN_LETTERS
from judge.resources import shipped

_LONGEST = 120
"""In characters: a longer line is prose."""
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
    """Whether it also reaches orders further above: `scratch that` does, a mere `no` does not."""
    number: int | None = 1
    """How many orders it withdraws; None for all."""
    from_top: bool = False
    """Whether they are counted from the first order of the mail."""
    rest: int | None = None
    """Index in the written line where other text begins: `Scratch that, A Ber - Mun`."""
    of_its_line: bool = False
    """It is at the end of the line it is about: `A Ber - Mun, no, scratch that`."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The patterns of `around.toml`."""

    plain: re.Pattern[str]
    mild: re.Pattern[str]
    other: re.Pattern[str]
    neutral: re.Pattern[str]
    """Phrases that mean nothing, though their words alone might: `hold on`."""
    several: re.Pattern[str]
    numbers: Mapping[int, re.Pattern[str]]
    """How many orders a line is about."""
    first: re.Pattern[str]
    that: Mapping[str, str]
    """Language → a word that stands for a unit."""
    of_a_unit: re.Pattern[str]
    """Any of those words."""
    joins: re.Pattern[str]
    """Words that join two clauses."""
    doubts: re.Pattern[str]
    points_above: re.Pattern[str]
    points_at_it: re.Pattern[str]
    points_below: re.Pattern[str]
    beside: frozenset[str]
    beside_run_on: re.Pattern[str]
    """Words of languages without blanks between words."""


@cache
def _words() -> _Words:
    data = tomllib.loads((shipped("grammar") / "around.toml").read_text("utf-8"))
    denial = data["denial"]
    beside, run_on = apart_and_run_on(denial["beside"])
    return _Words(
        plain=_any_of(denial["plain"]),
        mild=_any_of(denial["mild"]),
        other=_any_of(denial["other"]),
        neutral=_any_of(denial["neutral"]),
        several=re.compile("|".join(row for rows in data["below"]["several"].values() for row in rows)),
        numbers={int(number): _any_of(tongues) for number, tongues in denial["number"].items()},
        first=_any_of(denial["first"]),
        that=denial["that"],
        of_a_unit=re.compile("|".join(map(re.escape, denial["that"].values()))),
        joins=_any_of(denial["joins"]),
        doubts=_any_of(denial["doubts"]),
        points_above=_any_of(denial["points_above"]),
        points_at_it=_any_of(denial["points_at_it"]),
        points_below=_any_of(denial["points_below"]),
        beside=frozenset(beside),
        beside_run_on=re.compile("|".join(map(re.escape, sorted(run_on, key=len, reverse=True)))),
    )


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
    if text.endswith(":"):  # it introduces what follows
        return None
    if not (_words().plain.search(text) or _words().mild.search(text)) or _words().other.search(text):
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
    from_top = _words().first.search(said) is not None
    if len(denying) == len(clauses):
        return Denial(is_plain, number, from_top=from_top)
    if denying is begins:
        first, _ = line.span(*spans[len(begins)])
        return Denial(is_plain, number, from_top=from_top, rest=first)
    return Denial(is_plain, number, from_top=from_top, of_its_line=True) if is_plain else None


def may_deny(text: str) -> bool:
    """Whether a text in normal form, with `that` for each unit, contains words that deny."""
    return any(found.search(text) for found in (_words().plain, _words().mild))


def denies_units(text: str) -> bool:
    """Whether a line in normal form, with `that` for each unit, only withdraws those units' orders.

    >>> denies_units("strike the that one.")
    True
    """
    if len(text) > _LONGEST or _words().other.search(text):
        return False
    clauses = [text[start:end] for start, end in _clauses(text)]
    kinds = list(map(_kind_of, clauses))
    of_units = [kind for kind, clause in zip(kinds, clauses, strict=True) if _words().of_a_unit.search(clause)]
    return (_Clause.DENIES in kinds or _Clause.DENIES_WHAT_IS_NEAR in of_units) and all(map(_belongs, kinds))


def said_of_it(text: str) -> str:
    """Return the word that stands for a unit in the language of a text."""
    return _words().that[written_like(text)[0]]


def points_below(text: str) -> bool:
    """Whether a line in normal form refers to the lines below it: `these`, 以下."""
    return text.endswith(":") or _words().points_below.search(text) is not None


def expresses_doubt(text: str) -> bool:
    """Whether a line in normal form, which refers to an order, doubts it in any words.

    >>> expresses_doubt("that one worries me a bit.")
    True
    """
    words = _words()
    if len(text) > _LONGEST or words.other.search(text):
        return False
    return any(found.search(text) for found in (words.doubts, words.plain, words.mild))


def points_above(text: str, *, adjoins: bool = False) -> bool:
    """Whether a line in normal form refers to the order above it and introduces nothing: `about that one`, 今の.

    `adjoins`: the line is directly below an order, so `this was` refers to that.
    """
    words = _words()
    if points_below(text):
        return False
    return words.points_above.search(text) is not None or (adjoins and words.points_at_it.search(text) is not None)


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Return where each clause of a text in normal form begins and ends; `and` and `but` separate clauses."""
    return [
        (start + first, start + end)
        for start, stop in _clauses(text)
        for first, end in _between(_words().joins, text[start:stop])
    ]


def _number_in(text: str) -> int | None:
    """Return how many orders a text is about."""
    found = next((number for number, words in _words().numbers.items() if words.search(text)), None)
    if found is not None:
        return found
    return None if _words().several.search(text) else 1


def says_nothing(written: str) -> bool:
    """Whether a line has only words that may accompany a denial, such as `Hmm`, but denies nothing."""
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
    words = _words()
    left, plain = words.plain.subn(" ", clause)
    left, mild = words.mild.subn(" ", left)
    for nothing in (words.neutral, *words.numbers.values()):
        left = nothing.sub(" ", left)
    if not words.beside.issuperset(_WORD.findall(left)):
        return _Clause.OTHER
    if _LETTER.search(words.beside_run_on.sub(" ", _WORD.sub(" ", left))):
        return _Clause.OTHER
    if plain:
        return _Clause.DENIES
    return _Clause.DENIES_WHAT_IS_NEAR if mild else _Clause.SAYS_NOTHING

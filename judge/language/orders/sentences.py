"""Parse lines into sentences: which unit does what, judged by words alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import TypeAlias

from judge.budget import Budget
from judge.language.orders.lists import in_full
from judge.language.orders.structures import (
    PlaceSlot,
    Structure,
    UnitSlot,
    Verb,
    furthest,
    notation,
    slow_structures,
    usual,
)
from judge.language.words import PARTICLES, UNKNOWN, VERBS, Lexicon, Names, Terminal, Word
from judge.rules.position import Location, Power, Province, UnitKind


@dataclass(frozen=True, slots=True)
class PlaceWords:
    """A place as named: the provinces it can mean, and its coast if named."""

    word: str
    candidates: tuple[Province, ...]
    coast: str | None = None
    slips: tuple[Province, ...] = ()
    """The provinces that the word may mean if it is misspelled."""

    def locations(self, names: Names, *, slips: bool = False) -> tuple[Location, ...]:
        """Return the locations that the words can mean."""
        provinces = (*self.candidates, *self.slips) if slips else self.candidates
        if self.coast is None:
            return tuple(provinces)
        return tuple(names.coast(province, self.coast) for province in provinces)


@dataclass(frozen=True, slots=True)
class UnitWords:
    """A unit as named."""

    place: PlaceWords
    kind: UnitKind | None = None
    power: Power | None = None
    """The power that the line says it belongs to."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """An order as written."""

    verb: Verb
    unit: UnitWords | None = None
    other: UnitWords | None = None
    goal: PlaceWords | None = None
    by_convoy: bool = False
    through: tuple[PlaceWords, ...] = ()
    """The places named before the goal, on the way to it."""

    @property
    def slips(self) -> tuple[PlaceWords, ...]:
        """Return the places that may be misspelled."""
        places = (self.unit and self.unit.place, self.other and self.other.place, self.goal)
        return tuple(place for place in places if place and place.slips)


@dataclass(frozen=True, slots=True)
class Heading:
    """`France:` above the orders of a power."""

    power: Power


ParsedOrder: TypeAlias = "Heading | tuple[Sentence, ...]"
"""A heading, or an order with every structure its words can have."""

_OF_ORDERS = VERBS | {"PLACE", "LETTER", "KIND", "COAST", "ALL", "OTHERS", "ARROW", "NOT"}
_TELLING = VERBS | {"LETTER", "KIND", "ARROW", "TO", "HE"}
_COMPLETES: frozenset[Terminal] = frozenset(("ARROW", "HOLD", "DISBAND", "BUILD"))
_TELLING_ANOTHER = VERBS | {"ARROW"}
_BUILDS = (["BUILD", "LETTER"], ["BUILD", "KIND"], ["DISBAND", "LETTER"], ["DISBAND", "KIND"])
_TOLD_BY_COLON = (["PLACE", "COLON", "PLACE"], ["COAST", "COLON", "PLACE"])
_LONGEST_SENTENCE = 22
"""In words: no order is longer."""
_MOST_PLACES = 6
_MOST_WORDS = 250
"""In words: enough for 34 units with seven words each."""
_MOST_TRIED = 60
"""Of one line, the most words given to the slow parser."""
_UNITS_OF_A_WORD = 100
"""The cost of a word given to the slow parser, in units of the budget."""


def said(words: Sequence[Word], lexicon: Lexicon, budget: Budget) -> list[ParsedOrder] | None:
    """Return the orders and headings of a line; None if the words cannot be parsed."""
    result: list[ParsedOrder] = []
    if words and words[0].kind in ("BUILD", "DISBAND") and not any(word.kind in _TELLING_ANOTHER for word in words[1:]):
        words = [word._replace(kind="COMMA") if word.kind == "SEP" else word for word in words]
    stretches = _split(words, "SEP")
    for stretch in stretches:
        if len(stretches) > 1 and not any(word.kind in _OF_ORDERS for word in stretch):
            continue  # no order, only `了解しました。` or `ドイツです。` beside one
        plain = _with_an_arrow_for_the_colon(stretch)
        rest: Sequence[Word] = list(dropwhile(lambda word: word.kind in ("ARROW", "COMMA", "COLON"), plain))
        while rest:
            heading, rest = _heading(rest, lexicon)
            if heading is not None:
                result.append(heading)
            end = next((i for i in range(1, len(rest)) if _heading(rest[i : i + 3], lexicon)[0]), len(rest))
            orders = _orders(rest[:end], lexicon, budget)
            if orders is None:
                return None
            result += orders
            rest = rest[end:]
    return result


def _with_an_arrow_for_the_colon(words: list[Word]) -> list[Word]:
    """Read the colon in a line of only two places as an arrow: `Munich: Burgundy`."""
    if [word.kind for word in words if word.kind != "COAST"] != ["PLACE", "COLON", "PLACE"]:
        return words
    return [word._replace(kind="ARROW") if word.kind == "COLON" else word for word in words]


def _split(words: Sequence[Word], kind: Terminal) -> list[list[Word]]:
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.kind == kind:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _heading(words: Sequence[Word], lexicon: Lexicon) -> tuple[Heading | None, Sequence[Word]]:
    """Return the heading that words begin with, if any, and the words behind it."""
    leads = len(words) > 1 and words[1].kind == "COLON"
    if words and words[0].kind == "POWER" and [word.kind for word in words[1:3]] in _BUILDS:
        return Heading(lexicon.names.powers[words[0].text]), words[1:]
    if leads or ([word.kind for word in words[:3]] == ["POWER", "ARROW", "LETTER"]):
        powers = lexicon.names.powers
        power = powers.get(words[0].text) or (powers.get("england") if words[0].text == "eng" else None)
        if power is not None and (words[0].kind == "POWER" or len(words) == 2 or words[2].kind == "LETTER"):
            return Heading(power), words[2:]
    return None, words


def _orders(words: Sequence[Word], lexicon: Lexicon, budget: Budget) -> list[tuple[Sentence, ...]] | None:
    plain = [word for word in words if word.kind not in ("COMMA", "COLON")]
    if not plain:
        return []
    if len(plain) > _MOST_WORDS or any(word.kind == UNKNOWN for word in plain):
        return None
    pieces = _split(_with_commas_for_colons(words), "COMMA")
    triples = zip(words, words[1:], words[2:], strict=False)
    is_list = all([word.kind for word in three] not in _TOLD_BY_COLON for three in triples)
    pieces = in_full([_without_last_arrow(piece) for piece in pieces], is_list=is_list)
    plain = [word for piece in pieces for word in piece]
    in_notation = [notation(tuple(word.kind for word in piece)) for piece in pieces]
    if all(shapes is not None for shapes in in_notation):
        return [
            (_filled(shape, piece, lexicon),)
            for piece, shapes in zip(pieces, in_notation, strict=True)
            for shape in shapes or ()
        ]
    return _in_sentences(plain, [len(piece) for piece in pieces], lexicon, budget)


def _with_commas_for_colons(words: Sequence[Word]) -> list[Word]:
    """Replace every colon with a comma.

    A colon behind the verb or arrow of a unit, such as 支援先, is dropped: it separates nothing.
    """
    result: list[Word] = []
    for number, word in enumerate(words):
        if word.kind != "COLON":
            result.append(word)
        elif number < 2 or words[number - 1].kind not in ("SUPPORT", "CONVOY", "ARROW"):
            result.append(word._replace(kind="COMMA"))
    return result


def _without_last_arrow(words: list[Word]) -> list[Word]:
    """Remove the dash before an aside: `A Mun - Bur -- surprise!`."""
    *whole, last = words
    return whole if last.kind == "ARROW" and any(word.kind in _COMPLETES for word in whole) else words


def _in_sentences(
    words: Sequence[Word], sizes: Sequence[int], lexicon: Lexicon, budget: Budget
) -> list[tuple[Sentence, ...]] | None:
    """Return the fewest orders that cover all words of a stretch.

    The stretch is cut where orders may end. The quick grammars come first. The slow one is limited by the words of this
    line, so the meaning of a line never depends on the lines read before it.
    """
    kinds = tuple(word.kind for word in words)
    slowly = _Slowly(budget)
    if len(kinds) <= _LONGEST_SENTENCE and kinds.count("PLACE") <= _MOST_PLACES and _may_be_order(words):
        shapes = slowly.structures(kinds)
        if shapes:
            return [_readings(shapes, words, lexicon)]
    cuts = _cuts(words, sizes)
    pieces = _fewest(words, cuts, _quickly)
    if pieces is None:
        pieces = _fewest(words, cuts, slowly.structures)
    return None if pieces is None else [_readings(shapes, words[begin:end], lexicon) for begin, end, shapes in pieces]


_Piece: TypeAlias = tuple[int, int, "tuple[Structure, ...]"]
"""An order as first index, end index, and the structures it can have."""


def _fewest(
    words: Sequence[Word], cuts: Sequence[int], structures_of: Callable[[tuple[Terminal, ...]], tuple[Structure, ...]]
) -> list[_Piece] | None:
    """Return the fewest orders between cuts that cover all words, or None."""
    kinds = tuple(word.kind for word in words)
    best: dict[int, list[_Piece]] = {0: []}
    for number, begin in enumerate(cuts):
        if begin not in best:
            continue
        for end in cuts[number + 1 :]:
            if end > begin + _LONGEST_SENTENCE:
                break
            if (end in best and len(best[end]) <= len(best[begin]) + 1) or not _may_be_order(words[begin:end]):
                continue
            shapes = structures_of(kinds[begin:end])
            if shapes:
                best[end] = [*best[begin], (begin, end, shapes)]
    return best.get(len(words))


def is_one_order(kinds: tuple[Terminal, ...]) -> bool:
    """Whether a quick grammar finds one order in a line, and nothing else."""
    return bool(_quickly(kinds))


def _quickly(kinds: tuple[Terminal, ...]) -> tuple[Structure, ...]:
    """Return the one structure that a quick grammar finds, if any."""
    shapes = notation(kinds) or ()
    return shapes if len(shapes) == 1 else usual(kinds)


class _Slowly:
    """The slow grammar for one line, with a limit of words.

    Words of a stretch that is tried again are not counted twice.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.left = _MOST_TRIED
        self.tried: set[tuple[Terminal, ...]] = set()

    def structures(self, kinds: tuple[Terminal, ...]) -> tuple[Structure, ...]:
        """Return every structure of a stretch.

        Empty once the line has used up its words for the slow parser.
        """
        if quick := _quickly(kinds):
            return quick
        if kinds not in self.tried:
            self.tried.add(kinds)
            self.left -= len(kinds)
            if self.left >= 0:
                self.budget.charge(_UNITS_OF_A_WORD * len(kinds))
        return slow_structures(kinds) if self.left >= 0 else ()


def _readings(shapes: Sequence[Structure], words: Sequence[Word], lexicon: Lexicon) -> tuple[Sentence, ...]:
    return tuple(dict.fromkeys(_filled(shape, words, lexicon) for shape in shapes))


def _between_arrows(words: Sequence[Word], number: int) -> bool:
    """Whether the second order begins at this word, as in `Par-Bur Mar-Spa`."""
    following = [word.kind for word in words[number + 1 : number + 4] if word.kind not in ("NO", "KIND", "COAST")]
    return number > 1 and words[number - 2].kind == "ARROW" and following[:1] == ["ARROW"]


def _may_be_order(words: Sequence[Word]) -> bool:
    """Whether words have all the parts of an order.

    SUPPORT or CONVOY may come last only in Japanese or beside a particle.
    """
    kinds = {word.kind for word in words}
    if len(words) < 2 or not kinds & {"PLACE", "WAIVE"}:
        return False
    if not kinds & _TELLING and not any(
        word.kind == "FROM" and word.is_japanese for word in words
    ):  # `London, Paris` below a name is no order
        return False
    last = words[-1]
    return last.kind not in ("SUPPORT", "CONVOY") or last.is_japanese or bool(kinds & PARTICLES)


def _cuts(words: Sequence[Word], sizes: Sequence[int]) -> list[int]:
    """Return the indexes where orders may begin or end.

    These are commas, the places before a unit's kind, and those behind a verb that ends a sentence.
    """
    cuts = {0, len(words)}
    at = 0
    for size in sizes:
        at += size
        cuts.add(at)
    for number in range(1, len(words)):
        here, before = words[number].kind, words[number - 1].kind
        next_arrow = here == "PLACE" and before == "PLACE" and _between_arrows(words, number)
        begins_with_kind = here in ("LETTER", "KIND", "POWER") and before in ("PLACE", "COAST", "VIA", *VERBS)
        verb_ends = before in VERBS and words[number - 1].is_japanese and here in ("PLACE", *VERBS)
        if begins_with_kind or verb_ends or next_arrow:
            cuts.add(number)
    return sorted(cuts)


def _filled(shape: Structure, words: Sequence[Word], lexicon: Lexicon) -> Sentence:
    """Return the structure with its words filled in."""

    def place(slot: PlaceSlot) -> PlaceWords:
        word = words[slot.place].text
        coast = None if slot.coast is None else words[slot.coast].text
        names = lexicon.names
        return PlaceWords(
            word, names.places.get(word, ()), coast, lexicon.guesses.get(word) or names.slips.get(word, ())
        )

    def unit(slot: UnitSlot | None) -> UnitWords | None:
        if slot is None:
            return None
        return UnitWords(
            place(slot.place),
            None if slot.kind is None else lexicon.kinds[words[slot.kind].text],
            None if slot.power is None else lexicon.names.powers[words[slot.power].text],
        )

    goal = None if shape.goal is None else place(shape.goal)
    through = tuple(place(slot) for slot in shape.through)
    return Sentence(shape.verb, unit(shape.unit), unit(shape.other), goal, shape.by_convoy, through)


def is_unfilled(words: Sequence[Word]) -> bool:
    """Whether a line of the unit list was not filled in by the sender."""
    kinds = [word.kind for word in words if word.kind != "COLON"]
    if kinds and (kinds[-1] == "ARROW" or words[-1].text == "r"):
        kinds.pop()
    if kinds and kinds[0] == "POWER":
        kinds.pop(0)
    if kinds and kinds[-1] == "COAST":
        kinds.pop()
    return kinds in (["LETTER", "PLACE"], ["KIND", "PLACE"], ["PLACE", "KIND"], ["PLACE", "NO", "KIND"])


def stuck_at(words: Sequence[Word]) -> int:
    """Return the index of the word at which no grammar can continue."""
    numbers = [number for number, word in enumerate(words) if word.kind not in ("COMMA", "COLON", "SEP")]
    kinds = tuple(words[number].kind for number in numbers)
    return numbers[furthest(kinds, slowly=len(kinds) <= _LONGEST_SENTENCE)] if numbers else 0

"""What is wrong with a line that makes no order; nothing, if it is small talk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from judge.language.faults import Fault, FaultKind
from judge.language.lexicon import UNKNOWN, VERBS, Lexicon, Word
from judge.language.meaning import Context, own_units
from judge.language.normal import Line
from judge.language.sentences import stuck_at

_FIRM = frozenset(("HOLD", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD"))
_SIGNS = frozenset(("COMMA", "COLON", "SEP", "OPEN", "CLOSE"))
_LEAST_OF_A_NAME = 3
_FEW = 2


def trouble(number: int, line: Line, words: Sequence[Word], lexicon: Lexicon, context: Context) -> tuple[Fault, ...]:
    """The one fault of a line; none if nothing in it may be an order."""
    kinds = [word.kind for word in words]
    if "NOT" in kinds:
        of_a_unit = "LETTER" in kinds or "KIND" in kinds or "PLACE" in kinds
        if of_a_unit and (_is_mostly_known(words) or may_be_order(words, lexicon, line)):
            word = words[kinds.index("NOT")]
            return (_fault(FaultKind.NEGATED, number, line, word, word, _clearing(words, lexicon, context)),)
        if _takes_all_back(words):
            return (_fault(FaultKind.NEGATED, number, line, words[0], words[-1], ("CLEAR",)),)
        return ()
    if ("ALL" in kinds or "OTHERS" in kinds) and _speaks_of_every_unit(words):
        word = next(word for word in words if word.kind in ("ALL", "OTHERS"))
        candidates = _one_by_one(context) if "HOLD" in kinds else ()
        return (_fault(FaultKind.EVERY_UNIT, number, line, word, word, candidates),)
    if not may_be_order(words, lexicon, line):
        return ()
    unknown = [word for word in words if word.kind == UNKNOWN]
    likeness = _Likeness(lexicon)
    for word in unknown:
        near = likeness.near(word.text)
        if near or _stands_for_a_place(words, word, lexicon):
            return (_fault(FaultKind.UNKNOWN_PLACE, number, line, word, word, near),)
    if unknown:
        return (_fault(FaultKind.NOT_UNDERSTOOD, number, line, unknown[0], unknown[0]),)
    at = stuck_at(words)
    return (_fault(FaultKind.NOT_UNDERSTOOD, number, line, words[at], words[-1]),)


def _fault(
    kind: FaultKind, number: int, line: Line, first: Word, last: Word, candidates: tuple[str, ...] = ()
) -> Fault:
    start, end = line.span(first.start, last.end)
    return Fault(kind, number, start, end, line.written[start:end].strip(), candidates)


def _one_by_one(context: Context) -> tuple[str, ...]:
    return tuple(f"{unit} H" for unit in own_units(context))


def _clearing(words: Sequence[Word], lexicon: Lexicon, context: Context) -> tuple[str, ...]:
    named = {place for word in words if word.kind == "PLACE" for place in lexicon.names.places.get(word.text, ())}
    first = next((word for word in words if word.kind == "PLACE"), None)
    board = context.board
    mine = [unit for unit in (*board.dislodged, *own_units(context)) if unit.province in named]
    if first is not None:
        begins = lexicon.names.places.get(first.text, ())
        mine = [unit for unit in mine if unit.province in begins] or mine
    return tuple(f"CLEAR {unit}" for unit in mine)


def _is_mostly_known(words: Sequence[Word]) -> bool:
    told = [word.kind for word in words if word.kind not in _SIGNS]
    return 2 * told.count(UNKNOWN) <= len(told)


def _takes_all_back(words: Sequence[Word]) -> bool:
    """`cancel my orders`, `scrap that`, 全て取消: nobody knows what the short words no and not speak of."""
    told = [word for word in words if word.kind not in _SIGNS]
    revoked = [word for word in told if word.kind == "NOT" and word.text in _REVOKING]
    return bool(revoked) and len(told) <= _FEW + 1 and (revoked[0] in (told[0], told[-1]) or not told[0].text.isascii())


_REVOKING = frozenset(
    (
        *("cancel", "withdraw", "revoke", "scrap", "ignore", "undo", "disregard", "forget"),
        *("取り消", "取消", "キャンセル", "撤回", "破棄", "無視"),
    )
)


def _speaks_of_every_unit(words: Sequence[Word]) -> bool:
    """All units, and what they are to do; with few other words."""
    unknown = sum(word.kind == UNKNOWN for word in words)
    verbs = sum(word.kind in VERBS or word.kind == "ARROW" for word in words)
    return verbs > 0 and unknown <= 1


def may_be_order(words: Sequence[Word], lexicon: Lexicon, line: Line) -> bool:
    """Whether a unit or a place is named with anything that may be an order."""
    told = _Told(tuple(word for word in words if word.kind not in _SIGNS), lexicon, line)
    return bool(told.words) and any(sign(told) for sign in _SIGNS_OF_AN_ORDER)


_MOST_COMPARED = 6
"""Unknown words of one line that are compared with all names: it takes a millisecond each."""


class _Likeness:
    """What the unknown words of one line may stand for."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.known: dict[str, tuple[str, ...]] = {}

    def near(self, word: str) -> tuple[str, ...]:
        """The provinces with names like the word's; none for an ordinary word, or one among too many."""
        if word in self.lexicon.plain:
            return ()
        if word not in self.known and len(self.known) < _MOST_COMPARED:
            self.known[word] = self.lexicon.names.near(word)
        return self.known.get(word, ())


@dataclass(frozen=True)
class _Told:
    """The words of a line, counted."""

    words: tuple[Word, ...]
    lexicon: Lexicon
    line: Line

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        return tuple(word.kind for word in self.words)

    @cached_property
    def unknown(self) -> int:
        return self.kinds.count(UNKNOWN)

    @cached_property
    def known(self) -> int:
        return len(self.kinds) - self.unknown

    @cached_property
    def places(self) -> list[Word]:
        return [word for word in self.words if word.kind == "PLACE"]

    @cached_property
    def verbs(self) -> int:
        return sum(kind in VERBS for kind in self.kinds)

    @cached_property
    def firm(self) -> bool:
        """Whether there is a word that hardly means anything but an order."""
        return "ARROW" in self.kinds or any(kind in _FIRM for kind in self.kinds)

    def names(self, word: Word) -> bool:
        """Whether an unknown word is like a name."""
        if len(word.text) < _LEAST_OF_A_NAME and word.text.isascii():
            return False
        return word.kind == UNKNOWN and bool(self.likeness.near(word.text))

    @cached_property
    def likeness(self) -> _Likeness:
        return _Likeness(self.lexicon)


def _only_verbs(told: _Told) -> bool:
    """`Build`, and nothing else on the line."""
    if any(kind not in VERBS for kind in told.kinds) or ":" in told.line.text:
        return False
    return sum(map(str.isalnum, told.line.text)) == sum(map(str.isalnum, "".join(word.text for word in told.words)))


def _waives(told: _Told) -> bool:
    """A build is waived, in words that are not clear."""
    return "WAIVE" in told.kinds and told.unknown <= _FEW


def _letter_and_place(told: _Told) -> bool:
    """`A Bel`, anywhere; `A Xyz - Ber`."""
    for first, second in pairwise(told.words):
        if first.kind != "LETTER" or told.line.written[told.line.origin[first.start]] in "af":
            continue
        if second.kind == "PLACE" and (second.text not in told.lexicon.weak or told.verbs or "ARROW" in told.kinds):
            return True
        if second.kind == UNKNOWN and ("ARROW" in told.kinds or (told.verbs and told.names(second))):
            return True
    return False


def _begins_with_letter(told: _Told) -> bool:
    """`a bel to`, `f lun h`."""
    if told.kinds[0] != "LETTER" or len(told.kinds) == 1 or not (told.firm or "TO" in told.kinds):
        return False
    if told.kinds[1] == "PLACE":
        return told.unknown < told.known
    return ("ARROW" in told.kinds or told.names(told.words[1])) and told.unknown <= 1 + told.known


def _unit_and_what_it_does(told: _Told) -> bool:
    """A unit's kind with a name, or with a verb and little else."""
    if "KIND" not in told.kinds:
        return False
    if told.places and told.unknown <= _FEW:
        return True
    acts = bool(told.verbs) or "ARROW" in told.kinds or "TO" in told.kinds
    named = any(word.text not in told.lexicon.weak for word in told.places) or "POWER" in told.kinds
    if acts and (named or any(told.names(word) for word in told.words)):
        return told.unknown <= told.known
    return bool(told.verbs) and told.unknown <= 1


def _place_and_verb(told: _Told) -> bool:
    """A place with a word that means an order, or among few words that mean nothing to us."""
    if all(word.text in told.lexicon.weak for word in told.places) and "ARROW" not in told.kinds:
        return False
    leads = told.verbs or any(kind in ("TO", "HE", "FROM") for kind in told.kinds) or ":" in told.line.text
    if not told.places:
        return False
    if told.firm or (len(told.places) > 1 and leads):
        return told.unknown < told.known
    if len(told.places) > 1 and told.unknown <= 1:
        return not set(",、・/&") & set(told.line.text)  # else it is a list of places
    return told.verbs > 0 and told.unknown < told.known - 1


_SIGNS_OF_AN_ORDER = (
    _only_verbs,
    _waives,
    _letter_and_place,
    _begins_with_letter,
    _unit_and_what_it_does,
    _place_and_verb,
)


def _stands_for_a_place(words: Sequence[Word], word: Word, lexicon: Lexicon) -> bool:
    """Whether a name has to be where an unknown word is: behind a kind or an arrow, before 陸軍."""
    if word.text in lexicon.plain or not word.text[0].isalpha() or len(word.text) < _LEAST_OF_A_NAME:
        return False
    index = words.index(word)
    before = words[index - 1].kind if index else ""
    after = words[index + 1] if index + 1 < len(words) else None
    if before in ("LETTER", "ARROW"):
        return True
    if before == "KIND" and words[index - 1].text.isascii() and word.text.isascii():
        return True
    return after is not None and after.kind == "KIND" and not after.text.isascii() and not word.text.isascii()

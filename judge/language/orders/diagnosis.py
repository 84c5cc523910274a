"""Diagnose a line that gives no order; small talk has no fault."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from judge.budget import Budget
from judge.language.context import Context, own_units
from judge.language.faults import Fault, FaultKind
from judge.language.orders.meaning import examples
from judge.language.orders.sentences import is_unfilled, stuck_at
from judge.language.orders.traces import is_bare_order, is_place
from judge.language.words import (
    UNITS_OF_A_COMPARISON,
    UNKNOWN,
    VERBS,
    Lexicon,
    Line,
    Terminal,
    Word,
    in_one,
    is_japanese,
    misspelled,
)
from judge.language.words.tongue import HIRAGANA
from judge.rules.notation import write_order
from judge.rules.orders import Retreat
from judge.rules.position import COAST, CODE, PhaseKind, Province, province_of

_BEHIND_A_NAME: frozenset[Terminal] = frozenset(("ARROW", "FROM", "HE"))
_FIRM: frozenset[Terminal] = frozenset(("HOLD", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD"))
_BEHIND_A_UNIT = VERBS | {"ARROW"}
_SIGNS: frozenset[Terminal] = frozenset(("COMMA", "COLON", "SEP", "OPEN", "CLOSE"))
_HIRAGANA = re.compile(f"[{HIRAGANA}]+")
_LEAST_OF_A_NAME = 3
_LEAST_TO_GUESS = 5
_FEW = 2
_SOME_KANA = 12
_MOST_OF_A_UNIT = 6
_LONGEST_RUN = 40


def diagnosis(number: int, line: Line, words: Sequence[Word], lexicon: Lexicon, context: Context) -> tuple[Fault, ...]:
    """Return the fault of a line; empty if nothing may be an order."""
    kinds = [word.kind for word in words]
    if "NOT" in kinds:
        of_a_unit = "LETTER" in kinds or "KIND" in kinds or {"WAIVE", "BUILD"}.issubset(kinds)
        of_a_unit = of_a_unit or any(is_place(word, words, lexicon, line) for word in words)
        if of_a_unit and (_is_mostly_known(words) or may_be_order(words, lexicon, line, context.budget)):
            word = words[kinds.index("NOT")]
            return (_fault(FaultKind.NEGATED, number, line, word, word, _clearing(words, lexicon, line, context)),)
        if _takes_all_back(words, lexicon):
            return (_fault(FaultKind.NEGATED, number, line, words[0], words[-1], ("CLEAR",)),)
        return ()
    if ("ALL" in kinds or "OTHERS" in kinds) and _speaks_of_every_unit(words):
        word = next(word for word in words if word.kind in ("ALL", "OTHERS"))
        candidates = _one_by_one(context) if "HOLD" in kinds else ()
        return (_fault(FaultKind.EVERY_UNIT, number, line, word, word, candidates),)
    if not may_be_order(words, lexicon, line, context.budget):
        return ()
    words = _in_whole_words(words)
    unknown = [word for word in words if word.kind == UNKNOWN]
    likeness = _Likeness(lexicon, context.budget)
    for place, word in enumerate(words):
        if word.kind != UNKNOWN or word.text in lexicon.plain or word.text in lexicon.doubt:
            continue
        stands = _stands_for_a_place(words, place, lexicon)
        guessed = stands or len(word.text) >= _LEAST_TO_GUESS or word.is_japanese
        for stretch in misspelled(words, place):
            near = likeness.near(in_one(stretch).text) if guessed or len(stretch) > 1 else ()
            if near:
                return (_fault(FaultKind.UNKNOWN_PLACE, number, line, stretch[0], stretch[-1], near),)
        meant = likeness.shortened(word.text) if stands or _begins_a_line_of_units(words, place) else ()
        if stands or meant:
            return (_fault(FaultKind.UNKNOWN_PLACE, number, line, word, word, meant),)
    if unknown:
        quoted = _with_its_noun(words, unknown[0])
        return (_fault(FaultKind.NOT_UNDERSTOOD, number, line, *quoted, examples(context)),)
    first, _ = _with_its_noun(words, words[stuck_at(words)])
    return (_fault(FaultKind.NOT_UNDERSTOOD, number, line, first, words[-1], examples(context)),)


_OF_THE_REPORT = re.compile(rf"\s*[AF] {CODE}(?:/{COAST})?(?: [-R])?\s*")
"""A line of our report that the reader may complete."""


def left_open(
    number: int, line: Line, words: Sequence[Word], lexicon: Lexicon, context: Context
) -> tuple[Fault, ...] | None:
    """Return the fault of a line with only a unit or a place.

    None if the line says more or is a list. Empty for a line of a report that was left incomplete.
    """
    kinds = [word.kind for word in words]
    if kinds == ["IDLE"]:
        return (_fault(FaultKind.INCOMPLETE_ORDER, number, line, words[0], words[0], examples(context)),)
    named = [word for word in words if word.kind == "PLACE"]
    if len(named) != 1 or not (is_unfilled(words) or kinds in (["PLACE"], ["PLACE", "COAST"])):
        return None
    places = lexicon.names.places.get(named[0].text, ())
    if is_unfilled(words):
        own = any(unit.province in places for unit in (*context.board.dislodged, *own_units(context)))
        small = line.written[line.origin[named[0].start]].islower()
        if (own and _OF_THE_REPORT.fullmatch(line.written)) or (small and named[0].text in lexicon.weak):
            return ()
        likely = tuple(example for place in places for example in examples(context, place)) or examples(context)
    else:
        likely = _about(places, context)
    return (_fault(FaultKind.INCOMPLETE_ORDER, number, line, words[0], words[-1], likely),) if likely else ()


def _about(places: Sequence[Province], context: Context) -> tuple[str, ...]:
    """Return the orders that a place alone may be about; none in a movement phase."""
    if context.position is None or context.position.phase.kind is PhaseKind.MOVEMENT:
        return ()
    likely = [example for place in places for example in examples(context, place)]
    lost = context.position.dislodged.items()
    retreats = [(unit, to) for unit, loss in lost if loss.power in context.powers for to in loss.retreats]
    likely += [write_order(Retreat(unit, to)) for unit, to in retreats if province_of(to) in places]
    return tuple(likely)


def _fault(
    kind: FaultKind, number: int, line: Line, first: Word, last: Word, candidates: tuple[str, ...] = ()
) -> Fault:
    start, end = line.span(first.start, last.end)
    return Fault(kind, number, start, end, line.written[start:end].strip(), candidates)


def _in_whole_words(words: Sequence[Word]) -> list[Word]:
    """Join unknown Japanese words that touch: イリス海峡, not 峡.

    A fault then quotes a whole word.
    """
    whole: list[Word] = []
    for word in words:
        last = whole[-1] if whole else word
        touches = last.kind == word.kind == UNKNOWN and last.end == word.start and last.is_japanese
        if touches and not (_HIRAGANA.fullmatch(last.text) or _HIRAGANA.fullmatch(word.text)):
            whole[-1] = last._replace(end=word.end, text=last.text + word.text)
        else:
            whole.append(word)
    return whole


def _with_its_noun(words: Sequence[Word], word: Word) -> tuple[Word, Word]:
    """Return the first and last word to quote.

    A particle is quoted with its noun, as in 海峡も.
    """
    place = words.index(word)
    if not _HIRAGANA.fullmatch(word.text):
        return word, word
    before = next((one for one in reversed(words[:place]) if not _HIRAGANA.fullmatch(one.text)), None)
    if before is not None and before.kind not in _SIGNS:
        return before, word
    return word, next((one for one in words[place:] if not _HIRAGANA.fullmatch(one.text)), word)


def _one_by_one(context: Context) -> tuple[str, ...]:
    return tuple(f"{unit} H" for unit in own_units(context))


def _clearing(words: Sequence[Word], lexicon: Lexicon, line: Line, context: Context) -> tuple[str, ...]:
    """Return CLEAR commands for the sender's units that a line names.

    In `no, rather to Munich` Munich is a goal and names no unit.
    """
    before = (None, *(word.kind for word in words))
    places = [
        word for word, kind in zip(words, before, strict=False) if kind != "TO" and is_place(word, words, lexicon, line)
    ]
    named = {place for word in places for place in lexicon.names.places.get(word.text, ())}
    first = places[0] if places else None
    board = context.board
    mine = [unit for unit in (*board.dislodged, *own_units(context)) if unit.province in named]
    if first is not None:
        begins = lexicon.names.places.get(first.text, ())
        mine = [unit for unit in mine if unit.province in begins] or mine
    return tuple(f"CLEAR {unit}" for unit in mine)


def _is_mostly_known(words: Sequence[Word]) -> bool:
    kinds = [word.kind for word in words if word.kind not in _SIGNS]
    return 2 * kinds.count(UNKNOWN) <= len(kinds)


def _takes_all_back(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a line withdraws all orders: `cancel my orders`, `scrap that`, 全て取消.

    `no` alone is unclear.
    """
    plain = [word for word in words if word.kind not in _SIGNS]
    denied = [word for word in plain if word.kind == "NOT"]
    revoked = [word for word in denied if word.text in lexicon.revoking]
    if denied[1:] and denied[0] in revoked and denied[1].start <= denied[0].end + 1:  # vergiss nicht
        return False
    return bool(revoked) and len(plain) <= _FEW + 1 and (revoked[0] in (plain[0], plain[-1]) or plain[0].is_japanese)


def _speaks_of_every_unit(words: Sequence[Word]) -> bool:
    """Whether a line is about all units and what they do, with few other words."""
    unknown = sum(word.kind == UNKNOWN for word in words)
    verbs = sum(word.kind in VERBS or word.kind == "ARROW" for word in words)
    return verbs > 0 and unknown <= 1


def may_be_order(words: Sequence[Word], lexicon: Lexicon, line: Line, budget: Budget) -> bool:
    """Whether a line names a unit or a place beside something like an order."""
    evidence = _Evidence(tuple(word for word in words if word.kind not in _SIGNS), lexicon, line, budget)
    if evidence.words and any(sign(evidence) for sign in _SIGNS_OF_AN_ORDER):
        return True
    return is_bare_order(words, lexicon)


_MOST_COMPARED = 6
"""Of one line, the most unknown words compared with all names.

Each comparison takes a millisecond.
"""


class _Likeness:
    """What the unknown words of one line may mean."""

    def __init__(self, lexicon: Lexicon, budget: Budget) -> None:
        self.lexicon = lexicon
        self.budget = budget
        self.known: dict[str, tuple[str, ...]] = {}

    def near(self, word: str) -> tuple[str, ...]:
        """Return the provinces with similar names.

        Empty for an ordinary word, or if too many words of the line were compared.
        """
        if word in self.lexicon.plain:
            return ()
        if word not in self.known and len(self.known) < _MOST_COMPARED:
            self.budget.charge(UNITS_OF_A_COMPARISON)
            self.known[word] = self.lexicon.names.near(word)
        return self.known.get(word, ())

    def shortened(self, word: str) -> tuple[str, ...]:
        """Return the provinces whose names a word abbreviates, where a name is expected."""
        self.budget.charge(UNITS_OF_A_COMPARISON)
        return self.lexicon.names.shortened(word)


@dataclass(frozen=True)
class _Evidence:
    """The words of a line and counts of them."""

    words: tuple[Word, ...]
    lexicon: Lexicon
    line: Line
    budget: Budget

    @cached_property
    def kinds(self) -> tuple[Terminal, ...]:
        return tuple(word.kind for word in self.words)

    @cached_property
    def unknown(self) -> int:
        return self.kinds.count(UNKNOWN)

    @cached_property
    def in_japanese(self) -> str:
        """Return the unknown words if the unit's kind is in Japanese, else "".

        Each may be only a part of a written word.
        """
        has_a_kind = any(word.kind == "KIND" and len(word.text) > 1 and word.is_japanese for word in self.words)
        return "".join(word.text for word in self.words if word.kind == UNKNOWN) if has_a_kind else ""

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
        """Whether a word occurs that is rarely used except in orders."""
        return "ARROW" in self.kinds or any(kind in _FIRM for kind in self.kinds)

    @cached_property
    def acts(self) -> bool:
        """Whether a word says what a unit does or where it goes."""
        return bool(self.verbs) or any(kind in ("ARROW", "TO", "HE") for kind in self.kinds)

    @property
    def has_a_kind_beside_a_place(self) -> bool:
        """Whether a unit is named with its place; `Fleet Street 5, London` does not count."""
        beside = ("PLACE", "COAST", "NO", "FROM", "POWER")
        latin = [word.kind == "KIND" and not word.is_japanese for word in self.words]
        return not any(latin) or any(
            (kind == "KIND" and other in beside) or (other == "KIND" and kind in beside)
            for kind, other in pairwise(self.kinds)
        )

    def names(self, word: Word) -> bool:
        """Whether an unknown word is like a name."""
        if len(word.text) < _LEAST_OF_A_NAME and not word.is_japanese:
            return False
        return word.kind == UNKNOWN and bool(self.likeness.near(word.text))

    @cached_property
    def likeness(self) -> _Likeness:
        return _Likeness(self.lexicon, self.budget)


def _only_verbs(evidence: _Evidence) -> bool:
    """Whether the line has only verbs: `Build`, `維持します`."""
    if any(kind not in VERBS for kind in evidence.kinds) or ":" in evidence.line.text:
        return False
    verbs = "".join(word.text for word in evidence.words)
    return len(verbs) > 1 and (is_japanese(verbs) or sum(map(str.isalnum, evidence.line.text)) == len(verbs))


def _adjusts(evidence: _Evidence) -> bool:
    """Whether few words include a verb of retreats or adjustments: `decline build`, `陸軍を2つ増設`."""
    if not _OF_UNITS_ALONE & set(evidence.kinds) or len(evidence.words) > 3 * _FEW:
        return False
    unknown = [word.text for word in evidence.words if word.kind == UNKNOWN]
    return len(unknown) <= _FEW and sum(len(text) for text in unknown if is_japanese(text)) <= 2 * _FEW


_OF_UNITS_ALONE: frozenset[Terminal] = frozenset(("RETREAT", "DISBAND", "BUILD"))


def _waives(evidence: _Evidence) -> bool:
    """Whether a build is waived in unclear words."""
    return "WAIVE" in evidence.kinds and evidence.unknown <= _FEW


def _letter_and_place(evidence: _Evidence) -> bool:
    """Whether a letter stands before a place: `A Bel`, `A Xyz - Ber`."""
    for first, second in pairwise(evidence.words):
        if first.kind != "LETTER" or evidence.line.written[evidence.line.origin[first.start]] in "af":
            continue
        if second.kind == "PLACE" and (
            second.text not in evidence.lexicon.weak or evidence.verbs or "ARROW" in evidence.kinds
        ):
            return True
        few, capital = evidence.unknown <= _FEW, evidence.line.written[evidence.line.origin[second.start]].isupper()
        if second.kind == "PLACE" and few and capital:
            return True
        if second.kind == UNKNOWN and ("ARROW" in evidence.kinds or (evidence.verbs and evidence.names(second))):
            return True
    return False


def _begins_with_letter(evidence: _Evidence) -> bool:
    """Whether a line begins with a unit's letter: `a bel to`, `f lun h`."""
    if evidence.kinds[0] != "LETTER" or len(evidence.kinds) == 1 or not (evidence.firm or "TO" in evidence.kinds):
        return False
    if evidence.kinds[1] == "PLACE":
        return evidence.unknown < evidence.known
    return ("ARROW" in evidence.kinds or evidence.names(evidence.words[1])) and evidence.unknown <= 1 + evidence.known


def _unknown_unit(evidence: _Evidence) -> bool:
    """Whether a capital letter stands before an unknown word, with little else.

    Examples: `F Xyz Pic`, `A Xyz H`.
    """
    if evidence.kinds[:2] != ("LETTER", UNKNOWN) or len(evidence.words) > _FEW + 1:
        return False
    letter = evidence.line.written[evidence.line.origin[evidence.words[0].start]]
    return (letter in "AＡFＦ" and evidence.firm) or (letter in "FＦ" and bool(evidence.places))


def _letter_at_both_ends(evidence: _Evidence) -> bool:
    """Whether few words stand between a unit's letter and an order's letter.

    Examples: `F English H`, `A St Xyz H`.
    """
    first, last = evidence.words[0], evidence.words[-1]
    if first.kind != "LETTER" or last.kind not in VERBS or not 1 < len(evidence.words) <= _MOST_OF_A_UNIT:
        return False
    letters = [evidence.line.written[evidence.line.origin[word.start]] for word in (first, last)]
    return len(evidence.words) > _FEW and len(last.text) == 1 and all(letter in "AFHSCDRBＡＦＨ" for letter in letters)


def _names_run_together(evidence: _Evidence) -> bool:
    """Whether two names are written as one word: `A MunBer`."""
    if (
        evidence.kinds[:2] != ("LETTER", UNKNOWN)
        or evidence.line.written[evidence.line.origin[evidence.words[0].start]] in "af"
    ):
        return False
    word, terminals = evidence.words[1].text, evidence.lexicon.terminals
    cuts = range(_LEAST_OF_A_NAME, min(len(word), _LONGEST_RUN) - _LEAST_OF_A_NAME + 1)
    return any(terminals.get(word[:cut]) == terminals.get(word[cut:]) == "PLACE" for cut in cuts)


def _place_and_unknown_goal(evidence: _Evidence) -> bool:
    """Whether a Japanese goal follows a place and an arrow: `BEL - ルルル地方`.

    The goal may consist of several unknown words.
    """
    rest = evidence.words[2:]
    goal = "".join(word.text for word in rest)
    return (
        evidence.kinds[:2] == ("PLACE", "ARROW")
        and 0 < len(goal) <= _SOME_KANA
        and all(word.kind == UNKNOWN and word.is_japanese for word in rest)
    )


def _unit_and_what_it_does(evidence: _Evidence) -> bool:
    """Whether a unit's kind occurs with a name, or with a verb and little else."""
    if "KIND" not in evidence.kinds:
        return False
    if (
        evidence.in_japanese
        and len(evidence.in_japanese) <= _SOME_KANA
        and (evidence.acts or evidence.kinds.count("KIND") > 1)
    ):
        return True
    if (
        evidence.places
        and evidence.unknown <= _FEW
        and (evidence.acts or evidence.in_japanese or evidence.has_a_kind_beside_a_place)
    ):
        return True
    named = any(word.text not in evidence.lexicon.weak for word in evidence.places) or "POWER" in evidence.kinds
    if evidence.acts and (named or any(evidence.names(word) for word in evidence.words)):
        return evidence.unknown <= evidence.known
    return bool(evidence.verbs) and evidence.unknown <= 1


def _place_and_verb(evidence: _Evidence) -> bool:
    """Whether a place occurs with a verb of orders, or with another place."""
    if all(word.text in evidence.lexicon.weak for word in evidence.places) and "ARROW" not in evidence.kinds:
        return False
    leads = evidence.verbs or any(kind in ("TO", "HE", "FROM") for kind in evidence.kinds) or ":" in evidence.line.text
    if not evidence.places:
        return False
    if evidence.firm or (len(evidence.places) > 1 and leads):
        return evidence.unknown < evidence.known
    if len(evidence.places) > 1 and evidence.unknown <= 1:
        return not set(",、・/&") & set(evidence.line.text)  # otherwise it is a list of places
    return evidence.verbs > 0 and evidence.unknown < evidence.known - 1


_SIGNS_OF_AN_ORDER = (
    _only_verbs,
    _adjusts,
    _waives,
    _letter_and_place,
    _begins_with_letter,
    _unknown_unit,
    _letter_at_both_ends,
    _names_run_together,
    _place_and_unknown_goal,
    _unit_and_what_it_does,
    _place_and_verb,
)


def _stands_for_a_place(words: Sequence[Word], index: int, lexicon: Lexicon) -> bool:
    """Whether an unknown word is where a name must be.

    That is behind a kind or an arrow, or before 陸軍.
    """
    word = words[index]
    if word.text in lexicon.plain or not word.text[0].isalpha() or len(word.text) < _LEAST_OF_A_NAME:
        return False
    before = words[index - 1].kind if index else ""
    after = words[index + 1] if index + 1 < len(words) else None
    begins = not index and after is not None and after.kind in _BEHIND_A_UNIT
    if begins or before in ("LETTER", "ARROW", "TO", "FROM"):
        return True
    if before == "KIND" and not words[index - 1].is_japanese and not word.is_japanese:
        return True
    return after is not None and after.kind == "KIND" and after.is_japanese and word.is_japanese


def _begins_a_line_of_units(words: Sequence[Word], index: int) -> bool:
    """Whether a Japanese word is where a unit or its goal is expected: `ノル→スウェ`.

    The word may be short.
    """
    word = words[index]
    after = words[index + 1].kind if index + 1 < len(words) else ""
    is_led = index > 0 and words[index - 1].kind == "ARROW"
    return (
        word.is_japanese and not _HIRAGANA.fullmatch(word.text) and (is_led or (not index and after in _BEHIND_A_NAME))
    )

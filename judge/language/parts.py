"""Read a line of several sentences part by part.

Example: `Hi, Munich to Ruhr. Kiel - Den, no wait, Kiel holds. The rest hold`.
A line that could not be read as a whole is cut at its signs. Each part is read like a line of its own, and may correct
the part before it. If a sentence is not understood, the orders beside it become questions and are never filed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from judge.commands import Command, Doubt, Doubted, ForPhase, ForPower, Give
from judge.language.around import heard
from judge.language.context import Context
from judge.language.corrections import with_corrections
from judge.language.faults import OF_ORDERS, FaultKind
from judge.language.line import read_line
from judge.language.lines import ReadLine
from judge.language.words import UNKNOWN, Terminal, Word, is_japanese, normal_form
from judge.language.words.shipped import apart_and_run_on, written_like
from judge.language.words.tongue import LATIN_LETTERS
from judge.resources import shipped_data
from judge.rules.orders import Support, Waive
from judge.rules.position import Unit

_SENTENCE_ENDS = re.compile(
    rf"(?:(?<!\b[A-Za-z])[.!?;]+|\.\.+|[。！？…]+|\s--+)(?=[\s。！？]|$|[^\x00-\x7f])|(?<=[{LATIN_LETTERS}]{{4}}):(?=\s)"
)
_CLAUSE_ENDS = re.compile(r"[,、，]+\s*|\s(?=(?:and|while|but|und|während)\s)")
_LONGEST, _MOST_LINES, _MOST_PARTS, _MOST_TOGETHER = 190, 10, 8, 3
"""Limits: characters and lines; parts of a line; clauses of one order.

The lines are those of a mail that are read in parts.
"""
_STEERS = ForPhase | ForPower
_HELPS: frozenset[Terminal] = frozenset(("SUPPORT", "CONVOY"))
_SIGNS: frozenset[Terminal] = frozenset(("COMMA", "COLON", "SEP"))
_OF_A_UNIT: frozenset[Terminal] = frozenset(("LETTER", "KIND", "PLACE", "COAST", "NO", "COMMA", "SEP"))
_OF_TALK: frozenset[Terminal] = frozenset((UNKNOWN, "TO", "FROM", "IN", "WITH", *_SIGNS))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a line, as read."""

    line: ReadLine
    sentence: int
    corrects: bool
    """Whether it stands behind words such as `no wait`."""


def in_parts(line: ReadLine, context: Context, tried: list[tuple[ReadLine, ReadLine]]) -> ReadLine:
    """Return a line that was not understood as its parts say.

    It is unchanged if the parts do not make it clear.
    `tried`: receives each line that was read in parts, with its result, which may be a question.
    """
    if not _may_be_read(line) or len(tried) >= _MOST_LINES or context.budget.is_spent:
        return line
    whole = _in_parts(line, context)
    tried.append((line, whole))
    return line if any(isinstance(one, Doubted) for one in whole.requests) else whole


def _in_parts(line: ReadLine, context: Context) -> ReadLine:
    sentences = _sentences(line.text, context)
    if not 1 < sum(map(len, sentences)) <= _MOST_PARTS:
        return line
    parts: list[_Part] = []
    corrects = False
    plain = replace(context, hears_sentences=False)
    for number, clauses in enumerate(sentences):
        if len(clauses) > 1 and _conditional().match(line.text[clauses[0][0] :].strip()):
            return line
        for read, begins_anew in _parts_of(line.text, clauses, plain, begins=not parts):
            corrects = corrects or begins_anew
            if not read.text:
                continue
            above = [part.line for part in parts if not part.corrects or _orders(part.line)]
            parts.append(_Part(carried_on(above, read, plain), number, corrects))
            corrects = False
    corrected = _corrected(parts, plain)
    if (
        corrects
        or corrected is None
        or (corrected == parts and any(fault.kind is FaultKind.NEGATED for fault in line.faults))
    ):
        return line
    return _as_one(line, corrected, context)


def carried_on(above: Sequence[ReadLine], line: ReadLine, context: Context) -> ReadLine:
    """Return a support without an object as a support of the order above.

    Examples: `Ruhr supports that`, 黒海も支援.
    """
    if not above or line.requests or not line.faults or not _orders(above[-1]) or above[-1].faults:
        return line
    if not any(word.kind in _HELPS for word in context.lexicon.words(normal_form(line.text).text)):
        return line
    before = above[-1].requests
    between = "、" if is_japanese(line.text) else ", "
    whole = read_line(line.number, f"{above[-1].text.strip(' .,;!。、')}{between}{line.text.strip()}", context)
    added = whole.requests[len(before) :]
    is_carried = not whole.faults and whole.requests[: len(before)] == before and bool(added)
    if not is_carried or not all(isinstance(one, Give) and isinstance(one.order, Support) for one in added):
        return line
    return replace(line, requests=added, faults=())


def _may_be_read(line: ReadLine) -> bool:
    if len(line.text) > _LONGEST or not all(isinstance(one, Doubted | Give) for one in line.requests):
        return False
    kinds = {fault.kind for fault in line.faults}
    return bool(kinds) and FaultKind.PREFERENCES not in kinds and kinds <= OF_ORDERS


def _orders(line: ReadLine) -> list[Give]:
    return [one for one in line.requests if isinstance(one, Give)]


def _gives(line: ReadLine) -> bool:
    return any(isinstance(one, Give | Doubted) for one in line.requests)


def _sentences(text: str, context: Context) -> list[list[tuple[int, int]]]:
    """Return the begin and end of each clause, sentence by sentence.

    Brackets and `Munich: Ruhr` are not cut.
    """

    def ends(begin: int, sign: re.Match[str]) -> bool:
        return sign[0] != ":" or not _names_a_unit(text[begin : sign.start()], context)

    return [
        list(_between(_CLAUSE_ENDS, text, start, end))
        for start, end in _between(_SENTENCE_ENDS, text, 0, len(text), ends)
    ]


def _names_a_unit(text: str, context: Context) -> bool:
    *_, clause = _CLAUSE_ENDS.split(text)
    kinds = {word.kind for word in context.lexicon.words(normal_form(clause).text)}
    return "PLACE" in kinds and kinds <= _OF_A_UNIT


def _between(
    ends: re.Pattern[str],
    text: str,
    start: int,
    end: int,
    does_end: Callable[[int, re.Match[str]], bool] = lambda _begin, _sign: True,
) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of stretches between signs.

    Signs in brackets do not count. `does_end`: whether a sign ends a stretch, from the stretch's begin and the sign.
    """
    begin = start
    for sign in ends.finditer(text, start, end):
        opened = text.count("(", begin, sign.start()) > text.count(")", begin, sign.start())
        if opened or not does_end(begin, sign):
            continue
        if text[begin : sign.end()].strip():
            yield begin, sign.end()
        begin = sign.end()
    if text[begin:end].strip():
        yield begin, end


@cache
def _conditional() -> re.Pattern[str]:
    data = shipped_data("grammar/around.toml")["below"]["conditional"]
    return re.compile("|".join(row for rows in data.values() for row in rows), re.IGNORECASE)


@cache
def _anew() -> re.Pattern[str]:
    """Return a pattern for words that begin a clause and withdraw the order before."""
    data = shipped_data("grammar/around.toml")["below"]["anew"]
    apart, run_on = apart_and_run_on(data)
    return re.compile(rf"(?:\s*(?:(?:{'|'.join(apart)})(?![\w'])|{'|'.join(run_on)})[\s,.:!。、-]*)+", re.IGNORECASE)


def _parts_of(
    text: str, clauses: Sequence[tuple[int, int]], context: Context, *, begins: bool
) -> Iterator[tuple[ReadLine, bool]]:
    """Yield the parts of a sentence, and whether each corrects the one before.

    Clauses that together make orders are one part. Every other clause is a part of its own.
    """
    place, corrects = 0, False
    while place < len(clauses):
        begin, end = clauses[place]
        again = _anew().match(text, begin, end) if place or corrects or not begins else None
        if again is not None:
            begin, corrects = again.end(), True
        if not text[begin:end].strip(" .,;!。、"):
            place += 1
            continue
        most = min(len(clauses), place + (_MOST_TOGETHER if place else len(clauses)))
        for last in range(most, place, -1):
            read = read_line(0, text[begin : clauses[last - 1][1]].rstrip(" ,、，"), context)
            if last == place + 1 or (_orders(read) and not read.faults):
                yield read, corrects
                place, corrects = last, False
                break
    if corrects:
        yield ReadLine(0, ""), True


def _corrected(parts: Sequence[_Part], context: Context) -> list[_Part] | None:
    """Return the parts with corrections applied.

    None if it is not clear what a part corrects.
    """
    result: list[_Part] = []
    for part in parts:
        units = _units(_orders(part.line))
        if not part.corrects:
            result.append(part)
            continue
        kept = [_without(one, units) for one in result] if units else _with_another_place(result, part, context)
        if kept is None or kept == result:
            return None
        result = [*kept, part] if units else kept
    return result


@cache
def _correction(tongue: str) -> str:
    """Return the word that begins a correction in a language."""
    data = shipped_data("grammar/around.toml")["below"]["correction"]
    word: str = data[tongue]
    return word


def _with_another_place(parts: Sequence[_Part], part: _Part, context: Context) -> list[_Part] | None:
    """Return the parts with the last order changed by a part: `make that Ruhr`.

    None if it is not clear how.
    """
    if not parts:
        return None
    above = replace(parts[-1].line, number=1)
    said = f"{_correction(written_like(part.line.text)[0])} {part.line.text.strip()}"
    found = with_corrections([above, ReadLine(2, said)], context)
    given = _orders(found[-1])
    if not given or any(isinstance(one, Doubted) for line in found for one in line.requests):
        return None
    return [*parts[:-1], _without(parts[-1], _units(given)), replace(part, line=found[-1])]


def _units(orders: Sequence[Give]) -> set[Unit]:
    return {one.order.unit for one in orders if not isinstance(one.order, Waive)}


def _without(part: _Part, units: set[Unit]) -> _Part:
    """Return a part without the orders for some units."""
    kept = tuple(
        one
        for one in part.line.requests
        if not isinstance(one, Give) or isinstance(one.order, Waive) or one.order.unit not in units
    )
    return replace(part, line=replace(part.line, requests=kept, is_heeded=True)) if kept != part.line.requests else part


def _as_one(line: ReadLine, parts: Sequence[_Part], context: Context) -> ReadLine:
    """Return the line with what its parts say."""
    requests = [one for part in parts for one in part.line.requests]
    if not requests or not all(isinstance(one, Give | Doubted | ForPhase | ForPower) for one in requests):
        return line
    unclear = {part.sentence for part in parts if not _is_clear(part.line, context)}
    unclear -= _headings(parts, context)
    unclear -= {
        number for number in unclear if _is_talk([one.line for one in parts if one.sentence == number], context)
    }
    if not unclear and not any(isinstance(one, Doubted) for one in requests):
        rest = tuple(fault for part in parts for fault in part.line.faults if part.line.holds_rest)
        return replace(line, requests=tuple(requests), faults=rest, holds_rest=bool(rest))
    if any(_gives(part.line) for part in parts if part.sentence in unclear):
        return line
    because = " ".join(part.line.text.strip() for part in parts if part.sentence in unclear)
    return _asked(line, requests, because or line.faults[0].word)


def _headings(parts: Sequence[_Part], context: Context) -> set[int]:
    """Return the numbers of sentences that introduce orders: `Here are my moves:`.

    Sentences that make the orders doubtful do not count.
    """
    found: set[int] = set()
    for part, after in pairwise(parts):
        if part.line.text.rstrip().endswith(":") and _orders(after.line):
            above, below = heard([replace(part.line, number=1), replace(after.line, number=2)], context)
            if below.requests == after.line.requests and all(isinstance(one, _STEERS) for one in above.requests):
                found.add(part.sentence)
    return found


def _asked(line: ReadLine, requests: Sequence[Command], because: str) -> ReadLine:
    """Return the line with one question about all its orders.

    It is unchanged if two orders are for the same unit.
    """
    orders = [one.order for one in requests if isinstance(one, Give | Doubted)]
    units = [order.unit.province for order in orders if not isinstance(order, Waive)]
    is_list = any(isinstance(one, Give) and one.otherwise for one in requests)
    if is_list or not orders or len(set(units)) < len(orders):
        return line
    return replace(line, requests=tuple(Doubted(order, Doubt.WORDS, because, line.number) for order in orders))


def _words(line: ReadLine, context: Context) -> list[Word]:
    return [word for word in context.lexicon.words(normal_form(line.text).text) if word.kind not in _SIGNS]


def _is_clear(part: ReadLine, context: Context) -> bool:
    """Whether a part gives orders, or says nothing of importance."""
    if part.faults:
        return part.holds_rest or _gives(part)
    if part.is_heeded or part.requests:
        return True
    words = _words(part, context)
    return all(word.kind == UNKNOWN and context.lexicon.makes_nothing_doubtful(word.text) for word in words)


def _is_talk(sentence: Sequence[ReadLine], context: Context) -> bool:
    """Whether a sentence is talk that leaves the orders beside it clear.

    It names nothing of the game and has no doubtful words: `Sorry, I am on my phone`.
    """
    lexicon = context.lexicon
    words = [word for part in sentence for word in lexicon.every_word(normal_form(part.text).text)]
    if any(part.requests or part.text.rstrip().endswith(":") for part in sentence) or any(
        word.kind not in _OF_TALK for word in words
    ):
        return False
    unknown = [word.text for word in words if word.kind == UNKNOWN]
    if any(text in lexicon.doubt or is_japanese(text) for text in unknown):
        return False
    return not any(lexicon.names.is_like_one(text) for text in unknown if text not in lexicon.plain)

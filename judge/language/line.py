"""Read one line of a mail: its phase, commands and orders, or its faults.

`ATTEMPTS`, at the end, lists the readings that are tried, in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import TypeAlias

from judge.commands import (
    Clear,
    Command,
    Doubted,
    ForPhase,
    Give,
    Perhaps,
    SetHours,
    SetReady,
    Sitter,
    Steering,
    Talk,
    Wait,
    WhatIf,
)
from judge.language import orders
from judge.language.asking import Asked, asked, intended, lacks_time, load_asker, without_politeness
from judge.language.asking.changes import changed_order
from judge.language.asking.data import pattern_of
from judge.language.asking.fitting import is_for_players_only, unbound
from judge.language.asking.moves import move_asked_about
from judge.language.asking.own_acts import votes_offered
from judge.language.asking.phrases import load_phrases
from judge.language.context import Context
from judge.language.faults import OF_SENTENCES, Fault, FaultKind
from judge.language.lines import Piece, ReadLine
from judge.language.times import phases_in, without
from judge.language.words import LONGEST_LINE, UNKNOWN, Line, Terminal, is_japanese, normal_form
from judge.language.words.names import any_word_of
from judge.language.words.shipped import SPOKEN
from judge.language.words.tongue import LATIN_LETTERS, is_plain
from judge.rules.position import PhaseKind
from judge.settings import split_setting

_UNITS_OF_A_LINE, _UNITS_OF_A_LETTER, _UNITS_OF_OTHER_LETTERS = 200, 2, 10
"""Costs in units of the budget: of a line, a guess, and letters.

The slow parser and comparisons with all names are charged where they happen.
"""
_OF_COMMANDS = (
    FaultKind.UNKNOWN_COMMAND,
    FaultKind.MALFORMED_COMMAND,
    FaultKind.NO_SUCH_COMMAND,
    FaultKind.UNKNOWN_ADDRESSEE,
    FaultKind.BAD_GAME_NAME,
    FaultKind.UNKNOWN_POWER,
)
_LONGEST_WITH_COMMAND = 200
_LEAST_WORDS_BESIDE, _LEAST_LETTERS_BESIDE = 4, 9
"""How many words besides those of orders make a line a sentence.

The second number counts characters, for Japanese.
"""
_LESS_THAN_NOTHING = re.compile(r"(?<!\S)(?:-\s?|minus\s)\d")
_LONGEST_SENTENCE = 60
"""In characters: what is read in a longer line may be only part of it."""
_NO_LETTERS = re.compile(f"[^{LATIN_LETTERS}]+")
_SENTENCE_END = r"[.!;。、,]+\s*(?=\S)|\s-+\s+(?=\S)"
_BEGINS_AN_ORDER: frozenset[Terminal] = frozenset(("LETTER", "KIND", "PLACE"))
_OF_THE_NOTATION: frozenset[Terminal] = _BEGINS_AN_ORDER | {
    *("COAST", "ARROW", "TO", "FROM", "HE", "GA", "WO", "NO", "HOLD", "MOVE", "SUPPORT", "CONVOY", "VIA")
}
_FULL_STOPS = (".", "。")
_NOT_BRACKETS = re.compile(r"[^\s()\[\]]+")
_JOINS_A_HEADING: frozenset[Terminal] = frozenset(
    ("POWER", "COMMA", "COLON", "SEP", "OPEN", "CLOSE", "ARROW", "NO", "DE", "LEAD")
)


def read_line(number: int, written: str, context: Context) -> ReadLine:
    """Read a line that does not belong to another one."""
    context.budget.charge(_UNITS_OF_A_LINE + _units_of_letters(written[:LONGEST_LINE]))
    line = replace(normal_form(written), written=written)
    if context.hears_sentences and _is_pasted(line, context):
        context = replace(context, hears_sentences=False)
    piece = Piece(number, line, context)
    found = _first_of(ATTEMPTS, piece)
    return _in_prose(piece, found) or found if context.hears_sentences else found


def _in_prose(piece: Piece, found: ReadLine) -> ReadLine | None:
    """Return what prose asks for, or None.

    None if the line is an order or a command, or is not understood as prose.
    """
    first = piece.line.written.lstrip()[:4]
    is_command = is_plain(first) and first.isupper()
    is_complete = any(not lacks_time(one) for one in found.requests)
    is_written_out = is_command and bool(found.requests or found.faults) and not any(map(lacks_time, found.requests))
    leaves_no_word = any(isinstance(one, SetHours | Sitter) for one in found.requests)
    if is_written_out or leaves_no_word or found.holds_rest or any(map(_is_order, found.requests)):
        return None
    if any(map(lacks_time, found.requests)) and _LESS_THAN_NOTHING.search(piece.line.text):
        return None  # a sentence would leave the sign out
    is_order = any(fault.kind not in OF_SENTENCES for fault in found.faults)
    if is_order and any(one.kind in _OF_COMMANDS for one in found.faults):
        return None
    is_short = len(piece.line.text) <= _LONGEST_SENTENCE and not pattern_of("%s", "is_prose").search(piece.line.text)
    if is_complete and is_short and not is_for_players_only(found.requests, piece.context):
        return None
    told = intended(piece.line, piece.number, piece.context)
    # The command of a line in capitals is known: only its time is not understood.
    is_another = (
        is_command and bool(found.requests) and told is not None and _kinds(told.requests) != _kinds(found.requests)
    )
    if told is None or is_another or (is_order and not _tells_more(told, found, piece)):
        return None
    if not (told.requests or told.faults):
        remarks = (*OF_SENTENCES, *((FaultKind.NEGATED,) if len(piece.line.text) > _LONGEST_SENTENCE else ()))
        is_remark = not found.requests and all(fault.kind in remarks for fault in found.faults)
        return piece.read_as() if is_remark and not is_command else None
    if told.requests and _changes_a_setting(piece.line) and all(one.card.is_question for one in told.requests):
        text = piece.line.written
        return piece.read_as(faults=(Fault(FaultKind.MALFORMED_COMMAND, piece.number, 0, len(text), text, ("set",)),))
    is_known = is_command or is_complete or any(fault.kind in OF_SENTENCES for fault in found.faults)
    if is_known and not told.requests:
        return None
    is_press = any(isinstance(getattr(one, "command", one), Talk) for one in told.requests)
    if is_complete and not is_press and _kinds(told.requests) == _kinds(found.requests):
        return None  # a sentence that is known as a whole says more
    numbered = tuple(replace(one, group=piece.number) if isinstance(one, Doubted) else one for one in told.requests)
    return replace(piece.read_as(*numbered, faults=told.faults), is_guess=True)


def _tells_more(told: Asked, found: ReadLine, piece: Piece) -> bool:
    """Whether what a sentence asks for outweighs its faults as an order."""
    if any(fault.kind is FaultKind.EVERY_UNIT for fault in found.faults) or not _is_more_than_an_order(piece):
        return False
    kinds = [word.kind for word in piece.words]
    if ("PLACE", "ARROW") in pairwise(kinds):  # an order in notation, or a sentence that assumes one
        return any(isinstance(one, WhatIf) for one in told.requests)
    is_denied = all(fault.kind is FaultKind.NEGATED for fault in found.faults)
    names_a_unit = any(" " in line for fault in found.faults for line in fault.candidates)  # `CLEAR A MUN`
    return not (is_denied and names_a_unit)


def _is_more_than_an_order(piece: Piece) -> bool:
    """Whether a line has more words than a misspelled order.

    If it names a place, words of orders are not counted.
    """
    names_a_place = any(word.kind == "PLACE" for word in piece.words)
    of_orders = [word.text for word in piece.words if word.kind != UNKNOWN and word.text.isalnum() and names_a_place]
    if is_japanese(piece.line.text):
        return len(piece.line.text.strip()) - sum(map(len, of_orders)) >= _LEAST_LETTERS_BESIDE
    return len(SPOKEN.findall(piece.line.text)) - len(of_orders) >= _LEAST_WORDS_BESIDE


def _kinds(requests: Iterable[Command]) -> set[type]:
    return {type(getattr(one, "command", one)) for one in requests if not isinstance(one, Steering)}


def _units_of_letters(text: str) -> int:
    return len(text) * (_UNITS_OF_A_LETTER if is_plain(text) else _UNITS_OF_OTHER_LETTERS)


def read_within(written: str, context: Context) -> ReadLine:
    """Read a line on its own, if the budget allows."""
    return read_line(0, written, context) if not context.budget.is_spent else ReadLine(0, written, is_unread=True)


def _is_order(request: Command) -> bool:
    return isinstance(request, Give | Clear)


def _changes_a_setting(line: Line) -> bool:
    """Whether a line begins like `SET board …` or `SET ardennes board …`.

    Such a line asks for a change and shows nothing.
    """
    word = next((word for word in load_phrases().words_of("set") if line.text.startswith(f"{word} ")), None)
    behind = line.text.removeprefix(f"{word} ").replace(":", " ")
    return word is not None and any(map(split_setting, (behind, behind.partition(" ")[2])))


def _is_pasted(line: Line, context: Context) -> bool:
    """Whether a line is the subject of one of our letters, pasted into the mail."""
    subject = context.lexicon.subject.match(line.text)
    return subject is not None and subject[0].endswith("]")


def _first_of(attempts: tuple[Attempt, ...], piece: Piece) -> ReadLine:
    for _, attempt in attempts:
        read = attempt(piece)
        if read is not None:
            return read
    return piece.read_as()


def _nothing(piece: Piece) -> ReadLine | None:
    return None if piece.line.text.strip() else piece.read_as()


def _phase(piece: Piece) -> ReadLine | None:
    """Read a line that names a phase.

    It is a heading, an order, a command about the phase, or small talk.
    """
    line, context = piece.line, piece.context
    named = phases_in(line.text, context.position.phase if context.position else None)
    if len({phase for phase, *_ in named}) != 1:
        return None
    phase = ForPhase(named[0].phase)
    rest = replace(piece, line=replace(line, text=without(line.text, named)))
    if _is_heading(rest):
        return piece.read_as(phase)
    command = _command(piece)
    if command is not None and command.requests:
        return command
    read = _first_of(ATTEMPTS_AT_A_PIECE, rest)
    begins = not line.text[: named[0].start].strip("[(【「<*=- ")
    if not read.requests and command is not None:
        return command
    if read.requests or (begins and read.faults):
        return replace(read, requests=(phase, *read.requests))
    return read


def _is_heading(piece: Piece) -> bool:
    """Whether a line only names the phase of the orders that follow."""
    text = piece.line.text
    subject = piece.lexicon.subject.match(text)
    words = piece.lexicon.every_word(text[subject.end() :] if subject else text)
    return all(word.kind in _JOINS_A_HEADING or word.text in piece.lexicon.heading for word in words)


def _order_in_notation(piece: Piece) -> ReadLine | None:
    """Read a movement order in words of orders alone: `A Par - Bur`, `パリ陸軍をブルゴーニュへ移動`.

    No other reading fits such a line. This one is tried first, because most lines are of this kind.
    """
    context, words = piece.context, piece.words
    if context.board.phase.kind is not PhaseKind.MOVEMENT or not words or words[0].kind not in _BEGINS_AN_ORDER:
        return None
    told = words[:-1] if words[-1].text in _FULL_STOPS else words
    kinds = tuple(word.kind for word in told)
    if not _OF_THE_NOTATION.issuperset(kinds) or not orders.is_one_order(kinds):
        return None
    if _leaves_out_a_word(piece) or any(_is_of_a_command(word.text, context.map.name) for word in told):
        return None
    read = orders.orders(piece)
    return read if read is not None and not read.faults else None


def _leaves_out_a_word(piece: Piece) -> bool:
    """Whether a line has more than `piece.words`, brackets around them, and words such as `in`."""
    text, words = piece.line.text, piece.words
    if sum(word.end - word.start for word in words) == len(text) - text.count(" "):
        return False
    left = list(text)
    for word in words:
        left[word.start : word.end] = " " * (word.end - word.start)
    return any(piece.lexicon.terminals.get(word) != "IN" for word in _NOT_BRACKETS.findall("".join(left)))


def _question_of_a_move(piece: Piece) -> ReadLine | None:
    asked_about = move_asked_about(piece.line, piece.context) if piece.context.hears_sentences else None
    return None if asked_about is None else piece.read_as(asked_about)


def _order_changed(piece: Piece) -> ReadLine | None:
    """Read a sentence that replaces one order by another.

    An order is preferred if the line reads as one.
    """
    if not piece.context.hears_sentences or not pattern_of("%s", "changes_an_order").search(piece.line.text):
        return None
    changed = changed_order(piece.line, piece.number, piece.context)
    return None if changed is None else orders.orders(piece) or piece.read_as(changed)


def _command(piece: Piece) -> ReadLine | None:
    command = asked(piece.line, piece.number, piece.context)
    return None if command is None else piece.read_as(*command.requests, faults=command.faults)


def _orders_and_a_command(piece: Piece) -> ReadLine | None:
    """Read `F Nap - Ion. Ready!`, `Clear. F Nap - Ion`."""
    for beside, rest in _outer_pieces(piece):
        requests = _command_beside(beside, piece)
        first = beside.line.origin < rest.line.origin
        if requests and (first or not isinstance(requests[0], Clear)):  # `Is that clear?`
            read = _first_of(ATTEMPTS_AT_A_PIECE, rest)
            is_one_word = _is_one_word_of_talk(beside, requests[0])
            if is_one_word and not _says_an_order(read, requests[0]):
                if read.requests or read.faults:
                    return read
                if not _is_polite(beside):
                    continue
            if is_one_word and isinstance(requests[0], Wait):
                requests = _wait_beside(beside, read, first=first)
            return replace(read, requests=(*requests, *read.requests) if first else (*read.requests, *requests))
    return None


def _says_an_order(read: ReadLine, beside: Command) -> bool:
    """Whether a line holds an order, right or wrong: `please don't file that` is none.

    READY may accompany other commands. WAIT before a command is just a word.
    """
    counts = Give | Doubted if isinstance(beside, Wait) else object
    is_asked = any(isinstance(request, counts) for request in read.requests)
    return is_asked or any(fault.kind is not FaultKind.NEGATED for fault in read.faults)


def _is_one_word_of_talk(piece: Piece, request: Command) -> bool:
    """Whether READY or WAIT is just a word of talk.

    Examples: `Wait, what?`, `Ready, I think`.
    """
    text = piece.line.text.strip()
    if isinstance(request, SetReady) and piece.line.written[slice(*piece.line.span(0, len(text)))].isupper():
        return False  # `Thanks. READY`
    return isinstance(request, Wait | SetReady) and " " not in (
        without_politeness(text) if isinstance(request, Wait) else text
    )


def _is_polite(piece: Piece) -> bool:
    """Whether the line is polite: `Please wait`, not `Wait`."""
    text = piece.line.text.strip().rstrip(" .!。、")
    return without_politeness(text) != text


def _wait_beside(piece: Piece, read: ReadLine, *, first: bool) -> tuple[Command, ...]:
    """Return WAIT beside an order, as a command or as an offer.

    It is a command in capitals, in Japanese, or behind the order. In `Wait, A Mun - Ruh` it is only offered.
    """
    start, end = piece.line.span(0, len(piece.line.text))
    is_command = piece.line.written[start:end].isupper() or is_japanese(piece.line.text)
    is_sure = bool(read.requests or read.faults) and (is_command or not first)
    return (Wait() if is_sure else Perhaps(Wait()),)


def _outer_pieces(piece: Piece) -> Iterator[tuple[Piece, Piece]]:
    """Yield the first and the last piece between signs, each with the rest.

    Final thanks are left out.
    """
    text = piece.line.text
    if len(text) > _LONGEST_WITH_COMMAND or _command_words(piece.context.map.name).search(text) is None:
        return
    text = piece.lexicon.without_farewell(text)
    signs = [match.span() for match in pattern_of(f"{_SENTENCE_END}|%s", "joins_ready").finditer(text)]
    if signs:
        start, end = signs[0]
        yield piece.part(0, start), piece.part(end, None)
    stop = len(text)
    for start, end in reversed(signs):
        last = piece.part(end, stop)
        if last.words:
            yield last, piece.part(0, start)
            return
        stop = start


def _command_beside(piece: Piece, whole: Piece) -> tuple[Command, ...]:
    """Return the commands of a piece that may share its line with an order.

    A question must be in capitals: `the log` is talk.
    A vote is only offered if the line tells what others want, unless it is in capitals.
    """
    if _command_words(piece.context.map.name).search(piece.line.text) is None:
        return ()
    command = asked(piece.line, piece.number, piece.context)
    first, last = piece.line.span(0, len(piece.line.text))
    is_shouted = piece.line.written[first:last].isupper()
    fits = command is not None and all(
        one.card.stands_beside or (is_shouted and one.card.shows is not None) for one in command.requests
    )
    if command is None or not fits:
        return ()
    if is_shouted:
        return command.requests
    return votes_offered(unbound(command.requests, whole.line), whole.line, whole.context)


@cache
def _command_words(map_name: str) -> re.Pattern[str]:
    words = sorted(load_asker(map_name).words, key=len, reverse=True)
    return re.compile(rf"(?<![{LATIN_LETTERS}])(?:{any_word_of(words)})(?![{LATIN_LETTERS}])")


@lru_cache(maxsize=4096)
def _is_of_a_command(word: str, map_name: str) -> bool:
    """Whether a word of orders also belongs to a command: `stand`, ルール."""
    return _command_words(map_name).search(word) is not None


Attempt: TypeAlias = tuple[str, Callable[[Piece], ReadLine | None]]

ATTEMPTS_AT_A_PIECE: tuple[Attempt, ...] = (
    ("an order with no other words than those of orders", _order_in_notation),
    ("retreats, builds or removals in order of preference", orders.preferences),
    ("a question whether some unit can go somewhere", _question_of_a_move),
    ("the order of a unit changed in a sentence", _order_changed),
    ("a command", _command),
    ("orders with a command before or behind them", _orders_and_a_command),
    ("the order of a unit taken back", orders.order_taken_back),
    ("nothing but signs and words that say nothing", orders.nothing_but_noise),
    ("more than any order can be", orders.more_than_an_order),
    ("the name of a power alone", orders.one_power),
    ("units alone, where they can only be builds", orders.builds_by_mere_units),
    ("a retreat without its unit, where only one must retreat", orders.retreat_of_the_only_unit),
    ("orders", orders.orders),
    ("orders with misspelled names", orders.orders_with_slips),
    ("a word that gives up all builds", orders.nothing_is_built),
    ("the units that no other line orders", orders.the_rest_holds),
    ("a unit or a place, and not what it is to do", orders.unit_left_open),
    ("an order that cannot be read, or small talk", orders.something_amiss),
)
"""The readings tried for a piece of a line; the first that fits is taken."""

ATTEMPTS: tuple[Attempt, ...] = (
    ("nothing", _nothing),
    ("a phase, with what is said of it or ordered for it", _phase),
    *ATTEMPTS_AT_A_PIECE,
)
"""The readings tried for a line; the first that fits is taken."""

"""One line of a mail: the phase it names, what it asks, the orders on it, or what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from judge.commands import Clear, Command, ForPhase, ForPower, Give
from judge.language.asking import asked, load_asker
from judge.language.faults import Fault, FaultKind
from judge.language.lexicon import Lexicon, load_lexicon
from judge.language.meaning import (
    Context,
    SeveralReadings,
    Slip,
    examples,
    guessed,
    in_strict_notation,
    meaning,
    misnamed,
    open_builds,
)
from judge.language.normal import Line, normal_form
from judge.language.phases import NamedPhase, phases_in, without
from judge.language.sentences import Heading, Said, is_unfilled, said
from judge.language.trouble import left_open, may_be_order, trouble
from judge.language.words import UNKNOWN, VERBS, Word
from judge.rules.options import Misspelling
from judge.rules.orders import Build, Waive
from judge.rules.outcomes import Illegal
from judge.rules.position import PhaseKind

_LONGEST_LINE = 2000
_LONGEST_WITH_COMMAND = 200
_SENTENCE_END = re.compile(r"[.!;。、,]+\s*(?=\S)|\s-+\s+(?=\S)")
_SUBJECT = re.compile(r"(?:(?:re|aw|fwd?|subject|件名)\s*:\s*)*(?:\[[a-z][a-z0-9-]*\]|[a-z][a-z0-9-]*:)")
_OF_A_HEADING = frozenset(
    (
        *("for", "orders", "order", "moves", "move", "turn", "phase", "year", "season", "game", "retreats", "builds"),
        *(
            "adjustments",
            "removals",
            "movement",
            "power",
            "final",
            "new",
            "revised",
            "here",
            "are",
            "is",
            "open",
            "the",
            "these",
        ),
        *("命令", "行動", "ターン", "フェイズ", "フェーズ", "分", "期"),
    )
)
_JOINS_A_HEADING = frozenset(("POWER", "COMMA", "COLON", "SEP", "OPEN", "CLOSE", "ARROW", "NO", "DE", "LEAD"))


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of a mail and what was made of it; small talk has neither requests nor faults."""

    number: int
    text: str
    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()


def read_line(number: int, written: str, context: Context) -> ReadLine:
    """Read a line that does not belong to another."""
    line = replace(normal_form(written[:_LONGEST_LINE]), written=written)
    if not line.text.strip():
        return ReadLine(number, written)
    named = phases_in(line.text, context.position.phase if context.position else None)
    if len({phase for phase, *_ in named}) == 1:
        return _read_for_phase(number, line, named, context)
    return _read_piece(number, line, context)


def _read_for_phase(number: int, line: Line, named: list[NamedPhase], context: Context) -> ReadLine:
    """A line that names a phase: a heading, an order with it, a command about it or small talk."""
    phase = ForPhase(named[0].phase)
    rest = replace(line, text=without(line.text, named))
    if _is_heading(rest.text, context):
        return ReadLine(number, line.written, (phase,))
    command = asked(line, number, context)
    if command is not None and command.requests:
        return ReadLine(number, line.written, command.requests, command.faults)
    read = _read_piece(number, rest, context)
    begins = not line.text[: named[0].start].strip("[(【「<*=- ")
    if not read.requests and command is not None:
        return ReadLine(number, line.written, (), command.faults)
    if read.requests or (begins and read.faults):
        return replace(read, requests=(phase, *read.requests))
    return read


def _is_heading(text: str, context: Context) -> bool:
    """Whether a line says no more than the phase it names, whose orders follow, and that they do."""
    subject = _SUBJECT.match(text)
    words = load_lexicon(context.map.name).every_word(text[subject.end() :] if subject else text)
    return all(word.kind in _JOINS_A_HEADING or word.text in _OF_A_HEADING for word in words)


def _read_piece(number: int, line: Line, context: Context) -> ReadLine:
    """A line, or a part of it: a command, or orders with or without a command beside them."""
    command = asked(line, number, context)
    if command is not None:
        return ReadLine(number, line.written, command.requests, command.faults)
    for piece, rest in _outer_pieces(line, context):
        beside = _command_beside(piece, number, context)
        first = piece.origin < rest.origin
        if beside and (first or not isinstance(beside[0], Clear)):  # `Is that clear?`
            read = _read_piece(number, rest, context)
            return replace(read, requests=(*beside, *read.requests) if first else (*read.requests, *beside))
    return _read_orders(number, line, context)


def _outer_pieces(line: Line, context: Context) -> Iterator[tuple[Line, Line]]:
    """The first and the last piece between signs, each with the rest of the line."""
    if len(line.text) > _LONGEST_WITH_COMMAND or _command_words(context.map.name).search(line.text) is None:
        return
    signs = [match.span() for match in _SENTENCE_END.finditer(line.text)]
    for start, end in (signs[0], signs[-1]) if signs else ():
        first, last = _part(line, 0, start), _part(line, end, None)
        if (start, end) == signs[0]:
            yield first, last
        if (start, end) == signs[-1]:
            yield last, first


def _part(line: Line, start: int, end: int | None) -> Line:
    return replace(line, text=line.text[start:end], origin=line.origin[start:end])


def _command_beside(piece: Line, number: int, context: Context) -> tuple[Command, ...]:
    """A command that shares its line with an order: `F Nap - Ion. Ready!`."""
    if _command_words(context.map.name).search(piece.text) is None:
        return ()
    command = asked(piece, number, context)
    fits = command is not None and all(request.card.stands_beside for request in command.requests)
    return command.requests if command is not None and fits else ()


@cache
def _command_words(map_name: str) -> re.Pattern[str]:
    words = sorted(load_asker(map_name).words, key=len, reverse=True)
    return re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, words))})(?![a-z])")


def _read_orders(number: int, line: Line, context: Context) -> ReadLine:
    lexicon = load_lexicon(context.map.name)
    written = line.written
    words = lexicon.words(line.text)
    if not words:
        return ReadLine(number, written)
    if len(written) > _LONGEST_LINE:
        start, end = _extent(line)
        fault = Fault(FaultKind.NOT_UNDERSTOOD, number, start, end, written[start : start + 20])
        return ReadLine(number, written, (), (fault,) if may_be_order(words, lexicon, line) else ())
    if [word.kind for word in words] == ["POWER"]:
        power = lexicon.names.powers[words[0].text]
        several = len(context.powers) > 1 and power in context.powers  # else it may be a signature
        return ReadLine(number, written, (ForPower(power),) if several else ())
    spoken = _spoken(words, lexicon, context)
    if spoken is not None:
        return _understood(number, line, *spoken, context)
    if [word.kind for word in words] == ["IDLE"] and open_builds(context):
        return ReadLine(number, written, (Give(Waive()),) * open_builds(context))
    open_ = left_open(number, line, words, lexicon, context)
    if open_ is not None:
        return ReadLine(number, written, (), open_)
    return ReadLine(number, written, (), trouble(number, line, words, lexicon, context))


def _spoken(words: list[Word], lexicon: Lexicon, context: Context) -> tuple[list[Said], list[Word], Lexicon] | None:
    """What the words say, with the lexicon that knows what those of them that are misspelled stand for."""
    kinds = [word.kind for word in words]
    if "NOT" in kinds:
        return None
    if context.position is not None and context.position.phase.kind is PhaseKind.ADJUSTMENT:
        built = None if VERBS & set(kinds) else _builds(words, lexicon, context)
        if built or is_unfilled(words):
            return (built, words, lexicon) if built else None
    elif is_unfilled(words):
        return None
    spoken = said(words, lexicon)
    if spoken is None and UNKNOWN in kinds and context.options.misspelling is Misspelling.FOLLOW_IF_UNIQUE:
        guess = lexicon.guessing(words)
        words, lexicon = guess or (words, lexicon)
        spoken = said(words, lexicon) if guess else None
    return None if spoken is None else (spoken, words, lexicon)


def _builds(words: list[Word], lexicon: Lexicon, context: Context) -> list[Said] | None:
    """The builds that mere units mean where they can be nothing else: `A Mun, F Kie`, `ミュンヘンに陸軍`."""
    build = Word("BUILD", 0, 0, "build")
    units = [word for word in words if word.kind not in ("COLON", "ARROW", "NO", "SEP")]
    for told in ([build, *units], [*units, build]):
        spoken = said(told, lexicon) or []
        orders = [part for part in spoken if not isinstance(part, Heading)]
        if orders and all(_can_be_built(part, lexicon, context) for part in orders):
            return spoken
    return None


def _can_be_built(part: Said, lexicon: Lexicon, context: Context) -> bool:
    assert not isinstance(part, Heading)
    order = meaning(part, context, lexicon.names)
    if isinstance(order, SeveralReadings):
        return all(isinstance(reading, Build) for reading in order.orders)
    return isinstance(order, Build) and any(
        not isinstance(context.referee.meaning(power, order), Illegal) for power in context.powers
    )


def _understood(
    number: int, line: Line, spoken: list[Said], words: list[Word], lexicon: Lexicon, context: Context
) -> ReadLine:
    requests: list[Command] = []
    faults: list[Fault] = []
    for part in spoken:
        if isinstance(part, Heading):
            requests.append(ForPower(part.power))
            continue
        match meaning(part, context, lexicon.names):
            case SeveralReadings() as readings:
                start, end = _extent(line)
                candidates = in_strict_notation(readings)
                word = line.written[start:end]
                faults.append(Fault(FaultKind.AMBIGUOUS_ORDER, number, start, end, word, candidates))
            case Slip(place):
                start, end = _span_of(place.word, words, line)
                written = line.written[start:end]
                faults.append(Fault(FaultKind.UNKNOWN_PLACE, number, start, end, written, place.slips))
            case None:
                start, end = _extent(line)
                word = line.written[start:end]
                faults.append(Fault(FaultKind.NOT_UNDERSTOOD, number, start, end, word, examples(context)))
            case Waive() as order:
                requests += [Give(order)] * _waived(words, lexicon, context)
            case order:
                slips = [
                    replace(slip, word=line.written[slice(*_span_of(slip.word, words, line))])
                    for slip in guessed(order, part)
                ]
                requests.append(Give(order, misnamed(order, part, context), tuple(slips)))
    return ReadLine(number, line.written, tuple(requests), tuple(faults))


_NUMBERS = {"2": 2, "two": 2, "二": 2, "3": 3, "three": 3, "三": 3}


def _waived(words: list[Word], lexicon: Lexicon, context: Context) -> int:
    """How many builds a line gives up: `waive`, `waive two builds`, `no builds`."""
    waive = next((word.text for word in words if word.kind == "WAIVE"), "")
    if waive in lexicon.waives_all:
        return max(1, open_builds(context))
    return next((number for told, number in _NUMBERS.items() if told in waive), 1)


def _span_of(text: str, words: list[Word], line: Line) -> tuple[int, int]:
    word = next(word for word in words if word.text == text)
    return line.span(word.start, word.end)


def _extent(line: Line) -> tuple[int, int]:
    start = len(line.written) - len(line.written.lstrip())
    return start, len(line.written.rstrip())

"""One line of a mail."""

from __future__ import annotations

from dataclasses import dataclass

from judge.commands import Command, ForPhase, ForPower, Give
from judge.language.asking import Asked, asked
from judge.language.faults import Fault, FaultKind
from judge.language.lexicon import Word, load_lexicon
from judge.language.meaning import Context, SeveralReadings, Slip, in_strict_notation, meaning, misnamed
from judge.language.normal import Line, normal_form
from judge.language.phases import heading_phase
from judge.language.sentences import Heading, Said, is_unfilled, said
from judge.language.trouble import may_be_order, trouble
from judge.rules.options import Misspelling
from judge.rules.orders import Build
from judge.rules.outcomes import Illegal
from judge.rules.position import PhaseKind

_LONGEST_LINE = 2000


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of a mail and what was made of it; small talk has neither requests nor faults."""

    number: int
    text: str
    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()


def read_line(number: int, written: str, context: Context) -> ReadLine:
    """Read a line that does not belong to another."""
    line = normal_form(written[:_LONGEST_LINE])
    if not line.text.strip():
        return ReadLine(number, written)
    lexicon = load_lexicon(context.map.name)
    phase = heading_phase(line.text, context.position)
    if phase is not None:
        return ReadLine(number, written, (ForPhase(phase),))
    request = asked(line, number, context)
    if isinstance(request, Asked):
        return ReadLine(number, written, request.requests, request.faults)
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
    if is_unfilled(words):
        return _understood(number, line, words, _build_of(words, context), context)
    taken_back = any(word.kind == "NOT" for word in words)
    spoken = None if taken_back else said(words, lexicon)
    if spoken is None and not taken_back and context.options.misspelling is Misspelling.FOLLOW_IF_UNIQUE:
        guess = lexicon.guessing(words)
        spoken = said(*guess) if guess else None
    if spoken is None:
        return ReadLine(number, written, (), trouble(number, line, words, lexicon, context))
    return _understood(number, line, words, spoken, context)


def _build_of(words: list[Word], context: Context) -> list[Said]:
    """The build that a mere unit means where it can be nothing else; else it is a line of the unit list."""
    if context.position is None or context.position.phase.kind is not PhaseKind.ADJUSTMENT:
        return []
    lexicon = load_lexicon(context.map.name)
    unit = [word for word in words if word.kind not in ("COLON", "ARROW", "NO")]
    spoken = said([Word("BUILD", 0, 0, "build"), *unit], lexicon) or []
    for part in spoken:
        order = None if isinstance(part, Heading) else meaning(part, context, lexicon.names)
        legal = isinstance(order, Build) and any(
            not isinstance(context.referee.meaning(power, order), Illegal) for power in context.powers
        )
        if legal or isinstance(order, SeveralReadings):
            return spoken
    return []


def _understood(number: int, line: Line, words: list[Word], spoken: list[Said], context: Context) -> ReadLine:
    names = load_lexicon(context.map.name).names
    requests: list[Command] = []
    faults: list[Fault] = []
    for part in spoken:
        if isinstance(part, Heading):
            requests.append(ForPower(part.power))
            continue
        match meaning(part, context, names):
            case SeveralReadings() as readings:
                start, end = _extent(line)
                candidates = in_strict_notation(readings)
                word = line.written[start:end]
                faults.append(Fault(FaultKind.AMBIGUOUS_ORDER, number, start, end, word, candidates))
            case Slip(place):
                slip = next(word for word in words if word.text == place.word)
                start, end = line.span(slip.start, slip.end)
                written = line.written[start:end]
                faults.append(Fault(FaultKind.UNKNOWN_PLACE, number, start, end, written, place.slips))
            case None:
                start, end = _extent(line)
                faults.append(Fault(FaultKind.NOT_UNDERSTOOD, number, start, end, line.written[start:end]))
            case order:
                requests.append(Give(order, misnamed(order, part, context)))
    return ReadLine(number, line.written, tuple(requests), tuple(faults))


def _extent(line: Line) -> tuple[int, int]:
    start = len(line.written) - len(line.written.lstrip())
    return start, len(line.written.rstrip())

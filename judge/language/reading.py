"""A mail's own words, line by line, into requests and faults."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from judge.commands import Command, Create, ForPhase, ForPower, Give
from judge.language.asking import Asked, asked
from judge.language.faults import Fault, FaultKind
from judge.language.lexicon import Word, load_lexicon
from judge.language.meaning import Context, SeveralReadings, Slip, in_strict_notation, meaning, misnamed, own_units
from judge.language.normal import Line, normal_form
from judge.language.phases import heading_phase
from judge.language.sentences import Heading, Said, is_unfilled, said
from judge.language.trouble import may_be_order, trouble
from judge.rules.options import Misspelling, Options
from judge.rules.orders import Build, Hold
from judge.rules.outcomes import Illegal
from judge.rules.position import PhaseKind

_SETTING = re.compile(r"\s*(?:[-*・]\s*)?([A-Za-z][A-Za-z ]{1,30}?|[ぁ-んァ-ヶー一-龠]{1,10})\s*[:=：＝]\s*(\S.*?)\s*$")
_LONGEST_LINE = 2000
_LEAST_BROKEN, _MOST_BROKEN = 56, 100
"""Columns of lines that a mail program may have broken off."""


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of a mail and what was made of it; small talk has neither requests nor faults."""

    number: int
    text: str
    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()


def read(text: str, context: Context) -> tuple[ReadLine, ...]:
    """Read the sender's own words; blank lines are left out, numbers count all lines from 1."""
    lines: list[ReadLine] = []
    creating, blanks = False, 0
    for number, written in enumerate(text.splitlines(), start=1):
        if not written.strip():
            blanks += 1
            # The settings of a new game may stand behind one blank line.
            creating = creating and blanks == 1 and _has_no_settings(lines[-1])
            continue
        setting = _SETTING.match(written) if creating else None
        behind_blank, blanks = blanks > 0 and creating and _has_no_settings(lines[-1]), 0
        if setting is not None and (not behind_blank or _is_setting(setting[1])):
            lines[-1] = _with_setting(lines[-1], setting[1], setting[2])
            continue
        line = _read_line(number, written, context)
        if lines and lines[-1].number == number - 1 and not (line.requests and lines[-1].requests):
            whole = _in_one_piece(lines[-1], written, context)
            if whole is not None:
                lines[-1] = whole
                continue
        creating = any(isinstance(request, Create) for request in line.requests)
        lines.append(line)
    if not any(isinstance(request, Give) for line in lines for request in line.requests):
        lines = [_with_every_unit(line, context) for line in lines]
    return tuple(lines)


def _in_one_piece(line: ReadLine, following: str, context: Context) -> ReadLine | None:
    """A long line with the next one, where a mail program broke an order in two; None if they are no order."""
    if len(line.requests) > 1 or not _may_be_broken(line.text):
        return None
    between = "" if not line.text.isascii() else " "
    whole = _read_line(line.number, f"{line.text.rstrip()}{between}{following.strip()}", context)
    orders = [request for request in whole.requests if isinstance(request, Give)]
    complete = len(orders) == 1 and whole.requests != line.requests and not whole.faults
    return whole if complete and len(whole.requests) == 1 else None


def _may_be_broken(text: str) -> bool:
    return _LEAST_BROKEN <= sum(1 if character.isascii() else 2 for character in text.rstrip()) <= _MOST_BROKEN


def _has_no_settings(line: ReadLine) -> bool:
    return all(isinstance(request, Create) and not request.settings for request in line.requests)


def _with_setting(line: ReadLine, name: str, value: str) -> ReadLine:
    *others, create = line.requests
    assert isinstance(create, Create)
    settings = {**create.settings, _setting_name(name): value}
    return replace(line, requests=(*others, replace(create, settings=settings)))


def _setting_name(name: str) -> str:
    name = " ".join(name.split()).lower()
    return _SETTING_NAMES.get(name, name)


def _is_setting(name: str) -> bool:
    """Whether a name is one of ours: behind a blank line it may be the beginning of something else."""
    plain = _setting_name(name)
    return plain in _SETTING_NAMES.values() or plain.replace(" ", "_") in _OPTION_NAMES


_OPTION_NAMES = frozenset(("movement", "retreat", "adjustment", *(option.name for option in fields(Options))))
_SETTING_NAMES = {
    "締切": "deadline",
    "締め切り": "deadline",
    "締切り": "deadline",
    "期限": "deadline",
    "撤退": "retreats",
    "調整": "adjustments",
    "更新": "update",
    "更新タイプ": "update",
    "時間帯": "zone",
    "タイムゾーン": "zone",
    "ルール": "rules",
    "規則": "rules",
}


def _with_every_unit(line: ReadLine, context: Context) -> ReadLine:
    """All units hold, where no other line gives an order: a hold for each."""
    all_hold = [fault for fault in line.faults if fault.kind is FaultKind.EVERY_UNIT]
    if not all_hold or context.position is None or context.position.phase.kind is not PhaseKind.MOVEMENT:
        return line
    words = load_lexicon(context.map.name).words(normal_form(line.text).text)
    kinds = [word.kind for word in words if word.kind not in ("WO", "GA", "COLON", "COMMA", "SEP", "TO", "DE")]
    if sorted(kinds) != ["ALL", "HOLD"]:
        return line
    return replace(line, requests=tuple(Give(Hold(unit)) for unit in own_units(context)), faults=())


def _read_line(number: int, written: str, context: Context) -> ReadLine:
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

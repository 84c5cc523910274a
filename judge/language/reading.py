"""A mail's own words, line by line, into requests and faults."""

from __future__ import annotations

import re
from dataclasses import fields, replace

from judge.commands import Create, Give
from judge.language.faults import Fault, FaultKind
from judge.language.lexicon import load_lexicon
from judge.language.line import ReadLine, read_line
from judge.language.meaning import Context, own_units
from judge.language.normal import normal_form
from judge.language.press import press_lines
from judge.rules.options import Options
from judge.rules.orders import Hold, Waive
from judge.rules.position import PhaseKind

_SETTING = re.compile(r"\s*(?:[-*・]\s*)?([A-Za-z][A-Za-z ]{1,30}?|[ぁ-んァ-ヶー一-龠]{1,10})\s*[:=：＝]\s*(\S.*?)\s*$")
_LEAST_BROKEN, _MOST_BROKEN = 56, 100
"""Columns of lines that a mail program may have broken off."""


def read(text: str, context: Context) -> tuple[ReadLine, ...]:
    """Read the sender's own words; blank lines are left out, numbers count all lines from 1."""
    lines: list[ReadLine] = []
    creating, blanks = False, 0
    written_lines = text.splitlines()
    press = press_lines(written_lines)
    for number, written in enumerate(written_lines, start=1):
        if number - 1 in press:
            lines.append(ReadLine(number, written))
            continue
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
        line = read_line(number, written, context)
        if lines and lines[-1].number == number - 1 and not (line.requests and lines[-1].requests):
            whole = _in_one_piece(lines[-1], written, context)
            if whole is not None:
                lines[-1] = whole
                continue
        creating = any(isinstance(request, Create) for request in line.requests)
        lines.append(line)
    return tuple(_with_the_others(lines, context))


def _in_one_piece(line: ReadLine, following: str, context: Context) -> ReadLine | None:
    """A long line with the next one, where a mail program broke an order in two; None if they are no order."""
    if len(line.requests) > 1 or not _may_be_broken(line.text):
        return None
    between = "" if not line.text.isascii() else " "
    whole = read_line(line.number, f"{line.text.rstrip()}{between}{following.strip()}", context)
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


def _with_the_others(lines: list[ReadLine], context: Context) -> list[ReadLine]:
    """What speaks of several units at once, told of those that the mail does not order; so all may hold."""
    orders = [request.order for line in lines for request in line.requests if isinstance(request, Give)]
    given = {order.unit.province for order in orders if not isinstance(order, Waive)}
    if not orders:
        return [_with_every_unit(line, context) for line in lines]
    left = {f"{unit} H" for unit in own_units(context) if unit.province not in given}

    def narrowed(fault: Fault) -> Fault:
        return replace(fault, candidates=tuple(one for one in fault.candidates if one in left))

    def told(line: ReadLine) -> ReadLine:
        several = any(fault.kind is FaultKind.EVERY_UNIT for fault in line.faults)
        return replace(line, faults=tuple(map(narrowed, line.faults))) if several else line

    return list(map(told, lines))


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

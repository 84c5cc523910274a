"""Lines that belong to the command above.

They are settings, reasons, text for other players, and orders for a preview.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from judge.commands import (
    Adopt,
    Broadcast,
    CheckSettings,
    Command,
    Correction,
    Create,
    ForPower,
    Give,
    HouseRules,
    Note,
    Override,
    Perhaps,
    Press,
    Register,
    SettingValue,
    Talk,
    WhatIf,
)
from judge.language.asking.phrases import load_phrases
from judge.language.faults import Fault, FaultKind
from judge.language.lines import ReadLine
from judge.language.times import read_setting
from judge.language.words.tongue import KANA, KANJI
from judge.resources import shipped_data
from judge.rules.position import Power
from judge.settings import most_words, setting_named

T = TypeVar("T", bound=Talk)

_SETTING = re.compile(
    rf"\s*(?:[-*・]\s*)?([A-Za-z][A-Za-z _-]{{1,30}}?|[{KANA}{KANJI}]{{1,12}})\s*[:=：＝]\s*(\S.*?)\s*$"
)
_AMISS = (FaultKind.UNKNOWN_ADDRESSEE, FaultKind.MALFORMED_COMMAND, FaultKind.UNKNOWN_COMMAND)
LONGEST_TOPIC = 60
_COLON = re.compile(r"[:：]\W*$")
_BEHIND_A_COLON = re.compile(r"[:：]\s*\S")


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of `below.toml`."""

    reason: re.Pattern[str]
    end: re.Pattern[str]
    end_of_rules: re.Pattern[str]
    end_of_adoption: re.Pattern[str]
    unit: Sequence[str]
    """Words that begin the name of a unit."""
    somebody: re.Pattern[str]
    talk: frozenset[str]
    topic: re.Pattern[str]
    of_a_person: Mapping[str, str]
    """Word → the personal setting that it means."""


@cache
def _words() -> _Words:
    data = shipped_data("grammar/below.toml")
    reason, end, end_of_rules, end_of_adoption, talk, topic, somebody = (
        [word for words in data[table].values() for word in words] for table in _TABLES
    )
    return _Words(
        reason=re.compile(rf"\s*(?:{'|'.join(reason)})\s*[:：]\s*(\S.*?)\s*$", re.IGNORECASE),
        end=re.compile(rf"\s*(?:{'|'.join(end)})\W*$", re.IGNORECASE),
        end_of_rules=re.compile(rf"\s*(?:{'|'.join(end_of_rules)})\W*$", re.IGNORECASE),
        end_of_adoption=re.compile(rf"[\s>|]*(?:{'|'.join(end_of_adoption)})\W*$", re.IGNORECASE),
        somebody=re.compile(rf"\s*(?:{'|'.join(somebody)})", re.IGNORECASE),
        unit=[word for words in data["unit"].values() for word in words],
        talk=frozenset(talk),
        topic=re.compile(rf"\s*(?:{'|'.join(topic)})\s*[:：]\s*(\S.*?)\s*$", re.IGNORECASE),
        of_a_person={
            word: name for names in data["person"].values() for name, words in names.items() for word in words
        },
    )


_TABLES = ("reason", "end", "end_of_rules", "end_of_adoption", "talk", "topic", "somebody")


@dataclass(frozen=True, slots=True)
class Below:
    """A line with the lines below that belong to it."""

    line: ReadLine
    used: int
    """How many lines below were used."""


def with_what_stands_below(line: ReadLine, following: Sequence[str], read: Callable[[str], ReadLine]) -> Below:
    """Return the line with what its command takes from the lines below.

    `read` reads one of these lines on its own.
    Free sentences are not read as commands here: they may be text for another player.
    """
    if _is_talk_amiss(line):
        return _with_text_amiss(line, following)
    match line.requests:
        case (*_, Create() | CheckSettings() | Register()):
            return _with_settings(line, following, read)
        case (*_, Adopt()):
            ends = _place_of(_words().end_of_adoption, following)
            return Below(_changed(line, text="\n".join(following[:ends])), min(ends + 1, len(following)))
        case (*_, WhatIf()):
            return _with_supposed_orders(line, following, read)
        case (*_, Talk()):
            below = _with_text(line, following, read)
            *others, talk = below.line.requests
            assert isinstance(talk, Talk)
            return replace(below, line=replace(below.line, requests=(*others, with_topic(talk))))
        case (*_, Perhaps(command=Press() | Broadcast() as talk)):
            return _with_block(line, talk, following, read)
        case (*_, Override(reason="")) if following and (reason := _words().reason.match(following[0])):
            return Below(_changed(line, reason=reason[1]), 1)
    return Below(line, 0)


def reason_on(written: str) -> str:
    """Return the reason of a line like `REASON: a slip`, or ""."""
    found = _words().reason.match(written)
    return found[1] if found else ""


def with_shared_reasons(lines: Sequence[ReadLine], reasons: Mapping[int, str]) -> list[ReadLine]:
    """Give each correction of the board that lacks a reason one from the mail.

    `reasons`: line number → reason. The nearest reason below counts, else the last one in the mail.
    Lines that only give a reason are removed.
    """
    lacking = [line for line in lines if any(isinstance(one, Correction) and not one.reason for one in line.requests)]
    if not reasons or not lacking:
        return list(lines)
    shared = []
    for line in lines:
        if line in lacking:
            number = min((at for at in reasons if at > line.number), default=max(reasons))
            shared.append(_reasoned(line, reasons[number]))
        elif line.number not in reasons or line.requests:
            shared.append(line)
    return shared


@cache
def _words_of_corrections() -> tuple[str, ...]:
    return tuple(word for name in ("put", "take", "own") for word in load_phrases().words_of(name))


@cache
def _corrects() -> re.Pattern[str]:
    """Return a pattern for the beginning of a line that corrects the board."""
    words = "|".join(map(re.escape, _words_of_corrections()))
    return re.compile(rf"\s*({words})\s+(?:{'|'.join(_words().unit)})\b", re.IGNORECASE)


def with_wrong_corrections(lines: Sequence[ReadLine]) -> list[ReadLine]:
    """Return the lines, with unread corrections of the board as faults.

    This applies only if the mail has a correction that was read.
    """
    if not any(isinstance(one, Correction) for line in lines for one in line.requests):
        return list(lines)
    return [_named_wrong(line) for line in lines]


def _named_wrong(line: ReadLine) -> ReadLine:
    found = _corrects().match(line.text)
    if found is None or any(isinstance(one, Correction) for one in line.requests):
        return line
    fault = Fault(FaultKind.MALFORMED_COMMAND, line.number, 0, len(line.text), line.text, (found[1].lower(),))
    return replace(line, requests=(), faults=(fault,))


def is_wrong_correction(line: ReadLine) -> bool:
    """Whether a line is meant to correct the board but cannot be read."""
    return any(
        fault.kind is FaultKind.MALFORMED_COMMAND and not set(fault.candidates).isdisjoint(_words_of_corrections())
        for fault in line.faults
    )


def _reasoned(line: ReadLine, reason: str) -> ReadLine:
    requests = [
        replace(one, reason=reason) if isinstance(one, Correction) and not one.reason else one for one in line.requests
    ]
    return replace(line, requests=tuple(requests))


def _changed(line: ReadLine, **values: object) -> ReadLine:
    *others, last = line.requests
    changed: Command = replace(last, **values)  # type: ignore[arg-type]
    return replace(line, requests=(*others, changed))


def _with_settings(line: ReadLine, following: Sequence[str], read: Callable[[str], ReadLine]) -> Below:
    """Take the settings below a command, up to the first line that is no setting.

    After a blank line the setting's name must be known. Without a colon the value must be readable too.
    """
    settings: dict[str, SettingValue] = {}
    is_register = isinstance(line.requests[-1], Register)
    used = 0
    for place, written in enumerate(following):
        if not written.strip():
            continue
        match = _SETTING.match(written)
        named = (match[1], match[2]) if match else None if is_register else _without_colon(written)
        if named is None or (match is None and any(isinstance(one, Talk) for one in read(written).requests)):
            break
        name = _name(named[0], is_register=is_register)
        if name is None and any(isinstance(one, HouseRules) for one in read(written).requests):
            break
        value = read_setting(name or named[0], named[1])
        if used < place and (name is None or (match is None and value.meant is None)):
            break
        settings[name or named[0]] = value
        used = place + 1
    before = getattr(line.requests[-1], "settings", {})
    return Below(_changed(line, settings={**before, **settings}) if settings else line, used)


def _without_colon(written: str) -> tuple[str, str] | None:
    """Split `deadline 2 days` or `締切 2日` into name and value.

    The longest name of a setting is taken.
    """
    words = written.strip().lstrip("-*・").split()
    names = (" ".join(words[:end]) for end in range(min(len(words) - 1, most_words()), 0, -1))
    name = next((name for name in names if setting_named(name)), None)
    return (name, " ".join(words[len(name.split()) :])) if name else None


def _name(written: str, *, is_register: bool) -> str | None:
    return _words().of_a_person.get(" ".join(written.lower().split())) if is_register else setting_named(written)


def _with_text(line: ReadLine, following: Sequence[str], read: Callable[[str], ReadLine]) -> Below:
    """Take the text below a heading up to its end.

    It ends at END, at the heading of another text, or with the last line. A note ends before the first order.
    House rules may contain whatever looks like a heading.
    """
    talk = line.requests[-1]
    assert isinstance(talk, Talk)
    is_rules = isinstance(talk, HouseRules)
    end = _words().end_of_rules if is_rules else _words().end
    ends = _place_of(end, following) if is_rules else _end_of_talk(following, read)
    is_closed = any(map(end.match, following[ends : ends + 1]))
    if isinstance(talk, Note | HouseRules) and not is_closed and talk.text:
        return Below(line, 0)
    if isinstance(talk, Note) and not is_closed:
        ends = next((place for place, one in enumerate(following[:ends]) if _has_orders(read(one))), ends)
    words = following[:ends]
    text = "\n".join([*([talk.text] if talk.text else []), *words]).strip("\n")
    ran_on = not is_closed and any(map(str.strip, words))
    return Below(_changed(line, text=text, ran_on=ran_on), len(words) + is_closed)


def with_topic(talk: T) -> T:
    """Move a first line that names the subject from the text to `about`."""
    first, _, rest = talk.text.lstrip("\n").partition("\n")
    match = _words().topic.match(first)
    if match is None or not rest.strip() or isinstance(talk, Note | HouseRules):
        return talk
    return replace(talk, about=" ".join(match[1].split())[:LONGEST_TOPIC], text=rest.strip("\n"))


def _with_block(
    line: ReadLine, talk: Press | Broadcast, following: Sequence[str], read: Callable[[str], ReadLine]
) -> Below:
    """Offer text behind a colon and below it as press.

    The text ends at a blank line, an order, a command or another heading.
    """
    leads = line.text[: line.text.rfind(talk.text)] if talk.text else line.text
    used = 0
    for place, written in enumerate(following if _COLON.search(leads) else ()):
        if not written.strip():
            if place or talk.text:
                break
        elif _COLON.search(written) or _words().somebody.match(written) or read(written).requests:
            break
        else:
            used = place + 1
    text = "\n".join([*([talk.text] if talk.text else []), *following[:used]]).strip("\n")
    if not text:
        return Below(line if line.is_guess else replace(line, requests=line.requests[:-1]), 0)
    return Below(replace(line, requests=(*line.requests[:-1], Perhaps(replace(talk, text=text)))), used)


def begins_talk(line: ReadLine) -> bool:
    """Whether a line is a heading of press or an announcement, even a misread one."""
    is_talk = any(isinstance(one, Talk) and not isinstance(one, Note | HouseRules) for one in line.requests)
    return is_talk or _is_talk_amiss(line)


def _is_talk_amiss(line: ReadLine) -> bool:
    """Whether a line that was not understood should begin press, a note or an announcement."""
    faults = [fault for fault in line.faults if fault.kind in _AMISS]
    return (
        bool(faults)
        and not line.requests
        and (faults[0].kind is FaultKind.UNKNOWN_ADDRESSEE or bool(_words().talk.intersection(faults[0].candidates)))
    )


def _with_text_amiss(line: ReadLine, following: Sequence[str]) -> Below:
    """Skip text that is not sent and not read as orders.

    The text ends at END. Without END it is skipped to the last line if the addressee is unknown and the text is below.
    """
    end = min(_place_of(end, following) for end in (_words().end, _words().end_of_rules))
    if end < len(following):
        return Below(line, end + 1)
    ends_here = line.faults[0].kind is not FaultKind.UNKNOWN_ADDRESSEE or _BEHIND_A_COLON.search(line.text) is not None
    return Below(line, 0 if ends_here else len(following))


def end_of_talk(following: Sequence[str]) -> int | None:
    """Return the index of the first line that says END, or None."""
    end = _place_of(_words().end, following)
    return end if end < len(following) else None


def _place_of(end: re.Pattern[str], following: Sequence[str]) -> int:
    """Return the index of the first line that says such an end.

    Without one, return the number of lines.
    """
    return next((place for place, written in enumerate(following) if end.match(written)), len(following))


def _end_of_talk(following: Sequence[str], read: Callable[[str], ReadLine]) -> int:
    """Return the index of END or of another text's heading.

    Without either, return the number of lines.
    """
    ends = _place_of(_words().end, following)
    return next((place for place, one in enumerate(following[:ends]) if begins_talk(read(one))), ends)


def _may_be_supposed(line: ReadLine) -> bool:
    """Whether a line has orders and nothing else."""
    return bool(line.requests or line.faults) and all(isinstance(r, Give | ForPower) for r in line.requests)


def _has_orders(line: ReadLine) -> bool:
    return any(isinstance(request, Give) for request in line.requests)


def _with_supposed_orders(line: ReadLine, following: Sequence[str], read: Callable[[str], ReadLine]) -> Below:
    """Take orders up to END; without END, as long as lines have only orders."""
    end = end_of_talk(following)
    supposed = [order for one in line.requests if isinstance(one, WhatIf) for order in one.orders]
    faults = list(line.faults)
    power: Power | None = None
    used = 0
    for place, written in enumerate(following[:end]):
        if not written.strip():
            continue
        one = read(written)
        if end is None and not _may_be_supposed(one):
            break
        for request in one.requests:
            if isinstance(request, ForPower):
                power = request.power
            elif isinstance(request, Give):
                supposed.append((power, request.order))
        used = place + 1
        faults += one.faults
    changed = _changed(line, orders=tuple(supposed))
    return Below(replace(changed, faults=tuple(faults)), used if end is None else end + 1)

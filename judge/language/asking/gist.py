"""What a sentence asks for by what stands in it, wherever it stands: the rules of `gist.toml`.

Prose has no form that a pattern could fit as a whole. A rule names what has to be in a line and what must not be; the
first that holds wins. What it would change is only offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from judge.commands import (
    Absence,
    AsWritten,
    ChangeSetting,
    Command,
    Create,
    Extend,
    Pause,
    Perhaps,
    PressToMaster,
    SetDeadline,
    SettingValue,
    SetZone,
    VoteDraw,
)
from judge.language.asking.about import named
from judge.language.asking.fitting import is_past, meant, sharers
from judge.language.asking.guesses import meant_by_entry
from judge.language.asking.lines import Asked, answered, faulty, without_reason
from judge.language.asking.phrases import Entry, load_phrases
from judge.language.asking.sentences import Said, is_harmless, line_as_command
from judge.language.asking.told import handed_on, name_in, order_told, schedule_in, zone_in
from judge.language.context import Context, Role
from judge.language.faults import FaultKind
from judge.language.times import read_setting
from judge.language.words import SHIPPED, Line, load_lexicon, normal_form, pattern
from judge.language.words.shipped import likely_spoken
from judge.resources import shipped_data
from judge.rules.map import USUAL_BOARD

_FEWEST_WORDS, _LONGEST = 3, 600
"""The shortest and the longest text that is prose; in words and in characters."""
_CODE = 3
"""The length of the code of a place."""
_UNITS = 400
"""The cost of trying all rules, in units of the budget."""
_ORDER = "order"
"""What a rule means by which one unit's order is changed."""
_MACRO = re.compile(r"\b[A-Z]{3,}\b")
_CLAUSE = re.compile(r"[,.;:!?()]+\s*")
_LONGEST_REASON = 100
_IN_LETTERS = r"(?:(?<![a-z0-9])|(?![a-z0-9]))(?:%s)(?:(?![a-z0-9])|(?<![a-z0-9]))"
"""Whole words; a sign may stand directly beside one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to see what a line asks for."""

    who: Role | None
    """Whose lines it is for; None for anybody's."""
    means: tuple[str, ...]
    """Keys of commands, or lines to send; several are offered side by side, none asks for nothing."""
    has: tuple[str, ...]
    lacks: tuple[str, ...]
    example: str = ""
    """The line that is named if something is missing."""
    is_own: bool = False
    """What a line tells of others or of the past does not count against it."""


def gist_of(line: Line, number: int, context: Context) -> Asked | None:
    """Return what prose asks for by the first rule that holds; None if there is none. It may ask for nothing."""
    text = line.text.strip()
    if len(text) > _LONGEST or len(text.split()) < _FEWEST_WORDS:
        return None
    context.budget.charge(_UNITS)
    for language in likely_spoken(text):
        plain = _plain(text, language)
        for rule in _rules(language):
            if _holds(rule, plain, context):
                found = _asked(rule, line, number, context)
                if found is not None:
                    return found
    return None


def _holds(rule: Rule, text: str, context: Context) -> bool:
    if rule.who is not None and rule.who is not context.role:
        return False
    map_name = context.map.name
    return all(_pattern(one, map_name).search(text) for one in rule.has) and not any(
        _pattern(one, map_name).search(text) for one in rule.lacks
    )


def _asked(rule: Rule, line: Line, number: int, context: Context) -> Asked | None:
    if not rule.means:
        return faulty(FaultKind.INCOMPLETE_COMMAND, number, line, (rule.example,)) if rule.example else Asked()
    said = [one for one in (_said(means, line, context) for means in rule.means) if one is not None]
    if not said:
        return None
    first = said[0] if len(said) == 1 else Said(said[0].entry, either=tuple(said))
    if not first.requests and is_past(line):
        return None
    if rule.example and not first.requests:
        return faulty(FaultKind.INCOMPLETE_COMMAND, number, line, (rule.example,))
    if rule.is_own and first.requests:
        return Asked(tuple(Perhaps(meant(one)) for one in first.requests))
    return answered(first, line, number, context)


def _said(means: str, line: Line, context: Context) -> Said | None:
    if means[:1].isupper():
        command = line_as_command(normal_form(means), context)
        return None if command is None else Said(_made_by(command), (_offered(command),))
    if means == _ORDER:
        order = order_told(line, context)
        return None if order is None else Said(_entry("clear"), (order,))
    entry = _entry(means)
    if means in _MAKERS:
        return _MAKERS[means](entry, line, context)
    return meant_by_entry(entry, line, context)


def _entry(key: str) -> Entry:
    return next(one for one in load_phrases().entries if one.key == key)


def _made_by(command: Command) -> Entry:
    return next(one for one in load_phrases().entries if isinstance(command, one.makes))


def _offered(command: Command) -> Command:
    return command if is_harmless(command) or command.card.is_final else Perhaps(command)


# What some commands take from the line


def _to_master(entry: Entry, line: Line, _context: Context) -> Said:
    return Said(entry, (Perhaps(PressToMaster(text=line.written.strip())),))


def _press(entry: Entry, line: Line, context: Context) -> Said | None:
    talk = handed_on(line, context)
    return None if talk is None else Said(entry, (Perhaps(talk),))


def _draw(entry: Entry, line: Line, context: Context) -> Said:
    among = sharers(line, context, is_sharing=True)
    return Said(entry, (Perhaps(VoteDraw(agrees=True, among=among)),))


def _no_draw(entry: Entry, _line: Line, _context: Context) -> Said:
    return Said(entry, (Perhaps(VoteDraw(agrees=False)),))


def _more_time(entry: Entry, line: Line, context: Context) -> Said | None:
    """Return more time for all, with the clause that says why as its reason."""
    said = meant_by_entry(entry, line, context)
    if said is None or not said.requests:
        return said
    command = meant(said.requests[-1])
    if not isinstance(command, Extend | SetDeadline | Pause) or command.reason or without_reason(line)[1]:
        return said
    clauses = [one for one in _CLAUSE.split(line.written) if _is_reason(one)]
    return replace(
        said,
        requests=(Perhaps(replace(command, reason=clauses[0].strip()[:_LONGEST_REASON])),)
        if clauses
        else said.requests,
    )


def _is_reason(clause: str) -> bool:
    text = normal_form(clause).text
    return any(_pattern(one, USUAL_BOARD).search(text) for one in _words("reasons"))


def _absence(entry: Entry, line: Line, context: Context) -> Said | None:
    """Return an absence; a day beside a length of time is only where it begins, or is about something else."""
    said = meant_by_entry(entry, line, context)
    command = meant(said.requests[-1]) if said is not None and said.requests else None
    if not isinstance(command, Absence) or command.period is None or command.period.meant is None:
        return said
    period = command.period.meant
    has_length = named(context.map.name)["length"].search(line.text) is not None
    return Said(entry) if period.first == period.last and has_length else said


def _schedule(entry: Entry, line: Line, _context: Context) -> Said:
    value = _deadline_in(line)
    return Said(entry) if value is None else Said(entry, (Perhaps(ChangeSetting("deadline", value)),))


def _deadline_in(line: Line) -> SettingValue | None:
    found = schedule_in(line)
    value = read_setting("deadline", found) if found else None
    return value if value is not None and value.meant is not None else None


def _zone(entry: Entry, line: Line, _context: Context) -> Said:
    found = zone_in(line)
    return Said(entry) if found is None else Said(entry, (Perhaps(SetZone(AsWritten(*found))),))


def _new_game(entry: Entry, line: Line, _context: Context) -> Said:
    name = name_in(line)
    if not name:
        return Said(entry)
    value = _deadline_in(line)
    return Said(entry, (Perhaps(Create(name, settings={"deadline": value} if value is not None else {})),))


_MAKERS: Mapping[str, Callable[[Entry, Line, Context], Said | None]] = {
    "press_to_master": _to_master,
    "press": _press,
    "draw": _draw,
    "no_draw": _no_draw,
    "absence": _absence,
    "extend": _more_time,
    "pause": _more_time,
    "set": _schedule,
    "zone": _zone,
    "create": _new_game,
}


# The rules


@cache
def _data() -> Mapping[str, Any]:
    return shipped_data("grammar/words/commands/gist.toml")


def _words(table: str) -> Iterator[str]:
    for words in _data()[table].values():
        yield from words


@cache
def _rules(language: str) -> tuple[Rule, ...]:
    return tuple(
        Rule(
            Role(row["who"]) if "who" in row else None,
            tuple(row["means"]),
            tuple(_filled(one, language) for one in row["has"]),
            tuple(_filled(one, language) for one in row.get("lacks", ())),
            row.get("example", ""),
            row.get("is_own", False),
        )
        for row in _data().get(language, ())
    )


def _filled(words: str, language: str) -> str:
    """Return words with the macros of a language replaced by what they stand for."""
    macros = _data()["macros"].get(language, {})
    while (longer := _MACRO.sub(lambda match: f"(?:{macros[match[0]]})", words)) != words:
        words = longer
    return words


@cache
def _pattern(words: str, map_name: str) -> re.Pattern[str]:
    """Return a pattern for whole words; `<power>`, `<day>` and the like stand for any of that kind."""
    for name, shape in named(map_name).items():
        words = words.replace(f"<{name}>", f"(?:{shape.pattern})")
    words = words.replace("<place>", f"(?:{_places(map_name)})")
    is_latin = any("a" <= letter <= "z" for letter in words)
    return re.compile(_IN_LETTERS % words if is_latin else words)


@cache
def _places(map_name: str) -> str:
    """Return a pattern for the names of places; codes may be words, and some names are those of powers."""
    names = load_lexicon(map_name, SHIPPED).names
    return pattern(one for one in names.places if len(one) > _CODE and one not in names.powers)


def _plain(text: str, language: str) -> str:
    """Return a text with what is written in haste spelled out: `dont`, `u`, `pls`."""
    for words, spelled in _hasty(language):
        text = words.sub(spelled, text)
    return text


@cache
def _hasty(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = _data()["hasty"].get(language, {})
    return tuple((re.compile(f"(?<![a-z'])(?:{words})(?![a-z'])"), spelled) for words, spelled in rows.items())

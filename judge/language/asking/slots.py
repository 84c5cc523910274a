"""Fill a command that a free sentence asks for.

The values are the days, names, places, addresses and words of the sentence.
`meant_by` returns a command as far as the sentence fills it. A change is only offered: the sender confirms it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice

from judge.budget import Budget
from judge.calendar import DaysAhead
from judge.commands import (
    Absence,
    Announce,
    AsWritten,
    Broadcast,
    ChangeSetting,
    Command,
    Extend,
    InAllGames,
    Object,
    Pause,
    Perhaps,
    Press,
    PressToMaster,
    SetDeadline,
    SetZone,
    Sitter,
    Steering,
    VoteDraw,
    WhatIf,
)
from judge.language.asking.changes import changed_order, order_told, orders_supposed
from judge.language.asking.data import in_figures, pattern_of, words_for
from judge.language.asking.fitting import meant, sharers
from judge.language.asking.named import named
from judge.language.asking.passing_on import told_to_others, told_to_those_named, words_told
from judge.language.asking.phrases import Entry, entry_called, load_phrases, made_by, written_line
from judge.language.asking.sentences import Said, is_harmless, line_as_command, said, without_reason
from judge.language.asking.told import settings_named, zone_in
from judge.language.context import Context, Role
from judge.language.times import read_moment, read_period, with_plain_dates
from judge.language.words import Line, is_japanese, normal_form
from judge.language.words.shipped import likely_spoken

_CLAUSE = re.compile(r"(?:[!?;,:。、()]|(?<!\d)\.(?![a-z0-9])|\s-+\s)+\s*")
_LONGEST_REASON = 100
_MOST_PIECES = 16
"""The longest part of a line read as a time, in words or Japanese characters."""
_MOST_CLAUSES, _MOST_DAYS = 5, 3
_UNITS_OF_A_TIME = 40
"""The cost of reading a part of a line as a time, in budget units."""
_FARTHEST_BEFORE, _FARTHEST_BEFORE_IN_ONE_RUN = 16, 6
"""How far before a day's name a time may begin, in letters.

An example is `between the`. The second number is for text without blanks.
"""
_LETTER, _WORD = re.compile(r"\S"), re.compile(r"\S+")
ORDER = "order"
"""The key of sentences that change the order of one unit."""
_EVERYWHERE = ("pause", "resume", "extend")
"""Keys of what a master may do in all games at once."""


def meant_by(key: str, line: Line, context: Context) -> Said | None:
    """Return what a key asks for, with the values of its line.

    None if the line asks for nothing after all.
    """
    if key == "less_mail" and pattern_of("%s", "wants_a_digest").search(line.text):
        key = "mail_as_a_digest"
    if key == "absence" and pattern_of("%s", "here_after_all").search(line.text):
        key = "no_absence"
    if key in _EVERYWHERE and context.role in (None, Role.MASTER) and pattern_of("%s", "all_games").search(line.text):
        key = f"{key}_all"
    lines = lines_that_stand_for().get(key, ())
    if lines:
        commands = [line_as_command(normal_form(one), context) for one in lines]
        made = tuple(Said(made_by(one), (_unless_meant(one),)) for one in commands if one is not None)
        return made[0] if len(made) == 1 else Said(made[0].entry, either=made)
    if key == ORDER:
        return _order(line, context)
    entry = entry_called(key)
    found = _MAKERS.get(key, filled)(entry, line, context)
    if found is None or found.requests:
        return found
    return _said_in_a_clause(entry, line, context) or found


def _said_in_a_clause(entry: Entry, line: Line, context: Context) -> Said | None:
    """Return what one of several clauses asks for, if it is a known sentence."""
    clauses = list(_clauses(line.text))
    for start, stop in clauses if len(clauses) > 1 else ():
        clause = replace(line, text=line.text[start:stop], origin=line.origin[start:stop])
        found = said(clause, "", len(clause.text), context)
        if found is not None and found.entry.makes is entry.makes and found.requests:
            return replace(found, requests=tuple(map(_unless_meant, found.requests)))
    return None


@cache
def lines_that_stand_for() -> Mapping[str, tuple[str, ...]]:
    """Return key without a command of its own → the lines that it stands for."""
    rows = (row.split(": ", 1) for row in words_for("stands_for"))
    return {key: tuple(lines.split("; ")) for key, lines in rows}


def _unless_meant(command: Command) -> Command:
    is_sure = is_harmless(command) or command.card.is_final or isinstance(command, Steering)
    return command if is_sure else Perhaps(command)


def filled(entry: Entry, line: Line, context: Context, known: Mapping[str, str] | None = None) -> Said:
    """Return a command with the values that a line names and those in `known`."""
    values = {**_values(line, context), **(known or {})}
    if entry.key == "extend" and "length" not in values and "moment" in values:
        entry = entry_called("deadline")  # more time until Friday
    if any(name not in values for name in entry.needed):
        return Said(entry)
    canonical = normal_form(written_line(entry, lambda name: values.get(name, "")))
    command = line_as_command(canonical, context)
    return Said(entry) if command is None else Said(entry, (_unless_meant(command),))


def _values(line: Line, context: Context) -> Mapping[str, str]:
    """Return the values in the line that a command may need."""
    found: dict[str, str] = {}
    for slot, pattern in named(context.map.name).items():
        match = pattern.search(line.text)
        if match is not None:
            first, last = line.span(*match.span())
            found[slot] = line.written[first:last]
    found |= _times(line, context.budget)
    if "power" in found:
        found["to"] = found["power"]
    if "length" in found:
        found["length"] = in_figures(found["length"])
    return found


def _times(line: Line, budget: Budget) -> dict[str, str]:
    """Return the longest parts of a line that name a moment and a period."""
    found: dict[str, str] = {}
    for part in _parts(line):
        budget.charge(_UNITS_OF_A_TIME)
        plain = normal_form(part).text
        if "period" not in found and read_period(plain) is not None:
            found["period"] = part
        if "moment" not in found and read_moment(plain) is not None:
            found["moment"] = part
    return found


def _parts(line: Line) -> Iterator[str]:
    """Yield parts of a line around the name of a day.

    In each clause the longest part comes first. Their number is limited.
    """
    if is_japanese(line.text):
        line = normal_form(with_plain_dates(line.text))
        piece, before = _LETTER, _FARTHEST_BEFORE_IN_ONE_RUN
    else:
        piece, before = _WORD, _FARTHEST_BEFORE
    for begin, end in islice(_clauses(line.text), _MOST_CLAUSES):
        pieces = [match.span() for match in piece.finditer(line.text, begin, end)]
        named_there = islice(pattern_of("%s", "named_day").finditer(line.text, begin, end), _MOST_DAYS)
        days = {one.start(): _end_of_day(line.text, one.end()) for one in named_there}
        spans = {
            (start, stop)
            for day, least in days.items()
            for number, (start, _) in enumerate(pieces)
            if day - before <= start <= day
            for _, stop in pieces[number : number + _MOST_PIECES]
            if stop >= least
        }
        for span in sorted(spans, key=lambda one: one[0] - one[1]):
            first, last = line.span(*span)
            yield line.written[first:last]


def _end_of_day(text: str, end: int) -> int:
    """Return the end of a day's name, or of the part of day behind it.

    A time must include it: the day alone would be another time.
    """
    found = pattern_of("%s", "part_of_a_day").match(text, end)
    return end if found is None else found.end()


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the clauses of a text begin and end."""
    ends = [match.span() for match in _CLAUSE.finditer(text)]
    yield from zip((0, *(end for _, end in ends)), (*(start for start, _ in ends), len(text)), strict=True)


# What some commands take from the line


def _order(line: Line, context: Context) -> Said | None:
    order = changed_order(line, 0, context) or order_told(line, context)
    return None if order is None else Said(entry_called("clear"), (order,))


def _what_if(entry: Entry, line: Line, context: Context) -> Said | None:
    if line.text.strip().endswith(":"):  # a heading: the lines below are doubtful orders, not assumed ones
        return None
    if not pattern_of("%s", "supposes").search(line.text):
        return None
    orders = orders_supposed(line, context)
    names_places = any(word.kind == "PLACE" for word in context.lexicon.words(line.text))
    return Said(entry, (WhatIf(orders),)) if orders or not names_places else Said(entry)


def _to_master(entry: Entry, line: Line, _context: Context) -> Said:
    return Said(entry, (Perhaps(PressToMaster(text=line.written.strip())),))


def _house_rules(entry: Entry, _line: Line, _context: Context) -> Said:
    return Said(entry)  # their words follow a heading


def _objection(entry: Entry, line: Line, _context: Context) -> Said:
    return Said(entry, (Perhaps(Object(reason=line.written.strip())),))


def _press(entry: Entry, line: Line, context: Context) -> Said:
    """Return press with the text to tell others.

    The text is empty if the line does not contain it.
    """
    talk: Press | Broadcast | Announce | None = told_to_others(line, context)
    if talk is None and entry.key == "press":
        talk = told_to_those_named(line, context)
    elif not isinstance(talk, Press):
        text = talk.text if talk is not None else words_told(line)
        announces = entry.key == "announce" or line.text.lstrip().startswith(load_phrases().words_of("announce"))
        talk = Announce(text=text) if announces else Broadcast(text=text)
    return Said(entry, (Perhaps(talk),)) if talk is not None else Said(entry)


def _draw(entry: Entry, line: Line, context: Context) -> Said:
    among = sharers(line, context, is_sharing=True)
    return Said(entry, (Perhaps(VoteDraw(agrees=True, among=among)),))


def _no_draw(entry: Entry, _line: Line, _context: Context) -> Said:
    return Said(entry, (Perhaps(VoteDraw(agrees=False)),))


def _more_time(entry: Entry, line: Line, context: Context) -> Said:
    """Return more time for all players, with its reason from a clause of the line."""
    found = filled(entry, line, context)
    command = meant(found.requests[-1]) if found.requests else None
    if not isinstance(command, Extend | SetDeadline | Pause | InAllGames) or command.reason or without_reason(line)[1]:
        return found
    clauses = [one.strip() for one in _CLAUSE.split(line.written) if _is_reason(one)]
    if not clauses:
        return found
    return replace(found, requests=(Perhaps(replace(command, reason=clauses[0][:_LONGEST_REASON])),))


def _is_reason(clause: str) -> bool:
    return pattern_of(r"(?<![a-z])%s(?![a-z])", "says_why").search(normal_form(clause).text) is not None


def _absence(entry: Entry, line: Line, context: Context) -> Said | None:
    """Return an absence; incomplete if its days are not clear.

    A day beside a length of time may be only the beginning, or about something else.
    None for a line without days or a length: it only tells of an absence.
    """
    length = named(context.map.name)["length"].search(line.text)
    if length is None and not pattern_of("%s", "time_words").search(line.text):
        return None
    return _for_clear_days(entry, line, context)


def _for_clear_days(entry: Entry, line: Line, context: Context) -> Said:
    """Return an absence or a sitter; incomplete if the days are not clear."""
    length = named(context.map.name)["length"].search(line.text)
    found = filled(entry, line, context)
    command = meant(found.requests[-1]) if found.requests else None
    if not isinstance(command, Absence | Sitter) or command.period is None or command.period.meant is None:
        return found
    if length is None:
        return found
    period = command.period.meant
    is_of_length = isinstance(period.last.named, DaysAhead)
    names_a_day = any(read_moment(normal_form(one).text) for one in _parts(line))
    is_partly = (
        period.first == period.last
        or length[0] not in normal_form(command.period.text).text
        or (is_of_length and names_a_day)
    )
    return Said(entry) if is_partly else found


def _lot_word(entry: Entry, line: Line, context: Context) -> Said:
    matches = (re.search(words, line.text) for words in words_for("word_for_a_lot"))
    told = next(filter(None, matches), None)
    if told is None:
        return Said(entry)
    first, last = line.span(*told.span("word"))
    return filled(entry, line, context, {"word": line.written[first:last].strip()})


def _schedule(entry: Entry, line: Line, context: Context) -> Said:
    value = settings_named(line, context).get("deadline")
    return Said(entry) if value is None else Said(entry, (Perhaps(ChangeSetting("deadline", value)),))


def _zone(entry: Entry, line: Line, _context: Context) -> Said:
    found = zone_in(line)
    return Said(entry) if found is None else Said(entry, (Perhaps(SetZone(AsWritten(*found))),))


def _language(entry: Entry, line: Line, context: Context) -> Said:
    """Return the language that a line asks for.

    If several are named, prefer one that is asked for, then one other than the line's own.
    """
    rows = [row.split(": ", 1) for row in words_for("called_languages")]
    named_there = [(match, code) for code, words in rows for match in re.finditer(words, line.text)]
    asked = sorted((match.start(), code) for match, code in named_there if _is_asked_for(match, line.text))
    others = [code for _, code in named_there if code != likely_spoken(line.text)[0]]
    called = [code for _, code in asked[-1:]] or others or [code for _, code in named_there]
    wanted = called[0] if called else None
    return Said(entry) if wanted is None else filled(entry, line, context, {"language": wanted})


def _is_asked_for(match: re.Match[str], text: str) -> bool:
    """Whether words of request stand beside a language: `in German`, ドイツ語で."""
    is_behind = pattern_of("(?:%s)$", "before_a_wanted_language").search(text[: match.start()]) is not None
    return is_behind or pattern_of("%s", "behind_a_wanted_language").match(text, match.end()) is not None


_MAKERS: Mapping[str, Callable[[Entry, Line, Context], Said | None]] = {
    "press_to_master": _to_master,
    "objection": _objection,
    "house_rules": _house_rules,
    "press": _press,
    "broadcast": _press,
    "announce": _press,
    "draw": _draw,
    "no_draw": _no_draw,
    "absence": _absence,
    "sitter": _for_clear_days,
    "lot_word": _lot_word,
    "extend": _more_time,
    "pause": _more_time,
    "extend_all": _more_time,
    "pause_all": _more_time,
    "set": _schedule,
    "language": _language,
    "zone": _zone,
    "whatif": _what_if,
}

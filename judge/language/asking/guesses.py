"""Guess what a line asks for when no phrase fits.

The clauses are first tried as sentences; then the words are weighed: `asking.about`. A request that only shows
something is carried out at once. For anything else the sender is told the line that asks for it, or is asked whether
they meant it. If words say no, only commands that withdraw something remain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from judge.budget import Budget
from judge.commands import Absence, Command, Perhaps, Steering, Talk, VoteDraw, WhatIf
from judge.language.asking.about import named, spoken_of
from judge.language.asking.consent import answer_of
from judge.language.asking.data import in_figures, pattern_of, words_for
from judge.language.asking.frames import NOTHING, Framed, framed
from judge.language.asking.likeness import TALK, likenesses
from judge.language.asking.phrases import Entry, load_phrases, written_line
from judge.language.asking.sentences import Said, is_harmless, line_as_command, said
from judge.language.context import Context
from judge.language.times import read_moment, read_period, with_plain_dates
from judge.language.words import Line, normal_form
from judge.language.words.tongue import is_japanese

_LONGEST = 180
_CLAUSE = re.compile(r"(?:[!?;,:。、]|\.(?![a-z0-9])|\s-+\s)+\s*")
_LEAST_OF_A_CLAUSE = 3
_MOST_PIECES = 16
"""In words, or Japanese characters: the longest part of a line that names a time."""
_MOST_CLAUSES, _MOST_DAYS = 5, 3
_ALSO_LIKELY = 0.75
"""The weight another command needs, as a share of the highest weight."""
_NEARLY = 4.0
_MUCH_LIKELIER = 20.0
_ABOVE_TALK, _ABOVE_TALK_IN_ONE_RUN = 5.5, 8.0
"""How much likelier than talk a command must be; Japanese has more features than English."""
_IF_ITS_IDEAS_SAY_SO, _IF_IT_ASKS_FOR_NOTHING = 0.25, 1.6
"""Factors for that, if the line's ideas suggest the command, and if the line does not look like a request."""
_MOST_LIKELY = 2
_UNITS_OF_A_TIME = 40
"""The cost of reading a part of a line as a time, in units of the budget."""
_HOW = "help"
_FEWEST_WORDS, _FEWEST_LETTERS = 3, 8
"""The shortest line whose likeness is computed; a few Japanese characters are a word."""
_FARTHEST_BEFORE, _FARTHEST_BEFORE_IN_ONE_RUN = 16, 6
"""In letters: how far before a day's name a time may begin (`between the`); the second for a text without blanks."""
_LETTERS = re.compile(r"(?<![@.\w])[a-z']{2,}(?![@.\w])|[^\x00-\x7f、。]")
_LETTER, _WORD = re.compile(r"\S"), re.compile(r"\S+")


def guessed(line: Line, context: Context) -> Said | None:
    """Return what a line asks for, if one of its clauses does or its words suggest one command most."""
    if len(line.text) > _LONGEST or pattern_of("%s", "believes").search(line.text) or answer_of(line.written):
        return None
    if pattern_of("%s", "only_greets").match(line.text.strip()) or _is_talk(line, context):
        return None
    clauses = [clause for clause in _clauses(line) if pattern_of("%s", "tells").search(clause.text) is None]
    return _said_in_one(line, clauses, context) or _spoken_of(line, clauses, context)


def _clauses(line: Line) -> list[Line]:
    ends = [match.span() for match in _CLAUSE.finditer(line.text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(line.text)]
    parts = [
        replace(line, text=line.text[start:stop], origin=line.origin[start:stop])
        for start, stop in zip(starts, stops, strict=True)
    ]
    return [part for part in parts if len(part.text.strip()) >= _LEAST_OF_A_CLAUSE]


def _said_in_one(line: Line, clauses: list[Line], context: Context) -> Said | None:
    """Return what one clause of several asks for; a command that changes something is only offered."""
    if len(clauses) < 2:
        return None
    found = [said(clause, "", len(clause.text), context) for clause in clauses]
    whole = [one for one in found if one is not None and one.requests]
    if not whole:
        return None
    best = next((one for one in whole if not all(map(is_harmless, one.requests))), whole[0])
    best = Said(best.entry, tuple(_unless_meant(one) for one in best.requests))
    other = _much_likelier(best.entry, line, context)
    return best if other is None else Said(best.entry, either=(other, best))


def _much_likelier(entry: Entry, line: Line, context: Context) -> Said | None:
    """Return what the line as a whole asks for, if that is clearly likelier than what one clause says."""
    found, of_talk = _likest(line.text, context)
    if not found or found[0][0] < of_talk + _enough(line) or _refuses(line.text):
        return None
    own = next((likeness for likeness, key in found if key == entry.key), found[0][0])
    if found[0][0] < own + _MUCH_LIKELIER:
        return None
    return meant_by_entry(next(one for one in load_phrases().entries if one.key == found[0][1]), line, context)


def _unless_meant(command: Command) -> Command:
    is_sure = is_harmless(command) or command.card.is_final or isinstance(command, Steering)
    return command if is_sure else Perhaps(command)


def _spoken_of(line: Line, clauses: list[Line], context: Context) -> Said | None:
    """Return the command that the words of a line suggest; both, if two are about equally likely."""
    plain = " . ".join(clause.text for clause in clauses if not _refuses(clause.text))
    by_ideas = _by_ideas(line, plain, " . ".join(clause.text for clause in clauses), context)
    refuses = any(_refuses(clause.text) for clause in clauses)
    entries = _with_what_is_like(by_ideas, line, plain if refuses else line.text, context)
    if len(entries) > 1 and entries[0].key == _HOW:
        return Said(entries[1], is_about=True)
    return _as_one([one for one in (meant_by_entry(entry, line, context) for entry in entries) if one is not None])


def _by_ideas(line: Line, plain: str, whole: str, context: Context) -> Entry | None:
    found = [(weight, entry) for weight, entry in spoken_of(plain, context.map.name)]
    if plain != whole:
        found += [(weight, entry) for weight, entry in spoken_of(whole, context.map.name) if _takes_back(entry)]
    if pattern_of("%s", "asks_about").search(line.text):
        found = [one for one in found if one[1].makes is not WhatIf]
    found = [one for one in found if one[0] >= _least(line)]
    return _likeliest(found, context) if found else None


def _with_what_is_like(by_ideas: Entry | None, line: Line, plain: str, context: Context) -> tuple[Entry, ...]:
    """Return the commands that similar sentences ask for most, and the one that its ideas suggest, if different."""
    enough = _enough(line)
    found, of_talk = _likest_with_no(line, plain, enough, by_ideas, context)
    likely = [key for likeness, key in found if likeness >= max(of_talk + enough, found[0][0] - _NEARLY)]
    entries = [one for key in likely[:_MOST_LIKELY] for one in load_phrases().entries if one.key == key]
    if entries and entries[0].key == _HOW:
        return _asked_about(entries[0], by_ideas, [key for one, key in found[1:] if one >= of_talk + enough])
    if by_ideas is None or by_ideas in entries:
        return tuple(entries) if by_ideas is None else (by_ideas,)
    if entries:
        return (entries[0], by_ideas)
    own = next((likeness for likeness, key in found if key == by_ideas.key), of_talk)
    return (by_ideas,) if not found or own >= of_talk + enough * _IF_ITS_IDEAS_SAY_SO else ()


def _likest_with_no(
    line: Line, plain: str, enough: float, by_ideas: Entry | None, context: Context
) -> tuple[list[tuple[float, str]], float]:
    """Rank the commands for the whole line, if the best can be asked for with a no; else for the part without a no."""
    found, of_talk = _likest(line.text, context)
    if plain == line.text:
        return found, of_talk
    rest, of_talk_in_rest = _likest(plain, context)
    if not found or found[0][1] not in words_for("likely_with_no"):
        return rest, of_talk_in_rest
    is_unlike_all = found[0][0] < of_talk + enough
    is_plainly_asked = bool(rest) and by_ideas is not None and rest[0][1] == by_ideas.key
    return (rest, of_talk_in_rest) if is_unlike_all and is_plainly_asked else (found, of_talk)


def _likest(text: str, context: Context) -> tuple[list[tuple[float, str]], float]:
    """Rank the commands by how similar a text is to their sentences, best first; also return its likeness to talk."""
    if len(_LETTERS.findall(text)) < (_FEWEST_LETTERS if is_japanese(text) else _FEWEST_WORDS):
        return [], 0.0
    ranked = likenesses(text, context.map.name)
    return [one for one in ranked if one[1] != TALK], next(likeness for likeness, key in ranked if key == TALK)


def _asked_about(how: Entry, by_ideas: Entry | None, others: list[str]) -> tuple[Entry, ...]:
    """Return the entry for questions about commands, and the command that the question is about."""
    topics = [by_ideas] if by_ideas is not None else [one for one in load_phrases().entries if one.key in others[:1]]
    return (how, *(one for one in topics if one.key != _HOW))


def _enough(line: Line) -> float:
    """Return how much likelier than talk a command must be."""
    enough = _ABOVE_TALK_IN_ONE_RUN if is_japanese(line.text) else _ABOVE_TALK
    return enough if pattern_of("%s", "demands").search(line.text) else enough * _IF_IT_ASKS_FOR_NOTHING


def _as_one(found: list[Said]) -> Said | None:
    """Combine the readings: harmless ones are all carried out, otherwise the sender is asked which is meant."""
    if len(found) < 2:
        return found[0] if found else None
    first, second = found
    if first.entry == second.entry:
        return first
    shown = (*first.requests, *second.requests)
    if first.requests and second.requests and all(map(is_harmless, shown)):
        return Said(first.entry, tuple(dict.fromkeys(shown)))
    return replace(first, requests=(), either=(first, second))


def _likeliest(found: list[tuple[float, Entry]], context: Context) -> Entry:
    """Return the command with the highest weight; for a player, their own command before a similar one for masters."""
    best, entry = max(found, key=lambda one: one[0])
    if not context.powers:
        return entry
    likely = {one.key: one for weight, one in found if weight >= best * _ALSO_LIKELY}
    sooner = dict(pair.split() for pair in words_for("sooner_meant"))
    return likely.get(sooner.get(entry.key, entry.key), entry)


def _least(line: Line) -> float:
    """Return the weight that a command needs: less in a request than in a remark."""
    text = line.text.strip()
    if pattern_of("%s", "demands").search(text):
        return 2.0
    return 3.4 if pattern_of("%s", "asks").search(text) else 3.5


def _refuses(text: str) -> bool:
    """Whether a text forbids or refuses something; `cannot` does not count, because it gives a reason for asking."""
    return pattern_of("%s", "negated").search(pattern_of("%s", "cannot").sub(" ", text)) is not None


def _takes_back(entry: Entry) -> bool:
    return entry.key in words_for("said_with_no")


def _is_talk(line: Line, context: Context) -> bool:
    frame = framed(line, context)
    return frame is not None and frame.key == NOTHING


def in_a_frame(frame: Framed, line: Line, context: Context) -> Said | None:
    """Return the command of a frame, with what the line tells of it."""
    entry = next(one for one in load_phrases().entries if one.key == frame.key)
    found = Said(entry) if issubclass(entry.makes, Talk) else meant_by_entry(entry, line, context, frame.values)
    if found is not None and _leaves_out_a_length(found, line, context):
        found = Said(entry)
    return None if found is None else replace(found, is_framed=True)


def _leaves_out_a_length(found: Said, line: Line, context: Context) -> bool:
    """Whether an absence has not all the days that its line names: `from Saturday for two weeks`."""
    length = named(context.map.name)["length"].search(line.text)
    commands = [one.command if isinstance(one, Perhaps) else one for one in found.requests]
    periods = [one.period.text for one in commands if isinstance(one, Absence) and one.period is not None]
    return length is not None and any(length[0] not in normal_form(period).text for period in periods)


def meant_by_entry(entry: Entry, line: Line, context: Context, known: Mapping[str, str] | None = None) -> Said | None:
    """Return what a command asks for with the values that a line names, or are known."""
    if known is None and entry.makes is VoteDraw and not pattern_of("%s", "names_a_draw").search(line.text):
        return None
    values = {**_values(line, context), **(known or {})}
    entry = _by_what_is_told(entry, values)
    if entry.key == "propose_extend" and "moment" in values and not is_japanese(line.text):
        values = {"length": values["moment"], **values}
    if any(name not in values for name in entry.needed):
        return Said(entry)
    canonical = normal_form(written_line(entry, lambda name: values.get(name, "")))
    command = line_as_command(canonical, context)
    return Said(entry) if command is None else Said(entry, (_unless_meant(command),))


def _by_what_is_told(entry: Entry, values: Mapping[str, str]) -> Entry:
    """Return `deadline` for `extend` with a moment: more time until Friday is a deadline."""
    if entry.key == "extend" and "length" not in values and "moment" in values:
        return next(one for one in load_phrases().entries if one.key == "deadline")
    return entry


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
    """Return the longest parts of a line that name a moment and days."""
    found: dict[str, str] = {}
    for part in _parts(line.text):
        budget.charge(_UNITS_OF_A_TIME)
        if "period" not in found and read_period(part) is not None:
            found["period"] = part
        if "moment" not in found and read_moment(part) is not None:
            found["moment"] = part
    return found


def _parts(text: str) -> Iterator[str]:
    """Yield parts of a line around a day's name, the longest of a clause first; limited in number."""
    is_run_on = is_japanese(text)
    if is_run_on:
        text = with_plain_dates(text)
    piece = _LETTER if is_run_on else _WORD
    before = _FARTHEST_BEFORE_IN_ONE_RUN if is_run_on else _FARTHEST_BEFORE
    for clause in _CLAUSE.split(text)[:_MOST_CLAUSES]:
        pieces = [match.span() for match in piece.finditer(clause)]
        days = [match.start() for match in islice(pattern_of("%s", "named_day").finditer(clause), _MOST_DAYS)]
        spans = {
            (start, end)
            for day in days
            for number, (start, _) in enumerate(pieces)
            if day - before <= start <= day
            for _, end in pieces[number : number + _MOST_PIECES]
        }
        yield from (clause[start:end] for start, end in sorted(spans, key=lambda span: span[0] - span[1]))

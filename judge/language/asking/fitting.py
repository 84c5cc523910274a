"""Fit what a sentence asks for to its sender, and to everything else that its line names.

A sentence is recognized by its verb. Who asks then decides what is meant: more time is for a master to give and for a
player to propose. The addresses, powers and the game that the line names fill the fields that the verb left open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import get_args

from judge.calendar.zones import find_zone
from judge.commands import (
    Absence,
    AsWritten,
    CastVote,
    ChangeSetting,
    Clear,
    Command,
    Concede,
    Create,
    Eject,
    Elect,
    EndGame,
    Extend,
    GameCommand,
    Invite,
    Join,
    ListGames,
    Override,
    Pause,
    Perhaps,
    Permitted,
    Process,
    Proposable,
    Propose,
    Replace,
    Resign,
    Resume,
    SetDeadline,
    SetReady,
    SettingValue,
    Talk,
    VoteDraw,
)
from judge.language.asking.builder import load_asker
from judge.language.asking.data import any_of, pattern_of, words_for
from judge.language.asking.days import deadline_in
from judge.language.asking.phrases import Entry, load_phrases
from judge.language.asking.sentences import Said, is_harmless
from judge.language.context import Context, Role
from judge.language.times import read_period, read_setting
from judge.language.words import Line, is_japanese, normal_form
from judge.language.words.names import pattern
from judge.language.words.shipped import likely_spoken
from judge.languages import Language
from judge.rules.position import Power

_BINDING = (VoteDraw, Concede, Elect, CastVote, SetReady, Resign, Propose)
"""Acts that count at once, so not on a condition."""
_NOT_DONE_AGAIN = (Clear, Override, VoteDraw, Concede, Elect, CastVote, Invite)
"""Acts that a sentence in the past only tells of."""
_PROPOSED: Mapping[str, Proposable] = {
    "extend": Proposable.EXTEND,
    "deadline": Proposable.EXTEND,
    "pause": Proposable.PAUSE,
    "resume": Proposable.RESUME,
    "end": Proposable.END,
    "eject": Proposable.REPLACE,
    "replace": Proposable.REPLACE,
}
"""Commands of masters → what players propose instead."""
_OF_GAMES = (*get_args(GameCommand), Create)
_GOES_ON = re.compile(r"[.!?。]\s*\S")
_MOST_PIECES = 10
EXAMPLE_ADDRESS = "alice@example.com"
"""Stands in lines that are only to show how a command is written."""


def fitted(said: Said, line: Line, context: Context) -> Said | None:
    """Return what a sentence asks for, fitted to its sender and its line; None if it asks for nothing after all."""
    is_told_only = _is_told_only(line, is_framed=said.is_framed)
    left = tuple(one for one in said.either if not any(map(is_told_only, one.requests)))
    if any(map(is_told_only, said.requests)) or (said.either and not left):
        return None
    said = _of_a_master(replace(said, either=left), context)
    for fit in (_ready, _as_players_ask, _joining, _replacing, _away, _founding, _due_on):
        said = fit(said, line, context)
    if _is_only_for_masters(said) and context.role is Role.PLAYER:
        return None
    requests = [one for request in said.requests for one in _with_what_is_named(request, line, context)]
    return replace(said, requests=_saying_what_is_left_out(requests, line, context))


def meant(request: Command) -> Command:
    """Return a command, whether it is certain or only perhaps meant."""
    return request.command if isinstance(request, Perhaps) else request


def _is_told_only(line: Line, *, is_framed: bool) -> Callable[[Command], bool]:
    """Return whether a request is bound to a condition, or is told of as past: `A draw, if Austria agrees`."""
    text = line.text
    is_conditional = pattern_of("%s", "conditional").search(text) is not None
    is_over = is_past(line)

    def is_told_only(request: Command) -> bool:
        if is_framed:
            return False
        command = meant(request)
        return (is_conditional and isinstance(command, _BINDING)) or (is_over and isinstance(command, _NOT_DONE_AGAIN))

    return is_told_only


def is_past(line: Line) -> bool:
    """Whether a line tells of something that was done: `I extended the deadline yesterday`."""
    return pattern_of("%s", "is_past").search(line.text) is not None


# Who asks


def as_asked_by(requests: tuple[Command, ...], line: Line, context: Context) -> tuple[Command, ...]:
    """Return the commands of a polite line, as proposals where the sender may only propose them."""
    if context.role is not Role.PLAYER:
        return requests
    proposed = [(request, _proposed(request, line)) for request in requests]
    return tuple(request if other is None else Perhaps(other) for request, other in proposed)


def _is_only_for_masters(said: Said) -> bool:
    """Whether the answer would only be how a master writes a command."""
    return not said.requests and not said.either and said.entry.makes.card.who in (Permitted.MASTER, Permitted.OWNER)


def is_for_players_only(said: Said, context: Context) -> bool:
    """Whether a master who does not play asks for what only players do."""
    is_master = context.role is Role.MASTER and not context.powers
    return is_master and said.entry.makes.card.who in (Permitted.PLAYER, Permitted.SPEAKER)


def _of_a_master(said: Said, context: Context) -> Said:
    """Return what is left of two possible meanings, without what only players do, for a master who does not play."""
    if context.role is not Role.MASTER or context.powers or not said.either:
        return said
    left = tuple(one for one in said.either if one.entry.makes.card.who not in (Permitted.PLAYER, Permitted.SPEAKER))
    return left[0] if len(left) == 1 else replace(said, either=left or said.either)


def _ready(said: Said, _line: Line, context: Context) -> Said:
    """Return READY for a player who wants the game to go on, as only a master closes a phase."""
    entries = {said.entry.key, *(one.entry.key for one in said.either)}
    is_player = context.role is Role.PLAYER and said.entry.key == "process"
    plays = context.powers and context.role is not Role.MASTER
    if not is_player and not (plays and {"ready", "process"} <= entries):
        return said
    return Said(_entry("ready"), (Perhaps(SetReady(ready=True)),))


def _as_players_ask(said: Said, line: Line, context: Context) -> Said:
    """Return a proposal to all players for what only a master can do at once."""
    if context.role is not Role.PLAYER:
        return said
    either = tuple(_as_players_ask(one, line, context) for one in said.either)
    what = _PROPOSED.get(said.entry.key)
    if what is None:
        return replace(said, either=either)
    entry = _entry(f"propose_{what.value}")
    proposed = [_proposed(request, line) for request in said.requests]
    if what is Proposable.REPLACE and not proposed:
        powers = powers_named(line.text, context)
        proposed = [Propose(what, power=powers[0])] if len(powers) == 1 else []
    elif what in (Proposable.PAUSE, Proposable.RESUME, Proposable.END) and not proposed:
        proposed = [Propose(what)]
    return Said(entry, tuple(Perhaps(one) for one in proposed if one is not None), either)


def _proposed(request: Command, line: Line) -> Command | None:
    match meant(request):
        case Extend(length=length, reason=reason):
            return Propose(Proposable.EXTEND, length=length, reason=reason)
        case SetDeadline(moment=moment, reason=reason) if Language.ENGLISH in likely_spoken(line.text):
            return Propose(Proposable.EXTEND, length=AsWritten(moment.text), reason=reason)
        case Pause(reason=reason):
            return Propose(Proposable.PAUSE, reason=reason)
        case Resume(reason=reason):
            return Propose(Proposable.RESUME, reason=reason)
        case EndGame(reason=reason):
            return Propose(Proposable.END, reason=reason)
        case Eject(power=power, reason=reason) | Replace(power=power, reason=reason) if power is not None:
            return Propose(Proposable.REPLACE, power=power, reason=reason)
        case _:
            return None


def _entry(key: str) -> Entry:
    return next(one for one in load_phrases().entries if one.key == key)


def _joining(said: Said, line: Line, context: Context) -> Said:
    """Return the one open game that fits, for a stranger who wants to play and names none; the list if several fit."""
    asks = [one for one in (said, *said.either) if one.entry.key == "join"]
    if context.role is not Role.STRANGER or not asks or any(one.requests for one in asks):
        return said
    powers = powers_named(line.text, context)
    power = powers[0] if len(powers) == 1 else None
    fitting = [name for name, free in context.open_games.items() if (power is None and free) or power in free]
    if len(fitting) == 1:
        return Said(asks[0].entry, (Perhaps(Join(fitting[0], power)),))
    return Said(_entry("list"), (ListGames(),)) if fitting else said


def _replacing(said: Said, line: Line, context: Context) -> Said:
    """Offer a master who wants another player for a power both ways: a person by address, or an empty seat."""
    powers = powers_named(line.text, context)
    if said.entry.key != "replace" or said.requests or context.role is not Role.MASTER or len(powers) != 1:
        return said
    with_power = Said(said.entry, (Replace(powers[0], EXAMPLE_ADDRESS, reason="…"),))
    return replace(said, either=(with_power, Said(_entry("eject"), (Eject(powers[0], reason="…"),))))


# What the line names


def powers_named(text: str, context: Context) -> tuple[Power, ...]:
    """Return the powers that a text names, in order."""
    return tuple(dict.fromkeys(_power(match[0], context) for match in _powers(context.map.name).finditer(text)))


def _power(written: str, context: Context) -> Power:
    return load_asker(context.map.name).names.powers[" ".join(written.split())]


@cache
def _powers(map_name: str) -> re.Pattern[str]:
    words = pattern(load_asker(map_name).names.powers)
    return re.compile(f"(?<![a-z])(?:{words})(?![a-z])(?!{any_of('no_power_before')}|{any_of('no_power_here')})")


def _with_what_is_named(request: Command, line: Line, context: Context) -> Iterator[Command]:
    """Yield a request with the addresses and powers of its line; one for each person who is to be invited."""
    command = meant(request)
    match command:
        case Invite():
            found: tuple[Command, ...] = tuple(_invited(line, context)) or (command,)
        case VoteDraw(agrees=True, among=()):
            found = (replace(command, among=sharers(line, context)),)
        case SetReady(ready=True) if context.role is Role.MASTER and not context.powers:
            found = (Process(),)
        case Join(power=None, wishes=()) if len(powers := powers_named(line.text, context)) == 1:
            found = (replace(command, power=powers[0]),)
        case _:
            found = (command,)
    for one in found:
        is_sure = request is command and not isinstance(one, Process)
        yield one if is_sure else Perhaps(one)


def _saying_what_is_left_out(requests: Sequence[Command], line: Line, context: Context) -> tuple[Command, ...]:
    """Return the requests, a change only offered if it leaves out a name, a place or a time of its line."""
    left = _left_out(requests, line, context) if any(map(_may_leave_out, requests)) else ()
    return tuple(Perhaps(meant(one), left) if left and _may_leave_out(one) else one for one in requests)


def _may_leave_out(request: Command) -> bool:
    command = meant(request)
    is_change = isinstance(command, _OF_GAMES) and not is_harmless(command) and not command.card.is_final
    # A certain absence is told back with its days, and can be changed.
    return is_change and not isinstance(command, Talk) and not isinstance(request, Absence)


def _left_out(requests: Sequence[Command], line: Line, context: Context) -> tuple[str, ...]:
    """Return the words of a line that name a power, a person or a time, and are in no request."""
    told = normal_form(" ".join(map(repr, requests))).text
    found = [match.span() for match in pattern_of("%s", "content").finditer(line.text) if match[0] not in told]
    commands = [meant(one) for one in requests]
    if not any(isinstance(one, VoteDraw) and one.among for one in commands):
        powers = _powers(context.map.name).finditer(line.text)
        known = {power.lower() for power in context.powers} | {told}
        found += [
            match.span() for match in powers if not any(_power(match[0], context).lower() in one for one in known)
        ]
    spans = (line.span(*span) for span in sorted(found))
    return tuple(dict.fromkeys(line.written[first:last] for first, last in spans))


def _invited(line: Line, context: Context) -> Iterator[Invite]:
    """Yield an invitation for each address, with the power named between it and the next one."""
    found = list(pattern_of("%s", "named_address").finditer(line.text))
    ends = [*(match.start() for match in found[1:]), len(line.text)]
    for match, end in zip(found, ends, strict=True):
        first, last = line.span(*match.span())
        powers = powers_named(line.text[match.end() : end], context)
        yield Invite(line.written[first:last], powers[0] if len(powers) == 1 else None)


def sharers(line: Line, context: Context, *, is_sharing: bool = False) -> tuple[Power, ...]:
    """Return the powers that a draw is to be shared by: `between France and me`, `without Turkey`.

    `is_sharing`: it is known that those named are to share it.
    """
    powers = powers_named(line.text, context)
    if not powers or not context.powers:
        return ()
    if pattern_of("%s", "all_but").search(line.text):
        alive = [one for one in context.map.powers if context.board.units_of(one)]
        return tuple(power for power in alive if power not in powers)
    if not is_sharing and not pattern_of("%s", "sharing").search(line.text):
        return ()
    return tuple(dict.fromkeys((*powers, *context.powers)))


# Times, and a new game


def _away(said: Said, line: Line, context: Context) -> Said:
    """Return an absence with the days that a part of the line names."""
    if said.entry.key != "absence" or said.requests:
        return said
    for start, end in _parts(line.text):
        part = _as_written(line, start, end)
        period = read_period(part)
        if period is None:
            continue
        if _GOES_ON.search(line.text, end):  # perhaps an automatic answer
            return said
        absence = Absence(AsWritten(part, period))
        return said if _left_out((absence,), line, context) else replace(said, requests=(Perhaps(absence),))
    return said


def _founding(said: Said, line: Line, context: Context) -> Said:
    """Return a new game with the name, deadline and time zone that the line gives."""
    found = next((one for one in (said, *said.either) if one.entry.key == "create"), None)
    if found is None:
        return said
    named = next(filter(None, (one.search(line.text) for one in _game_called())), None)
    command = meant(found.requests[0]) if found.requests else None
    if not isinstance(command, Create):
        if named is None or named["name"] in load_asker(context.map.name).names.powers:
            return said
        command = Create(named["name"])
    settings = _settings_named(line)
    deadline = deadline_in(line, context)
    settings |= {"deadline": deadline} if deadline is not None else {}
    if not settings and found.requests:
        return found
    return Said(found.entry, (Perhaps(replace(command, settings={**settings, **command.settings})),))


def _due_on(said: Said, line: Line, context: Context) -> Said:
    """Return the new deadline that the line names, where it only asks to change a setting."""
    if not said.is_framed or said.entry.key != "set" or said.requests:
        return said
    deadline = deadline_in(line, context) or _settings_named(line).get("deadline")
    if deadline is None:
        return said
    change = ChangeSetting("deadline", deadline)
    is_whole = is_japanese(line.text) or not _left_out((change,), line, context)  # Wed, Sun: not every day
    return replace(said, requests=(Perhaps(change),)) if is_whole else said


@cache
def _game_called() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(words) for words in words_for("game_called"))


def _settings_named(line: Line) -> dict[str, SettingValue]:
    """Return the deadline and the time zone that the clauses of a line name."""
    settings: dict[str, SettingValue] = {}
    taken = 0
    for start, end in _parts(line.text):
        if start < taken:
            continue
        part = _as_written(line, start, end)
        deadline = read_setting("deadline", part)
        if "deadline" not in settings and deadline.meant is not None:
            settings["deadline"], taken = deadline, end
        elif "zone" not in settings and find_zone(part) is not None:
            settings["zone"], taken = read_setting("zone", part), end
    return settings


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a text between commas and small words begin and end, longer ones of a clause first."""
    ends = [match.span() for match in pattern_of("%s", "between_settings").finditer(text)]
    for first, last in zip((0, *(end for _, end in ends)), (*(start for start, _ in ends), len(text)), strict=True):
        marks = [match.start() for match in pattern_of("%s", "between_words").finditer(text, first, last)][
            :_MOST_PIECES
        ]
        edges = sorted({first, *marks, last})
        spans = [(start, end) for start in edges for end in edges if start < end]
        yield from sorted(spans, key=lambda one: one[0] - one[1])


def _as_written(line: Line, start: int, end: int) -> str:
    first, last = line.span(start, end)
    return line.written[first:last].strip(" ?!")

"""Fit what a sentence asks for to its sender and its line.

A sentence is recognized by its verb. The sender then decides the meaning: a master gives more time, a player proposes
it. The addresses, powers and the game that the line names fill the fields that the verb left open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import get_args

from judge.commands import (
    Absence,
    AsWritten,
    Block,
    CastVote,
    ChangeSetting,
    Clear,
    Coach,
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
    LotWord,
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
    Sitter,
    Talk,
    VoteDraw,
)
from judge.language.asking.builder import load_asker
from judge.language.asking.data import pattern_of
from judge.language.asking.named import power_called, powers_in, powers_named
from judge.language.asking.phrases import entry_called
from judge.language.asking.sentences import Said, is_harmless
from judge.language.asking.told import name_in, settings_named, times_of_a_schedule
from judge.language.context import Context, Role
from judge.language.words import Line, normal_form
from judge.language.words.shipped import likely_spoken
from judge.languages import Language
from judge.rules.position import Power

_BINDING = (VoteDraw, Concede, Elect, CastVote, SetReady, Resign, Propose)
"""Acts that count at once and are therefore not read on a condition."""
_NOT_DONE_AGAIN = (Clear, Override, VoteDraw, Concede, Elect, CastVote, Invite, Sitter, Coach, Block, LotWord)
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
"""Key of a master's command → what players propose instead."""
_OF_GAMES = (*get_args(GameCommand), Create)
_GOES_ON = re.compile(r"[.!?。]\s*\S")
_MOST_PIECES = 10
EXAMPLE_ADDRESS = "alice@example.com"
"""Stands in lines that only show how a command is written."""


def fitted(said: Said, line: Line, context: Context) -> Said | None:
    """Return what a sentence asks for, fitted to its sender and its line.

    None if it asks for nothing after all.
    """
    is_told_only = _is_told_only(line)
    left = tuple(one for one in said.either if not any(map(is_told_only, one.requests)))
    if any(map(is_told_only, said.requests)) or (said.either and not left):
        return None
    said = _of_a_master(replace(said, either=left), context)
    for fit in (_ready, _as_players_ask, _joining, _replacing, _founding):
        said = fit(said, line, context)
    if _is_only_for_masters(said) and context.role is Role.PLAYER:
        return None
    requests = [one for request in said.requests for one in _with_what_is_named(request, line, context)]
    return replace(said, requests=_saying_what_is_left_out(requests, line, context))


def meant(request: Command) -> Command:
    """Return a command itself, without `Perhaps`."""
    return request.command if isinstance(request, Perhaps) else request


def _is_told_only(line: Line) -> Callable[[Command], bool]:
    """Return a test for requests that the line only tells of.

    The line makes it depend on a condition, or tells it as past: `A draw, if Austria agrees`.
    """
    text = line.text
    is_conditional = pattern_of("%s", "conditional").search(text) is not None
    is_over = is_past(line)

    def is_told_only(request: Command) -> bool:
        command = meant(request)
        if isinstance(command, VoteDraw) and not command.agrees:  # a vote is withdrawn, whatever else is told
            return False
        return (is_conditional and isinstance(command, _BINDING)) or (is_over and isinstance(command, _NOT_DONE_AGAIN))

    return is_told_only


def unbound(requests: tuple[Command, ...], line: Line) -> tuple[Command, ...]:
    """Return the requests that a line does not make conditional or tell as past."""
    is_told_only = _is_told_only(line)
    return tuple(one for one in requests if not is_told_only(one))


def is_past(line: Line) -> bool:
    """Whether a line tells of something past: `I extended the deadline yesterday`."""
    return pattern_of("%s", "is_past").search(line.text) is not None


# Who asks


def as_asked_by(requests: tuple[Command, ...], line: Line, context: Context) -> tuple[Command, ...]:
    """Return the commands of a polite line, as proposals where a player may only propose."""
    if context.role is not Role.PLAYER:
        return requests
    proposed = [(request, _proposed(request, line)) for request in requests]
    return tuple(request if other is None else Perhaps(other) for request, other in proposed)


def _is_only_for_masters(said: Said) -> bool:
    """Whether the answer could only be how a master writes a command."""
    return not said.requests and not said.either and said.entry.makes.card.who in (Permitted.MASTER, Permitted.OWNER)


def is_for_players_only(requests: Sequence[Command], context: Context) -> bool:
    """Whether a master who does not play asks only for what players do."""
    is_master = context.role is Role.MASTER and not context.powers
    return is_master and all(meant(one).card.who in (Permitted.PLAYER, Permitted.SPEAKER) for one in requests)


def _of_a_master(said: Said, context: Context) -> Said:
    """Return one of two meanings for a master who does not play.

    Meanings that only players can have are dropped.
    """
    if context.role is not Role.MASTER or context.powers or not said.either:
        return said
    left = tuple(one for one in said.either if one.entry.makes.card.who not in (Permitted.PLAYER, Permitted.SPEAKER))
    return left[0] if len(left) == 1 else replace(said, either=left or said.either)


def _ready(said: Said, _line: Line, context: Context) -> Said:
    """Return READY for a player who wants the game to go on.

    Only a master closes a phase.
    """
    entries = {said.entry.key, *(one.entry.key for one in said.either)}
    is_player = context.role is Role.PLAYER and said.entry.key == "process"
    plays = context.powers and context.role is not Role.MASTER
    if not is_player and not (plays and {"ready", "process"} <= entries):
        return said
    return Said(entry_called("ready"), (Perhaps(SetReady(ready=True)),))


def _as_players_ask(said: Said, line: Line, context: Context) -> Said:
    """Return a proposal to all players in place of a master's command."""
    if context.role is not Role.PLAYER:
        return said
    either = tuple(_as_players_ask(one, line, context) for one in said.either)
    what = _PROPOSED.get(said.entry.key)
    if what is None:
        return replace(said, either=either)
    entry = entry_called(f"propose_{what.value}")
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


def _joining(said: Said, line: Line, context: Context) -> Said:
    """Return JOIN for the one open game that fits a stranger who names none.

    Return LIST if several games fit.
    """
    asks = [one for one in (said, *said.either) if one.entry.key == "join"]
    if context.role is not Role.STRANGER or not asks or any(one.requests for one in asks):
        return said
    powers = powers_named(line.text, context)
    power = powers[0] if len(powers) == 1 else None
    fitting = [name for name, free in context.open_games.items() if (power is None and free) or power in free]
    if len(fitting) == 1:
        return Said(asks[0].entry, (Perhaps(Join(fitting[0], power)),))
    return Said(entry_called("list"), (ListGames(),)) if fitting else said


def _replacing(said: Said, line: Line, context: Context) -> Said:
    """Offer a master both ways to replace a player.

    They are another player by address, or an empty seat.
    """
    powers = powers_named(line.text, context)
    if said.entry.key != "replace" or said.requests or context.role is not Role.MASTER or len(powers) != 1:
        return said
    with_power = Said(said.entry, (Replace(powers[0], EXAMPLE_ADDRESS, reason="…"),))
    return replace(said, either=(with_power, Said(entry_called("eject"), (Eject(powers[0], reason="…"),))))


# What the line names


def _with_what_is_named(request: Command, line: Line, context: Context) -> Iterator[Command]:
    """Yield a request with the addresses and powers of its line.

    There is one invitation for each address.
    """
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
    """Return the requests; changes that leave out a part of the line are only offered.

    Such a part is a name, a place or a time.
    """
    left = _left_out(requests, line, context) if any(map(_may_leave_out, requests)) else ()
    return tuple(Perhaps(meant(one), left) if left and _may_leave_out(one) else one for one in requests)


def _may_leave_out(request: Command) -> bool:
    command = meant(request)
    is_change = isinstance(command, _OF_GAMES) and not is_harmless(command) and not command.card.is_final
    # The reply to a certain absence names its days, and the absence can be changed.
    return is_change and not isinstance(command, Talk) and not isinstance(request, Absence)


def _left_out(requests: Sequence[Command], line: Line, context: Context) -> tuple[str, ...]:
    """Return the words for a power, person or time that are in no request."""
    told = normal_form(" ".join(map(repr, requests))).text
    if any("deadline" in _settings_of(one) for one in requests):
        told = " ".join((told, *times_of_a_schedule(line.text)))
    found = [match.span() for match in pattern_of("%s", "content").finditer(line.text) if match[0] not in told]
    commands = [meant(one) for one in requests]
    if not any(isinstance(one, VoteDraw) and (one.among or not one.agrees) for one in commands):
        powers = powers_in(context.map.name).finditer(line.text)
        known = {power.lower() for power in context.powers} | {told}
        found += [
            match.span() for match in powers if not any(power_called(match[0], context).lower() in one for one in known)
        ]
    spans = (line.span(*span) for span in sorted(found))
    return tuple(dict.fromkeys(line.written[first:last] for first, last in spans))


def _settings_of(request: Command) -> Collection[str]:
    match meant(request):
        case Create(settings=settings):
            return settings.keys()
        case ChangeSetting(setting=setting):
            return (setting,)
        case _:
            return ()


def _invited(line: Line, context: Context) -> Iterator[Invite]:
    """Yield an invitation for each address, with the power named behind it."""
    found = list(pattern_of("%s", "named_address").finditer(line.text))
    ends = [*(match.start() for match in found[1:]), len(line.text)]
    for match, end in zip(found, ends, strict=True):
        first, last = line.span(*match.span())
        powers = powers_named(line.text[match.end() : end], context)
        yield Invite(line.written[first:last], powers[0] if len(powers) == 1 else None)


def sharers(line: Line, context: Context, *, is_sharing: bool = False) -> tuple[Power, ...]:
    """Return the powers that share a draw: `between France and me`, `without Turkey`.

    `is_sharing`: it is known that the powers named share it.
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


def _founding(said: Said, line: Line, context: Context) -> Said:
    """Return a new game with the name, deadline and time zone that the line gives."""
    found = next((one for one in (said, *said.either) if one.entry.key == "create"), None)
    if found is None:
        return said
    command = meant(found.requests[0]) if found.requests else None
    if not isinstance(command, Create):
        name = name_in(line)
        if not name or name in load_asker(context.map.name).names.powers:
            return said
        command = Create(name)
    settings = settings_named(replace(line, text=line.text.replace(command.game, "_" * len(command.game))), context)
    if not settings and found.requests:
        return found
    return Said(found.entry, (Perhaps(replace(command, settings={**settings, **command.settings})),))

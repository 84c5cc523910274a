"""Commands of a master that change the course of a game."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from judge.calendar import LONGEST, MomentFault, moment_meant
from judge.commands import (
    AsWritten,
    ChangeSetting,
    CheckSettings,
    EndGame,
    Extend,
    HouseRules,
    Pause,
    Resume,
    SetDeadline,
)
from judge.games import refusals, schedule, terms
from judge.games.access import refusal
from judge.games.answers import Done, SettingsShown
from judge.games.events import GameEnded, GameNews
from judge.games.game import Ended, Game, GameState, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.refusals import Refused
from judge.games.request import Request, on, table
from judge.games.settings import read_settings
from judge.games.setup import set_out, wrong_settings
from judge.games.sight import seen_by
from judge.games.terms import Settings
from judge.games.votes import over, with_votes_told, without_held_votes
from judge.rules.position import PhaseKind, Power
from judge.settings import plain_value, setting_named

_DEADLINES_SHOWN = 5
_MOST_OF_RULES, _MOST_LINES_OF_RULES = 4000, 100
"""Limits of house rules, in characters and in lines.

House rules stand in letters to everyone who wants to join.
"""
_FAR_APART = re.compile(r"\n{3,}")


def pause(request: Request[Pause]) -> Handled:
    """Stop the clock (R-UPD-6)."""
    command, now = request.command, request.now
    game = schedule.paused(request.game, now)
    return Handled(game, Done(command), (GameNews(game, command, now),))


def resume(request: Request[Resume]) -> Handled:
    """Resume the clock with the time that was left."""
    command, now = request.command, request.now
    game = schedule.resumed(request.game, now)
    return Handled(game, Done(command, game.clock.deadline), (GameNews(game, command, now),))


def set_deadline(request: Request[SetDeadline]) -> Handled:
    """Set a new deadline for the open phase."""
    written = request.command.moment
    fault = MomentFault.NOT_UNDERSTOOD
    moment = moment_meant(written.meant, request.now, request.mail.zone) if written.meant else fault
    if isinstance(moment, MomentFault):
        return refused(request.game, refusals.BadMoment(written.text, moment))
    return _moved(request, moment)


def extend(request: Request[Extend]) -> Handled:
    """Give the open phase more time."""
    game, command = request.game, request.command
    why_not = why_not_so_long(command.length)
    if why_not is not None:
        return refused(game, why_not)
    length = command.length.meant
    assert length is not None
    if game.clock.deadline is None:
        return refused(game, refusals.NoDeadline(game.name))
    return _moved(request, game.clock.deadline + length)


def why_not_so_long(length: AsWritten[timedelta]) -> refusals.BadLength | refusals.TooLong | None:
    """Return why a deadline cannot be moved by that length; None if it can."""
    if length.meant is None:
        return refusals.BadLength(length.text)
    return refusals.TooLong(length.text, LONGEST) if length.meant > LONGEST else None


def _moved(request: Request[SetDeadline | Extend], moment: datetime) -> Handled:
    command, now, was = request.command, request.now, request.game.clock.deadline
    game = replace(request.game, clock=replace(request.game.clock, closing_since=None, in_grace=False, awaits=False))
    game = schedule.moved(game, moment, now)
    return Handled(game, Done(command, moment), (GameNews(game, command, now, was=was),))


def change_setting(request: Request[ChangeSetting]) -> Handled:
    """Change one of the settings in a mail; the board stays as it is.

    If the settings contradict each other, the answer to each of their lines names all faults, and none is changed. A
    setting that is valid only together with the others of its mail is changed with them.
    """
    game, command, now = request.game, request.command, request.now
    before = game
    mail = tuple(one for one in request.looked_up.settings if refusal(game, request.person, one) is None)
    changes: Sequence[ChangeSetting] = (command,)
    settings = _with_settings(game, changes)
    together = _with_settings(game, (*mail, command))
    if not isinstance(together, Settings):
        if not isinstance(settings, Settings) or not all(one.is_fixed for one in together):
            return Handled(game, wrong_settings(together))
    elif not isinstance(settings, Settings) or setting_named(command.setting) == "rules":
        settings, changes = together, mail  # the other lines override the profile, wherever they stand
    if settings == game.next_settings:  # perhaps by an earlier line of the mail, which reported it
        is_alone = all(one == command for one in mail)
        why_not = Refused(refusals.SameSetting(command.setting))
        return Handled(game, why_not if is_alone else Done(command, game.clock.deadline))
    game = _under(game, settings, now)
    if game.seats_left < 0:
        return refused(before, refusals.TooManyJoined(sum(one.seats for one in game.applicants)))
    news = [one for one in changes if one == command or _with_settings(before, (one,)) != before.next_settings]
    about = "next" if setting_named(command.setting) == "missing" and game.is_running else ""
    told = tuple(GameNews(game, one, now) for one in news)
    return Handled(game, Done(command, game.clock.deadline, about), told)


def _with_settings(game: Game, changes: Sequence[ChangeSetting]) -> Settings | tuple[refusals.WrongSetting, ...]:
    return read_settings({one.setting: one.value for one in changes}, game.next_settings, started=_has_its_board(game))


def _has_its_board(game: Game) -> bool:
    """Whether settings of the board cannot be changed: there are units on it."""
    return game.is_running or game.adopted is not None


def _under(game: Game, settings: Settings, now: datetime) -> Game:
    """Return the game under other settings; a forming game gets a new starting position.

    The open phase of a running game keeps its deadline, unless it had none and now needs one, or the reverse. What
    happens to a power without orders changes from the next phase on: players agreed to it at the start (000[14-3]).
    """
    if game.state is GameState.FORMING:
        anew = set_out(game.name, settings, game.master)
        if settings.map != game.settings.map:
            game = _without_powers(game, anew.seats)
        position = anew.position if game.adopted is None else game.position
        return replace(game, settings=settings, position=position)
    missing = game.settings.missing
    settings, to_come = replace(settings, missing=missing), None if settings.missing is missing else settings.missing
    game = replace(game, missing_to_come=to_come)
    reminders, was_timed = game.settings.reminders, schedule.has_deadlines(game.settings)
    held = game.settings.holds_votes
    game = replace(game, settings=settings)
    if not held:  # earlier votes were told
        game = with_votes_told(game)
    elif not settings.holds_votes:
        game = without_held_votes(game)
    if game.clock.deadline is not None and settings.reminders != reminders:
        game = schedule.moved(game, game.clock.deadline, now)
    is_timed = schedule.has_deadlines(settings)
    if is_timed == was_timed or (is_timed and (game.clock.deadline or game.clock.left) is not None):
        return game
    return schedule.rescheduled(game, now)


def _without_powers(game: Game, seats: tuple[Seat, ...]) -> Game:
    """Return a forming game with the seats of another board.

    Wishes and promises are dropped, because they named powers of the board before.
    """
    applicants = tuple(replace(one, wishes=(), promised=None) for one in game.applicants)
    invitations = tuple(replace(one, power=None) for one in game.invitations)
    return replace(game, seats=seats, applicants=applicants, invitations=invitations)


def check_settings(request: Request[CheckSettings]) -> Handled:
    """Show the meaning of the settings, with the changes being tried; change nothing."""
    game, now = request.game, request.now
    settings = read_settings(request.command.settings, game.next_settings, started=_has_its_board(game))
    if not isinstance(settings, Settings):
        return Handled(game, wrong_settings(settings))
    tried = _under(game, settings, now)
    if not game.is_running:
        tried = schedule.opened(_with_somebody(tried, game.master), now, is_first=True)
    shown = schedule.upcoming_deadlines(tried, now, _DEADLINES_SHOWN)
    tried = seen_by(tried, request.person)
    return Handled(game, SettingsShown(tried, shown, tuple(_asked(tried))))


def _with_somebody(game: Game, person: PersonId) -> Game:
    """Return the game as if one person held all its seats."""
    played = {power for powers in game.set_up.assignments for power in powers}
    seats = tuple(replace(seat, holder=person if seat.power in played else None) for seat in game.seats)
    return replace(game, seats=seats)


def _asked(game: Game) -> Iterator[tuple[Power, int]]:
    """Yield the powers that decide in the open phase, with the number of units.

    These numbers are public except in fog.
    """
    position = game.position
    for power in game.deciding:
        match position.phase.kind:
            case PhaseKind.MOVEMENT:
                yield power, len(position.units_of(power))
            case PhaseKind.RETREAT:
                yield power, sum(loss.power == power for loss in position.dislodged.values())
            case PhaseKind.ADJUSTMENT:
                yield power, abs(game.decisions[power].count)


def set_house_rules(request: Request[HouseRules]) -> Handled:
    """Set the house rules.

    In a running game they apply from the next phase on, and everyone is told before.
    """
    game, command, now = request.game, request.command, request.now
    text = _tidy(command.text)
    amiss: Literal["empty", "long", "open", "same"] | None = None
    if command.ran_on:
        amiss = "open"
    elif not text:
        amiss = "empty"
    elif len(text) > _MOST_OF_RULES or text.count("\n") >= _MOST_LINES_OF_RULES:
        amiss = "long"
    text = "" if plain_value("none", text) else text
    if amiss is None and text == game.house_rules.next.text:
        amiss = "same"
    if amiss is not None:
        return refused(game, refusals.HouseRulesAmiss(amiss, _MOST_OF_RULES, _MOST_LINES_OF_RULES))
    is_later = game.is_running and text != game.house_rules.text
    before = game.house_rules.text if game.is_running else text
    game = replace(game, house_rules=terms.HouseRules(before, text if is_later else None))
    command = replace(command, text=text)
    return Handled(game, Done(command, about=game.state), (GameNews(game, command, now),))


def _tidy(written: str) -> str:
    """Return a text without invisible characters and superfluous blanks.

    Blanks at the ends of lines and runs of blank lines are removed. Bars become slashes. The text is shown behind bars,
    and a second bar in a line would make it a row of a table, which mail reading takes for the sender's own words.
    """
    lines = re.sub(r"[|｜]", "/", written).strip().splitlines()
    visible = ("".join(c if unicodedata.category(c)[0] != "C" else " " for c in line).rstrip() for line in lines)
    return _FAR_APART.sub("\n\n", "\n".join(visible)).strip()


def end(request: Request[EndGame]) -> Handled:
    """End the game without a result."""
    game, command, now = request.game, request.command, request.now
    if command.game != game.name:
        return refused(game, refusals.NoSuchGame(command.game))
    had_begun = game.is_running
    game = over(game, Ended.BY_MASTER, ())
    # A game that never began gets no final report.
    report = (GameEnded(game, now, command.reason),) if had_begun else ()
    return Handled(game, Done(command), (GameNews(game, command, now), *report))


HANDLERS = table(
    on(Pause, pause),
    on(Resume, resume),
    on(SetDeadline, set_deadline),
    on(Extend, extend),
    on(ChangeSetting, change_setting),
    on(CheckSettings, check_settings),
    on(HouseRules, set_house_rules),
    on(EndGame, end),
)

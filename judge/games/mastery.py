"""What a master does to the course of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from judge.commands import (
    ChangeSetting,
    CheckSettings,
    EndGame,
    Extend,
    Pause,
    Redo,
    Resume,
    Rollback,
    SetDeadline,
)
from judge.games.durations import read_duration
from judge.games.events import Done, GameEnded, Happened, RefusalReason, SettingsShown
from judge.games.game import Ended, FiledOrder, Game, GameState, Settings
from judge.games.handled import Handled, refused
from judge.games.moments import MomentFault, read_moment
from judge.games.schedule import opened, paused, resumed, upcoming_deadlines
from judge.games.settings import read_settings
from judge.games.setup import set_out, wrong_settings
from judge.games.votes import over
from judge.rules.notation import write_order
from judge.rules.orders import Order
from judge.rules.position import Position, Power

_DEADLINES_SHOWN = 5


def pause(game: Game, command: Pause, now: datetime) -> Handled:
    """Stop the clock (R-UPD-6)."""
    game = paused(game, now)
    return Handled(game, Done(command), (Happened(game, command, now),))


def resume(game: Game, command: Resume, now: datetime) -> Handled:
    """Go on with the time that was left."""
    game = resumed(game, now)
    return Handled(game, Done(command, game.deadline), (Happened(game, command, now),))


def set_deadline(game: Game, command: SetDeadline, now: datetime, zone: str) -> Handled:
    """A new deadline for the open phase."""
    moment = read_moment(command.moment, now, zone)
    if isinstance(moment, MomentFault):
        return refused(game, RefusalReason.BAD_MOMENT, command.moment, moment)
    return _moved(game, command, moment, now)


def extend(game: Game, command: Extend, now: datetime) -> Handled:
    """More time for the open phase."""
    length = read_duration(command.length)
    if length is None:
        return refused(game, RefusalReason.BAD_LENGTH, command.length)
    if game.deadline is None:
        return refused(game, RefusalReason.NO_DEADLINE, game.name)
    return _moved(game, command, game.deadline + length, now)


def _moved(game: Game, command: SetDeadline | Extend, moment: datetime, now: datetime) -> Handled:
    game = replace(game, deadline=moment, closing_since=None, in_grace=False, reminded=0)
    return Handled(game, Done(command, moment), (Happened(game, command, now),))


def change_setting(game: Game, command: ChangeSetting, now: datetime) -> Handled:
    """One setting; what is on the board already stays as it is."""
    settings = read_settings({command.setting: command.value}, game.settings, started=game.is_running)
    if not isinstance(settings, Settings):
        return Handled(game, wrong_settings(settings))
    if settings == game.settings:
        return refused(game, RefusalReason.SAME_SETTING, command.setting)
    game = _under(game, settings)
    return Handled(game, Done(command, game.deadline), (Happened(game, command, now),))


def _under(game: Game, settings: Settings) -> Game:
    """The game under other settings; one that is forming is set out anew, the open phase of another goes on."""
    if game.state is not GameState.FORMING:
        return replace(game, settings=settings)
    anew = set_out(game.name, settings, game.master)
    return replace(game, settings=settings, position=anew.position)


def check_settings(game: Game, command: CheckSettings, now: datetime) -> Handled:
    """What the settings mean, with the changes that are tried; nothing is changed."""
    settings = read_settings(command.settings, game.settings, started=game.is_running)
    if not isinstance(settings, Settings):
        return Handled(game, wrong_settings(settings))
    tried = _under(game, settings)
    if not game.is_running:
        tried = opened(tried, now, is_first=True)
    shown = upcoming_deadlines(tried, now, _DEADLINES_SHOWN)
    return Handled(game, SettingsShown(tried, shown))


def end(game: Game, command: EndGame, now: datetime) -> Handled:
    """The game is over without a result."""
    if command.game != game.name:
        return refused(game, RefusalReason.NO_SUCH_GAME, command.game)
    game = over(game, Ended.BY_MASTER, ())
    return Handled(game, Done(command), (Happened(game, command, now), GameEnded(game, now)))


@dataclass(frozen=True, slots=True)
class Past:
    """A phase as it stood when it was closed, or the one that was open before a rollback."""

    position: Position
    orders: Mapping[Power, tuple[Order, ...]] = field(default_factory=dict)


def roll_back(game: Game, command: Rollback | Redo, past: Past | None, now: datetime) -> Handled:
    """Open a phase again that was closed, with the orders it was closed with; or go back to before a rollback."""
    if past is None and isinstance(command, Rollback):
        return refused(game, RefusalReason.NO_SUCH_PHASE, str(command.phase))
    if past is None:
        return refused(game, RefusalReason.NOTHING_TO_REDO)
    seats = tuple(
        replace(
            seat,
            ready=False,
            waits=False,
            orders=tuple(FiledOrder(order, write_order(order), 0) for order in past.orders.get(seat.power, ())),
            planned=(),
            replaced=(),
            changed_by=0,
        )
        for seat in game.seats
    )
    game = replace(game, state=GameState.ACTIVE, position=past.position, seats=seats, winner=None, ended=None)
    game = opened(replace(game, sharers=(), left=None, awaits=False, carried=timedelta()), now)
    return Handled(game, Done(command, game.deadline), (Happened(game, command, now),))

"""Private boards, on which one person has all powers.

A phase closes with the first mail that has orders.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from judge import commands as c
from judge.calendar import Timetable
from judge.games import refusals
from judge.games.answers import Done
from judge.games.game import Ended, Game, GameState, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.remembering import remembered
from judge.games.reopening import roll_back
from judge.games.request import Request, on, table
from judge.games.schedule import opened
from judge.games.terms import PressRule, Settings
from judge.games.votes import over
from judge.rules.options import Fog, UpdateType
from judge.rules.position import Position

MOST = 3
"""The most sandboxes a person may have at once."""
_LASTS = Timetable(timedelta(days=30))
"""A sandbox is ended after this long without orders."""
_WITH_OTHERS = (
    *(c.Announce, c.Broadcast, c.ChangeSetting, c.Coach, c.HandOver, c.HouseRules, c.Invite, c.Join, c.Observe),
    *(c.Press, c.PressToCoach, c.PressToMaster, c.Promote, c.Replace, c.Robot, c.Sitter, c.TakeOver),
)


def sandbox(number: int, person: PersonId, settings: Settings, position: Position, now: datetime) -> Game:
    """Create a sandbox from a position, with the rules of its game."""
    rules = replace(settings.rules, update_type=UpdateType.SCHEDULED_OR_ON_COMPLETION, fog=Fog.NONE)
    private = Settings(
        map=settings.map,
        profile=settings.profile,
        rules=rules,
        movement=_LASTS,
        retreat=_LASTS,
        adjustment=_LASTS,
        zone=settings.zone,
        reminders=(),
        ready_incomplete=True,
        press=PressRule.NONE,
        listed=False,
        observers=False,
    )
    game = Game(f"{Game.SANDBOX}{number}", private, person, GameState.ACTIVE, position, ())
    unplayed = game.set_up.unplayed
    seats = tuple(Seat(power, None if power in unplayed else person, serial=1) for power in game.map.powers)
    return remembered(opened(replace(game, seats=seats), now))


def why_not_alone(game: Game, command: c.GameCommand) -> refusals.OnlyYours | None:
    """Return why a command cannot be given to a sandbox: it would concern other people."""
    return refusals.OnlyYours(game.name) if game.is_sandbox and isinstance(command, _WITH_OTHERS) else None


def at_once(game: Game, mail: int, now: datetime) -> Game:
    """Return the game, closing if the mail had orders."""
    has_orders = any(filed.mail == mail for seat in game.seats for filed in seat.filed.orders)
    is_closing = has_orders and game.state is GameState.ACTIVE
    return replace(game, clock=replace(game.clock, closing_since=now)) if is_closing else game


def step_back(request: Request[c.Back]) -> Handled:
    """Reopen the phase that was closed last, without orders."""
    game, past = request.game, request.looked_up.past
    if not game.is_sandbox:
        return refused(game, refusals.NoSandbox(game.name))
    if past is None:
        return refused(game, refusals.NothingToGoBackTo(game.position.phase))
    back = roll_back(request.asking(c.Rollback(past.position.phase)))
    seats = tuple(replace(seat, filed=replace(seat.filed, orders=())) for seat in back.game.seats)
    # The rollback is logged, so `judge verify` knows why a phase is played again.
    return Handled(replace(back.game, seats=seats), Done(request.command), back.events)


def put_away(request: Request[c.EndSandbox]) -> Handled:
    """End the sandbox without telling anyone else."""
    game = request.game
    if not game.is_sandbox:
        return refused(game, refusals.NoSandbox(game.name))
    return Handled(over(game, Ended.BY_MASTER, ()), Done(request.command))


HANDLERS = table(on(c.Back, step_back), on(c.EndSandbox, put_away))

"""Seats of computer players: assigned by the master, vacated by EJECT or REPLACE.

This module does not choose a robot's orders: the caller that opens a phase files them with `ordered`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.commands import Robot
from judge.games import refusals
from judge.games.answers import Done
from judge.games.events import GameNews, GameStarted
from judge.games.filed import FiledOrder
from judge.games.game import Game, GameState
from judge.games.handled import Handled, refused
from judge.games.refusals import Refusal
from judge.games.request import Request, on, table
from judge.games.seats import vacated
from judge.games.setup import start, why_not
from judge.games.votes import living
from judge.rules.notation import write_order
from judge.rules.orders import Order
from judge.rules.position import PhaseKind, Power


def give_to_robots(request: Request[Robot]) -> Handled:
    """Let robots play these powers, or all free ones.

    If the game is full then, it starts.
    """
    game, command, now = request.game, request.command, request.now
    before, powers = game, command.powers or _free(game)
    why = next((why for power in powers if (why := _why_not(game, power)) is not None), None)
    if why is not None or not powers:
        return refused(game, why or refusals.NoVacancy(()))
    for power in powers:
        for one in _group_of(game, power):
            seat = vacated(game.seat(one), keeps_orders=False)
            seat = replace(seat, is_robot=True, is_dummy=False, in_disorder=False)
            game = game.with_seat(replace(seat, missed=0))
    done = replace(command, powers=powers)
    if game.is_running:
        return Handled(game, Done(done), (GameNews(game, done, now),))
    if game.seats_left < len(game.invitations):
        return refused(before, refusals.SeatsKept(game.name))
    if not game.seats_left and not game.applicants:
        return refused(before, refusals.NobodyJoined(game.name))
    if not game.seats_left:
        game = start(game, now, request.mail.mail)
        return Handled(game, Done(done), (GameStarted(game, now),))
    return Handled(game, Done(done))


def _group_of(game: Game, power: Power) -> tuple[Power, ...]:
    """Return the powers one player has together, in games with few players (R-MULTI)."""
    return next((powers for powers in game.set_up.assignments if power in powers), ())


def _free(game: Game) -> tuple[Power, ...]:
    """Return the first power of each missing player.

    Before the start, powers that no applicant wishes for come first.
    """
    groups = [powers for powers in game.set_up.assignments if _why_not(game, powers[0]) is None]
    if game.state is not GameState.FORMING:
        return tuple(powers[0] for powers in groups)
    wished = {wish for applicant in game.applicants for wish in applicant.wishes[: applicant.seats]}
    groups.sort(key=lambda powers: not wished.isdisjoint(powers))
    left = game.seats_left - max(len(game.invitations), 0 if game.applicants else 1)
    return tuple(powers[0] for powers in groups[: max(0, left)])


def _why_not(game: Game, power: Power) -> Refusal | None:
    """Return why a robot cannot have a power; None if it can."""
    if not _group_of(game, power):
        return refusals.PowerNotPlayed(power)
    seat = game.seat(power)
    if game.state is not GameState.FORMING:
        is_free = seat.holder is None and not seat.is_robot and power in living(game)
        return None if is_free else refusals.StillPlayed(power)
    why = why_not(game, game.applicants, power, game.invitations)
    return replace(why, for_robot=True) if isinstance(why, refusals.PowerTaken) else why


def robots_to_order(game: Game) -> tuple[tuple[Power, ...], ...]:
    """Return the powers of robots that still need orders, grouped by player."""
    if not game.is_running:
        return ()
    waiting = {seat.power for seat in game.seats if seat.is_robot and not seat.is_dummy and not seat.filed.orders}
    waiting &= _deciding(game)
    groups = (tuple(power for power in powers if power in waiting) for powers in game.set_up.assignments)
    return tuple(powers for powers in groups if powers)


def _deciding(game: Game) -> set[Power]:
    match game.position.phase.kind:
        case PhaseKind.MOVEMENT:
            return set(game.position.units.values())
        case PhaseKind.RETREAT:
            return {loss.power for loss in game.position.dislodged.values()}
        case PhaseKind.ADJUSTMENT:
            return {power for power, decision in game.decisions.items() if decision.count}


def ordered(game: Game, orders: Mapping[Power, Sequence[Order]]) -> Game:
    """Return the game with the orders of robots on file; they come from no mail."""
    for power, told in orders.items():
        filed = tuple(FiledOrder(order, write_order(order), 0) for order in told)
        seat = game.seat(power)
        game = game.with_seat(replace(seat, filed=replace(seat.filed, orders=filed)))
    return game


HANDLERS = table(on(Robot, give_to_robots))

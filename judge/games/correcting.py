"""A master corrects mistakes on the board before any orders are given."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from judge.commands import Own, Put, Take
from judge.games import refusals
from judge.games.answers import Done
from judge.games.events import GameNews
from judge.games.game import Game, Seat
from judge.games.handled import Handled, refused
from judge.games.refusals import Refusal
from judge.games.request import Request, on, table
from judge.games.seats import players_back, players_out
from judge.rules.position import PhaseKind, Position
from judge.rules.soundness import check_position

Correction: TypeAlias = Put | Take | Own


def correct(request: Request[Correction]) -> Handled:
    """Change a unit or an owner on the board; ready players must repeat READY."""
    game, command, now = request.game, request.command, request.now
    why = _why_not_now(game) or _why_not(game, command)
    if why is not None:
        return refused(game, why)
    position = _corrected(game.position, command)
    check_position(game.map, position)
    seats = tuple(_looking_again(seat, position) for seat in game.seats)
    clock = replace(game.clock, closing_since=None, processed=None)
    before, game = game, replace(game, position=position, seats=seats, clock=clock)
    out_or_back = (*players_out(before, game, now), *players_back(before, game, now))
    return Handled(game, Done(command, game.clock.deadline), (GameNews(game, command, now), *out_or_back))


def _why_not_now(game: Game) -> Refusal | None:
    """Return why the board cannot be corrected now; None if it can.

    Orders on file were given for the old board, and retreats depend on all other units.
    """
    if game.is_foggy:  # a correction is told to everyone and shows units
        return refusals.BoardInFog(game.name)
    if game.position.phase.kind is PhaseKind.RETREAT:
        return refusals.BoardInRetreats(game.position.phase)
    if any((seat.filed.orders or seat.filed.questions) and not seat.is_robot for seat in game.seats):
        return refusals.OrdersOnFile(game.position.phase)
    return None


def _why_not(game: Game, command: Correction) -> Refusal | None:
    there = {unit.province: unit for unit in game.position.units}
    match command:
        case Put(unit):
            standing = there.get(unit.province)
            if not game.map.can_stand(unit):
                return refusals.CannotStand(unit)
            return refusals.Occupied(standing, game.position.units[standing]) if standing is not None else None
        case Take(unit):
            standing = there.get(unit.province)
            if standing is None:
                return refusals.NoSuchUnit(unit.province)
            return None if standing.kind is unit.kind else refusals.Occupied(standing, game.position.units[standing])
        case Own(center, power):
            if center not in game.map.supply_centers:
                return refusals.NoCenter(center)
            return refusals.OwnedAlready(center, power) if (game.position.centers or {}).get(center) == power else None
        case _:
            assert_never(command)


def _corrected(position: Position, command: Correction) -> Position:
    match command:
        case Put(unit, power):
            return replace(position, units={**position.units, unit: power})
        case Take(unit):
            left = {one: power for one, power in position.units.items() if one.province != unit.province}
            return replace(position, units=left)
        case Own(center, power):
            others = {one: whose for one, whose in (position.centers or {}).items() if one != center}
            return replace(position, centers=others if power is None else {**others, center: power})
        case _:
            assert_never(command)


def _looking_again(seat: Seat, position: Position) -> Seat:
    """Return the seat without READY, and without the orders of a robot.

    A power that was out is back if it has a unit again.
    """
    is_back = seat.is_out and bool(position.units_of(seat.power))
    orders = () if seat.is_robot else seat.filed.orders
    filed = replace(seat.filed.not_ready(), orders=orders)
    return replace(seat, filed=filed, is_dummy=seat.is_dummy and not is_back)


HANDLERS = table(on(Put, correct), on(Take, correct), on(Own, correct))

"""Refused order lines of a player: remembered until they are replaced, dropped or cleared."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from judge.games import refusals
from judge.games.context import MailContext
from judge.games.filed import RefusedLine
from judge.games.game import Game, Seat
from judge.games.person import PersonId
from judge.games.refusals import Refusal
from judge.rules.position import Power, Province

_MOST = 20
"""The most lines remembered for a seat."""
_LONGEST = 200
"""The most characters kept of a line."""
_NOT_FOR_THIS_PHASE = (
    refusals.WrongPhase | refusals.TooLate | refusals.Superseded | refusals.NothingToDecide | refusals.NeverPossible
)


def refused_lines(game: Game, person: PersonId) -> tuple[RefusedLine, ...]:
    """The refused lines of a player, by number."""
    found = [line for seat in game.seats_of(person) for line in seat.filed.refused]
    return tuple(sorted(found, key=lambda line: line.number))


def next_number(game: Game, person: PersonId) -> int:
    """The number for the next open question or refused line of a player."""
    seats = game.seats_of(person)
    used = [question.number for seat in seats for question in seat.filed.questions]
    used += [line.number for seat in seats for line in seat.filed.refused]
    return max(used, default=0) + 1


def is_remembered(why: Refusal) -> bool:
    """Whether an order refused for this reason is remembered as unsettled.

    Orders that were not meant for the open phase are not.
    """
    return not isinstance(why, _NOT_FOR_THIS_PHASE)


def with_refused(game: Game, person: PersonId, context: MailContext, places: Collection[Province] = ()) -> Game:
    """Return the game with a refused line remembered, unless its sender is not verified.

    `places` are the provinces of the units that the line may be for.
    """
    is_open = game.is_running and context.meant_phase in (None, game.position.phase)
    is_late = game.due is not None and context.received_at > game.due
    if not (is_open and context.is_proved) or is_late or context.ordering is not None or not context.line.strip():
        return game
    seat = _seat_for(game, person, context.power, places)
    if seat is None or len(seat.filed.refused) >= _MOST:
        return game
    text = " ".join(context.line.split())[:_LONGEST]
    known = next((line for line in seat.filed.refused if (line.mail, line.text) == (context.mail, text)), None)
    if known is not None:
        return game
    line = RefusedLine(next_number(game, person), text, context.mail, tuple(places))
    return game.with_seat(replace(seat, filed=replace(seat.filed, refused=(*seat.filed.refused, line))))


def _seat_for(game: Game, person: PersonId, power: Power | None, places: Collection[Province]) -> Seat | None:
    """Return the seat a line was written for.

    It is the one with such a unit, else the power in a heading, else the first.
    """
    seats = [seat for seat in game.seats_of(person) if seat.power in game.deciding]
    units = [*game.position.units.items(), *((unit, loss.power) for unit, loss in game.position.dislodged.items())]
    owners = {owner for unit, owner in units if unit.province in places}
    fitting = [seat for seat in seats if seat.power in owners]
    named = [seat for seat in seats if seat.power == power]
    return next(iter([*fitting, *named, *seats]), None)

"""Reopening of closed phases.

Each field of a seat and of a game is kept, remembered, taken from the record, or reset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from judge.commands import Redo, Rollback
from judge.games import refusals, schedule
from judge.games.answers import Done
from judge.games.ballots import Ballots
from judge.games.clock import Clock
from judge.games.events import GameNews
from judge.games.filed import FiledOrder, OnFile, Planned
from judge.games.game import Game, GameState, Seat
from judge.games.handled import Handled, refused
from judge.games.insight import seated_with_insight, written
from judge.games.remembering import (
    AS_IT_IS,
    planned_again,
    remembered,
    seat_then,
    stood_in,
    unchanged,
    with_plans_remembered,
)
from judge.games.request import Request, on, table
from judge.games.seats import with_the_tossed_power
from judge.rules.notation import write_order
from judge.rules.orders import Order
from judge.rules.position import Position, Power, Province

SEAT_KEPT = ("power", "holder", "before", "serial", "is_robot", "mutes", "shares_notes", "renewed", "coach")
"""Kept as they are now, whichever phase is reopened."""
SEAT_REMEMBERED = AS_IT_IS
"""Restored to their values when the phase opened, unless the seat changed hands."""
SEAT_IN_PART = ("filed", "ballots", "leave")
"""Put together from several sources.

Orders come from the record. Plans, questions and absences waited for come from memory. Announced absences and votes for
a master stay as they are now. The rest is reset: no player is READY, and there are no votes to end the game.
"""

GAME_KEPT = (
    *("name", "settings", "master", "co_masters", "observers", "applicants", "arrivals", "version"),
    *("stood", "house_rules", "missing_to_come", "chance"),
    *("asked_whether_there", "muster_at", "muster_offered"),
    *("invitations", "master_offers", "coach_offers", "searches", "petitions", "sittings", "own_reminders"),
    *("adopted", "tossed", "proposed", "draw_confirmed", "rollbacks"),
    *("saw", "played", "previews", "objections", "writers", "press_withheld"),
)
"""Kept as they are now.

The coin is tossed only once, numbers are not reused, and people do not forget.
"""
GAME_REMEMBERED = ("clock",)
"""Reset to a full deadline.

The time carried over from other phases is added as it was when the phase opened.
"""
GAME_ON_RECORD = ("position", "seats", "told")
"""Taken from the record, with the seats as put together in this module.

`told` holds the orders of these seats, which everyone has read.
"""
GAME_BLANK = ("state", "press_shut", "proposals", "winner", "ended", "sharers", "publish_at", "sight")
"""Reset; a paused game stays paused, and only a view has a sight."""


@dataclass(frozen=True, slots=True)
class Past:
    """A phase as it was when it closed, or the phase open before a rollback."""

    position: Position
    orders: Mapping[Power, tuple[Order, ...]] = field(default_factory=dict)
    disorder: frozenset[Power] = frozenset()
    unplayed: frozenset[Power] = frozenset()
    """Powers without a player, and powers out of the game."""
    declined: Mapping[Power, frozenset[Province]] = field(default_factory=dict)
    written: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Power → order in strict notation → line as it was written.

    Lines that only spell the order in another way are left out.
    """


def roll_back(request: Request[Rollback | Redo]) -> Handled:
    """Reopen a closed phase with its orders, or undo a rollback.

    Seats stay with their present players; the coin is not tossed again.
    """
    game, command, now, past = request.game, request.command, request.now, request.looked_up.past
    if past is None and isinstance(command, Rollback):
        return refused(game, refusals.NoSuchPhase(command.phase))
    if past is None:
        return refused(game, refusals.NothingToRedo())
    if seated_with_insight(game, past.position.phase):
        return refused(game, refusals.PlayerHasSeen(past.position.phase))
    if isinstance(command, Rollback) and game.is_running:
        game = with_plans_remembered(game)
    set_up, was_paused = game.set_up, game.state is GameState.PAUSED
    game = _reopened(game, past)
    if game.set_up != set_up:
        game = with_the_tossed_power(game)
    game = schedule.opened(game, now, is_first=not game.has_begun)
    game = schedule.paused(game, now) if was_paused else schedule.heeding_readiness(game, now)
    game = remembered(replace(game, rollbacks=game.rollbacks + 1))
    return Handled(game, Done(command, game.clock.deadline), (GameNews(game, command, now),))


def _reopened(game: Game, past: Past) -> Game:
    """Return the game with the phase reopened, still without a deadline."""
    kept = {name: getattr(game, name) for name in GAME_KEPT}
    known = [one.left for one in game.stood if one.phase.order_key <= past.position.phase.order_key]
    seats = tuple(_reopened_seat(game, seat, past) for seat in game.seats)
    return Game(
        **kept,
        state=GameState.ACTIVE,
        position=past.position,
        seats=seats,
        told=tuple(line for seat in seats for line in written(seat)),
        clock=Clock(carried=known[-1] if known else timedelta()),
    )


def _reopened_seat(game: Game, seat: Seat, past: Past) -> Seat:
    then = stood_in(game, past.position.phase)
    given = past.orders.get(seat.power, ())
    if then is not None and seat.power in unchanged(game, then):
        stood = seat_then(then, seat.power)
        known = {name: getattr(stood, name) for name in AS_IT_IS}
        filed = OnFile(planned=planned_again(stood), questions=stood.questions, refused=stood.refused)
        waited = stood.waited
    else:
        # The present player is not held to what a previous one missed.
        known = _as_far_as_recorded(seat, past) if then is None else {}
        known["is_dummy"] = _is_dummy(seat, past)
        filed = OnFile(planned=_still_planned(seat, past))
        waited = seat.leave.waited if then is None else ()
        given = () if seat.is_dummy and not seat.is_out else given
    lines = past.written.get(seat.power, {})
    orders = tuple(FiledOrder(order, lines.get(code, code), 0) for order in given for code in (write_order(order),))
    filed = replace(filed, orders=orders, declined=tuple(sorted(past.declined.get(seat.power, ()))))
    kept = {name: getattr(seat, name) for name in SEAT_KEPT}
    ballots, leave = Ballots(elects=seat.ballots.elects), replace(seat.leave, waited=waited)
    return Seat(**kept, **known, filed=filed, ballots=ballots, leave=leave)


def _as_far_as_recorded(seat: Seat, past: Past) -> dict[str, Any]:
    """Return a seat's values from the record of a phase closed by an older version.

    The rest stays as it is now.
    """
    now = {name: getattr(seat, name) for name in ("missed", "offered_at", "is_voted_out", "extensions")}
    return now | {"in_disorder": seat.power in past.disorder and seat.holder is not None}


def _is_dummy(seat: Seat, past: Past) -> bool:
    """Whether the seat was a dummy.

    The record decides for seats that a person or robot has now.
    """
    there = {*past.position.units.values(), *(loss.power for loss in past.position.dislodged.values())}
    was_out = seat.power in past.unplayed and seat.power not in there
    return was_out if seat.holder is not None or seat.is_robot else seat.is_dummy


def _still_planned(seat: Seat, past: Past) -> tuple[Planned, ...]:
    return tuple(plan for plan in seat.filed.planned if plan.phase.order_key > past.position.phase.order_key)


HANDLERS = table(on(Rollback, roll_back), on(Redo, roll_back))

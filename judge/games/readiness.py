"""What is lacking, who is ready, who is away, and what the master closes all the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from judge.commands import Process, Wait
from judge.games import refusals
from judge.games.answers import Closing, Done, Lacking, ReadySet, SeatKept
from judge.games.context import MailContext
from judge.games.contradictions import contradictions
from judge.games.events import GameNews
from judge.games.filing import subject_of
from judge.games.game import Game, GameState, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.schedule import heeding_readiness, left_to_robots, may_close_when_ready
from judge.games.terms import MissingOrders
from judge.games.votes import living
from judge.rules.position import PhaseKind, Power, Unit

_AFTER_THE_LAST = timedelta(hours=1)


def lacking(game: Game) -> tuple[Lacking, ...]:
    """What is not on file yet, power by power; powers that lack nothing are left out."""
    if not game.is_running:
        return ()
    position = game.position
    result = []
    for power in game.deciding:
        orders = [filed.order for filed in game.seat(power).orders]
        ordered = {subject_of(order) for order in orders}
        match position.phase.kind:
            case PhaseKind.MOVEMENT:
                units: Iterable[Unit] = position.units_of(power)
            case PhaseKind.RETREAT:
                units = sorted((u for u, loss in position.dislodged.items() if loss.power == power), key=str)
            case PhaseKind.ADJUSTMENT:
                decision = game.decisions[power]
                missing = decision.count - len(orders) if decision.count > 0 else decision.count + len(orders)
                if missing * decision.count > 0:
                    result.append(Lacking(power, position.units_of(power) if missing < 0 else (), missing))
                continue
        unordered = tuple(unit for unit in units if unit.province not in ordered)
        if unordered:
            result.append(Lacking(power, unordered))
    return tuple(result)


def silent(game: Game) -> tuple[Power, ...]:
    """The powers that have something to order and somebody to do it, and sent nothing, not even READY."""
    seats = [game.seat(lack.power) for lack in lacking(game)]
    return tuple(seat.power for seat in seats if not (seat.orders or seat.ready or seat.ready_by))


def is_offered(game: Game, seat: Seat) -> bool:
    """Whether others may take a seat over because its player sent nothing; an order or a READY of his keeps it."""
    by_rule = game.settings.missing is MissingOrders.REPLACE and seat.missed > 0
    return seat.holder is not None and (by_rule or seat.is_voted_out)


def not_offered(seat: Seat) -> Seat:
    """A seat that is not on offer any more: its player is there."""
    return replace(seat, missed=0, offered_at=None, is_voted_out=False)


def set_ready(game: Game, person: PersonId, context: MailContext, *, ready: bool) -> Handled:
    """Note who waits for nothing more, or does again."""
    mine = game.seats_of(person)
    asked = game.deciding
    if ready and mine and game.state is GameState.ACTIVE and left_to_robots(game):
        return Handled(replace(game, closing_since=context.received_at), Closing(game.position.phase))
    keeps = tuple(seat.power for seat in mine if is_offered(game, seat))
    if ready and not any(seat.power in asked for seat in mine):
        return _keeping(game, person, keeps)
    missing = tuple(lack for lack in lacking(game) if lack.power in {seat.power for seat in mine})
    incomplete = {lack.power for lack in missing}
    for seat in mine:
        seat = not_offered(seat) if seat.power in keeps else seat  # noqa: PLW2901
        if not ready:
            changed = replace(seat, ready=False, ready_by=0)
        elif _may_be_ready(game, seat, context, is_complete=seat.power not in incomplete and not seat.questions):
            changed = replace(seat, ready=True, ready_by=0, waits=False)
        else:
            changed = replace(seat, ready=False, ready_by=seat.ready_by or context.mail, waits=False)
        game = game.with_seat(changed)
    waiting = [seat.power for seat in game.seats if seat.power in asked and not seat.ready and seat.holder != person]
    game = heeding_readiness(no_longer_awaited(game, context.received_at), context.received_at)
    answer = ReadySet(
        ready,
        len(waiting),
        missing,
        context.set_aside,
        questions=sum(len(seat.questions) for seat in game.seats_of(person)),
        counts=all(game.seat(seat.power).ready for seat in mine if seat.power in asked),
        closes_early=may_close_when_ready(game.settings, game.position.phase.kind),
        has_deadline=game.deadline is not None,
        closes_at=game.closing_since,
        contradictions=contradictions(game, game.seats_of(person), context.mail) if ready else (),
        keeps=keeps,
    )
    return Handled(game, answer)


def _keeping(game: Game, person: PersonId, powers: Collection[Power]) -> Handled:
    """Nothing is asked of him in this phase; but he is there, so that nobody takes his seats."""
    if not powers:
        mine, alive = tuple(seat.power for seat in game.seats_of(person)), living(game)
        out = () if any(power in alive for power in mine) else mine
        return refused(game, refusals.NothingToDecide(game.position.phase, out))
    for power in powers:
        game = game.with_seat(not_offered(game.seat(power)))
    return Handled(game, SeatKept(tuple(powers), game.position.phase))


def _may_be_ready(game: Game, seat: Seat, context: MailContext, *, is_complete: bool) -> bool:
    """Whether READY counts at once: nothing is missing and nothing of the mail was set aside, or it is said again."""
    if game.settings.ready_incomplete:
        return True
    if any(question.mail == context.mail for question in seat.questions):
        return False
    said_before = seat.ready_by not in (0, context.mail)
    return seat.ready or (not context.set_aside and (is_complete or said_before))


def ready_once_complete(game: Game, context: MailContext) -> Game:
    """A READY that came too early counts as soon as nothing is missing."""
    if context.set_aside or not any(seat.ready_by for seat in game.seats):
        return game
    incomplete = {lack.power for lack in lacking(game)}
    for seat in game.seats:
        if seat.ready_by and seat.power not in incomplete and not seat.questions:
            game = game.with_seat(replace(seat, ready=True, ready_by=0))
    return game


def no_longer_awaited(game: Game, now: datetime) -> Game:
    """A phase that stayed open for somebody closes soon after his first mail, which may not be his last."""
    if not game.awaits or silent(game):
        return game
    return replace(game, awaits=False, deadline=now + _AFTER_THE_LAST)


def wait(game: Game, person: PersonId, command: Wait, now: datetime) -> Handled:
    """Hold the phase open until its deadline."""
    if not may_close_when_ready(game.settings, game.position.phase.kind):
        return refused(game, refusals.NeverClosesEarly(game.position.phase, game.deadline is not None))
    for seat in game.seats_of(person):
        game = game.with_seat(replace(seat, waits=True, waits_since=now, ready=False, ready_by=0))
    return Handled(game, Done(command, game.deadline))


def process(game: Game, command: Process, now: datetime) -> Handled:
    """The master closes the open phase; it has to be named."""
    phase = command.phase
    if phase != game.position.phase:
        over = phase.order_key < game.position.phase.order_key
        why = refusals.AlreadyClosed if over else refusals.NotOpenYet
        return refused(game, why(phase, game.position.phase))
    is_due = game.due is not None and game.due <= now
    if game.processed is not None and is_due:  # it is closing already
        return Handled(game, Closing(phase))
    # Where something holds up what is due, the deadline still says what came in time.
    game = replace(game, closing_since=game.closing_since if is_due else now, processed=command.reason)
    return Handled(game, Closing(phase), (GameNews(game, command, now),))

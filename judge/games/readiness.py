"""Readiness: READY, WAIT, missing players, and PROCESS by the master."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from judge.commands import Process, SetReady, Wait
from judge.games import refusals
from judge.games.answers import Closing, Done, ReadySet, SeatKept
from judge.games.context import MailContext
from judge.games.events import GameNews
from judge.games.filed import OnFile, Told
from judge.games.findings import Finding, NotTaken, Unanswered, marks
from judge.games.game import Game, GameState, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.request import Request, on, table
from judge.games.schedule import awaited, heeding_readiness, left_to_robots, may_close_when_ready
from judge.games.terms import MissingOrders, Readiness
from judge.games.unsettled import blocking, lacking, unsettled
from judge.games.votes import living
from judge.rules.adjustments import leaderless
from judge.rules.position import Phase, PhaseKind, Power, Season

_AFTER_THE_LAST = timedelta(hours=1)
_UNTOLD = -1
"""The mail number for READY that was suspended without a mail of the player."""
_MOST_TOLD = 4
"""The most earlier answers about blocked READY that are remembered."""


def kept_idle(game: Game, powers: Container[Power], adjustment: Phase) -> tuple[Power, ...]:
    """Return those of `powers` that civil disorder keeps from building and removing.

    Only living powers are returned, and only for that adjustment phase. Orders for a movement phase end the disorder
    (R-NMR-2), and a power may still adjust in a winter after one.
    """
    open_ = game.position.phase
    leads_there = open_.kind is not PhaseKind.MOVEMENT and open_.season is not Season.SPRING
    if adjustment.kind is not PhaseKind.ADJUSTMENT or not (leads_there and adjustment.year == open_.year):
        return ()
    idle = leaderless(game.map, game.settings.rules, game.circumstances)
    return tuple(power for power in living(game) if power in powers and game.seat(power).in_disorder and power in idle)


def silent(game: Game) -> tuple[Power, ...]:
    """Return the powers that lack orders and sent nothing, not even READY.

    Only powers with a player and with something to order count.
    """
    seats = [game.seat(lack.power) for lack in lacking(game)]
    return tuple(seat.power for seat in seats if not (seat.filed.orders or seat.filed.ready or seat.filed.ready_by))


def is_offered(game: Game, seat: Seat) -> bool:
    """Whether others may take over a seat because its player is missing.

    The player keeps it with an order or READY.
    """
    by_rule = game.settings.missing is MissingOrders.REPLACE and seat.missed > 0
    return seat.holder is not None and (by_rule or seat.is_voted_out)


def not_offered(seat: Seat) -> Seat:
    """Return the seat, no longer on offer because its player is back."""
    return replace(seat, missed=0, offered_at=None, is_voted_out=False)


def set_ready(request: Request[SetReady]) -> Handled:
    """Note READY or NOT READY for all seats of a player."""
    game, person, context, ready = request.game, request.person, request.mail, request.command.ready
    before, mine = game, game.seats_of(person)
    asked = awaited(game)
    if ready and mine and game.state is GameState.ACTIVE and left_to_robots(game):
        game = replace(game, clock=replace(game.clock, closing_since=context.received_at))
        return Handled(game, Closing(game.position.phase))
    keeps = tuple(seat.power for seat in mine if is_offered(game, seat))
    if ready and not any(seat.power in asked for seat in mine):
        return _keeping(game, person, keeps)
    for seat in mine:
        seat = not_offered(seat) if seat.power in keeps else seat  # noqa: PLW2901
        filed = _said_ready(seat.filed, context) if ready else seat.filed.not_ready()
        game = game.with_seat(replace(seat, filed=filed))
    game = heeding_what_is_unsettled(before, game, person, context) if ready else game
    blocked_by = tuple(one for seat in mine for one in blocking(game, seat.power)) if ready else ()
    missing = tuple(lack for lack in lacking(game) if lack.power in {seat.power for seat in mine})
    others = [seat for seat in game.seats if seat.power in asked and seat.power not in {one.power for one in mine}]
    game = heeding_readiness(no_longer_awaited(game, context.received_at), context.received_at)
    answer = ReadySet(
        ready,
        sum(not seat.filed.ready for seat in others),
        may_close_when_ready(game.settings, game.position.phase.kind),
        game.clock.deadline is not None,
        blocked_by,
        missing,
        counts=all(game.seat(seat.power).filed.ready for seat in mine if seat.power in asked),
        tells=game.settings.readiness is not Readiness.NONE,
        closes_at=game.clock.closing_since,
        keeps=keeps,
    )
    return Handled(game, answer)


def _keeping(game: Game, person: PersonId, powers: Collection[Power]) -> Handled:
    """Keep seats whose player says READY but has nothing to order in this phase."""
    if not powers:
        mine, alive = tuple(seat.power for seat in game.seats_of(person)), living(game)
        out = () if any(power in alive for power in mine) else mine
        phase = game.position.phase
        idle = kept_idle(game, mine, phase)
        return refused(game, refusals.NothingToDecide(phase, out, idle))
    for power in powers:
        game = game.with_seat(not_offered(game.seat(power)))
    return Handled(game, SeatKept(tuple(powers), game.position.phase))


def _said_ready(filed: OnFile, context: MailContext) -> OnFile:
    """Return the file with READY noted.

    It accepts everything that the player had been told before about what blocks it.
    """
    heard = {mark for told in filed.told if told.mail in context.heard for mark in told.what}
    accepted = tuple(sorted({*filed.accepted, *heard}))
    left = filed.without_lines(lambda line: heard.issuperset(marks(NotTaken(line))))
    return replace(left, ready=False, ready_by=context.mail, accepted=accepted, waits=False)


def heeding_what_is_unsettled(before: Game, game: Game, person: PersonId, context: MailContext) -> Game:
    """Return the changed game in which READY counts only where nothing blocks it."""
    is_same = before.settings is game.settings and before.position is game.position
    for old, seat in zip(before.seats, game.seats, strict=True) if game.is_running else ():
        if (seat.filed.ready or seat.filed.ready_by) and not (is_same and old is seat):
            filed = _heeding(game, seat, context if person in (seat.holder, game.sitter_of(seat)) else None)
            game = game.with_seat(replace(seat, filed=filed))
    return game


def _heeding(game: Game, seat: Seat, answered: MailContext | None) -> OnFile:
    """Return the file, ready if nothing blocks it.

    If a mail is being answered, what blocks is noted as told.
    """
    lasting = {mark for finding in unsettled(game, seat.power) for mark in marks(finding)}
    # A finding that was settled and comes up again counts as new.
    filed = replace(seat.filed, accepted=tuple(mark for mark in seat.filed.accepted if mark in lasting))
    found = blocking(game.with_seat(replace(seat, filed=filed)), seat.power)
    if not found:
        return replace(filed, ready=True, ready_by=0, told=())
    told = (replace(one, what=tuple(mark for mark in one.what if mark in lasting)) for one in filed.told)
    still_told = tuple(one for one in told if one.what)
    if answered is not None:
        still_told = _with_what_is_told(still_told, found, answered)
    since = filed.ready_by or (answered.mail if answered is not None else _UNTOLD)
    return replace(filed, ready=False, ready_by=since, told=still_told)


def _with_what_is_told(told: Iterable[Told], found: Iterable[Finding], answered: MailContext) -> tuple[Told, ...]:
    """Return the findings told by earlier answers and by the answer to this mail.

    Open questions are left out, because READY never accepts them.
    """
    what = tuple(mark for finding in found if not isinstance(finding, Unanswered) for mark in marks(finding))
    earlier = tuple(one for one in told if one.mail != answered.mail)[-_MOST_TOLD:]
    now_told = Told(answered.mail, answered.worked_at or answered.received_at, what)
    return (*earlier, now_told) if what else earlier


def no_longer_awaited(game: Game, now: datetime) -> Game:
    """Set a new deadline once the phase no longer waits for any player.

    It leaves time for more mails after a player's first one.
    """
    if not game.clock.awaits or game.sight is not None or silent(game):  # a view hides who is silent
        return game
    return replace(game, clock=replace(game.clock, awaits=False, deadline=now + _AFTER_THE_LAST))


def wait(request: Request[Wait]) -> Handled:
    """Hold the phase open until its deadline."""
    game = request.game
    if not may_close_when_ready(game.settings, game.position.phase.kind):
        return refused(game, refusals.NeverClosesEarly(game.position.phase, game.clock.deadline is not None))
    for seat in game.seats_of(request.person):
        filed = replace(seat.filed.not_ready(), waits=True, waits_since=request.mail.received_at)
        game = game.with_seat(replace(seat, filed=filed))
    return Handled(game, Done(request.command, game.clock.deadline))


def process(request: Request[Process]) -> Handled:
    """Close the open phase for the master.

    If the command names no phase, it means the phase of the letter that the mail answers. If there is none, it means
    the phase that was open when the mail came. For this reason asking twice never closes the next phase.
    """
    game, now = request.game, request.now
    phase = request.command.phase or request.mail.meant_phase
    opened_at = game.clock.opened_at
    if phase is None and opened_at is not None and opened_at > request.mail.received_at:
        return refused(game, refusals.ClosedMeanwhile(game.position.phase))
    phase = phase or game.position.phase
    command = replace(request.command, phase=phase)
    if phase != game.position.phase:
        over = phase.order_key < game.position.phase.order_key
        why = refusals.AlreadyClosed if over else refusals.NotOpenYet
        return refused(game, why(phase, game.position.phase))
    is_due = game.due is not None and game.due <= now
    if game.clock.processed is not None and is_due:  # already closing
        return Handled(game, Closing(phase))
    # If closing is held up, the original deadline still decides which mail was in time.
    since = game.clock.closing_since if is_due else now
    game = replace(game, clock=replace(game.clock, closing_since=since, processed=command.reason))
    return Handled(game, Closing(phase), (GameNews(game, command, now),))


HANDLERS = table(on(Process, process))

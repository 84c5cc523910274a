"""Players who are away: what they announce, and what becomes of the deadline by it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from judge.calendar import MomentFault, period_meant
from judge.commands import Absence
from judge.games import refusals
from judge.games.absences import left, waiting
from judge.games.answers import AbsenceSet
from judge.games.context import MailContext
from judge.games.events import GameNews
from judge.games.game import Game, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.schedule import moved

_NOTICE = timedelta(days=1)
"""A deadline that comes back does not come sooner: somebody may have relied on the later one."""


def set_absence(game: Game, person: PersonId, command: Absence, context: MailContext) -> Handled:
    """While somebody is away no phase closes that waits for him, but the master may close it."""
    mine = _seats_meant(game, person, command)
    if isinstance(mine, Handled):
        return mine
    start = end = None
    written = command.period
    if written is not None:
        fault = MomentFault.NOT_UNDERSTOOD
        period = period_meant(written.meant, context.received_at, context.zone) if written.meant else fault
        if isinstance(period, MomentFault):
            return refused(game, refusals.BadMoment(written.text, period))
        start, end = period
    for seat in mine:
        game = game.with_seat(replace(seat, absent_from=start, absent_to=end))
    before, now = game.deadline, context.received_at
    game = _with_its_deadline(game, now)
    has_moved = game.deadline != before
    by_master = command.power if not game.seats_of(person) else None
    answer = AbsenceSet(
        start,
        end,
        game.deadline if has_moved else None,
        context.zone,
        left(game, game.seat(mine[0].power), now),
        game.settings.absence_per_phase,
        by_master,
    )
    if not has_moved and not by_master:
        return Handled(game, answer)
    return Handled(game, answer, (GameNews(game, command, now, None if by_master else mine[0].power, was=before),))


def _seats_meant(game: Game, person: PersonId, command: Absence) -> tuple[Seat, ...] | Handled:
    """The sender's own seats, or the one whose absence a master ends."""
    mine = game.seats_of(person)
    if command.power is None or command.power in {seat.power for seat in mine}:
        return mine or refused(game, refusals.NotAPlayer(game.name))
    if person not in game.masters:
        return refused(game, refusals.NotTheMaster(command))
    seat = game.seat(command.power)
    holder = seat.holder
    return refused(game, refusals.NotHeld(command.power)) if holder is None else game.seats_of(holder)


def _with_its_deadline(game: Game, now: datetime) -> Game:
    """The open phase with the deadline that those who are away leave it; a grace waits for nobody."""
    before = game.deadline
    if before is None or game.in_grace:
        return game
    base = game.unmoved or before
    game, moment = waiting(game, base)
    moment = max(moment, min(before, now + _NOTICE))
    if moment == before:
        return replace(game, unmoved=base if moment != base else None)
    return replace(moved(game, moment, now), unmoved=base if moment != base else None)

"""Absences of players, and their effect on the deadline."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from judge.calendar import MomentFault, Period, next_period, period_meant
from judge.commands import Absence, AsWritten, SetReady, Sitter
from judge.games import refusals
from judge.games.absences import goes_on, left
from judge.games.answers import AbsenceSet, ReadySet, SitterInvited
from judge.games.context import MailContext
from judge.games.events import GameNews, SitterAsked
from judge.games.game import Game, GameState, Seat
from judge.games.handled import Handled, refused
from judge.games.leave import Sitting
from judge.games.person import PersonId
from judge.games.request import Request, on, table
from judge.games.schedule import with_absences
from judge.games.sitters import without_sitters_of


def set_absence(request: Request[Absence]) -> Handled:
    """Note the absence of a player, or its end.

    A phase that waits for the player stays open unless the master closes it. A sitter of the player stops sitting.
    """
    game, person, command, context = request.game, request.person, request.command, request.mail
    mine = _seats_meant(game, person, command)
    if isinstance(mine, Handled):
        return mine
    start = end = None
    written = command.period
    if written is not None:
        fault = MomentFault.NOT_UNDERSTOOD
        period = period_meant(written.meant, context.received_at, context.zone) if written.meant else fault
        if isinstance(period, MomentFault):
            return _refused(game, written, period, context)
        start, end = period
    was_away = any(seat.leave.end is not None for seat in mine)
    by_master = command.power if mine[0].holder != person else None
    if by_master is not None and not was_away:
        return refused(game, refusals.NotAway(by_master))
    for seat in mine:
        game = game.with_seat(replace(seat, leave=replace(seat.leave, start=start, end=end)))
    before, now = game.clock.deadline, context.received_at
    player = mine[0].holder
    assert player is not None
    had_sitter = any(one.player == player and one.sitter is not None for one in game.sittings)
    game, told = without_sitters_of(game, player, now, by=person)
    game = with_absences(game, now)
    has_moved = game.clock.deadline != before
    answer = AbsenceSet(
        start,
        end,
        game.clock.deadline if has_moved else None,
        game.clock.unmoved is not None,
        context.zone,
        left(game, game.seat(mine[0].power), now),
        game.settings.absence_per_phase,
        goes_on(game, game.seat(mine[0].power), now),
        by_master,
        was_away=was_away,
        ends_sitting=had_sitter and not by_master,
    )
    if not has_moved and not by_master:
        return Handled(game, answer, told)
    power, was = None if by_master else mine[0].power, before if has_moved else None
    return Handled(game, answer, (GameNews(game, command, now, power, was=was), *told))


def ask_sitter(request: Request[Sitter]) -> Handled:
    """Note the absence of a player, and ask a person to play meanwhile.

    Until the person has said yes, it is an absence like any other.
    """
    command, person = request.command, request.person
    if request.looked_up.people.get(command.address) == person:
        return refused(request.game, refusals.OwnSitter(command.address))
    if command.period is None:
        return refused(request.game, refusals.SitterWhen(command.address))
    handled = set_absence(request.asking(Absence(command.period)))
    absence = handled.answer
    if not isinstance(absence, AbsenceSet) or absence.start is None or absence.end is None:
        return handled
    powers = tuple(seat.power for seat in handled.game.seats_held_by(person))
    sitting = Sitting(person, powers, absence.start, absence.end, command.address, shows_press=command.shows_press)
    game = replace(handled.game, sittings=(*handled.game.sittings, sitting))
    asked = SitterAsked(game, person, sitting, request.now)
    return Handled(game, SitterInvited(absence, command.address, command.shows_press), (*handled.events, asked))


def _refused(game: Game, written: AsWritten[Period], fault: MomentFault, context: MailContext) -> Handled:
    """Return why this period cannot be an absence."""
    if fault is MomentFault.WHICH_YEAR and written.meant is not None:
        days = next_period(written.meant, context.received_at, context.zone)
        assert days is not None
        return refused(game, refusals.WhichYear(written.text, *days))
    return refused(game, refusals.BadMoment(written.text, fault))


def heeding_who_is_ready(before: Game, handled: Handled, now: datetime) -> Handled:
    """Move the deadline when an absent player becomes ready or is no longer ready.

    The phase stops waiting for players who are ready, and waits again once they are not.
    """
    game = handled.game
    was_ready = {seat.power: seat.filed.ready for seat in before.seats}
    changed = next((one for one in game.seats if one.leave.end and one.filed.ready is not was_ready[one.power]), None)
    if changed is None or game.state is not GameState.ACTIVE or game.clock.closing_since is not None:
        return handled
    after = with_absences(game, now)
    if after.clock.deadline == game.clock.deadline:
        return replace(handled, game=after)
    answer = replace(handled.answer, moved=True) if isinstance(handled.answer, ReadySet) else handled.answer
    news = GameNews(after, SetReady(changed.filed.ready), now, changed.power, was=game.clock.deadline)
    return Handled(after, answer, (*handled.events, news))


def _seats_meant(game: Game, person: PersonId, command: Absence) -> tuple[Seat, ...] | Handled:
    """Return the sender's own seats, or the seat whose absence a master ends."""
    mine = game.seats_held_by(person)
    if command.power is None or command.power in {seat.power for seat in mine}:
        nothing = refusals.NotAPlayer(game.name) if command.period else refusals.WhoseAbsence()
        return mine or refused(game, nothing)
    if person not in game.masters:
        return refused(game, refusals.OthersAbsence(command.power))
    seat = game.seat(command.power)
    holder = seat.holder
    return refused(game, refusals.NotHeld(command.power)) if holder is None else game.seats_of(holder)


HANDLERS = table(on(Absence, set_absence), on(Sitter, ask_sitter))

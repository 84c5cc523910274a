"""Closing and reminding, step by step.

These are functions of a unit of work, which the caller commits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.games import Game, close, moved_back, remind
from judge.games.events import Event, HeldUp, PhaseClosed, SeatOffered, StartReset
from judge.games.happenings import happenings
from judge.games.persons import counted
from judge.games.seats import has_lapsed
from judge.mail.proof import parse_reply_address
from judge.service.post.facts import put_on_record
from judge.service.post.letters import LetterWriter, cause_in
from judge.service.post.telling import tell, tell_all
from judge.service.robots import with_robots
from judge.service.stand_ins import with_stand_ins
from judge.storage import Unworked, Work

_WORTH_TELLING = timedelta(minutes=10)
_LONGEST_HOLD = timedelta(days=1)
"""The longest wait for mail that cannot be worked.

It counts from arrival for a suspect, and from the deadline for a mail set aside.
"""
_ENOUGH_LOSSES = 3
"""A phase waits for a suspect until it was lost this often.

It waits however old the suspect is: the judge may have been down for days.
"""


def is_ripe(game: Game, settling: timedelta, now: datetime) -> bool:
    """Whether closing was requested, or deadline and settling time have passed."""
    if game.due is None:
        return False
    return now >= (game.due if game.due == game.clock.closing_since else game.due + settling)


def unworked_mail(work: Work, writer: LetterWriter, game: Game, now: datetime) -> Sequence[Unworked]:
    """Return unworked mail that arrived in time and may be for this game.

    A worker that died keeps its mail, and the mail behind that, until it counts as dead.
    The phase waits for both.
    """
    assert game.due is not None
    unworked = _without_given_up(work.inbox.unworked(game.due), now - _LONGEST_HOLD)
    addresses = (
        {one for person in work.people.many(game.members).values() for one in person.mailboxes} if unworked else set()
    )
    return [mail for mail in unworked if _may_be_for(mail, writer, game, addresses)]


def _without_given_up(unworked: Sequence[Unworked], before: datetime) -> Sequence[Unworked]:
    """Leave out old suspects that were lost often enough, and later mail of their senders.

    Old: received before `before`. Later mail is left out only if it is old too.
    """
    left, given_up = [], set()
    for mail in unworked:
        is_lost = mail.losses >= _ENOUGH_LOSSES or mail.sender in given_up
        if mail.received_at >= before or not is_lost:
            left.append(mail)
        elif mail.sender is not None:
            given_up.add(mail.sender)
    return left


def is_held_up_by_mail(work: Work, game: Game, now: datetime) -> bool:
    """Whether a player's proved mail, in time, was set aside through our fault.

    The phase waits for a day at most, and once only. The master can end the wait by closing the phase.
    """
    due = game.clock.before_outage or game.due
    if due is None or game.clock.processed is not None or game.clock.opened_at is None or now >= due + _LONGEST_HOLD:
        return False
    return work.inbox.is_held_up(game.name, game.clock.opened_at, due)


def tell_of_mail(work: Work, writer: LetterWriter, game: Game, now: datetime) -> None:
    """Tell everyone in the game, once a phase, that it waits for a mail."""
    tell(work, writer, HeldUp(game, now, by_mail=True), now, f"{game.name} {game.position.phase} waits for a mail")


def _may_be_for(mail: Unworked, writer: LetterWriter, game: Game, addresses: Collection[str]) -> bool:
    if mail.sender is None or mail.sender in addresses:
        return True
    parsed = (parse_reply_address(writer.address, recipient) for recipient in mail.recipients)
    return any(found is not None and found[0] == game.name for found in parsed)


def tell_of_hold_up(work: Work, writer: LetterWriter, game: Game, now: datetime) -> None:
    """Tell the masters if the wait lasts, once for each phase.

    Short waits are not told: servers are away for a moment every day.
    """
    if game.due is not None and now - game.due > _WORTH_TELLING:
        tell(work, writer, HeldUp(game, now), now, f"{game.name} {game.position.phase}")


def close_phase(
    work: Work, writer: LetterWriter, game: Game, now: datetime, seed: int
) -> tuple[Game, Sequence[Event]] | None:
    """Close the open phase and queue the reports.

    Return the new game and the events, or None if the phase cannot close.
    """
    closed = close(game, game.position.phase, now, seed)
    if closed is not None:
        _save(work, writer, *closed, now)
    return closed


def remind_of_deadline(work: Work, writer: LetterWriter, game: Game, now: datetime) -> bool:
    """Send the reminders that are due; return False if there are none."""
    reminded = remind(game, now)
    if reminded is None and has_lapsed(game, now):
        reminded = game, ()
    if reminded is not None:
        _save(work, writer, *reminded, now)
    return reminded is not None


def move_back(work: Work, writer: LetterWriter, game: Game, now: datetime) -> bool:
    """Restore a deadline that was moved by a wrong clock.

    Return False if there is nothing to restore.
    """
    back = moved_back(game, now)
    if back is not None:
        _save(work, writer, *back, now)
    return back is not None


def _save(work: Work, writer: LetterWriter, game: Game, events: Sequence[Event], now: datetime) -> None:
    if game.may_need_stand_ins:
        game, asked = with_stand_ins(work, game, now)
        events = [*(_kept_for_them(event, game) if asked else event for event in events), *asked]
    saved = work.games.save(with_robots(work, game))
    events = [_told_again(work, event) if isinstance(event, PhaseClosed) else event for event in events]
    for event in events:
        if isinstance(event, PhaseClosed):
            put_on_record(work, writer.secret, event)
            _count(work, event)
        if isinstance(event, StartReset):
            work.records.forget_rollback(saved.name)
            work.publications.forget_press(saved.name)
        for logged in happenings(event):
            work.records.log(logged)
    tell_all(work, writer, [(event, f"{saved.name} {cause_in(saved, now)}") for event in events], now)


def _kept_for_them(event: Event, game: Game) -> Event:
    """Return the event with `game`, in which open seats are offered to stand-ins."""
    return replace(event, game=game) if isinstance(event, PhaseClosed | SeatOffered) else event


def _told_again(work: Work, event: PhaseClosed) -> PhaseClosed:
    """Return the event with the time of the report it replaces.

    It replaces one if a rollback withdrew that report.
    """
    game = event.game
    if game.is_sandbox or not game.rollbacks:
        return event
    return replace(event, replaces=work.records.replaced_at(game.name, event.phase))


def _count(work: Work, event: PhaseClosed) -> None:
    """Save for each player how they kept the deadline."""
    kept = dict(event.kept)
    known = work.people.many({*kept, *event.game.members})  # the other members' reports follow: one query loads all
    work.people.save(*(known[id_].with_record(counted(known[id_].record, kept[id_])) for id_ in kept if id_ in known))

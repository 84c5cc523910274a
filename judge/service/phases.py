"""A deadline, step by step: plain functions of a unit of work, which whoever calls them commits."""

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
from judge.service.post.letters import LetterWriter
from judge.service.post.telling import tell, tell_all
from judge.service.robots import with_robots
from judge.service.stand_ins import with_stand_ins
from judge.storage import Unworked, Work

_WORTH_TELLING = timedelta(minutes=10)
_LONGEST_HOLD = timedelta(days=1)
"""For mail that cannot be worked: a suspect's from its arrival, that of a mail set aside from the deadline."""
_ENOUGH_LOSSES = 3
"""A suspect is waited for until it was lost so often, however old it is: the judge may have been away for days."""


def is_ripe(game: Game, settling: timedelta, now: datetime) -> bool:
    """Whether closing was asked for, or the deadline and the settling time are over."""
    if game.due is None:
        return False
    return now >= (game.due if game.due == game.clock.closing_since else game.due + settling)


def unworked_mail(work: Work, writer: LetterWriter, game: Game, now: datetime) -> Sequence[Unworked]:
    """Mail that came in time, and may be for this game, but is still to be worked: its row says so, and no job.

    A worker that died keeps its mail, and what waits behind that, until it counts as dead; the phase waits as well.
    """
    assert game.due is not None
    unworked = _without_given_up(work.inbox.unworked(game.due), now - _LONGEST_HOLD)
    addresses = (
        {one for person in work.people.many(game.members).values() for one in person.addresses} if unworked else set()
    )
    return [mail for mail in unworked if _may_be_for(mail, writer, game, addresses)]


def _without_given_up(unworked: Sequence[Unworked], before: datetime) -> Sequence[Unworked]:
    """Without suspects from before then that were lost often enough, and what their senders wrote behind them."""
    left, given_up = [], set()
    for mail in unworked:
        is_lost = mail.losses >= _ENOUGH_LOSSES or mail.sender in given_up
        if mail.received_at >= before or not is_lost:
            left.append(mail)
        elif mail.sender is not None:
            given_up.add(mail.sender)
    return left


def is_held_up_by_mail(work: Work, game: Game, now: datetime) -> bool:
    """Whether a proved mail of a player, in time, was set aside by a mistake of ours: for a day at most, once a phase.

    The master ends it by closing the phase himself.
    """
    due = game.clock.before_outage or game.due
    if due is None or game.clock.processed is not None or game.clock.opened_at is None or now >= due + _LONGEST_HOLD:
        return False
    return work.inbox.is_held_up(game.name, game.clock.opened_at, due)


def tell_of_mail(work: Work, writer: LetterWriter, game: Game, now: datetime) -> None:
    """Tell everybody, once for each phase."""
    tell(work, writer, HeldUp(game, now, by_mail=True), now, f"{game.name} {game.position.phase} waits for a mail")


def _may_be_for(mail: Unworked, writer: LetterWriter, game: Game, addresses: Collection[str]) -> bool:
    if mail.sender is None or mail.sender in addresses:
        return True
    parsed = (parse_reply_address(writer.address, recipient) for recipient in mail.recipients)
    return any(found is not None and found[0] == game.name for found in parsed)


def tell_of_hold_up(work: Work, writer: LetterWriter, game: Game, now: datetime) -> None:
    """Tell the masters, once for each phase, if it lasts; servers are away for a moment every day."""
    if game.due is not None and now - game.due > _WORTH_TELLING:
        tell(work, writer, HeldUp(game, now), now, f"{game.name} {game.position.phase}")


def close_phase(
    work: Work, writer: LetterWriter, game: Game, now: datetime, seed: int
) -> tuple[Game, Sequence[Event]] | None:
    """Close the open phase, and queue the reports: the game after it, and what happened; None if it cannot close."""
    closed = close(game, game.position.phase, now, seed)
    if closed is not None:
        _save(work, writer, *closed, now)
    return closed


def remind_of_deadline(work: Work, writer: LetterWriter, game: Game, now: datetime) -> bool:
    """Remind who has to be reminded; False if nobody has."""
    reminded = remind(game, now)
    if reminded is None and has_lapsed(game, now):
        reminded = game, ()
    if reminded is not None:
        _save(work, writer, *reminded, now)
    return reminded is not None


def move_back(work: Work, writer: LetterWriter, game: Game, now: datetime) -> bool:
    """Give a phase back the deadline that a wrong clock took from it; False if none did."""
    back = moved_back(game, now)
    if back is not None:
        _save(work, writer, *back, now)
    return back is not None


def _save(work: Work, writer: LetterWriter, game: Game, events: Sequence[Event], now: datetime) -> None:
    if game.may_need_stand_ins:
        game, asked = with_stand_ins(work, game, now)
        events = [*(_kept_for_them(event, game) if asked else event for event in events), *asked]
    saved = work.games.save(with_robots(work, game))
    for event in events:
        if isinstance(event, PhaseClosed):
            put_on_record(work, writer.secret, event)
            _count(work, event)
        if isinstance(event, StartReset):
            work.records.forget_rollback(saved.name)
        for logged in happenings(event):
            work.records.log(logged)
    tell_all(work, writer, [(event, f"{saved.name} {saved.version}") for event in events], now)


def _kept_for_them(event: Event, game: Game) -> Event:
    """What is told of the seats on offer: those who stand by have been asked for them."""
    return replace(event, game=game) if isinstance(event, PhaseClosed | SeatOffered) else event


def _count(work: Work, event: PhaseClosed) -> None:
    """Write down how each kept the deadline."""
    kept = dict(event.kept)
    known = work.people.many({*kept, *event.game.members})  # the others are told of it next: one query for all of them
    work.people.save(*(known[id_].with_record(counted(known[id_].record, kept[id_])) for id_ in kept if id_ in known))

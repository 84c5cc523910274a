"""When a receipt is sent: at once, together with others, or not at all.

A receipt with news is sent at once, merged with those that wait. News means a refused line, a question or a page
that was asked for. A receipt that only says that all was done is sent at once too, unless another one was sent
shortly before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import Enum

from judge import commands as c
from judge.commands import ReceiptKind
from judge.games import Game
from judge.games import answers as a
from judge.games.answers import Answer
from judge.games.contradictions import Contradiction
from judge.games.findings import Finding, Impossible, NotTaken, Unanswered
from judge.games.unsettled import unsettled
from judge.mail.letters import LetterKind
from judge.reports.readers import AnsweredLine, Receipt, Remark
from judge.service.talk.handling import MailHandling

PAUSE = timedelta(minutes=2)
"""Pause between two receipts to one person about one game.

Receipts that are written meanwhile are sent together.
"""
_LAST = timedelta(hours=1)
"""Within this time before a deadline, every receipt is sent at once."""
_SHORTEST = timedelta(days=1)
"""In shorter phases, and in those without a deadline, every receipt is sent at once."""
_OF_THE_SEAT = c.Accept | c.NewSecret | c.Resign | c.SetAddress | c.SetReceipts | c.SetSecondAddress
"""Commands about the sender's seat or address.

They are told even to people who want no receipts.
"""
_AMISS = Impossible | NotTaken | Unanswered


class Pace(Enum):
    """How a receipt that does not wait is sent."""

    AT_ONCE = "at once"
    WITH_WHAT_WAITS = "with what waits"
    NEVER = "never"


def pace_of(receipt: Receipt, handling: MailHandling) -> Pace | datetime:
    """Return how a receipt is sent, or the moment until which it waits for others."""
    outbox, now = handling.work.outbox, handling.now
    if _has_changed_the_language(receipt):
        outbox.release(now, handling.person.id, kind=LetterKind.REPLY)
        return Pace.AT_ONCE
    game = receipt.game if _may_wait(receipt, handling) else None
    until = outbox.gathering_until(handling.answers_to, game.name, now, PAUSE) if game is not None else None
    is_unwanted = _is_unwanted(handling)
    is_routine = (is_unwanted or until is not None) and _is_routine(receipt, handling)
    if is_unwanted and is_routine and not any(isinstance(one, _AMISS) for one in _unsettled(receipt)):
        if game is not None:
            outbox.withdraw_receipts(handling.answers_to, game.name)
        if not _is_doubtful(receipt):
            return Pace.NEVER
        return (until or now + PAUSE) if game is not None else Pace.AT_ONCE
    if until is None:
        return Pace.AT_ONCE
    return until if is_routine else Pace.WITH_WHAT_WAITS


def _has_changed_the_language(receipt: Receipt) -> bool:
    return any(isinstance(answer, a.LanguageSet) for answer in _answers(receipt.lines))


def _may_wait(receipt: Receipt, handling: MailHandling) -> bool:
    """Whether the receipts of a game may wait for each other before the deadline."""
    game, is_proved = receipt.game, handling.is_registered and handling.is_proved
    return game is not None and not receipt.others and is_proved and _has_time(game, handling.now)


def _has_time(game: Game, now: datetime) -> bool:
    """Whether the open phase is long, and not about to end.

    Without a deadline it may end at any time.
    """
    opened, deadline = game.clock.opened_at, game.clock.deadline
    if not game.is_running or opened is None or deadline is None:
        return False
    return deadline - opened >= _SHORTEST and deadline - now > _LAST + PAUSE


def _is_unwanted(handling: MailHandling) -> bool:
    """Whether the sender wants no receipt for what was simply done.

    A mail proved only by its secret address gets a receipt all the same.
    """
    return handling.person.receipts is ReceiptKind.NONE and handling.letter.authenticated and handling.is_registered


def _is_routine(receipt: Receipt, handling: MailHandling) -> bool:
    """Whether a receipt only says that all was done as it was asked.

    What an earlier receipt told is no news.
    """
    shows = handling.sections or handling.illustrations or handling.attachments
    is_attached = handling.calendars or handling.addresses
    is_read = not (receipt.unused or receipt.set_aside or receipt.first_unread or receipt.unread_parts)
    is_usual = not (set(receipt.remarks) - {Remark.COURTESY} or receipt.withdrawn or receipt.attached)
    if (
        shows
        or is_attached
        or not is_read
        or not is_usual
        or any(line.faults or line.choices for line in receipt.lines)
    ):
        return False
    return all(map(_is_simply_done, _answers(receipt.lines))) and not _has_lost_ready(receipt, handling)


def _answers(lines: Sequence[AnsweredLine]) -> Iterator[Answer]:
    return (answer for line in lines for answer in line.answers)


def _is_simply_done(answer: Answer) -> bool:
    match answer:
        case a.Filed():
            as_written = not (answer.warning or answer.misnamed or answer.guessed or answer.phase or answer.otherwise)
            return as_written and not (answer.returns or answer.keeps)
        case a.QuestionAnswered(filed=filed):
            return all(map(_is_simply_done, filed))
        case a.ReadySet():
            return not (answer.ready and not answer.counts) and not (answer.missing or answer.keeps)
        case a.Sent(ran_on=ran_on):
            return not ran_on
        case a.Done(command=command):
            return not isinstance(command, _OF_THE_SEAT)
        case (
            a.AbsenceSet()
            | a.Cleared()
            | a.Closing()
            | a.NameSet()
            | a.Noted()
            | a.Overridden()
            | a.Undone()
            | a.Voted()
            | a.ZoneSet()
        ):
            return True
        case _:
            return False


def _has_lost_ready(receipt: Receipt, handling: MailHandling) -> bool:
    """Whether the mail holds back a READY of its sender that counted before."""
    game = receipt.game
    if game is None or not receipt.ready_before.get(game.name):
        return False
    return any(seat.filed.ready_by for seat in game.seats_of(handling.person.id))


def _unsettled(receipt: Receipt) -> Iterator[Finding]:
    game = receipt.game
    if game is not None:
        for power in receipt.reader.powers:
            yield from unsettled(game, power)


def _is_doubtful(receipt: Receipt) -> bool:
    """Whether orders of the mail are lawful, but contradict others of their sender."""
    given = {answer.order for answer in _answers(receipt.lines) if isinstance(answer, a.Filed)}
    return any(isinstance(one, Contradiction) and given & {one.order, one.other} for one in _unsettled(receipt))

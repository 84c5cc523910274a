"""Delivery of a letter: lease it, hand it over, mark it.

No unit of work is open while it is handed over. It is then marked sent, put off or given up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from judge.errors import Against, DeliveryError
from judge.failpoints import Step, passed
from judge.mail.proof import bounce_address
from judge.mail.sending import Meanwhile, Sender, nothing
from judge.mailbox import mailbox_of
from judge.service.post.bounces import Bounces
from judge.service.post.gathering import gather_due
from judge.service.post.letters import LetterWriter
from judge.service.post.retrying import GIVE_UP_AFTER, pause_after
from judge.storage import Queued, Work

log = structlog.get_logger(__name__)

BATCH = 200
_LEASE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class NotTaken:
    """Why a letter could not be composed, or no server accepted it."""

    reason: str
    against: Against = Against.NOBODY
    is_silence: bool = False
    """Whether the server did not answer.

    Other letters to the same domain are then not tried now.
    """
    was_tried: bool = True
    """False for a letter that was not tried because its domain did not answer."""
    is_away: bool = False
    """Whether our outgoing server cannot be used, for any recipient."""


def lease_letters(work: Work, now: datetime, without: Collection[str] = ()) -> tuple[Queued, ...]:
    """Lease the next due letters, skipping the domains in `without`.

    After a crash the lease runs out.
    """
    gather_due(work, now)
    return work.outbox.lease(now, BATCH, _LEASE, without)


def letters_ready(work: Work, now: datetime, without: Collection[str] = ()) -> tuple[Queued, ...] | None:
    """Return due letters without a lease, for a single delivering process.

    Return None if some must be written first.
    """
    return work.outbox.ready(now, BATCH, without)


def hand_over(
    queued: Queued,
    composed: Callable[[], bytes],
    writer: LetterWriter,
    sender: Sender,
    meanwhile: Meanwhile = nothing,
) -> NotTaken | None:
    """Send a leased letter; return None if it was sent, else the reason."""
    try:
        envelope_from = bounce_address(writer.address, writer.secret, queued.id)
        content = composed()
        passed(Step.LETTER_COMPOSED)
        recipient = mailbox_of(queued.letter.recipient)
        sender.send(content, envelope_from=envelope_from, recipient=recipient, meanwhile=meanwhile)
        passed(Step.LETTER_SENT)
    except DeliveryError as error:
        return NotTaken(str(error), error.against, error.is_silence, is_away=error.is_away)
    except Exception as error:
        log.exception("mail could not be composed", letter=queued.id)
        return NotTaken(repr(error))
    log.info("mail sent", letter=queued.id, kind=queued.letter.kind.value)
    return None


def put_off(work: Work, bounces: Bounces, queued: Queued, fault: NotTaken, now: datetime) -> None:
    """Schedule a retry of a letter that was not sent, or give it up.

    A letter given up is reported.
    """
    if not work.outbox.is_to_be_marked(queued):
        return
    if not fault.was_tried:
        work.outbox.postponed(queued.id, now + pause_after(0), fault.reason)
        return
    # While our own server is away, no letter is too old.
    if fault.against.is_final or (not fault.is_away and now - queued.queued_at > GIVE_UP_AFTER):
        work.outbox.failed(queued.id, fault.reason)
        letter = work.outbox.get(queued.id)
        assert letter is not None
        log.warning("mail given up", letter=queued.id, reason=fault.reason)
        bounces.lost(work, letter, (fault.against, fault.reason), f"given up at {now.isoformat()}", now)
        return
    pause = pause_after(queued.attempts)
    work.outbox.deferred(queued.id, now + pause, fault.reason)
    log.info("mail put off", letter=queued.id, reason=fault.reason, pause=str(pause))
    if fault.against is Against.US:
        bounces.refused_us(work, queued.letter, fault.reason, now)

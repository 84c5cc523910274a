"""Delivering a letter: leased, handed over while no unit of work is open, then marked, put off or given up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from judge.errors import DeliveryError
from judge.failpoints import Step, passed
from judge.mail.proof import bounce_address
from judge.mail.sending import Sender
from judge.service.post.bounces import Bounces
from judge.service.post.letters import LetterWriter
from judge.storage import Queued, Work

log = structlog.get_logger(__name__)

_BATCH = 50
_LEASE = timedelta(minutes=5)
_PAUSES = tuple(map(timedelta, [0] * 7, [60, 300, 900, 3600, 7200, 10800, 14400]))
"""Between tries: 1, 5, 15 minutes, 1, 2, 3, then every 4 hours."""
_GIVE_UP_AFTER = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class NotTaken:
    """A letter that could not be composed, or that no server took."""

    reason: str
    permanent: bool = False


def lease_letters(work: Work, now: datetime) -> tuple[Queued, ...]:
    """The next letters that are due, ours for a while: if we crash, they are due again."""
    return work.outbox.lease(now, _BATCH, _LEASE)


def hand_over(queued: Queued, composed: Callable[[], bytes], writer: LetterWriter, sender: Sender) -> NotTaken | None:
    """Send a leased letter; why it did not leave, if it did not."""
    try:
        envelope_from = bounce_address(writer.address, writer.secret, queued.id)
        content = composed()
        passed(Step.LETTER_COMPOSED)
        sender.send(content, envelope_from=envelope_from, recipient=queued.letter.recipient)
        passed(Step.LETTER_SENT)
    except DeliveryError as error:
        return NotTaken(str(error), error.permanent)
    except Exception as error:
        log.exception("mail could not be composed", letter=queued.id)
        return NotTaken(repr(error))
    log.info("mail sent", letter=queued.id, kind=queued.letter.kind.value)
    return None


def put_off(work: Work, bounces: Bounces, queued: Queued, fault: NotTaken, now: datetime) -> None:
    """Try a letter that did not leave again later; give it up, and tell who has to know, if that is no use."""
    if fault.permanent or now - queued.queued_at > _GIVE_UP_AFTER:
        work.outbox.failed(queued.id, fault.reason)
        letter = work.outbox.get(queued.id)
        assert letter is not None
        bounces.tell(work, letter, fault.reason, f"given up at {now.isoformat()}", now)
        log.warning("mail given up", letter=queued.id, reason=fault.reason)
    else:
        pause = _PAUSES[min(queued.attempts, len(_PAUSES) - 1)]
        work.outbox.deferred(queued.id, now + pause, fault.reason)
        log.info("mail put off", letter=queued.id, reason=fault.reason, pause=str(pause))

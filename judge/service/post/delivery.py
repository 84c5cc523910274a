"""Delivery: queued mail is composed and handed over, or tried again later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta

import structlog

from judge.errors import DeliveryError
from judge.failpoints import Step, passed
from judge.mail.composing import compose
from judge.mail.proof import bounce_address
from judge.mail.sending import Sender
from judge.service.post.bounces import Bounces
from judge.service.post.letters import Desk
from judge.storage import Queued, Storage

log = structlog.get_logger(__name__)

_BATCH = 50
_LEASE = timedelta(minutes=5)
_PAUSES = tuple(map(timedelta, [0] * 7, [60, 300, 900, 3600, 7200, 10800, 14400]))
"""Between tries: 1, 5, 15 minutes, 1, 2, 3, then every 4 hours."""
_GIVE_UP_AFTER = timedelta(days=3)


class Delivery:
    """Sends what is due."""

    def __init__(
        self, store: Storage, clock: Callable[[], datetime], desk: Desk, sender: Sender, bounces: Bounces
    ) -> None:
        self.store = store
        self.clock = clock
        self.desk = desk
        self.sender = sender
        self.bounces = bounces
        self.is_stopping: Callable[[], bool] = lambda: False

    def resume(self) -> None:
        """Take up what a process that was killed has left; it may be sent again, with the same Message-ID."""
        with self.store.work() as work:
            work.outbox.end_leases(self.clock())
            work.commit()

    def deliver_due(self) -> int:
        """Send everything that is due; the number of mails that left."""
        left = 0
        while not self.is_stopping() and (batch := self._lease()):
            # Nothing is sent while a transaction is open; a crash here sends again, with the same Message-ID.
            sent = self._deliver_all(batch)
            with self.store.work() as work:
                work.outbox.sent(sent)
                work.commit()
            passed(Step.LETTERS_MARKED)
            left += len(sent)
        return left

    def _lease(self) -> tuple[Queued, ...]:
        with self.store.work() as work:
            batch = work.outbox.lease(self.clock(), _BATCH, _LEASE)
            work.commit()
        if batch:
            passed(Step.LETTERS_LEASED)
        return batch

    def _deliver_all(self, batch: Sequence[Queued]) -> list[int]:
        """Send these, composing the next while the server takes one; those that left."""
        with ThreadPoolExecutor(1, "composing") as ahead:
            composed = [ahead.submit(compose, queued.letter) for queued in batch]
            pairs = zip(batch, composed, strict=True)
            return [queued.id for queued, mail in pairs if not self.is_stopping() and self._deliver(queued, mail)]

    def _deliver(self, queued: Queued, composed: Future[bytes]) -> bool:
        letter = queued.letter
        try:
            envelope_from = bounce_address(self.desk.address, self.desk.secret, queued.id)
            content = composed.result()
            passed(Step.LETTER_COMPOSED)
            self.sender.send(content, envelope_from=envelope_from, recipient=letter.recipient)
            passed(Step.LETTER_SENT)
        except DeliveryError as error:
            self._put_off(queued, str(error), permanent=error.permanent)
            return False
        except Exception as error:
            log.exception("mail could not be composed", letter=queued.id)
            self._put_off(queued, repr(error), permanent=False)
            return False
        log.info("mail sent", letter=queued.id, kind=letter.kind.value)
        return True

    def _put_off(self, queued: Queued, reason: str, *, permanent: bool) -> None:
        now = self.clock()
        with self.store.work() as work:
            if permanent or now - queued.queued_at > _GIVE_UP_AFTER:
                work.outbox.failed(queued.id, reason)
                letter = work.outbox.get(queued.id)
                assert letter is not None
                self.bounces.tell(work, letter, reason, f"given up at {now.isoformat()}", now)
                log.warning("mail given up", letter=queued.id, reason=reason)
            else:
                pause = _PAUSES[min(queued.attempts, len(_PAUSES) - 1)]
                work.outbox.deferred(queued.id, now + pause, reason)
                log.info("mail put off", letter=queued.id, reason=reason, pause=str(pause))
            work.commit()

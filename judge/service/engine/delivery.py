"""The loop of delivery: batch after batch of what is due, the next letter composed while the server takes one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime

from judge.failpoints import Step, passed
from judge.mail.letters import Picture
from judge.mail.sending import Sender
from judge.service.post.bounces import Bounces
from judge.service.post.delivery import hand_over, lease_letters, put_off
from judge.service.post.illustrating import Illustrator
from judge.service.post.letters import LetterWriter
from judge.storage import Queued, Storage


class Delivery:
    """Sends what is due."""

    def __init__(
        self, store: Storage, clock: Callable[[], datetime], writer: LetterWriter, sender: Sender, bounces: Bounces
    ) -> None:
        self.store = store
        self.clock = clock
        self.writer = writer
        self.sender = sender
        self.bounces = bounces
        self.illustrator = Illustrator(store, self._tell_of_missing_picture)
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
        self.illustrator.forget()
        return left

    def _tell_of_missing_picture(self, picture: Picture, queued: Queued, reason: str) -> None:
        with self.store.work() as work:
            letter = work.outbox.get(queued.id)
            assert letter is not None
            self.bounces.tell_of_missing_picture(work, picture, letter, reason, self.clock())
            work.commit()

    def _lease(self) -> tuple[Queued, ...]:
        with self.store.work() as work:
            batch = lease_letters(work, self.clock())
            work.commit()
        if batch:
            passed(Step.LETTERS_LEASED)
        return batch

    def _deliver_all(self, batch: Sequence[Queued]) -> list[int]:
        """Send these; those that left."""
        with ThreadPoolExecutor(1, "composing") as ahead:
            composed = [ahead.submit(self.illustrator.compose, queued) for queued in batch]
            pairs = zip(batch, composed, strict=True)
            return [queued.id for queued, mail in pairs if not self.is_stopping() and self._deliver(queued, mail)]

    def _deliver(self, queued: Queued, composed: Future[bytes]) -> bool:
        fault = hand_over(queued, composed.result, self.writer, self.sender)
        if fault is None:
            return True
        with self.store.work() as work:
            put_off(work, self.bounces, queued, fault, self.clock())
            work.commit()
        return False

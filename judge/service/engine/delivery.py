"""The delivery loop: sends due letters grouped by domain.

No domain waits for another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from queue import Empty, SimpleQueue

from judge.failpoints import Step, passed
from judge.mail.letters import Picture
from judge.mail.sending import Sender
from judge.service.engine.carriers import Carriers
from judge.service.post.bounces import Bounces
from judge.service.post.delivery import BATCH, NotTaken, hand_over, lease_letters, letters_ready, put_off
from judge.service.post.illustrating import Illustrator
from judge.service.post.letters import LetterWriter
from judge.storage import Queued, Store

_LOOK_AGAIN_SECONDS = 1.0
"""While one domain is slow, letters to another may become due; look this often."""
_PATIENCE_SECONDS = 1.0
"""When stopping: how long to wait for letters that are being handed over."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """The result of sending letters to one domain; a fault of None means sent."""

    domain: str
    letters: Sequence[tuple[Queued, NotTaken | None]]
    is_over: bool


@dataclass(slots=True)
class _Rounds:
    """Letters being sent, by domain.

    Survives a round that ended with a database error: its threads go on.
    """

    waiting: dict[str, list[Queued]] = field(default_factory=dict)
    under_way: set[str] = field(default_factory=set)
    back: SimpleQueue[_Tried] = field(default_factory=SimpleQueue)
    unmarked: list[tuple[Queued, NotTaken | None]] = field(default_factory=list)
    """Results that could not be saved yet, for example because the disk is full."""
    may_be_more: bool = True
    """Whether letters may be due that were not leased.

    Newly queued letters wake the loop anyway.
    """

    @property
    def domains(self) -> frozenset[str]:
        """The domains to which no further letters are leased now."""
        return frozenset((*self.waiting, *self.under_way))

    def begin(self) -> None:
        """Start a round: look for due letters again.

        These include letters that an earlier round leased and did not send.
        """
        self.waiting.clear()
        self.may_be_more = True


class Delivery:
    """Sends due letters: several domains at once, one letter at a time to each."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        writer: LetterWriter,
        sender: Sender,
        bounces: Bounces,
        connections: int = 1,
    ) -> None:
        self.store = store
        self.clock = clock
        self.writer = writer
        self.sender = sender
        self.bounces = bounces
        self.illustrator = Illustrator(store, writer.keyring, self._tell_of_missing_picture)
        self.connections = connections
        self.complaint = ""
        """Why the outgoing server refused or was unreachable at the last attempt; else ""."""
        self.is_stopping: Callable[[], bool] = lambda: False
        self.rounds = _Rounds()
        self.carriers = Carriers()

    def resume(self) -> None:
        """Release the leases of a process that was killed.

        Its letters may be sent twice, with the same Message-ID.
        """
        with self.store.work() as work:
            work.outbox.end_leases(self.clock())
            work.commit()

    def deliver_due(self) -> int:
        """Send everything that is due; return the number of letters sent."""
        self._mark()
        self.rounds.begin()
        left = 0
        while not self.is_stopping():
            self._send_out()
            if not self.rounds.under_way:
                self.illustrator.forget()
                return left
            left += self._take_back(_LOOK_AGAIN_SECONDS)
        until = time.monotonic() + _PATIENCE_SECONDS
        while self.rounds.under_way and (rest := until - time.monotonic()) > 0:
            left += self._take_back(rest)
        return left

    def _send_out(self) -> None:
        """Lease due letters to further domains and start sending them.

        This goes on while connections are free.
        """
        rounds = self.rounds
        if rounds.may_be_more and not rounds.waiting and len(rounds.under_way) < self.connections:
            batch = self._lease()
            rounds.may_be_more = bool(rounds.domains) or len(batch) >= BATCH
            for queued in batch:
                rounds.waiting.setdefault(queued.letter.domain, []).append(queued)
        while rounds.waiting and len(rounds.under_way) < self.connections:
            domain = next(iter(rounds.waiting))
            rounds.under_way.add(domain)
            self.carriers.carry(partial(self._carry, domain, rounds.waiting.pop(domain), rounds.back))

    def _tell_of_missing_picture(self, picture: Picture, queued: Queued, reason: str) -> None:
        with self.store.work() as work:
            letter = work.outbox.get(queued.id)
            assert letter is not None
            self.bounces.tell_of_missing_picture(work, picture, letter, reason, self.clock())
            work.commit()

    def _lease(self) -> tuple[Queued, ...]:
        batch = None
        if not self.store.is_shared:  # a single process knows what it is sending
            with self.store.look() as work:
                batch = letters_ready(work, self.clock(), self.rounds.domains)
        if batch is None:
            with self.store.work(may_be_lost=True) as work:  # a lost lease only makes the letters due at once
                batch = lease_letters(work, self.clock(), self.rounds.domains)
                work.commit()
        if batch:
            passed(Step.LETTERS_LEASED)
        return batch

    def _carry(self, domain: str, letters: Sequence[Queued], back: SimpleQueue[_Tried]) -> None:
        """Send letters to one domain; runs in a carrier's thread."""
        tried: list[tuple[Queued, NotTaken | None]] = []
        told = time.monotonic()
        try:
            contents = _Contents(letters, self.illustrator.compose)
            for place, queued in enumerate(letters):
                if self.is_stopping():
                    break
                content, ahead = partial(contents.at, place), partial(contents.prepare, place + 1)
                fault = hand_over(queued, content, self.writer, self.sender, ahead)
                tried.append((queued, fault))
                if fault is not None and fault.is_silence:
                    tried += [(other, replace(fault, was_tried=False)) for other in letters[place + 1 :]]
                    break
                if time.monotonic() - told > _LOOK_AGAIN_SECONDS:
                    back.put(_Tried(domain, tried, is_over=False))
                    tried, told = [], time.monotonic()
        finally:
            back.put(_Tried(domain, tried, is_over=True))

    def _take_back(self, seconds: float) -> int:
        """Save the results that carriers hand back; return the number of letters sent."""
        rounds = self.rounds
        try:
            tried = [rounds.back.get(timeout=seconds)]
        except Empty:
            rounds.may_be_more = True
            return 0
        while not rounds.back.empty():
            tried.append(rounds.back.get())
        rounds.under_way.difference_update(one.domain for one in tried if one.is_over)
        # When stopping we close connections ourselves: the server is not at fault. Those letters go after a restart.
        letters = [letter for one in tried for letter in one.letters if letter[1] is None or not self.is_stopping()]
        sent = [queued for queued, fault in letters if fault is None]
        rounds.may_be_more |= bool(rounds.under_way) or len(sent) < len(letters)
        if letters:
            away = [fault.reason for _, fault in letters if fault is not None and fault.is_away]
            self.complaint = away[-1] if away and not sent else ""
        rounds.unmarked += letters
        self._mark()
        passed(Step.LETTERS_MARKED)
        return len(sent)

    def _mark(self) -> None:
        """Save the results of sending.

        If that fails, the results stay in memory. Thus no letter is sent twice.
        """
        unmarked = self.rounds.unmarked
        if not unmarked:
            return
        # No transaction is open while sending; a crash before this sends again, with the same Message-ID.
        sent = [queued for queued, fault in unmarked if fault is None]
        with self.store.work() as work:
            for attempts in {queued.attempts for queued in sent}:
                work.outbox.sent([queued.id for queued in sent if queued.attempts == attempts], attempts)
            for queued, fault in unmarked:
                if fault is not None:
                    put_off(work, self.bounces, queued, fault, self.clock())
            work.commit()
        unmarked.clear()


class _Contents:
    """The contents of letters; the next one is composed while the server takes one."""

    def __init__(self, letters: Sequence[Queued], compose: Callable[[Queued], bytes]) -> None:
        self.letters = letters
        self.compose = compose
        self.ahead: dict[int, bytes] = {}

    def at(self, place: int) -> bytes:
        """Return the content of one letter; raises any error of composing it."""
        return self.ahead.pop(place, b"") or self.compose(self.letters[place])

    def prepare(self, place: int) -> None:
        """Compose one letter ahead.

        An error in it is not the fault of the letter being sent. It is raised by `at` later.
        """
        if place < len(self.letters):
            with suppress(Exception):
                self.ahead[place] = self.compose(self.letters[place])

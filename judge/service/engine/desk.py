"""The morning letters to masters, each at eight o'clock in the master's zone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

import structlog

from judge.games import Person
from judge.service.desk import last_morning, write_to_master
from judge.service.post.letters import LetterWriter
from judge.storage import Store

log = structlog.get_logger(__name__)

_QUARTER = timedelta(minutes=15)
"""Zones differ by quarters of an hour."""
_LATE = timedelta(hours=2)
"""The longest delay of the morning letter if the judge was down in the morning.

After that, no letter is sent on that day.
"""


class Desks:
    """Looks every quarter of an hour for masters whose morning has come."""

    def __init__(
        self,
        store: Store,
        zone: str,
        clock: Callable[[], datetime],
        writer: LetterWriter,
        turn: AbstractContextManager[object],
    ) -> None:
        self.store = store
        self.zone = zone
        """The zone of masters who have chosen none."""
        self.clock = clock
        self.writer = writer
        self.turn = turn
        self.looked: datetime | None = None

    def write_in_the_morning(self) -> int:
        """Write to the masters whose morning came since the last look; return 0."""
        now = self.clock()
        since = max(self.looked or now - _LATE, now - _LATE)
        if self.looked is not None and timedelta() <= now - self.looked < _QUARTER:
            return 0
        with self.store.look() as work:
            masters = [one for one in work.people.many(work.games.masters()).values() if not one.is_erased]
        for master in masters:
            if since < last_morning(self._zone_of(master), now):
                self._write_to(master, now)
        self.looked = now
        return 0

    def _zone_of(self, master: Person) -> str:
        return master.zone or self.zone

    def _write_to(self, master: Person, now: datetime) -> None:
        try:
            with self.turn, self.store.work() as work:
                if write_to_master(work, self.writer, master, self._zone_of(master), now):
                    work.commit()
        except Exception:
            log.exception("master was not written to", person=master.id)

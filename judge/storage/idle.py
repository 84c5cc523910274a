"""Skip polling the tables while SQLite's `PRAGMA data_version` is unchanged and nothing is due."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import case, func, select

from judge.storage import tables as t
from judge.storage.prepared import Prepared
from judge.storage.states import WAITING_LETTERS, InboxState, among
from judge.storage.turns import waits

_WHEN = case((t.inbox.c.state == InboxState.SUSPECT.value, t.inbox.c.retry_at), else_=t.inbox.c.received_at)
NEXT_MAIL = Prepared(select(func.min(_WHEN)).where(waits(t.inbox)))
NEXT_GAME = Prepared(select(func.min(t.game.c.due)))
NEXT_LETTER = Prepared(select(func.min(t.outbox.c.due)).where(among(t.outbox.c.state, WAITING_LETTERS)))
"""The earliest due time; the same for mail and games above."""


class IdleCheck:
    """The idle time between a poll and the next write or due time.

    Writes of this process count too: a loop polls once more after its own last change.
    """

    def __init__(self, file: Path, clock: Callable[[], datetime], next_due: Callable[[], datetime | None]) -> None:
        self._file = file
        self._clock = clock
        self._next_due = next_due
        self._connection: sqlite3.Connection | None = None
        self._count: int | None = None
        """`PRAGMA data_version` at the last poll; None if the idle time is over."""
        self._due: datetime | None = None
        self._knows_due = False
        self._last = clock()

    def begin(self) -> None:
        """Note that the tables are polled now."""
        self._count, self._knows_due = self._written(), False

    def end(self) -> None:
        """Note that the tables have to be polled again."""
        self._count = None

    def lasts(self) -> bool:
        """Whether polling can be skipped: nothing was written since and nothing is due."""
        if self._count is None or self._count != self._written():
            return False
        if not self._knows_due:
            self._due, self._knows_due = self._next_due(), True
        before, self._last = self._last, self._clock()
        return self._last >= before and (self._due is None or self._last < self._due)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def _written(self) -> int:
        """Return a number that changes when another connection commits."""
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, isolation_level=None)
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

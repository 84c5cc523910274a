"""Whether there is nothing to do, asked every second in place of the tables; SQLite counts what is written."""

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
"""When the next of them is due."""


class Calm:
    """Lasts from a look at the tables until somebody writes to the database, or something is due.

    What this process writes counts as well, so that a loop looks once more after its own last change.
    """

    def __init__(self, file: Path, clock: Callable[[], datetime], next_due: Callable[[], datetime | None]) -> None:
        self._file = file
        self._clock = clock
        self._next_due = next_due
        self._connection: sqlite3.Connection | None = None
        self._count: int | None = None
        """What was written when it began; None if it is over."""
        self._due: datetime | None = None
        self._knows_due = False
        self._last = clock()

    def begin(self) -> None:
        """The tables are looked at now."""
        self._count, self._knows_due = self._written(), False

    def end(self) -> None:
        """They have to be looked at again."""
        self._count = None

    def lasts(self) -> bool:
        """Whether there can be nothing to do."""
        if self._count is None or self._count != self._written():
            return False
        if not self._knows_due:
            self._due, self._knows_due = self._next_due(), True
        before, self._last = self._last, self._clock()
        return self._last >= before and (self._due is None or self._last < self._due)

    def close(self) -> None:
        """It is not asked any more."""
        if self._connection is not None:
            self._connection.close()

    def _written(self) -> int:
        """A number that changes when another connection commits."""
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, isolation_level=None)
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

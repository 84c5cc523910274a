"""Connections that stay open between units of work: to have the pool hand one out costs more than a statement."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from sqlalchemy import Connection, Engine

_MOST = 2
"""More are rarely in use at the same time; the others go back to the pool."""
_BEGINNING = "judge_beginning"


class Beginning(Enum):
    """How a transaction begins: what it is for."""

    LASTING = "what is committed is on the disk"
    HASTY = "what is committed outlives us, but not a machine that loses its power"
    READING = "nothing is written, and nobody who writes kept waiting"


def beginning_of(connection: Connection) -> Beginning:
    """How the transaction is to begin that it is about to begin."""
    found: Beginning = connection.info.get(_BEGINNING, Beginning.LASTING)
    return found


class Connections:
    """Those to one database.

    The one that was used last is used next, whatever for: SQLite forgets all pages that a connection has read as soon
    as another one writes.
    """

    def __init__(self, engine: Engine, *, stay_open: bool) -> None:
        self._engine = engine
        self._most = _MOST if stay_open else 0
        self._idle: deque[Connection] = deque()

    @contextmanager
    def one(self, beginning: Beginning) -> Iterator[Connection]:
        """One of them, outside any transaction; what is not committed at the end is rolled back."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._engine.connect()
        connection.info[_BEGINNING] = beginning
        try:
            yield connection
            if connection.in_transaction():
                connection.rollback()
        except BaseException:
            connection.close()
            raise
        if len(self._idle) < self._most:
            self._idle.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        """Nobody needs them any more."""
        while self._idle:
            self._idle.pop().close()

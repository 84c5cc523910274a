"""Connections that stay open between units of work: to have the pool hand one out costs more than a statement."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

_MOST = 2
"""More are rarely in use at the same time; the others go back to the pool."""


class Connections:
    """Those to one database that are all used in the same way."""

    def __init__(self, engine: Engine, *, stay_open: bool) -> None:
        self._engine = engine
        self._most = _MOST if stay_open else 0
        self._idle: deque[Connection] = deque()

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """One of them, outside any transaction; what is not committed at the end is rolled back."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._engine.connect()
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

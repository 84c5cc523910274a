"""Connections that stay open between units of work: to have the pool hand one out costs more than a statement."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine

_MOST = 2
"""More are rarely in use at the same time; the others go back to the pool."""
_BEGINNING = "judge_beginning"
_SINCE = "judge_rests_since"
_RESTED_SECONDS = 1.0


def is_shared(database: Connection | Engine) -> bool:
    """Whether the database is a process of its own, and other judges may do the same work at the same time."""
    return database.dialect.name == "postgresql"


class Beginning(Enum):
    """How a transaction begins: what it is for."""

    LASTING = "what is committed is on the disk"
    HASTY = "what is committed outlives us, but not a machine that loses its power"
    READING = "nothing is written, and nobody who writes kept waiting"


def beginning_of(connection: Connection) -> Beginning:
    """How the transaction is to begin that it is about to begin."""
    found: Beginning = connection.info.get(_BEGINNING, Beginning.LASTING)
    return found


def begin_to_rest(info: dict[str, Any]) -> None:
    """What is known of a connection says since when nobody has used it."""
    info.setdefault(_SINCE, monotonic())


def has_rested(info: dict[str, Any]) -> bool:
    """Whether nobody has used a connection for so long that the server may have been started anew."""
    since: float = info.get(_SINCE, monotonic())
    return monotonic() - since >= _RESTED_SECONDS


def is_in_use(info: dict[str, Any]) -> None:
    """It rests no more."""
    info.pop(_SINCE, None)


class Connections:
    """Those to one database.

    The one that was used last is used next, whatever for: SQLite forgets all pages that a connection has read as soon
    as another one writes. One that rested goes back to the pool, which tries it out where that makes sense.
    """

    def __init__(self, engine: Engine, *, stay_open: bool) -> None:
        self._engine = engine
        self._most = _MOST if stay_open else 0
        self._idle: deque[Connection] = deque()

    @contextmanager
    def one(self, beginning: Beginning) -> Iterator[Connection]:
        """One of them, outside any transaction; what is not committed at the end is rolled back."""
        connection = self._found()
        connection.info[_BEGINNING] = beginning
        try:
            yield connection
            if connection.in_transaction():
                connection.rollback()
        except BaseException:
            connection.close()
            raise
        if len(self._idle) < self._most:
            begin_to_rest(connection.info)
            self._idle.append(connection)
        else:
            connection.close()

    def _found(self) -> Connection:
        try:
            connection = self._idle.pop()
        except IndexError:
            return self._engine.connect()
        if has_rested(connection.info):
            connection.close()
            return self._engine.connect()
        is_in_use(connection.info)
        return connection

    def close(self) -> None:
        """Nobody needs them any more."""
        while self._idle:
            self._idle.pop().close()

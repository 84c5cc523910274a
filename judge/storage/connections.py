"""Keep connections open between units of work: a checkout costs more than a statement."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine

_MOST = 2
"""Connections kept open; more are rarely in use at once. Others return to the pool."""
_BEGINNING = "judge_beginning"
_SINCE = "judge_rests_since"
_RESTED_SECONDS = 1.0


def is_shared(database: Connection | Engine) -> bool:
    """Whether the database is a server, which other workers may use at the same time."""
    return database.dialect.name == "postgresql"


class Beginning(Enum):
    """How a transaction begins: with or without fsync at its commit, or read-only."""

    LASTING = "commit with fsync"
    HASTY = "commit without fsync"
    READING = "read only, without blocking writers"


def beginning_of(connection: Connection) -> Beginning:
    """Return how the next transaction of a connection begins."""
    found: Beginning = connection.info.get(_BEGINNING, Beginning.LASTING)
    return found


def begin_to_rest(info: dict[str, Any]) -> None:
    """Note that a connection is idle from now on."""
    info.setdefault(_SINCE, monotonic())


def has_rested(info: dict[str, Any]) -> bool:
    """Whether a connection was idle for so long that the server may have been restarted."""
    since: float = info.get(_SINCE, monotonic())
    return monotonic() - since >= _RESTED_SECONDS


def is_in_use(info: dict[str, Any]) -> None:
    """Note that a connection is in use."""
    info.pop(_SINCE, None)


class Connections:
    """The connections to one database.

    The last one used is the next one used: SQLite drops the page cache of a connection as soon as another one
    writes. On PostgreSQL, a connection that was idle goes back to the pool, which tests it.
    """

    def __init__(self, engine: Engine, *, stay_open: bool) -> None:
        self._engine = engine
        self._most = _MOST if stay_open else 0
        self._idle: deque[Connection] = deque()

    @contextmanager
    def one(self, beginning: Beginning) -> Iterator[Connection]:
        """Yield a connection outside any transaction; roll back what is not committed at the end."""
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
        if is_shared(connection) and has_rested(connection.info):
            connection.close()
            return self._engine.connect()
        is_in_use(connection.info)
        return connection

    def close(self) -> None:
        """Close the connections that are kept open."""
        while self._idle:
            self._idle.pop().close()

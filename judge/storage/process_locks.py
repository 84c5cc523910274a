"""Tasks that one process has alone, for as long as it lives."""

from __future__ import annotations

import sqlite3
from zlib import crc32

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from judge.errors import InstallationError, ResourceError
from judge.storage.migrate import clear_faults, is_on_server, sqlite_file

_OURS = 0x6A756467
"""Among the locks that others may have in the same PostgreSQL database."""
_ARE_YOU_THERE = text("SELECT 1")


class ProcessLocks:
    """The tasks this process has of a database that it shares with others.

    On SQLite each is had alone. On PostgreSQL those who work share theirs; alone one has it when nobody works.
    """

    def __init__(self, url: str) -> None:
        file = sqlite_file(url)
        self.file = file.resolve() if file is not None else None  # whatever links lead there
        self._held: list[sqlite3.Connection] = []
        self._on_server: dict[tuple[str, str], Connection | None] = {}
        """Task and kind of lock → the connection that holds it; None if that is lost."""
        self._url = url

    def claim(self, task: str, *, to_work: bool = False) -> None:
        """Have a task until we let go of it or end, however we end; raises InstallationError if another has it."""
        if self.file is None:
            if is_on_server(self._url):
                self._claim_on_server(task, "_shared" if to_work else "")
            return
        if self.file.exists() and self.file.stat().st_nlink > 1:
            # SQLite keeps its log beside the name it was given: two names of one file would be two logs.
            raise InstallationError(f"the database {self.file} has another name: remove that hard link")
        # A lock of the operating system: nobody has to clean up after a process that was killed.
        path = f"{self.file}.{task}.lock"
        try:
            lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
            self._held.append(lock)
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise ResourceError(f"another judge is running ({task}) on the database {self.file}") from error
            raise InstallationError(f"{path}: {error}") from error

    def claim_again(self) -> None:
        """Have what was lost with its connection, when the server was started anew."""
        for (task, kind), connection in self._on_server.items():
            if connection is not None:
                try:
                    connection.execute(_ARE_YOU_THERE)
                    continue
                except DBAPIError:
                    self._on_server[task, kind] = None
                    connection.close()
            self._claim_on_server(task, kind)

    def _claim_on_server(self, task: str, kind: str) -> None:
        with clear_faults(self._url):
            connection = create_engine(self._url, poolclass=NullPool, isolation_level="AUTOCOMMIT").connect()
        self._on_server[task, kind] = connection
        ask = text(f"SELECT pg_try_advisory_lock{kind}(:ours, :task)")  # the server lets go of it if we are gone
        values = {"ours": _OURS, "task": crc32(task.encode()) >> 1}
        if not connection.execute(ask, values).scalar_one():
            self._on_server[task, kind] = None
            connection.close()
            place = connection.engine.url.render_as_string()
            raise ResourceError(f"another judge is running ({task}) on the database {place}")

    def close(self) -> None:
        """Let go of all."""
        for lock in self._held:
            lock.close()
        for connection in filter(None, self._on_server.values()):
            connection.close()
        self._held.clear()
        self._on_server.clear()

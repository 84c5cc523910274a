"""Locks on tasks that only one process may run; they end with the process."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from glob import escape
from pathlib import Path
from zlib import crc32

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from judge.durable import make_private, touch_private
from judge.errors import InstallationError, ResourceError, of_system
from judge.storage.leases import live_workers
from judge.storage.migrate import (
    clear_faults,
    current_revision,
    is_on_server,
    of_sqlite,
    oldest_reader,
    pending,
    sqlite_file,
)

_OURS = 0x6A756467
"""First key of our advisory locks; other programs may have locks in the same database."""
_MIGRATE = "migrate"
_PATIENCE_SECONDS = 0.5
"""Timeout for a lock; `others_run` of another process may hold it briefly."""
_ARE_YOU_THERE = text("SELECT 1")


class ProcessLocks:
    """The locks of this process on the tasks of one database.

    On SQLite every lock is exclusive. On PostgreSQL workers share the lock of their task. An exclusive lock is granted
    only while no worker holds a shared one.
    """

    def __init__(self, url: str) -> None:
        file = sqlite_file(url)
        self.file = file.resolve() if file is not None else None  # symbolic links resolved
        self._held: dict[Path, sqlite3.Connection] = {}
        self._on_server: dict[tuple[str, str], Connection | None] = {}
        """(task, kind of lock) → the connection that holds it; None if it was lost."""
        self._url = url

    def claim(self, task: str, *, to_work: bool = False) -> None:
        """Lock a task until `close` or the end of the process, even by a crash.

        Raises ResourceError if another process has it, InstallationError if it cannot be locked.
        """
        if self.file is None:
            if is_on_server(self._url):
                self._claim_on_server(task, "_shared" if to_work else "")
            return
        if self.file.exists() and self.file.stat().st_nlink > 1:
            # SQLite keeps its log beside the name it was given: two names of one file would be two logs.
            raise InstallationError(f"the database {self.file} has another name: remove that hard link")
        # A lock of the operating system needs no cleaning up after a process was killed.
        path = self._lock_of(task)
        try:
            touch_private(path)  # every user who may read it may lock it
            lock = sqlite3.connect(path, timeout=_PATIENCE_SECONDS, isolation_level=None, check_same_thread=False)
            self._held[path] = lock
            lock.execute("PRAGMA journal_mode=OFF")  # nothing is written: it works on a full disk
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise ResourceError(f"another judge is running ({task}) on the database {self.file}") from error
            raise of_sqlite(f"{path}: {error}", error) from error
        except OSError as error:
            raise of_system(f"{path}: {error.strerror}", error) from error

    def others_run(self) -> bool:
        """Whether another process holds a task of the same SQLite database now."""
        if self.file is None:
            return False
        locks = self.file.parent.glob(f"{escape(self.file.name)}.*.lock")
        return any(_is_taken(lock) for lock in locks if lock not in self._held)

    def _lock_of(self, task: str) -> Path:
        assert self.file is not None
        return self.file.with_name(f"{self.file.name}.{task}.lock")

    def claim_again(self) -> None:
        """Take the locks again that were lost with their connection when the server restarted."""
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
        ask = text(f"SELECT pg_try_advisory_lock{kind}(:ours, :task)")  # it ends with the connection
        values = {"ours": _OURS, "task": crc32(task.encode()) >> 1}
        if not connection.execute(ask, values).scalar_one():
            self._on_server[task, kind] = None
            connection.close()
            place = connection.engine.url.render_as_string()
            raise ResourceError(f"another judge is running ({task}) on the database {place}")

    def close(self) -> None:
        """Release all locks."""
        for lock in self._held.values():
            lock.close()
        for connection in filter(None, self._on_server.values()):
            connection.close()
        self._held.clear()
        self._on_server.clear()


@contextmanager
def alone(url: str, tasks: Iterable[str]) -> Iterator[None]:
    """Lock every judge out of a database meanwhile; raises ResourceError if one runs there.

    SQLite is locked by the operating system. On PostgreSQL a worker that lost its connection, and with it its locks,
    still counts while its last beat is fresh.
    """
    file = sqlite_file(url)
    if file is not None:
        make_private(file.parent)
    with closing(ProcessLocks(url)) as locks:
        if is_on_server(url):
            _refuse_beneath_live_workers(url)
        for task in tasks:
            locks.claim(task)
        yield


@contextmanager
def migrating(url: str, tasks: Iterable[str]) -> Iterator[None]:
    """Lock judges out of a database while it is migrated; raises ResourceError.

    Judges that can read it before and after the migration may go on.
    """
    if not is_on_server(url) or not _all_can_read(url):
        with alone(url, (*tasks, _MIGRATE)):
            yield
        return
    with closing(ProcessLocks(url)) as locks:
        locks.claim(_MIGRATE)
        yield


def _all_can_read(url: str) -> bool:
    """Whether all pending steps are marked "expand" and all live workers read their result."""
    from judge.storage.jobs import is_newest  # noqa: PLC0415 - its library is needed on PostgreSQL only

    with clear_faults(url):
        engine = create_engine(url, poolclass=NullPool)
        current = current_revision(engine)
        with engine.connect() as connection:
            if current is None or not all(pending(current).values()) or not is_newest(connection):
                return False
            return all(worker.reads >= oldest_reader() for worker in live_workers(connection))


def _refuse_beneath_live_workers(url: str) -> None:
    with clear_faults(url):
        engine = create_engine(url, poolclass=NullPool)
        with engine.connect() as connection:
            found = live_workers(connection)
    if found:
        who, place = ", ".join(map(str, found)), engine.url.render_as_string()
        raise ResourceError(f"another judge is running on the database {place}: {who}; stop it first")


def _is_taken(lock: Path) -> bool:
    with closing(sqlite3.connect(f"{lock.as_uri()}?mode=ro", uri=True, timeout=0)) as asked:
        try:
            asked.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False

"""Tasks that one process has alone, for as long as it lives."""

from __future__ import annotations

import sqlite3

from judge.errors import InstallationError, ResourceError
from judge.storage.migrate import sqlite_file


class ProcessLocks:
    """The tasks this process has of a database that it shares with others. Only SQLite is guarded so."""

    def __init__(self, url: str) -> None:
        file = sqlite_file(url)
        self.file = file.resolve() if file is not None else None  # whatever links lead there
        self._held: list[sqlite3.Connection] = []

    def claim(self, task: str) -> None:
        """Have a task until we let go of it or end, however we end; raises InstallationError if another has it."""
        if self.file is None:
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

    def close(self) -> None:
        """Let go of all."""
        for lock in self._held:
            lock.close()
        self._held.clear()

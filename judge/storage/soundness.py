"""Check that every page of a SQLite database can be read.

With a million mails, reading all pages takes seconds. It is skipped after a clean stop: a note beside the database
holds the file's size and times at the stop. A start removes the note; it is missing after a kill or a power cut.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from judge.durable import as_private, move, sync_folder
from judge.errors import InstallationError, ResourceError


def check_soundness(file: Path) -> None:
    """Read all pages of a database. Raises InstallationError if it is damaged."""
    try:
        with closing(sqlite3.connect(file, timeout=30)) as database:
            (damage,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        raise ResourceError(f"{file} cannot be read: {error}") from error
    except sqlite3.Error as error:
        damage = str(error)
    if damage != "ok":
        raise InstallationError(f"{file} is damaged ({' '.join(damage.split())}); restore a backup")


class Soundness:
    """The note of the last clean stop; without it, a start reads all pages."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._note = file.with_name(f"{file.name}.stopped")
        self._is_running = False

    def is_known(self) -> bool:
        """Whether a judge stopped cleanly and the file has not been written to since.

        False after a kill, a power cut, a restore, a copy by hand, `judge migrate`, and before the first clean stop.
        """
        try:
            return self._note.read_text("ascii") == self._look() and not self._has_log()
        except (OSError, UnicodeDecodeError):
            return False

    def note_start(self) -> None:
        """Forget the last clean stop: from now on the judge may crash."""
        self._note.unlink(missing_ok=True)
        sync_folder(self._note.parent)
        self._is_running = True

    def note_clean_stop(self) -> None:
        """Note the state of the file; all connections of this process must be closed."""
        if not self._is_running:  # it never started: the file may be damaged
            return
        unfinished = self._note.with_name(f"{self._note.name}.part")
        with suppress(OSError):  # on a full disk there is no note, and the next start reads all pages
            with open(unfinished, "w", encoding="ascii", opener=as_private) as note:
                note.write(self._look())
                note.flush()
                os.fsync(note.fileno())
            move(unfinished, self._note)

    def _look(self) -> str:
        """Return inode, size and times: they change if the file is written to or replaced."""
        status = self.file.stat()
        return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"

    def _has_log(self) -> bool:
        """Whether SQLite's log beside the file holds pages that are not in the file yet."""
        log = self.file.with_name(f"{self.file.name}-wal")
        return log.exists() and log.stat().st_size > 0

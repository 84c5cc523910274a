"""Mail that another program delivers into a Maildir."""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path

import structlog

from judge.durable import move
from judge.errors import SourceError, StoringError, failed_resource, may_pass
from judge.failpoints import Step, passed
from judge.mail.large_files import MAX_WHOLE
from judge.mail.letters import RawMail
from judge.mail.sources.base import Keep, event_of, store

log = structlog.get_logger(__name__)
_PARTS = ("tmp", "new", "cur")
_LONGEST_NAME = 255


class MaildirSource:
    """Read mails in `new` and move them to `cur`, marked as seen."""

    def __init__(self, name: str, folder: Path, keep: Keep, *, poll_seconds: float = 2) -> None:
        self.name = name
        self.folder = folder
        self.keep = keep
        self.poll_seconds = poll_seconds
        self.stopping = threading.Event()
        self.turn = threading.Lock()
        self.reason = ""
        """Why the folder cannot be read now; "" if it can."""
        self.set_aside: dict[str, str] = {}
        """Name → reason, for mails that cannot be read or moved, and stay."""
        self.thread = threading.Thread(target=self._look, name=f"maildir {name}", daemon=True)

    def start(self) -> None:
        """Make the folders if they are missing, and poll them from now on."""
        self._make_folders()
        self.thread.start()

    def _make_folders(self) -> None:
        for name in _PARTS:
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def stop(self) -> None:
        """Stop polling."""
        self.stopping.set()
        if self.thread.is_alive():
            self.thread.join(timeout=10)

    def check(self) -> str:
        """Return the folder if mail can be read and moved there; raises otherwise."""
        self._make_folders()
        for part in (self.folder / name for name in _PARTS):
            if not os.access(part, os.R_OK | os.W_OK | os.X_OK):
                raise SourceError(f"{part} cannot be read and written")
        return str(self.folder)

    def _look(self) -> None:
        while not self.stopping.is_set():
            try:
                self.drain()
                if self.reason:
                    log.info("source is read again", source=self.name)
                self.reason = ""
            except SourceError as error:  # before a phase closes, the caller drains and sees the error itself
                if str(error) != self.reason:
                    log.warning(event_of(error), source=self.name, reason=str(error))
                self.reason = str(error)
            self.stopping.wait(self.poll_seconds)

    def complaint(self) -> str:
        """Return why the folder, or which mails in it, cannot be read."""
        return self.reason or ", ".join(f"{name}: {reason}" for name, reason in sorted(self.set_aside.items())[:3])

    def drain(self) -> None:
        """Take all mails in `new`; a mail that cannot be kept stays there."""
        with self.turn:
            try:
                names = {entry.name for entry in os.scandir(self.folder / "new") if not entry.name.startswith(".")}
                self.set_aside = {name: reason for name, reason in self.set_aside.items() if name in names}
                found = sorted(filter(None, map(self._looked_at, names - set(self.set_aside))))
                for arrived, path in found:
                    self._take(arrived, path)
            except StoringError as error:
                raise StoringError(f"{self.name}: {error}") from error
            except Exception as error:
                raise SourceError(f"{self.name}: {failed_resource(error) or error}") from error

    def _looked_at(self, name: str) -> tuple[float, Path] | None:
        """Return when a mail arrived, and its path; None if no file or gone."""
        path = self.folder / "new" / name
        try:
            status = path.stat()
        except OSError as error:
            self._leave(path, error)
            return None
        return (status.st_mtime, path) if stat.S_ISREG(status.st_mode) else None

    def _take(self, arrived: float, path: Path) -> None:
        try:
            content = self.read(path)
        except OSError as error:
            self._leave(path, error)
            return
        passed(Step.MAIL_TAKEN)
        store(self.keep, RawMail(content, self.name, datetime.fromtimestamp(arrived, UTC), None, ()))
        passed(Step.MAIL_KEPT)
        try:
            move(path, self.folder / "cur" / _name_when_seen(path.name))
        except OSError as error:
            self._leave(path, error)
        passed(Step.MAIL_MOVED)

    @staticmethod
    def read(path: Path) -> bytes:
        """Read a mail, or enough to see that it is too big; raises OSError."""
        with path.open("rb") as file:
            return file.read(MAX_WHOLE + 1)

    def _leave(self, path: Path, error: OSError) -> None:
        """Leave a mail that cannot be read or moved, and let others go on.

        Raises if the mail is not the cause.
        """
        if isinstance(error, FileNotFoundError):
            return  # another process took it
        if may_pass(error):
            raise error
        self.set_aside[path.name] = error.strerror or type(error).__name__
        log.error("file set aside", source=self.name, file=path.name, reason=error.strerror)


def _name_when_seen(name: str) -> str:
    seen = name if ":2," in name else f"{name}:2,S"
    if len(os.fsencode(seen)) <= _LONGEST_NAME:
        return seen
    return f"{hashlib.sha256(os.fsencode(name)).hexdigest()}:2,S"

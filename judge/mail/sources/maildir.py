"""Mail that another program drops into a Maildir."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import structlog

from judge.errors import SourceError
from judge.failpoints import Step, passed
from judge.mail.letters import RawMail
from judge.mail.reading import MAX_SIZE
from judge.mail.sources.base import Keep

log = structlog.get_logger(__name__)
_PARTS = ("tmp", "new", "cur")


class MaildirSource:
    """Takes what lies in `new` and moves it to `cur`, marked as seen."""

    def __init__(self, name: str, folder: Path, keep: Keep, *, poll_seconds: float = 2) -> None:
        self.name = name
        self.folder = folder
        self.keep = keep
        self.poll_seconds = poll_seconds
        self.stopping = threading.Event()
        self.turn = threading.Lock()
        self.thread = threading.Thread(target=self._look, name=f"maildir {name}", daemon=True)

    def start(self) -> None:
        """Make the folders if they are missing, and look into them from time to time."""
        self._make_folders()
        self.thread.start()

    def _make_folders(self) -> None:
        for name in _PARTS:
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def stop(self) -> None:
        """Stop looking."""
        self.stopping.set()
        if self.thread.is_alive():
            self.thread.join(timeout=10)

    def check(self) -> str:
        """Whether mail can be read and moved there; raises what is in the way."""
        self._make_folders()
        for part in (self.folder / name for name in _PARTS):
            if not os.access(part, os.R_OK | os.W_OK | os.X_OK):
                raise SourceError(f"{part} cannot be read and written")
        return str(self.folder)

    def _look(self) -> None:
        complaint = ""
        while not self.stopping.is_set():
            try:
                self.drain()
                complaint = ""
            except SourceError as error:  # whoever must know drains for himself: before a phase closes
                if str(error) != complaint:
                    log.warning("source cannot be read, trying again", source=self.name, reason=str(error))
                complaint = str(error)
            self.stopping.wait(self.poll_seconds)

    def drain(self) -> None:
        """Take everything that lies in `new`; a mail that cannot be kept stays there."""
        with self.turn:
            try:
                mails = [path for path in (self.folder / "new").iterdir() if _is_mail(path)]
                waiting = sorted(mails, key=lambda path: path.stat().st_mtime)
                for path in waiting:
                    self._take(path)
            except Exception as error:
                raise SourceError(f"{self.name}: {error}") from error

    def _take(self, path: Path) -> None:
        arrived = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        with path.open("rb") as file:
            content = file.read(MAX_SIZE + 1)  # enough to see that it is too big
        passed(Step.MAIL_TAKEN)
        self.keep(RawMail(content, self.name, arrived, None, ()))
        passed(Step.MAIL_KEPT)
        seen = path.name if ":2," in path.name else f"{path.name}:2,S"
        path.rename(self.folder / "cur" / seen)
        passed(Step.MAIL_MOVED)


def _is_mail(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".")

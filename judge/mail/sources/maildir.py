"""Mail that another program drops into a Maildir."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from judge.errors import SourceError
from judge.mail.letters import RawMail
from judge.mail.sources.base import Keep


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
        for name in ("tmp", "new", "cur"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.thread.start()

    def stop(self) -> None:
        """Stop looking."""
        self.stopping.set()
        if self.thread.is_alive():
            self.thread.join(timeout=10)

    def _look(self) -> None:
        while not self.stopping.is_set():
            with suppress(SourceError):  # whoever must know drains for himself: before a phase closes
                self.drain()
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
        self.keep(RawMail(path.read_bytes(), self.name, arrived, None, ()))
        seen = path.name if ":2," in path.name else f"{path.name}:2,S"
        path.rename(self.folder / "cur" / seen)


def _is_mail(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".")

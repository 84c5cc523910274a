"""A store of mail for tests of sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from judge.mail.letters import RawMail

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
MAIL = "From: cho@players.test\r\nSubject: 命令\r\n\r\nA Par - Bur\r\n.\r\n..パリ\r\n".encode()


@dataclass
class Shelf:
    """Stores the mail of sources; can be told to fail."""

    mails: list[RawMail] = field(default_factory=list)
    fails: Callable[[RawMail], bool] = lambda _: False

    def keep(self, *mails: RawMail) -> None:
        if any(map(self.fails, mails)):
            raise OSError("the disk is full")
        self.mails += mails

    def contents(self) -> list[bytes]:
        return [raw.content for raw in self.mails]

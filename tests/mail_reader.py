"""The mail reader that these tests use."""

from __future__ import annotations

from datetime import UTC, datetime

from judge.mail.letters import Letter, RawMail
from judge.mail.reading import MailReader
from judge.service.talk.vocabulary import VOCABULARY

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
JUDGE = "judge@judge.test"


def read(content: bytes, *, to: tuple[str, ...] = (), authserv_id: str | None = None) -> Letter:
    return MailReader(frozenset((JUDGE,)), VOCABULARY, authserv_id).read(RawMail(content, "test", NOON, None, to))

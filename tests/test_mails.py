"""Strange mails: `mails/<case>.eml`, and their expected reading in `mails/<case>.toml`."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.mail.letters import RawMail
from judge.mail.reading import MailReader
from judge.service.talk.vocabulary import VOCABULARY

FOLDER = Path(__file__).parent / "mails"
ARRIVED = datetime(2026, 11, 24, 12, tzinfo=UTC)
KNOWN = {
    "kind",
    "from",
    "sender_name",
    "subject",
    "message_id",
    "in_reply_to",
    "own_text",
    "unread_parts",
    "defect",
}
"""The expectations a case may have; `sent` is input: the lines of the answered mail."""


def find_cases() -> list[Path]:
    mails = {path.with_suffix("") for path in FOLDER.glob("*.eml")}
    expectations = {path.with_suffix("") for path in FOLDER.glob("*.toml")}
    assert mails, f"no mails in {FOLDER}"
    assert mails == expectations, f"without a partner: {sorted(path.name for path in mails ^ expectations)}"
    return sorted(mails)


@pytest.mark.parametrize("case", find_cases(), ids=lambda case: case.name)
def test_mail(case: Path) -> None:
    expected = tomllib.loads(case.with_suffix(".toml").read_text("utf-8"))
    sent = expected.pop("sent", ())
    assert expected.keys() <= KNOWN
    raw = RawMail(case.with_suffix(".eml").read_bytes(), "test", ARRIVED, None, ())
    letter = MailReader(frozenset(("judge@localhost",)), VOCABULARY).read(raw, lambda _: sent)
    found = {
        "kind": letter.kind.value,
        "from": letter.sender,
        "sender_name": letter.sender_name,
        "subject": letter.subject,
        "message_id": letter.message_id,
        "in_reply_to": letter.in_reply_to,
        "own_text": "\n".join(line.strip() for line in letter.own_text.splitlines() if line.strip()),
        "unread_parts": list(letter.unread_parts),
        "defect": letter.defect,
    }
    assert {name: found[name] for name in expected} == expected

"""Hostile mail is stored, filed or set aside, and never acts without proof.

It causes no crash and misleads nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser

import pytest

from judge.mail.composing import compose
from judge.mail.letters import RawMail
from tests.hostility import BOMBS, FORGERIES, FRANCE, INJECTIONS, Build, mail, token_of
from tests.office import OPERATOR, Office

GOOD_STATES = {"done", "unconfirmed", "set-aside"}
SENDERS = ("evil@evil.test", "x@evil.test", "france@players.test.evil.test")
"""Strangers who may be asked whether a mail is theirs."""
HEADERS = {
    "from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references", "list-id",
    "auto-submitted", "x-auto-response-suppress", "x-loop", "mime-version", "content-type",
    "content-transfer-encoding",
}  # fmt: skip
MOST_PLAIN_MAILS = 200
"""The most work of a hostile mail, in plain mails."""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    office = Office(tmp_path_factory.mktemp("hostile"))
    office.open_game("40 days")
    office.now += timedelta(hours=2)
    office.keep("france", "A PAR - BUR")
    office.settle()
    yield office
    office.stop()


def cost(office: Office, mail: RawMail) -> float:
    """Keep and work a mail; return its processor time, which other processes do not affect."""
    begun = time.process_time()
    office.parts.intake.keep(mail)
    office.parts.intake.work_all()
    return time.process_time() - begun


def shows_script(part: Message) -> bool:
    """Whether a part of a mail could run the script that a sender wrote."""
    payload = part.get_payload(decode=True)
    is_plain = part.get_content_type() == "text/plain"
    return isinstance(payload, bytes) and b"<script>" in payload and not is_plain


def check(office: Office, build: Build) -> None:
    """Keep and work one mail; check that it does nothing.

    It misleads nothing, and the order on file stays.
    """
    office.now += timedelta(hours=1)  # limits are tested elsewhere
    with office.parts.store.work() as work:
        last = work.outbox.latest(1)[0]["id"]
    hostile = build(office)
    plain = mail("HELP", sender="x@evil.test")(office)
    assert cost(office, hostile) < MOST_PLAIN_MAILS * cost(office, plain)
    with office.parts.store.work() as work:
        assert set(work.inbox.counts()) <= GOOD_STATES
        rows = [row for row in work.outbox.latest(20) if row["id"] > last]
        written = [work.outbox.get(row["id"]) for row in rows]
        assert work.games.get("ardennes") is not None
    letters = [one.letter for one in written if one is not None]
    assert len(letters) <= 2
    for letter in letters:
        content = compose(letter)
        found = BytesHeaderParser().parsebytes(content)
        assert {name.lower() for name in found} <= HEADERS
        assert len(set(found)) == len(found)
        assert letter.recipient in (OPERATOR, FRANCE, *SENDERS)
        assert "<script>" not in (letter.html or "")
        assert [part for part in message_from_bytes(content).walk() if shows_script(part)] == []
        assert "root:" not in letter.text
        assert "49" not in letter.text
    assert office.orders("FRANCE") == ["A PAR - BUR"]


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(office: Office, name: str) -> None:
    check(office, BOMBS[name])


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries(office: Office, name: str) -> None:
    check(office, FORGERIES[name])


@pytest.mark.parametrize("name", INJECTIONS)
def test_injections(office: Office, name: str) -> None:
    check(office, INJECTIONS[name])


def test_after_all_that_the_real_one_is_heard(office: Office) -> None:
    assert len(BOMBS) + len(FORGERIES) + len(INJECTIONS) >= 100
    office.keep("france", "A PAR - GAS", to=token_of(FRANCE)(office), proved=False)
    office.settle()
    assert office.orders("FRANCE") == ["A PAR - GAS"]

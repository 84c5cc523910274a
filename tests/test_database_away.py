"""PostgreSQL is away for a while: nothing is accepted or lost, and the judge recovers."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path

import pytest
from imapclient import IMAPClient

from judge.demo.post_office import ImapServer, by_maildir, utc_now
from judge.errors import ResourceError
from judge.storage import ProcessLocks, Store
from tests.database import IS_POSTGRESQL, only_postgresql
from tests.house import JUDGE, House
from tests.postgres import Server, postgres
from tests.wire import HERE, PATIENCE_SECONDS, free_port, wait_until

if IS_POSTGRESQL:
    from judge.storage.jobs import Claims

__all__ = ["postgres"]
pytestmark = [only_postgresql, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]
"""Ignore warnings about connections that were being made at that moment."""


@pytest.fixture
def imap_server() -> Iterator[ImapServer]:
    server = ImapServer()
    server.start()
    yield server
    server.stop()


def handed_in(kind: type[smtplib.SMTP], port: int, mail: EmailMessage) -> int:
    """Return a listener's answer to a mail."""
    with kind(HERE, port, timeout=PATIENCE_SECONDS) as client:
        try:
            client.send_message(mail, str(mail["From"]), [JUDGE])
        except smtplib.SMTPDataError as error:
            return error.smtp_code
        except smtplib.SMTPRecipientsRefused as error:  # LMTP answers for each recipient
            return error.recipients[JUDGE][0]
    return 250


def left_in(imap_server: ImapServer) -> int:
    """Return how many mails are in the mailbox."""
    with IMAPClient(HERE, imap_server.port, ssl=False) as client:
        client.login(imap_server.username, imap_server.password)
        client.select_folder("INBOX", readonly=True)
        return len(client.search())


def health(port: int) -> tuple[int, str]:
    with closing(HTTPConnection(HERE, port, timeout=PATIENCE_SECONDS)) as connection:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_mail_is_put_off_while_the_database_is_away_and_worked_when_it_is_back(
    postgres: Server, tmp_path: Path, imap_server: ImapServer
) -> None:
    lmtp, watched = free_port(), free_port()
    house = House(
        tmp_path,
        url=postgres.make("away", empty=False),
        more=f'{{ kind = "listener", name = "lmtp", port = {lmtp}, lmtp = true }},'
        f'{{ kind = "imap", host = "{HERE}", port = {imap_server.port}, security = "none", poll_seconds = 0.2,'
        f' old_mail = "take", username = "{imap_server.username}", password = "{imap_server.password}" }}',
    )
    with house.config.open("a", encoding="utf-8") as config:
        config.write(f"watch = {{ port = {watched} }}\n")
    mails = [house.letter(f"{name}@players.test", "HELP") for name in ("ada", "ben", "cho", "dan", "eva")]
    before, by_smtp, by_lmtp, by_imap, by_file = mails
    with house.running() as process:
        assert handed_in(smtplib.SMTP, house.port, before) == 250
        wait_until(lambda: str(before["Message-ID"]) in house.replies() and health(watched)[0] == 200)
        postgres.kill()
        assert handed_in(smtplib.SMTP, house.port, by_smtp) == 451
        assert handed_in(smtplib.LMTP, lmtp, by_lmtp) == 451
        imap_server.deliver(by_imap.as_bytes(), utc_now())
        by_maildir(house.folder / "incoming", JUDGE, by_file.as_bytes())
        for source in ("imap", "maildir"):
            wait_until(lambda source=source: f'mail cannot be stored, trying again" source={source}' in house.log())  # type: ignore[misc]
        assert (health(watched)[0], left_in(imap_server)) == (503, 1)
        assert list((house.folder / "incoming" / "new").iterdir())
        assert not [line for line in house.log().splitlines() if not line.startswith("timestamp=")]
        assert "Traceback" not in house.log(), "a resource that is away is no mistake of ours"
        for loop in ("clock", "mailboxes", "beat"):
            failed = [line.partition("reason=")[2] for line in house.log().splitlines() if f"loop={loop}" in line]
            assert all(one != following for one, following in pairwise(failed)), "each reason once"
        postgres.start()
        wait_until(lambda: handed_in(smtplib.SMTP, house.port, by_smtp) == 250)
        wait_until(lambda: handed_in(smtplib.LMTP, lmtp, by_lmtp) == 250)
        wait_until(lambda: len(house.rows("select id from inbox where state = 'done'")) == len(mails))
        wait_until(lambda: house.is_quiet() and health(watched)[0] == 200)
        assert process.poll() is None
    answers = {id_: len(copies) for id_, copies in house.replies().items()}
    assert answers == {str(mail["Message-ID"]): 1 for mail in mails}


def test_what_a_process_had_for_itself_it_takes_again_after_the_database_was_away(postgres: Server) -> None:
    url = postgres.make("away", empty=False)
    with closing(Store.open(url)) as store, closing(ProcessLocks(url)) as judge, closing(ProcessLocks(url)) as operator:
        judge.claim("work", to_work=True)
        with closing(Claims(store.engine)) as ours, closing(Claims(store.engine)) as theirs:
            assert [ours.take("mailbox"), theirs.take("mailbox"), ours.are_held()] == [True, False, True]
            postgres.kill()
            assert [ours.are_held(), theirs.are_held()] == [False, False]
            with pytest.raises(ResourceError):
                judge.claim_again()
            postgres.start()
            judge.claim_again()
            with pytest.raises(ResourceError, match="another judge is running"):
                operator.claim("work")
            assert [ours.are_held(), theirs.take("mailbox"), ours.take("mailbox")] == [False, True, False]

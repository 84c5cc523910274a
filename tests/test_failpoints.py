"""Kill the judge between any two steps with outside effect; it recovers completely."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from imapclient import IMAPClient

from judge.config import load_config
from judge.demo.post_office import ImapServer, by_maildir, utc_now
from judge.failpoints import Step
from judge.mail.letters import RawMail
from judge.service.engine.assemble import assemble
from judge.storage import migrate
from tests.database import copy
from tests.house import EVERYBODY, JUDGE, ORDERS, PLAYED, POWERS, House, end
from tests.office import joining
from tests.soak import long_but
from tests.wire import HERE, PATIENCE_SECONDS, wait_until

FIRST_ORDERS = {power: (orders[0], "READY") for power, orders in ORDERS.items()}
FROM_MAILBOXES = (Step.MAIL_TAKEN, Step.MAIL_KEPT, Step.MAIL_MOVED)
WAYS = (
    *((step, "smtp") for step in Step if step is not Step.MAIL_MOVED),
    *((step, way) for step in FROM_MAILBOXES for way in ("maildir", "imap")),
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a database whose game has just begun."""
    house = House(tmp_path_factory.mktemp("opened"))
    migrate(house.url)
    parts = assemble(load_config(house.config))
    mails: list[tuple[str, tuple[str, ...]]] = [
        ("gil@players.test", ("CREATE ardennes", "deadline: 3 days", "ready with missing orders: yes"))
    ]
    mails += [(address, joining(power)) for power, address in POWERS.items()]
    for sender, lines in mails:
        parts.intake.keep(RawMail(house.letter(sender, *lines).as_bytes(), "listener", utc_now(), sender, (JUDGE,)))
    parts.intake.work_all()
    parts.delivery.deliver_due()
    parts.store.close()
    return house.folder


@pytest.fixture(scope="module")
def imap_server() -> Iterator[ImapServer]:
    server = ImapServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def house(opened: Path, tmp_path: Path, imap_server: ImapServer) -> Iterator[House]:
    imap = f'kind = "imap", host = "127.0.0.1", port = {imap_server.port}, security = "none", poll_seconds = 1'
    login = f'old_mail = "take", username = "{imap_server.username}", password = "{imap_server.password}"'
    copy(opened, tmp_path)
    yield House(tmp_path, more=f"{{ {imap}, {login} }}")
    with IMAPClient(HERE, imap_server.port, ssl=False, timeout=PATIENCE_SECONDS) as client:
        client.login(imap_server.username, imap_server.password)
        client.select_folder("INBOX")
        if left := client.search():  # stored, but not yet moved away when the judge was ended
            client.delete_messages(left)
            client.expunge()


@pytest.mark.parametrize(
    ("step", "way"),
    long_but({(Step.MAIL_KEPT, "smtp"), (Step.CLOSING_COMMITTED, "smtp")}, WAYS),
)
def test_a_judge_killed_there_goes_on_as_if_nothing_had_happened(
    house: House, imap_server: ImapServer, step: Step, way: str
) -> None:
    before = house.rows("select message_id from inbox")
    mails = [house.letter(POWERS[power], *lines) for power, lines in FIRST_ORDERS.items()]

    def write() -> None:
        for mail in mails:
            mail.replace_header("Message-ID", f"<{way}-{mail['Message-ID'][1:]}")
            if way == "smtp":
                wait_until(lambda mail=mail: house.accepts(mail))  # type: ignore[misc]
            elif way == "maildir":
                by_maildir(house.folder / "incoming", JUDGE, mail.as_bytes())
            else:
                imap_server.deliver(mail.as_bytes(), utc_now())

    writing = threading.Thread(target=write)
    doomed = house.start(fail=step)
    writing.start()
    assert doomed.wait(timeout=PATIENCE_SECONDS) == -signal.SIGKILL
    end(doomed)
    house.give_up_the_dead()
    with house.running():
        writing.join()
        wait_until(lambda: house.phase() == "F1901M" and house.is_quiet())
    check(house, [str(mail["Message-ID"]) for mail in mails], len(before))


def check(house: House, written: list[str], before: int) -> None:
    """Check that every mail was stored, done and answered once.

    The phase was closed once, and everyone was told.
    """
    kept = house.rows(f"select message_id, state from inbox where id > {before}")
    assert Counter(kept) == Counter((id_, "done") for id_ in written)
    replies = house.replies()
    for id_ in written:
        assert len({str(copy["Message-ID"]) for copy in replies[id_]}) == 1
        body = replies[id_][0].get_body(("plain",))
        assert body is not None
        assert "is on file" in body.get_content()
    assert house.rows("select phase from history") == [("S1901M",)]
    game = house.game()
    assert game is not None
    assert set(map(str, game.position.units)) >= PLAYED
    assert house.results("ardennes S1901M") == Counter(EVERYBODY)
    letters = house.rows("select message_id from outbox where state = 'sent'")
    assert {str(mail["Message-ID"]) for mail in house.letters()} <= {id_ for (id_,) in letters}
    assert house.rows("select count(*) from outbox where state != 'sent'") == [(0,)]

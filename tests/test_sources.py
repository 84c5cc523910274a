"""Sources and sending with every kind of account: TLS, Unix sockets, folders, arrival times."""

from __future__ import annotations

import errno
import smtplib
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from imapclient import IMAPClient

from judge.config import Config
from judge.demo.post_office import ImapServer
from judge.errors import Against, DeliveryError
from judge.mail.arrival import arrival
from judge.mail.large_files import MAX_WHOLE
from judge.mail.letters import RawMail
from judge.mail.sending import Security, SmtpSender
from judge.mail.sources import ImapAccount, ImapSource, ListenerSource, MaildirSource
from judge.service.engine.assemble import assemble
from judge.service.engine.intake import Intake
from judge.storage import migrate
from tests.database import only_sqlite, url_of
from tests.shelf import MAIL, NOON, Shelf
from tests.wire import CERTIFICATE, HERE, PATIENCE_SECONDS, Wire, free_port, is_listening, wait_until

# When a mail arrived


def received(*by: str) -> str:
    moments = (f"Received: from x (helo by mx.test) by {name}; Tue, 24 Nov 2026 11:5{9 - i}:00 +0000 (UTC)\r\n"
               for i, name in enumerate(by))  # fmt: skip
    return "".join(moments)


@pytest.mark.parametrize(
    ("headers", "minutes"),
    [
        ("", 0),
        (received("mx.test"), 1),
        (received("MX.test (Postfix) with ESMTPS id 17 for <judge@x>"), 1),
        (received("mx.test", "mx.test"), 1),
        (received("relay.test", "mx.test", "mx.test"), 2),
        (received("relay.test"), 0),
        ("Received: from by mx.test (x) by evil.test; Tue, 24 Nov 2026 11:00:00 +0000\r\n", 0),
        ("Received: by mx.test; Tue, 24 Nov 2026 13:00:00 +0000\r\n", 0),
        ("Received: by mx.test; yesterday\r\n", 0),
        ("Received: by mx.test; Tue, 24 Nov 2026 20:50:00 +0900\r\n", 10),
        ("Received: by mx.test; Tue, 24 Nov 2026 11:50:00 -0000\r\n", 10),
        ("Received: by mx.test;\r\n Tue, 24 Nov 2026 11:50:00 GMT\r\n", 10),
        ("Received: nonsense\r\n", 0),
        ("Date: Tue, 24 Nov 2026 11:00:00 +0000\r\n", 0),
    ],
)
def test_a_mail_arrived_when_our_own_server_took_it(headers: str, minutes: int) -> None:
    raw = RawMail(headers.encode() + MAIL, "x", NOON, None, ())
    assert NOON - arrival(raw, "mx.test") == timedelta(minutes=minutes)


def settings(folder: Path, **changes: object) -> Config:
    url = url_of(folder)
    migrate(url)
    here: dict[str, Any] = {"database": {"url": url}, "delivery": {"folder": folder / "outgoing"}}
    return Config(**(here | changes))


def test_the_time_a_source_is_told_to_trust_is_kept(tmp_path: Path) -> None:
    sources = [{"kind": "listener", "port": 0, "received_by": "mx.test"}]
    parts = assemble(settings(tmp_path, sources=sources), clock=lambda: NOON)
    (listener,) = parts.sources
    assert isinstance(listener, ListenerSource)
    listener.start()
    with smtplib.SMTP(HERE, listener.port) as client:
        client.sendmail("cho@players.test", ["judge@localhost"], received("mx.test").encode() + MAIL)
    listener.stop()
    with parts.store.work() as work:
        kept = work.inbox.get(1)
    parts.store.close()
    assert kept is not None
    assert kept.raw.received_at == NOON - timedelta(minutes=1)


# The listener


@pytest.mark.parametrize("lmtp", [False, True])
def test_mail_comes_by_a_unix_socket(tmp_path: Path, shelf: Shelf, lmtp: bool) -> None:  # noqa: FBT001
    path = tmp_path / "socket"
    path_of_a_killed_judge = socket.socket(socket.AF_UNIX)
    path_of_a_killed_judge.bind(str(path))
    path_of_a_killed_judge.close()
    source = ListenerSource("smtp", "", 0, shelf.keep, lambda: NOON, lmtp=lmtp, path=path)
    assert source.check() == str(path)
    source = ListenerSource("smtp", "", 0, shelf.keep, lambda: NOON, lmtp=lmtp, path=path)
    source.start()
    assert (source.check(), source.is_taken) == (str(path), True)
    assert path.stat().st_mode & 0o777 == 0o666
    with smtplib.LMTP(str(path)) as client:
        client.ehlo_msg = "lhlo" if lmtp else "ehlo"
        client.sendmail("cho@players.test", ["judge@localhost"], MAIL)
    source.stop()
    assert shelf.contents() == [MAIL]
    assert not path.exists()


@only_sqlite  # tests/test_database_away.py has a server that is away
def test_mail_stays_with_its_sender_while_the_database_is_away(tmp_path: Path) -> None:
    parts = assemble(settings(tmp_path, sources=[{"kind": "listener", "port": 0}]))
    (listener,) = parts.sources
    assert isinstance(listener, ListenerSource)
    listener.start()
    database = tmp_path / "judge.sqlite3"
    parts.store.close()
    database.rename(tmp_path / "away")
    with smtplib.SMTP(HERE, listener.port) as client:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("cho@players.test", ["judge@localhost"], MAIL)
        assert refused.value.smtp_code == 451
        parts.store.close()
        (tmp_path / "away").rename(database)
        client.sendmail("cho@players.test", ["judge@localhost"], MAIL)
    listener.stop()
    with parts.store.work() as work:
        assert work.inbox.counts() == {"waiting": 1}
    parts.store.close()


# IMAP


@pytest.fixture(scope="module")
def server() -> Iterator[ImapServer]:
    server = ImapServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def account(server: ImapServer, request: pytest.FixtureRequest) -> ImapAccount:
    """Return an account with folders of its own for every test."""
    name = f"t{abs(hash(request.node.nodeid))}"
    return ImapAccount(
        HERE, server.port, server.username, server.password, name, f"{name}-done", Security.NONE, 120, 60
    )


def mailbox(account: ImapAccount) -> IMAPClient:
    client = IMAPClient(HERE, port=account.port, ssl=False, timeout=PATIENCE_SECONDS)
    client.login(account.username, account.password)
    return client


def count(account: ImapAccount, folder: str) -> int:
    with mailbox(account) as client:
        return int(client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])


@pytest.fixture
def source(account: ImapAccount, shelf: Shelf) -> Iterator[ImapSource]:
    source = ImapSource("imap", account, shelf.keep)
    source.start()
    source.drain()
    yield source
    source.stop()


def append(account: ImapAccount, *contents: bytes) -> None:
    with mailbox(account) as client:
        for content in contents:
            client.append(account.folder, content, msg_time=NOON)


def test_folders_that_are_missing_are_made(source: ImapSource, account: ImapAccount, shelf: Shelf) -> None:
    append(account, MAIL)
    wait_until(lambda: _drained(source) and shelf.mails)
    assert shelf.contents() == [MAIL]
    assert (count(account, account.folder), count(account, account.processed_folder)) == (0, 1)


def test_a_folder_that_was_made_anew_is_read_from_its_start(
    source: ImapSource, account: ImapAccount, shelf: Shelf
) -> None:
    """Its UIDVALIDITY has changed, and the same UIDs name other mails."""
    append(account, b"one")
    wait_until(lambda: _drained(source))
    with mailbox(account) as client:
        before = client.select_folder(account.folder)[b"UIDVALIDITY"]
        client.unselect_folder() if client.has_capability("UNSELECT") else client.close_folder()
        client.delete_folder(account.folder)
        client.create_folder(account.folder)
        assert client.select_folder(account.folder)[b"UIDVALIDITY"] != before
    append(account, b"two", b"three")
    wait_until(lambda: _drained(source) and len(shelf.mails) == 3)
    assert shelf.contents() == [b"one", b"two", b"three"]


@pytest.fixture
def intake(tmp_path: Path) -> Iterator[Intake]:
    parts = assemble(settings(tmp_path), clock=lambda: NOON + timedelta(hours=1))
    yield parts.intake
    parts.store.close()


def test_what_lies_in_a_mailbox_already_is_left_alone(account: ImapAccount, shelf: Shelf, intake: Intake) -> None:
    with mailbox(account) as client:
        client.create_folder(account.folder)
    append(account, b"years ago", b"yesterday")
    for new in (b"one", b"two", b"three"):  # each time as after a start of the judge
        source = ImapSource("imap", account, shelf.keep, intake)
        source.start()
        source.drain()
        append(account, new)
        wait_until(partial(_has_kept, source, shelf, new))
        source.stop()
    assert shelf.contents() == [b"one", b"two", b"three"]
    assert (count(account, account.folder), count(account, account.processed_folder)) == (2, 3)
    assert "2 mails in it" in ImapSource("imap", account, shelf.keep).check()


@pytest.mark.parametrize(
    ("arrived", "taken"),
    [({"old": -2}, []), ({"old": -2, "new": 1}, [b"new"]), ({"new": 0, "newer": 1}, [b"new", b"newer"]), ({}, [])],
)
def test_what_arrives_between_the_start_and_the_first_look_is_for_us(
    account: ImapAccount, shelf: Shelf, intake: Intake, arrived: dict[str, int], taken: list[bytes]
) -> None:
    begun = intake.begin("imap").at  # then the server is away for a while, and the judge started again
    with mailbox(account) as client:
        client.create_folder(account.folder)
        for content, hours in arrived.items():
            client.append(account.folder, content.encode(), msg_time=begun + timedelta(hours=hours))
    source = ImapSource("imap", account, shelf.keep, intake)
    source.start()
    source.drain()
    source.stop()
    assert shelf.contents() == taken
    assert count(account, account.folder) == len(arrived) - len(taken)


def test_what_is_moved_into_a_folder_that_was_empty_is_for_us_whatever_its_date(
    account: ImapAccount, shelf: Shelf, intake: Intake
) -> None:
    source = ImapSource("imap", account, shelf.keep, intake)
    source.start()
    source.drain()
    source.stop()
    with mailbox(account) as client:
        client.append(account.folder, b"of last week", msg_time=NOON - timedelta(days=7))
    source = ImapSource("imap", account, shelf.keep, intake)
    source.start()
    source.drain()
    source.stop()
    assert shelf.contents() == [b"of last week"]


def test_when_the_numbers_of_a_mailbox_change_its_dates_tell_what_is_new(
    account: ImapAccount, shelf: Shelf, intake: Intake
) -> None:
    with mailbox(account) as client:
        client.create_folder(account.folder)
        validity = client.select_folder(account.folder)[b"UIDVALIDITY"]
        mark = replace(intake.begin("imap"), validity=validity + 1, next=7)
        intake.seen("imap", mark, 0)
        client.append(account.folder, b"before", msg_time=mark.at - timedelta(hours=1))
        client.append(account.folder, b"after", msg_time=mark.at + timedelta(hours=1))
    source = ImapSource("imap", account, shelf.keep, intake)
    source.start()
    source.drain()
    source.stop()
    assert shelf.contents() == [b"after"]


def test_a_mailbox_that_was_read_before_is_read_whole(account: ImapAccount, shelf: Shelf, intake: Intake) -> None:
    intake.keep(RawMail(MAIL, "imap", NOON, None, ()))
    with mailbox(account) as client:
        client.create_folder(account.folder)
    append(account, b"while it was upgraded")
    source = ImapSource("imap", account, shelf.keep, intake)
    source.start()
    source.drain()
    source.stop()
    assert shelf.contents() == [b"while it was upgraded"]


def _has_kept(source: ImapSource, shelf: Shelf, content: bytes) -> bool:
    return _drained(source) and content in shelf.contents()


def _drained(source: ImapSource) -> bool:
    try:
        source.drain()
    except Exception:  # noqa: BLE001 - it connects again
        return False
    return True


def test_of_a_huge_mail_no_more_is_read_than_shows_its_size(
    source: ImapSource, account: ImapAccount, shelf: Shelf
) -> None:
    append(account, MAIL + b"x" * MAX_WHOLE)
    wait_until(lambda: _drained(source))
    assert [len(content) for content in shelf.contents()] == [MAX_WHOLE + 1]
    assert count(account, account.processed_folder) == 1


@pytest.mark.parametrize(
    ("sizes", "batches"),
    [
        ([1] * 120, [50, 50, 20]),
        ([MAX_WHOLE] * 3, [1, 1, 1]),
        ([2 * MAX_WHOLE, 1, 1], [1, 2]),
        ([MAX_WHOLE - 1, 1, 1], [2, 1]),
        ([7], [1]),
    ],
)
def test_large_mails_are_not_fetched_together(sizes: list[int], batches: list[int]) -> None:
    def fetch(numbers: Sequence[int], _: object) -> dict[int, dict[bytes, int]]:
        return {number: {b"RFC822.SIZE": sizes[number]} for number in numbers}

    client = Mock(spec=IMAPClient, fetch=fetch)
    found = list(ImapSource._batches(client, range(len(sizes))))
    assert [len(batch) for batch in found] == batches
    assert [number for batch in found for number in batch] == list(range(len(sizes)))


def test_a_mail_that_cannot_be_put_away_is_not_answered_again(tmp_path: Path) -> None:
    parts = assemble(settings(tmp_path))
    raw = RawMail(b"From: cho@players.test\r\n\r\nHELP\r\n", "imap", NOON, None, ())
    for _ in range(3):
        parts.intake.keep(raw)
        parts.intake.work_all()
        parts.delivery.deliver_due()
    with parts.store.work() as work:
        assert work.outbox.counts() == {"sent": 1}
    parts.intake.keep(replace(raw, received_at=NOON + timedelta(minutes=1)))  # another copy
    with parts.store.work() as work:
        assert work.outbox.counts() == {"queued": 1}
    parts.store.close()


@pytest.mark.parametrize("without", ["MOVE", "UIDPLUS"])
def test_servers_that_cannot_move_are_asked_to_copy(
    account: ImapAccount, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, without: str
) -> None:
    can = IMAPClient.has_capability

    def can_little(client: IMAPClient, name: str) -> bool:
        return name not in ("MOVE", without) and bool(can(client, name))

    monkeypatch.setattr(IMAPClient, "has_capability", can_little)
    source = ImapSource("imap", account, shelf.keep)
    source.start()
    source.drain()
    append(account, MAIL)
    wait_until(lambda: _drained(source))
    source.stop()
    assert (count(account, account.folder), count(account, account.processed_folder)) == (0, 1)


@pytest.fixture(scope="module")
def starttls_server() -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-c", "from pymap.main import main; main()", "--host", HERE, "--port", str(port)]
    command += ["--cert", str(CERTIFICATE), "--key", str(CERTIFICATE)]
    command += ["dict", "--demo-user", "judge", "--demo-password", "demo"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: is_listening(port))
        yield port
        process.terminate()


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
@pytest.mark.parametrize("trusted", [True, False])
def test_the_connection_is_protected_and_the_server_known(
    starttls_server: int,
    server: ImapServer,
    shelf: Shelf,
    monkeypatch: pytest.MonkeyPatch,
    security: Security,
    trusted: bool,  # noqa: FBT001
) -> None:
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with closing(Wire(server.port, tls=True)) as wire:
        port = wire.port if security is Security.TLS else starttls_server
        account = ImapAccount(HERE, port, "judge", "demo", security=security, timeout_seconds=60)
        source = ImapSource("imap", account, shelf.keep)
        if trusted:
            assert source.check() == f"judge at 127.0.0.1:{port}, folder INBOX"
        else:
            with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
                source.check()


def test_a_server_without_tls_gets_no_password(server: ImapServer, shelf: Shelf) -> None:
    account = ImapAccount(HERE, server.port, "judge", "demo", security=Security.STARTTLS, timeout_seconds=60)
    with pytest.raises(Exception, match=r"(?i)starttls"):
        ImapSource("imap", account, shelf.keep).check()


def test_several_accounts_are_read_and_the_same_mail_is_done_once(server: ImapServer, tmp_path: Path) -> None:
    imap = {"kind": "imap", "host": HERE, "port": server.port, "security": "none"} | {
        "username": server.username,
        "password": server.password,
    }
    sources = [
        {"kind": "listener", "port": 0},
        {"kind": "maildir", "folder": tmp_path / "incoming"},
        *(imap | {"name": name, "folder": name, "processed_folder": f"{name}-done"} for name in ("first", "second")),
    ]
    parts = assemble(settings(tmp_path, sources=sources))
    listener = parts.sources[0]
    assert isinstance(listener, ListenerSource)
    for source in parts.sources:
        source.start()
        source.drain()
    for number, source in enumerate(parts.sources):
        own = MAIL + b"%d\r\n" % number
        if isinstance(source, ImapSource):
            append(source.account, MAIL, own)
        elif isinstance(source, ListenerSource):
            with smtplib.SMTP(HERE, source.port) as client:
                client.sendmail("cho@players.test", ["judge@localhost"], MAIL)
                client.sendmail("cho@players.test", ["judge@localhost"], own)
        else:
            (tmp_path / "incoming" / "new" / "one").write_bytes(MAIL)
            (tmp_path / "incoming" / "new" / "two").write_bytes(own)
        source.drain()
    with parts.store.work() as work:
        assert work.inbox.counts() == {"waiting": 5}
        assert {row["source"] for row in work.inbox.latest(9)} == {"listener", "maildir", "first", "second"}
    for source in parts.sources:
        source.stop()
    parts.store.close()


# The way out


class Guarded:
    """A server that wants a password, over STARTTLS if it has a certificate."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.options: list[str] = []

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 5.7.0 Authentication required"
        self.options += options
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        self.taken.append(envelope.content)
        return "250 OK"

    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return responses

    def allows(self, _server: SMTP, _session: Session, _envelope: Envelope, _how: str, given: object) -> AuthResult:
        assert isinstance(given, LoginPassword)
        return AuthResult(success=(given.login, given.password) == (b"judge", b"secret"), handled=False)


@pytest.fixture
def guarded() -> Iterator[tuple[Guarded, Controller]]:
    handler = Guarded()
    controller = Controller(
        handler, hostname=HERE, port=free_port(), authenticator=handler.allows, auth_require_tls=False
    )
    controller.start()
    yield handler, controller
    controller.stop()


def test_mail_leaves_by_tls_with_a_password(
    guarded: tuple[Guarded, Controller], monkeypatch: pytest.MonkeyPatch
) -> None:
    handler, controller = guarded
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with closing(Wire(controller.port, tls=True)) as wire:
        sender = SmtpSender(HERE, wire.port, security=Security.TLS, username="judge", password="secret")
        assert sender.check() == f"127.0.0.1:{wire.port}, as judge"
        sender.send(MAIL, envelope_from="judge@localhost", recipient="cho@players.test")
        sender.close()
    assert handler.taken == [MAIL]


@pytest.mark.parametrize(("password", "said"), [("wrong", "535"), ("", "530 5.7.0 Authentication required")])
def test_what_our_settings_do_wrong_is_no_fault_of_the_mail(
    guarded: tuple[Guarded, Controller], password: str, said: str
) -> None:
    _, controller = guarded
    sender = SmtpSender(HERE, controller.port, username="judge" if password else "", password=password)
    with pytest.raises(DeliveryError, match=said) as failed:
        sender.send(MAIL, envelope_from="judge@localhost", recipient="cho@players.test")
    assert failed.value.against is Against.US
    sender.close()


def test_a_server_nobody_vouches_for_gets_no_mail(guarded: tuple[Guarded, Controller]) -> None:
    handler, controller = guarded
    with closing(Wire(controller.port, tls=True)) as wire:
        sender = SmtpSender(HERE, wire.port, security=Security.TLS)
        with pytest.raises(DeliveryError, match="CERTIFICATE_VERIFY_FAILED"):
            sender.check()
    assert handler.taken == []


def test_a_silent_server_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    took = iter([0, 30, *range(31, 59, 3)])  # seconds of the test's own clock: the speed of this machine is not tested
    monkeypatch.setattr("judge.mail.sending.time", SimpleNamespace(monotonic=lambda: next(took)))
    with socket.create_server((HERE, 0)) as silent:
        sender = SmtpSender(HERE, silent.getsockname()[1], timeout_seconds=0.3)
        for _ in range(10):
            with pytest.raises(DeliveryError, match=r"timed out|did not answer"):
                sender.send(MAIL, envelope_from="judge@localhost", recipient="cho@players.test")
        silent.settimeout(0)
        called, _ = silent.accept()
        called.close()
        with pytest.raises(BlockingIOError):
            silent.accept()


# Mails that come at the same time


def test_what_comes_while_others_are_kept_is_kept_together_and_one_that_cannot_be_harms_no_other() -> None:
    shelf, goes_on = Shelf(fails=lambda raw: b"bad" in raw.content), threading.Event()
    tried: list[int] = []

    def keep(*mails: RawMail) -> None:
        assert goes_on.wait(PATIENCE_SECONDS)
        tried.append(len(mails))
        shelf.keep(*mails)

    source = ListenerSource("smtp", HERE, 0, keep, lambda: NOON)
    source.start()
    answers: list[tuple[str, int]] = []

    def send(word: str) -> None:
        with smtplib.SMTP(HERE, source.port, timeout=60) as client:
            client.ehlo()
            client.mail("cho@players.test")
            client.rcpt("judge@localhost")
            answers.append((word, client.data(f"Subject: {word}\r\n\r\n{word}")[0]))

    senders = [threading.Thread(target=send, args=(word,)) for word in ("first", "good", "bad", "better")]
    try:
        senders[0].start()
        wait_until(lambda: source.keeper is not None and not source.waiting)
        for sender in senders[1:]:
            sender.start()
        wait_until(lambda: len(source.waiting) == 3)
        goes_on.set()
        for sender in senders:
            sender.join(PATIENCE_SECONDS)
    finally:
        source.stop()
    assert sorted(answers) == [("bad", 451), ("better", 250), ("first", 250), ("good", 250)]
    assert tried == [1, 3, 1, 1, 1]
    assert len(shelf.mails) == 3


# What the log says


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Collect the warnings of mailboxes: event and reason."""
    lines: list[tuple[str, str]] = []

    def warning(event: str, **more: str) -> None:
        lines.append((event, more["reason"]))

    log = SimpleNamespace(info=lambda *_, **__: None, warning=warning)
    for source in ("imap", "maildir"):
        monkeypatch.setattr(f"judge.mail.sources.{source}.log", log)
    return lines


def test_a_full_disk_is_no_fault_of_a_mailbox(
    tmp_path: Path, account: ImapAccount, warned: list[tuple[str, str]]
) -> None:
    def keep(*_: RawMail) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    maildir = MaildirSource("files", tmp_path, keep, poll_seconds=0.01)
    maildir.check()
    (tmp_path / "new" / "1").write_bytes(MAIL)
    imap = ImapSource("imap", account, keep)
    with mailbox(account) as client:
        client.create_folder(account.folder)
        client.append(account.folder, MAIL)
    for source in (maildir, imap):
        source.start()
    wait_until(lambda: all("the disk is full" in source.complaint() for source in (maildir, imap)))
    for source in (maildir, imap):
        source.stop()
    assert sorted(warned) == [
        ("mail cannot be stored, trying again", "files: mail cannot be stored: the disk is full"),
        ("mail cannot be stored, trying again", "mail cannot be stored: the disk is full"),
    ]


def test_a_wrong_password_is_logged_once_with_its_remedy(
    account: ImapAccount, shelf: Shelf, warned: list[tuple[str, str]]
) -> None:
    imap = ImapSource("imap", replace(account, password="wrong"), shelf.keep)
    imap.start()
    wait_until(lambda: imap.pause > 2)
    imap.stop()
    ((_, reason),) = warned
    assert reason.startswith("the login is refused, check username and password (")

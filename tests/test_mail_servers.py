"""Mail through real servers on loopback: SMTP, LMTP, Maildir, IMAP."""

from __future__ import annotations

import mailbox
import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from imapclient import IMAPClient

from judge.demo.post_office import ImapServer
from judge.errors import Against, DeliveryError, SourceError
from judge.mail.composing import compose
from judge.mail.large_files import MAX_SIZE, MAX_WHOLE
from judge.mail.letters import LetterKind, Outgoing, RawMail
from judge.mail.sending import MaildirSender, Security, SmtpSender
from judge.mail.sources import ImapAccount, ImapSource, ListenerSource, MaildirSource
from tests.shelf import MAIL, NOON, Shelf
from tests.wire import HERE, PATIENCE_SECONDS, free_port, wait_until

# The listener


@pytest.fixture
def listener(shelf: Shelf) -> Iterator[ListenerSource]:
    source = ListenerSource("smtp", HERE, 0, shelf.keep, lambda: NOON)
    source.start()
    yield source
    source.stop()


@pytest.fixture
def client(listener: ListenerSource) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP(HERE, listener.port, timeout=60) as connection:
        yield connection


def test_a_mail_arrives_byte_for_byte_with_its_envelope(client: smtplib.SMTP, shelf: Shelf) -> None:
    client.sendmail("cho@players.test", ["Judge+ardennes.X@localhost", "judge@localhost"], MAIL)
    recipients = ("judge+ardennes.x@localhost", "judge@localhost")
    assert shelf.mails == [RawMail(MAIL, "smtp", NOON, "cho@players.test", recipients)]


def test_the_null_sender_is_told_from_an_unknown_one(client: smtplib.SMTP, shelf: Shelf) -> None:
    client.sendmail("", ["judge@localhost"], MAIL)
    assert shelf.mails[0].envelope_from == ""


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("<cho@players.test>", "cho@players.test"),
        ("<cho+judge=x@players.test> SIZE=100 BODY=8BITMIME", "cho+judge=x@players.test"),
        ("<cho.o..@players.test>", "cho.o..@players.test"),
        ('<"cho o"@players.test>', '"cho o"@players.test'),
        ("<cho@[127.0.0.1]> SIZE=100", "cho@[127.0.0.1]"),
        ("cho@players.test", "cho@players.test"),
        ("<cho@players.test> (me) SIZE=100", "cho@players.test"),
    ],
)
def test_addresses_are_read_as_they_may_be_written(
    client: smtplib.SMTP, shelf: Shelf, written: str, address: str
) -> None:
    client.ehlo()
    assert client.docmd(f"MAIL FROM:{written}")[0] == 250
    client.rcpt("judge@localhost")
    client.data(MAIL)
    assert shelf.mails[0].envelope_from == address


def test_many_mails_come_over_one_connection(client: smtplib.SMTP, shelf: Shelf) -> None:
    for number in range(20):
        client.sendmail("cho@players.test", ["judge@localhost"], MAIL + b"%d\r\n" % number)
    assert shelf.contents() == [MAIL + b"%d\r\n" % number for number in range(20)]


def test_the_answer_comes_only_after_the_mail_is_kept() -> None:
    is_keeping, may_keep = threading.Event(), threading.Event()

    def keep(*_: RawMail) -> None:
        is_keeping.set()
        may_keep.wait(PATIENCE_SECONDS)

    source = ListenerSource("smtp", HERE, 0, keep, lambda: NOON)
    source.start()
    try:
        with smtplib.SMTP(HERE, source.port, timeout=60) as connection:
            sending = threading.Thread(
                target=connection.sendmail, args=("cho@players.test", ["judge@localhost"], MAIL), daemon=True
            )
            sending.start()
            assert is_keeping.wait(PATIENCE_SECONDS)
            sending.join(0.1)
            assert sending.is_alive()
            may_keep.set()
            sending.join(PATIENCE_SECONDS)
            assert not sending.is_alive()
    finally:
        source.stop()


def test_a_mail_that_cannot_be_kept_stays_with_its_sender(client: smtplib.SMTP, shelf: Shelf) -> None:
    shelf.fails = lambda _: True
    with pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail("cho@players.test", ["judge@localhost"], MAIL)
    assert refused.value.smtp_code == 451
    shelf.fails = lambda _: False
    client.sendmail("cho@players.test", ["judge@localhost"], MAIL)
    assert shelf.contents() == [MAIL]


def test_a_mail_that_is_too_big_is_refused_and_the_next_is_taken(client: smtplib.SMTP, shelf: Shelf) -> None:
    big = MAIL + (b"x" * 70 + b"\r\n") * (MAX_WHOLE // 72 + 1)
    with pytest.raises(smtplib.SMTPSenderRefused) as announced:
        client.sendmail("cho@players.test", ["judge@localhost"], big)
    assert announced.value.smtp_code == 552
    client.mail("cho@players.test")
    client.rcpt("judge@localhost")
    assert client.data(big)[0] == 552
    client.sendmail("cho@players.test", ["judge@localhost"], MAIL)
    assert shelf.contents() == [MAIL]


def test_a_paragraph_may_be_one_long_line(client: smtplib.SMTP, shelf: Shelf) -> None:
    content = MAIL + "パリ".encode() * 1000 + b"\r\n"
    client.sendmail("cho@players.test", ["judge@localhost"], content)
    assert shelf.contents() == [content]


DOTS = [
    b"",
    b".\r\n",
    b"..\r\n",
    b"\r\n",
    b"\r\n.\r\n\r\n..x\r\n",
    b"The end.\r\n",
    b".\r\n" * 1000,
    MAIL + b"x" * (MAX_SIZE - 1) + b".\r\n.\r\n",
    MAIL + b"x" * (2 * MAX_SIZE) + b"\r\n.\r\n",
    MAIL + b"a line\r\n" * 300_000,
    MAIL + b".\n.\n\r\n",
]


@pytest.mark.parametrize("content", DOTS, ids=range(len(DOTS)))
def test_dots_and_long_lines_arrive_as_they_were(client: smtplib.SMTP, shelf: Shelf, content: bytes) -> None:
    lines = content.split(b"\r\n")
    doubled = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines)
    client.ehlo()
    client.mail("cho@players.test")
    client.rcpt("judge@localhost")
    client.putcmd("data")
    client.getreply()
    client.send(doubled + b".\r\nNOOP\r\n")  # text after the lone dot is a command
    assert [client.getreply()[0], client.getreply()[0]] == [250, 250]
    assert shelf.contents() == [content]


@pytest.mark.parametrize(("fails", "code"), [(False, 250), (True, 451)])
def test_lmtp_answers_once_for_each_recipient(shelf: Shelf, fails: bool, code: int) -> None:  # noqa: FBT001
    shelf.fails = lambda _: fails
    source = ListenerSource("lmtp", HERE, 0, shelf.keep, lambda: NOON, lmtp=True)
    source.start()
    try:
        with smtplib.LMTP(HERE, source.port) as connection:
            connection.ehlo_or_helo_if_needed()
            connection.mail("cho@players.test")
            for recipient in ("a@localhost", "b@localhost", "c@localhost"):
                connection.rcpt(recipient)
            assert connection.data(b"x\r\n")[0] == code
            assert [connection.getreply()[0] for _ in range(2)] == [code, code]
            assert connection.noop()[0] == 250
    finally:
        source.stop()
    assert [raw.envelope_to for raw in shelf.mails] == (
        [] if fails else [("a@localhost", "b@localhost", "c@localhost")]
    )


def test_a_port_that_is_taken_is_an_error(listener: ListenerSource, shelf: Shelf) -> None:
    with pytest.raises(OSError, match="in use"):
        ListenerSource("second", HERE, listener.port, shelf.keep, lambda: NOON).start()


# Maildir


@pytest.fixture
def maildir(tmp_path: Path, shelf: Shelf) -> Iterator[MaildirSource]:
    source = MaildirSource("maildir", tmp_path / "in", shelf.keep, poll_seconds=0.05)
    yield source
    source.stop()


def test_a_maildir_is_looked_into_from_time_to_time(maildir: MaildirSource, shelf: Shelf) -> None:
    maildir.start()
    mailbox.Maildir(maildir.folder).add(MAIL.replace(b"\r\n", b"\n"))
    wait_until(lambda: shelf.mails)
    wait_until(lambda: list((maildir.folder / "cur").iterdir()))
    assert list((maildir.folder / "new").iterdir()) == []
    assert [path.name.endswith(":2,S") for path in (maildir.folder / "cur").iterdir()] == [True]
    assert shelf.mails[0].envelope_from is None


def test_mails_are_taken_oldest_first_at_the_time_they_arrived(maildir: MaildirSource, shelf: Shelf) -> None:
    import os

    new = maildir.folder / "new"
    for name in ("new", "cur"):
        (maildir.folder / name).mkdir(parents=True)
    for name, hours in (("b", 1), ("a", 2), ("c", 3)):
        (new / name).write_bytes(name.encode())
        moment = (NOON + timedelta(hours=hours)).timestamp()
        os.utime(new / name, (moment, moment))
    (new / ".hidden").write_bytes(b"not yet")
    (new / "folder").mkdir()
    maildir.drain()
    maildir.drain()
    assert [(raw.content, raw.received_at) for raw in shelf.mails] == [
        (b"b", NOON + timedelta(hours=1)),
        (b"a", NOON + timedelta(hours=2)),
        (b"c", NOON + timedelta(hours=3)),
    ]


def test_a_mail_that_cannot_be_kept_stays_in_the_maildir(maildir: MaildirSource, shelf: Shelf) -> None:
    MaildirSender(maildir.folder).send(MAIL, envelope_from="cho@players.test", recipient="judge@localhost")
    shelf.fails = lambda _: True
    with pytest.raises(SourceError, match="maildir: mail cannot be stored: the disk is full"):
        maildir.drain()
    shelf.fails = lambda _: False
    maildir.drain()
    (raw,) = shelf.mails
    assert raw.content == b"Return-Path: <cho@players.test>\r\nDelivered-To: judge@localhost\r\n" + MAIL


def test_a_maildir_that_is_away_is_an_error(maildir: MaildirSource) -> None:
    with pytest.raises(SourceError):
        maildir.drain()


def test_the_same_mail_lies_in_the_maildir_once(tmp_path: Path, shelf: Shelf) -> None:
    sender = MaildirSender(tmp_path)
    for recipient in ("cho@players.test", "cho@players.test", "dan@players.test"):
        sender.send(MAIL, envelope_from="judge@localhost", recipient=recipient)
    assert len(list((tmp_path / "new").iterdir())) == 2
    MaildirSource("maildir", tmp_path, shelf.keep).drain()
    sender.send(MAIL, envelope_from="judge@localhost", recipient="cho@players.test")
    assert list((tmp_path / "new").iterdir()) == list((tmp_path / "tmp").iterdir()) == []


def test_a_maildir_that_cannot_be_written_puts_off(tmp_path: Path) -> None:
    sender = MaildirSender(tmp_path)
    (tmp_path / "tmp").rmdir()
    (tmp_path / "tmp").touch()
    with pytest.raises(DeliveryError) as failed:
        sender.send(MAIL, envelope_from="judge@localhost", recipient="cho@players.test")
    assert not failed.value.against.is_final


# Sending by SMTP


class Relay:
    """A mail server with busy and vanished recipients, which counts its connections."""

    def __init__(self) -> None:
        self.calls: list[object] = []
        self.taken: list[tuple[str, str, bytes]] = []
        self.eight_bits = True
        self.asked_for: list[list[str]] = []
        self.controller = Controller(self, hostname=HERE, port=free_port())

    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.calls.append(session.peer)
        return [one for one in responses if self.eight_bits or "8BITMIME" not in one]

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        self.asked_for.append(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        refusals = {"busy": "450 4.2.0 busy", "gone": "550 5.1.1 no such user", "closing": "421 4.3.2 shutting down"}
        if refusal := refusals.get(address.partition("@")[0]):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        if b"spam" in content:
            return "554 5.7.1 spam"
        if b"big" in content:
            return "552 5.3.4 message too big"
        self.taken.append((str(envelope.mail_from), envelope.rcpt_tos[0], content))
        return "250 OK"


@pytest.fixture
def relay() -> Iterator[Relay]:
    relay = Relay()
    relay.controller.start()
    yield relay
    relay.controller.stop()


@pytest.fixture
def sender(relay: Relay) -> Iterator[SmtpSender]:
    sender = SmtpSender(HERE, relay.controller.port, timeout_seconds=60)
    yield sender
    sender.close()


def send(sender: SmtpSender, name: str, content: bytes = MAIL) -> None:
    sender.send(content, envelope_from="judge+bounce-1.x@localhost", recipient=f"{name}@players.test")


@pytest.mark.parametrize("eight_bits", [True, False])
def test_eight_bits_go_only_where_they_are_taken(sender: SmtpSender, relay: Relay, eight_bits: bool) -> None:  # noqa: FBT001
    relay.eight_bits = eight_bits
    letter = Outgoing(LetterKind.NOTICE, "cho@players.test", "<a@b.test>", NOON, "j@b.test", None, "x", "パリ\n")
    content = compose(letter)
    send(sender, "cho", content)
    ((_, _, arrived),) = relay.taken
    assert (arrived == content) is eight_bits
    assert arrived.isascii() is not eight_bits
    assert ["BODY=8BITMIME" in options for options in relay.asked_for] == [eight_bits]
    assert message_from_bytes(arrived).get_payload(decode=True) == "パリ\r\n".encode()


def test_one_connection_serves_many_mails(sender: SmtpSender, relay: Relay) -> None:
    for _ in range(10):
        send(sender, "cho")
    assert relay.taken == [("judge+bounce-1.x@localhost", "cho@players.test", MAIL)] * 10
    assert len(relay.calls) == 1


@pytest.mark.parametrize(
    ("name", "content", "whom", "said"),
    [
        ("busy", MAIL, Against.NOBODY, "450"),
        ("gone", MAIL, Against.RECIPIENT, "550"),
        ("closing", MAIL, Against.NOBODY, "421"),
        ("cho", MAIL + b"spam\r\n", Against.US, "554"),
        ("cho", MAIL + b"big\r\n", Against.LETTER, "552"),
    ],
    ids=["busy", "gone", "closing", "spam", "big"],
)
def test_a_refusal_says_whom_it_is_against(
    sender: SmtpSender,
    relay: Relay,
    name: str,
    content: bytes,
    whom: Against,
    said: str,
) -> None:
    send(sender, "cho")
    with pytest.raises(DeliveryError, match=said) as refused:
        send(sender, name, content)
    assert refused.value.against is whom
    send(sender, "dan")
    assert [recipient for _, recipient, _ in relay.taken] == ["cho@players.test", "dan@players.test"]


def test_a_server_that_hung_up_meanwhile_is_called_again(
    sender: SmtpSender, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mail.sending._SILENCE_SECONDS", 0)
    send(sender, "cho")
    (connection,) = sender.idle
    assert connection.client.sock is not None
    connection.client.sock.shutdown(socket.SHUT_RDWR)
    send(sender, "dan")
    assert len(relay.taken) == len(relay.calls) == 2


def test_a_server_that_is_away_puts_off(sender: SmtpSender, relay: Relay) -> None:
    send(sender, "cho")
    relay.controller.stop()
    with pytest.raises(DeliveryError) as failed:
        send(sender, "cho")
    assert not failed.value.against.is_final
    relay.controller = Controller(relay, hostname=HERE, port=sender.port)
    relay.controller.start()
    send(sender, "cho")
    assert len(relay.taken) == 2


def test_no_tls_where_it_was_asked_for_sends_nothing(relay: Relay) -> None:
    sender = SmtpSender(HERE, relay.controller.port, security=Security.STARTTLS, timeout_seconds=60)
    with pytest.raises(DeliveryError) as failed:
        send(sender, "cho")
    assert not failed.value.against.is_final
    assert relay.taken == []
    sender.close()


# IMAP


@pytest.fixture(scope="module")
def imap_server() -> Iterator[ImapServer]:
    server = ImapServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def imap(imap_server: ImapServer, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Iterator[ImapSource]:
    monkeypatch.setattr("judge.mail.sources.imap._IDLE_SLICE_SECONDS", 0.05)
    source = _imap_source(imap_server, shelf)
    yield source
    source.stop()
    with _imap_client(imap_server) as client:
        for folder in ("INBOX", "Processed"):
            if client.folder_exists(folder):
                client.select_folder(folder)
                client.delete_messages(client.search() or [1])
                client.expunge()


def _imap_source(server: ImapServer, shelf: Shelf) -> ImapSource:
    account = ImapAccount(
        HERE, server.port, server.username, server.password, security=Security.NONE, timeout_seconds=60
    )
    return ImapSource("imap", account, shelf.keep)


def _imap_client(server: ImapServer) -> IMAPClient:
    client = IMAPClient(HERE, port=server.port, ssl=False, timeout=60)
    client.login(server.username, server.password)
    return client


def _mails_in(server: ImapServer, folder: str) -> int:
    with _imap_client(server) as client:
        return int(client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])


def test_what_lies_in_the_folder_is_read_and_moved(
    imap_server: ImapServer, imap: ImapSource, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mail.sources.imap._BATCH", 2)
    contents = [MAIL + b"%d\r\n" % number for number in range(5)]
    with _imap_client(imap_server) as client:
        for content in contents:
            client.append("INBOX", content, msg_time=NOON)
    imap.start()
    imap.drain()
    assert sorted(shelf.contents()) == sorted(contents)
    assert {(raw.source, raw.received_at, raw.envelope_from) for raw in shelf.mails} == {("imap", NOON, None)}
    assert (_mails_in(imap_server, "INBOX"), _mails_in(imap_server, "Processed")) == (0, 5)
    imap.drain()
    assert len(shelf.mails) == 5


def test_idle_tells_of_new_mail(imap_server: ImapServer, imap: ImapSource, shelf: Shelf) -> None:
    imap.start()
    imap.drain()
    for number in range(2):
        imap_server.deliver(MAIL, NOON)
        wait_until(lambda expected=number + 1: len(shelf.mails) == expected)  # type: ignore[misc]


def test_a_mail_that_cannot_be_kept_stays_in_the_folder(
    imap_server: ImapServer, imap: ImapSource, shelf: Shelf
) -> None:
    shelf.fails = lambda raw: b"two" in raw.content
    for word in (b"one", b"two", b"three"):
        imap_server.deliver(word, NOON)
    imap.start()
    with pytest.raises(SourceError, match="imap: mail cannot be stored: the disk is full"):
        imap.drain()
    shelf.fails = lambda _: False
    imap.drain()
    assert shelf.contents() == [b"one", b"two", b"three"]
    assert _mails_in(imap_server, "INBOX") == 0


def test_a_server_that_was_away_is_read_on(shelf: Shelf) -> None:
    server = ImapServer()
    server.start()
    imap = _imap_source(server, shelf)
    server.deliver(b"before", NOON)
    imap.start()
    imap.drain()
    server.stop()
    with pytest.raises(SourceError):
        imap.drain()
    server.start()
    server.deliver(b"after", NOON)
    wait_until(lambda: shelf.contents() == [b"before", b"after"])
    imap.stop()
    server.stop()


@pytest.mark.parametrize("zone", ["Europe/Paris", "Asia/Tokyo", "Australia/Lord_Howe"])
def test_the_time_of_arrival_is_the_servers_in_every_zone(
    imap_server: ImapServer, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    source = _imap_source(imap_server, shelf)
    moments = [NOON, NOON.replace(month=7), NOON.replace(month=10, day=25, hour=0, minute=30)]
    try:
        for moment in moments:
            imap_server.deliver(b"x", moment)
        source.start()
        source.drain()
    finally:
        source.stop()
        monkeypatch.undo()
        time.tzset()
    assert [raw.received_at for raw in shelf.mails] == moments


def test_a_wrong_password_is_an_error(imap_server: ImapServer, shelf: Shelf) -> None:
    account = ImapAccount(HERE, imap_server.port, imap_server.username, "wrong", security=Security.NONE)
    with pytest.raises(Exception, match=r"(?i)authenticat|invalid|login"):
        ImapSource("imap", account, shelf.keep).check()
    assert "wrong" not in repr(account)

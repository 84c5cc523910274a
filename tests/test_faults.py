"""Faults around the judge: locks, disks, frozen and moody servers, clocks that jump."""

from __future__ import annotations

import random
import signal
import smtplib
import socket
import sqlite3
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from imapclient import IMAPClient
from sqlalchemy import RowMapping
from sqlalchemy.exc import OperationalError

from judge.demo.post_office import ImapServer
from judge.errors import SourceError
from judge.mail.sending import Security, SmtpSender
from judge.mail.sources import ImapAccount, ImapSource, ListenerSource
from judge.storage import migrate
from tests.database import only_sqlite
from tests.house import House
from tests.office import JUDGE, POWERS, Office
from tests.shelf import MAIL, NOON, Shelf
from tests.wire import HERE, PATIENCE_SECONDS, Wire, wait_until

# The database


def impatient(office: Office) -> None:
    """Wait for locks only as long as a test can."""
    with office.parts.store.work() as work:
        work.connection.exec_driver_sql("PRAGMA busy_timeout = 100")


@only_sqlite
def test_a_locked_database_costs_time_and_nothing_else(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.open_game()
    listener = ListenerSource("smtp", HERE, 0, office.parts.intake.keep, lambda: office.now)
    listener.start()
    impatient(office)
    parts = office.parts
    with (
        closing(sqlite3.connect(tmp_path / "judge.sqlite3", isolation_level=None)) as other,
        smtplib.SMTP(HERE, listener.port) as client,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("cho@players.test", [JUDGE], MAIL)
        assert refused.value.smtp_code == 451
        with pytest.raises(OperationalError, match="locked"):
            parts.intake.work_all()
        for look in (parts.closing.close_due, parts.delivery.deliver_due):
            assert look() == 0  # pure look-ups do not wait
        other.execute("ROLLBACK")
        client.sendmail("cho@players.test", [JUDGE], MAIL)
    listener.stop()
    office.settle()
    with office.parts.store.work() as work:
        assert work.inbox.counts() == {"done": 8, "unconfirmed": 1}
    office.stop()


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of a few megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ("mount", "-t", "tmpfs", "-o", "size=6m", "judge-test", disk), check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("mounting needs root")
    yield disk
    subprocess.run(("umount", "--lazy", disk), check=True)


@pytest.mark.long
@only_sqlite
def test_a_full_disk_loses_nothing_and_mail_flows_on_when_there_is_room(tiny_disk: Path) -> None:
    house = House(tiny_disk)
    migrate(house.url)
    filler = tiny_disk / "filler"
    with house.running() as process:
        begun = house.open_game()
        wait_until(lambda: house.phase() == "S1901M" and house.is_quiet())
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        mails = [house.letter("france@players.test", "A PAR - BUR", "x" * 20_000) for _ in range(3)]
        taken = [mail for mail in mails if house.accepts(mail)]
        assert len(taken) < len(mails)
        assert process.poll() is None
        filler.unlink()
        for mail in mails:
            wait_until(lambda mail=mail: house.accepts(mail))  # type: ignore[misc]
        wait_until(house.is_quiet)
        kept = Counter(house.rows("select message_id, state from inbox"))
    assert kept == Counter((str(id_), "done") for id_ in (*begun, *(mail["Message-ID"] for mail in mails)))


# IMAP


@pytest.fixture(scope="module")
def server() -> Iterator[ImapServer]:
    server = ImapServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def account(server: ImapServer) -> ImapAccount:
    return ImapAccount(
        HERE, server.port, server.username, server.password, security=Security.NONE, timeout_seconds=3, poll_seconds=1
    )


def waiting_in(account: ImapAccount) -> int:
    with IMAPClient(HERE, port=account.port, ssl=False, timeout=60) as client:
        client.login(account.username, account.password)
        return int(client.folder_status("INBOX", ["MESSAGES"])[b"MESSAGES"])


def is_read(source: ImapSource) -> bool:
    """Whether the server answers now, within a few seconds."""
    try:
        source.drain()
    except SourceError:
        return False
    return True


def test_a_frozen_server_holds_up_nobody_for_long(server: ImapServer, account: ImapAccount, shelf: Shelf) -> None:
    source = ImapSource("imap", account, shelf.keep)
    source.start()
    wait_until(lambda: is_read(source))
    assert server.process is not None
    server.process.send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(SourceError):  # the drain does not wait for it
            source.drain()
    finally:
        server.process.send_signal(signal.SIGCONT)
    server.deliver(MAIL, NOON)
    wait_until(lambda: shelf.mails and waiting_in(account) == 0)
    source.stop()
    assert set(shelf.contents()) == {MAIL}


@pytest.mark.parametrize("cut_after", [200, 700, 2_000, 40_000])
def test_a_call_that_is_cut_at_any_moment_loses_nothing(
    server: ImapServer, account: ImapAccount, shelf: Shelf, cut_after: int
) -> None:
    contents = {MAIL + b"%d %d\r\n" % (cut_after, number) + b"x" * 10_000 for number in range(8)}
    for content in contents:
        server.deliver(content, NOON)
    with closing(Wire(server.port)) as wire:
        wire.cut_after = cut_after
        source = ImapSource("imap", replace(account, port=wire.port), shelf.keep)
        source.start()
        wait_until(lambda: set(shelf.contents()) >= contents and waiting_in(account) == 0)
        assert wire.calls > 1
        source.stop()
    assert set(shelf.contents()) == contents


# SMTP


_TROUBLES = (
    ("MAIL", "421"),
    ("MAIL", "451"),
    ("MAIL", "drop"),
    ("RCPT", "451"),
    ("RCPT", "550"),
    ("RCPT", "drop"),
    ("DATA", "421"),
    ("DATA", "451"),
    ("DATA", "drop"),
    ("the mail", "451"),
    ("the mail", "550"),
    ("the mail", "drop"),
    ("the mail", "drop after all"),
    ("the mail", "drop after all"),
)


class Moody:
    """A server that troubles each letter up to three times, and remembers what it took.

    Without a chance, it stalls at the recipient of the first letter, and accepts all others.
    """

    def __init__(self, chance: random.Random | None) -> None:
        self.chance = chance
        self.plans: dict[bytes, list[tuple[str, str]]] = {}
        """Envelope → the troubles still to come for its letter."""
        self.taken: Counter[str] = Counter()
        self.unsaid: Counter[str] = Counter()
        """Letters that were taken although we did not hear of it."""
        self.is_over = threading.Event()
        self.listening = socket.create_server((HERE, 0))
        self.port = int(self.listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self.listening.accept()
                threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _plan(self, envelope: bytes) -> list[tuple[str, str]]:
        if envelope not in self.plans:
            chance, stalls = self.chance, [] if self.plans else [("RCPT", "stall")]
            self.plans[envelope] = stalls if chance is None else chance.choices(_TROUBLES, k=chance.randrange(4))
        return self.plans[envelope]

    def _serve(self, caller: socket.socket) -> None:
        stage, mood = "", ""
        with suppress(OSError), caller, caller.makefile("rwb", buffering=0) as line:
            line.write(b"220 moody\r\n")
            while said := line.readline():
                command = said[:4].upper().strip().decode()
                if command == "MAIL":
                    plan = self._plan(said)
                    stage, mood = plan.pop(0) if plan else ("", "")
                if command == stage:
                    self._answer(line, mood)
                elif command == "DATA":
                    line.write(b"354 go on\r\n")
                    self._take(line, mood if stage == "the mail" else "250")
                else:
                    self._answer(line, "250")

    def _answer(self, line: socket.SocketIO, mood: str) -> None:
        if mood == "stall":
            self.is_over.wait()
        if mood in ("drop", "stall"):
            raise OSError
        line.write(f"{mood} {mood[0]}.0.0 said moody\r\n".encode())
        if mood == "421":
            raise OSError

    def _take(self, line: socket.SocketIO, mood: str) -> None:
        content = b""
        while not content.endswith(b"\r\n.\r\n"):
            content += line.readline()
        id_ = str(message_from_bytes(content)["Message-ID"])
        if mood in ("250", "drop after all"):
            self.taken[id_] += 1
        if mood == "drop after all":
            self.unsaid[id_] += 1
            mood = "drop"
        self._answer(line, mood)

    def close(self) -> None:
        self.is_over.set()
        self.listening.close()


@pytest.mark.parametrize("seed", range(8))
def test_a_server_of_bad_temper_gets_every_mail_and_twice_only_what_it_kept_from_us(tmp_path: Path, seed: int) -> None:
    office = Office(tmp_path)
    with closing(Moody(random.Random(seed))) as moody:
        rows = _delivered(office, moody, PATIENCE_SECONDS)
    assert len({row["message_id"] for row in rows}) == len(rows)
    for row in rows:
        id_, is_sent = row["message_id"], row["state"] == "sent"
        assert moody.taken[id_] == moody.unsaid[id_] + is_sent
        assert is_sent or "550" in row["reason"]
    assert {"sent", "failed"} == {row["state"] for row in rows}
    assert moody.unsaid
    assert set(moody.taken) <= {row["message_id"] for row in rows}
    office.stop()


def test_a_server_that_says_nothing_more_gets_the_mail_later(tmp_path: Path) -> None:
    office = Office(tmp_path)
    with closing(Moody(None)) as moody:
        rows = _delivered(office, moody, 1)
    assert {row["state"] for row in rows} == {"sent"}
    assert set(moody.taken) == {row["message_id"] for row in rows}
    office.stop()


def _delivered(office: Office, server: Moody, timeout_seconds: float) -> Sequence[RowMapping]:
    """Return the letters of a new game, after the server has taken or refused them."""
    with closing(SmtpSender(HERE, server.port, timeout_seconds=timeout_seconds)) as sender:
        office.parts.delivery.sender = sender
        office.play_opening()
        while "queued" in {row["state"] for row in _mails_out(office)}:
            office.now += timedelta(minutes=20)
            office.parts.delivery.deliver_due()
    return _mails_out(office)


def _mails_out(office: Office) -> Sequence[RowMapping]:
    with office.parts.store.work() as work:
        return work.outbox.latest(1000)


# The clock


def test_a_clock_that_jumps_closes_no_phase_behind_the_players_backs(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.play_opening()
    office.now += timedelta(days=30)
    for _ in range(3):
        office.settle()
    assert office.phase() == "S1901M"
    office.now += timedelta(days=1, minutes=5)
    for _ in range(3):
        office.settle()
    assert office.phase() == "F1901M"
    office.now -= timedelta(days=60)
    office.settle()
    for power in POWERS[:3]:
        office.keep(power.lower(), "STATUS")
    office.settle()
    assert office.phase() == "F1901M"
    office.now += timedelta(days=60)
    office.settle()
    with office.parts.store.work() as work:
        assert [str(one.phase) for one in work.records.phases("ardennes")] == ["S1901M"]
        assert set(work.inbox.counts()) == {"done"}
        assert set(work.outbox.counts()) == {"sent"}
    office.stop()

"""Operators learn the truth: faults are reported, passing ones retried, backups unchanged."""

from __future__ import annotations

import errno
import os
import re
import shutil
import smtplib
import socket
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from aiosmtpd.controller import Controller
from sqlalchemy.exc import OperationalError

from judge import durable
from judge.cli import main
from judge.config import Config
from judge.durable import touch_private
from judge.errors import InstallationError, ResourceError
from judge.mail.letters import RawMail
from judge.mail.sending import MaildirSender
from judge.mail.sources import ImapSource, ListenerSource, MaildirSource
from judge.service.engine.assemble import assemble
from judge.service.engine.clock import OwnClock, SharedClock
from judge.service.engine.part import Part
from judge.service.engine.run import Service
from judge.storage import (
    ProcessLocks,
    SharedStore,
    Soundness,
    Store,
    alone,
    back_up,
    check_soundness,
    migrate,
    put_back,
    rotate,
)
from tests.database import make_file, only_postgresql, only_sqlite, url_of
from tests.house import House, fill, small_disk
from tests.office import OPERATOR, Office
from tests.shelf import Shelf
from tests.wire import HERE, PATIENCE_SECONDS, free_port

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs `judge`, and returns exit code, output and complaint."""

    def judge(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["judge", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        return (code, *capsys.readouterr())

    return judge


# A mail that is refused


def test_a_mail_that_is_refused_is_a_line_of_the_log_and_a_complaint_until_one_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shelf, is_full = Shelf(), True
    lines: list[str] = []
    log = SimpleNamespace(error=lambda event, **_: lines.append(event))
    monkeypatch.setattr("judge.mail.sources.listener.log", log)

    def keep(*mails: RawMail) -> None:
        if is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        shelf.keep(*mails)

    source = ListenerSource("listener", HERE, 0, keep, lambda: NOON)
    source.start()
    try:
        with smtplib.SMTP(HERE, source.port, timeout=60) as client:
            for _ in range(2):
                with pytest.raises(smtplib.SMTPDataError, match="451"):
                    client.sendmail("cho@players.test", ["judge@localhost"], "Subject: x\n\nHELP\n")
            assert source.complaint() == "mail is refused: the disk is full"
            is_full = False
            client.sendmail("cho@players.test", ["judge@localhost"], "Subject: x\n\nHELP\n")
    finally:
        source.stop()
    assert source.complaint() == ""
    assert lines == ["mail refused"] * 2


# The condition of the judge


def test_what_is_wrong_outside_is_not_well_and_is_told_if_it_lasts(office: Office) -> None:
    service = Service(office.parts)
    for loop in service.all_loops:
        loop.thread.start()
    try:
        assert list(service.complaints()) == []
        office.parts.delivery.complaint = "[Errno 111] Connection refused"
        assert list(service.complaints()) == ["delivery: [Errno 111] Connection refused"]
    finally:
        service.stop()
    office.parts.delivery.complaint = "[Errno 111] Connection refused"
    for _ in range(30):
        office.parts.watch.look()
        office.now += timedelta(minutes=1)
    (told,) = office.letters(OPERATOR)
    assert told.subject == "Alarm: delivery: [Errno 111] Connection refused"


def test_whatever_waits_too_long_is_not_well(office: Office) -> None:
    office.open_game()
    office.keep("cho", "HELP")
    assert list(office.parts.watch.complaints()) == []
    office.now += timedelta(days=3, minutes=61)
    assert [said.partition(":")[0] for said in office.parts.watch.complaints()] == ["work", "clock"]


# What may pass


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 75),
        (OSError(errno.EROFS, "Read-only file system"), 75),
        (OperationalError("x", {}, sqlite3.OperationalError("database or disk is full")), 75),
        (ResourceError("the port is busy"), 75),
        (InstallationError("no such folder"), 2),
    ],
    ids=["full", "read-only", "full database", "busy", "missing"],
)
def test_what_may_pass_ends_with_75_and_one_line(
    error: Exception, code: int, run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("judge.cli.doctor.given_config", fail)
    found, _, complaint = run("doctor")
    assert found == code
    assert re.fullmatch("judge: .*\n", complaint)
    assert "Traceback" not in complaint


def test_a_database_that_is_locked_or_cannot_be_written_may_pass(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    migrate(url)
    with closing(ProcessLocks(url)) as mine, closing(ProcessLocks(url)) as other:
        mine.claim("work")
        with pytest.raises(ResourceError, match="another judge is running"):
            other.claim("work")


@only_sqlite
def test_a_task_is_claimed_on_a_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        url = url_of(disk)
        fill(disk)
        with closing(ProcessLocks(url)) as mine, closing(ProcessLocks(url)) as other:
            mine.claim("work")
            with pytest.raises(ResourceError, match="another judge is running"):
                other.claim("work")


@only_sqlite
def test_a_start_on_a_disk_with_no_room_for_a_file_ends_with_75(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "nr_inodes=6") as disk:
        (disk / "db").mkdir()
        url = url_of(disk / "db")
        for number in range(6):
            with suppress(OSError):
                (disk / str(number)).touch()
        with closing(ProcessLocks(url)) as locks, pytest.raises(ResourceError, match="No space left on device"):
            locks.claim("work")
        house = House(tmp_path, url=url)
        (tmp_path / "outgoing").mkdir()
        process = house.start()
        assert process.wait(PATIENCE_SECONDS) == 75, house.log()
        process.communicate()


@only_sqlite
def test_a_backup_without_room_ends_with_75(tmp_path: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    house = House(tmp_path)
    with small_disk(tmp_path / "disk") as disk:
        fill(disk)
        code, _, complaint = run("backup", "--config", house.config, disk / "copy")
    assert (code, "disk is full" in complaint) == (75, True), complaint


@only_sqlite
def test_a_second_judge_does_not_get_in_by_a_link(tmp_path: Path) -> None:
    file = tmp_path / "judge.sqlite3"
    migrate(f"sqlite:///{file}")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "soft.sqlite3").symlink_to(file)
    with closing(ProcessLocks(f"sqlite:///{file}")) as mine:
        mine.claim("work")
        with (
            closing(ProcessLocks(f"sqlite:///{elsewhere / 'soft.sqlite3'}")) as other,
            pytest.raises(ResourceError, match="another judge is running"),
        ):
            other.claim("work")
        os.link(file, elsewhere / "hard.sqlite3")
        with (
            closing(ProcessLocks(f"sqlite:///{elsewhere / 'hard.sqlite3'}")) as other,
            pytest.raises(InstallationError, match="remove that hard link"),
        ):
            other.claim("work")


# The clock


def test_the_time_of_the_database_goes_on_by_a_clock_that_nobody_sets() -> None:
    theirs, passed, ours = NOON, 0.0, NOON
    clock = SharedClock(lambda: theirs, wall=lambda: ours, steady=lambda: passed)
    passed, ours = 30.0, NOON + timedelta(hours=3)
    assert clock() == NOON + timedelta(seconds=30)
    theirs = NOON + timedelta(seconds=31)
    clock.look()
    assert clock() == theirs


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(4.9, ""), (-4.9, ""), (600, "600 s ahead of the database's"), (-6, "6 s behind the database's")],
)
def test_a_clock_that_differs_from_the_database_is_named(seconds: float, said: str) -> None:
    ours = NOON + timedelta(seconds=seconds)
    clock = SharedClock(lambda: NOON, wall=lambda: ours, steady=lambda: 0.0)
    assert said in clock.complaint
    assert bool(said) == bool(clock.complaint)
    ours = NOON
    clock.look()
    assert clock.complaint == ""


def test_an_answer_that_was_long_on_its_way_sets_no_clock() -> None:
    passed, ours = 0.0, NOON

    def ask() -> datetime:
        nonlocal passed, ours
        passed += 30
        ours += timedelta(seconds=30)
        return ours - timedelta(seconds=25)

    clock = SharedClock(lambda: NOON, wall=lambda: ours, steady=lambda: passed)
    clock._ask = ask
    clock.look()
    assert (clock(), clock.complaint) == (NOON + timedelta(seconds=30), "")


def test_nothing_closes_by_a_clock_that_is_wrong(office: Office) -> None:
    office.open_game()
    theirs, steadily = office.now, 0.0
    clock = SharedClock(lambda: theirs, wall=lambda: office.now, steady=lambda: steadily)
    office.parts.clock = clock
    service = Service(office.parts)
    office.now += timedelta(days=3, minutes=5)
    service._beat()
    assert office.parts.closing.close_due() == 0
    office.parts.closing.look_after("ardennes")
    assert office.phase() == "S1901M"
    assert any(f"clock of {socket.gethostname()}: {3 * 86400 + 300} s ahead" in said for said in service.complaints())
    for _ in range(2):
        service._beat()
    (told,) = office.letters(OPERATOR)  # at once, and once
    assert told.subject.startswith(f"Alarm: clock of {socket.gethostname()}: ")
    theirs = office.now
    service._beat()
    office.parts.closing.look_after("ardennes")
    assert office.phase() == "F1901M"


@dataclass
class Machine:
    """A machine with a database, whose clock goes wrong."""

    database: Path
    wall: datetime = NOON
    steady: float = 0.0

    def __post_init__(self) -> None:
        touch_private(self.database)
        os.utime(self.database, (NOON.timestamp(), NOON.timestamp()))

    def clock(self) -> OwnClock:
        ours = ("judge@judge.test", "mx.here.test")
        return OwnClock(self.database, ours, wall=lambda: self.wall, steady=lambda: self.steady)

    def passes(self, seconds: float, jump: float = 0.0) -> None:
        self.steady += seconds
        self.wall += timedelta(seconds=seconds + jump)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "alone.sqlite3")


def stamped(wall: datetime, *hosts: str) -> RawMail:
    when = format_datetime(wall)
    lines = "".join(f"Received: from a by {host} with SMTP; {when}\n" for host in hosts)
    return RawMail(f"{lines}Subject: x\n\nx\n".encode(), "test", wall, None, ())


def test_a_clock_that_jumped_is_doubted_after_a_restart_too_until_it_is_set_back(machine: Machine) -> None:
    clock = machine.clock()
    machine.passes(8 * 3600)  # the machine slept
    machine.passes(60, jump=299)
    clock.look()
    assert clock.complaint == ""
    machine.passes(60, jump=600)
    clock.look()
    assert "it went ahead by 10 minutes at once" in clock.complaint
    clock = machine.clock()
    machine.passes(60)
    clock.look()
    assert clock.complaint
    machine.passes(60, jump=-600)
    clock.look()
    assert clock.complaint == ""


@pytest.mark.parametrize("log_is_newer", [False, True])
def test_a_clock_behind_what_was_written_is_doubted(machine: Machine, *, log_is_newer: bool) -> None:
    if log_is_newer:
        log = machine.database.with_name("alone.sqlite3-wal")
        machine.database.rename(log)
        machine.database.touch()
        os.utime(machine.database, (0, 0))
    machine.wall -= timedelta(minutes=4)
    assert machine.clock().complaint == ""
    machine.wall -= timedelta(minutes=4)
    assert "was written 8 minutes later than now" in machine.clock().complaint


@pytest.mark.parametrize(
    ("hosts", "late", "is_trusted"),
    [
        (("a.one.test", "b.two.example", "c.three.example"), 0, True),
        (("a.one.test", "b.two.example", "c.three.example"), 600, False),
        (("a.one.test", "b.one.test", "c.two.example"), 0, False),
        (("mx.here.test", "judge.test", "a.one.example", "b.two.example"), 0, False),
    ],
    ids=["three domains", "their clocks differ", "two domains", "our own"],
)
def test_a_doubted_clock_is_trusted_when_servers_of_three_other_domains_agree(
    machine: Machine, hosts: tuple[str, ...], late: int, *, is_trusted: bool
) -> None:
    clock = machine.clock()
    machine.passes(60, jump=600)
    clock.look()
    for host in hosts:
        assert clock.complaint
        clock.heed(stamped(machine.wall - timedelta(seconds=late), host), is_stamped_elsewhere=False)
    assert (clock.complaint == "") == is_trusted


@pytest.mark.parametrize(("late", "is_trusted"), [(10, True), (600, False)])
def test_a_doubted_clock_is_trusted_when_the_mailbox_agrees(machine: Machine, late: int, *, is_trusted: bool) -> None:
    clock = machine.clock()
    machine.passes(60, jump=600)
    clock.look()
    clock.heed(stamped(machine.wall - timedelta(seconds=late)), is_stamped_elsewhere=True)
    assert (clock.complaint == "") == is_trusted


@only_sqlite
def test_nothing_closes_by_a_clock_that_jumped_until_the_operator_says_that_it_is_right(
    office: Office, tmp_path: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    office.open_game()
    machine = Machine(tmp_path / "judge.sqlite3", wall=office.now)
    office.parts.clock = machine.clock()
    service = Service(office.parts)
    office.now += timedelta(days=3, minutes=5)
    machine.passes(60, jump=3 * 86400)
    assert office.parts.closing.close_due() == 0
    service._look_at_clock()
    (told,) = office.letters(OPERATOR)
    assert told.subject.startswith(f"Alarm: clock of {socket.gethostname()}: it went ahead by 4320 minutes")
    config = tmp_path / "config.toml"
    config.write_text(f'database = {{ url = "{office.url}" }}\nsources = []\n', "utf-8")
    assert "clock: clock of" in run("doctor", "--config", config)[2]
    assert "clock of" not in run("doctor", "--clock-is-right", "--config", config)[2]
    assert office.parts.closing.close_due() == 1


@only_postgresql
def test_the_time_on_postgresql_is_that_of_the_server(tmp_path: Path) -> None:
    config = Config(database={"url": url_of(tmp_path)}, delivery={"folder": tmp_path / "outgoing"}, sources=())  # type: ignore[arg-type]
    parts = assemble(config)
    assert isinstance(parts.clock, SharedClock)
    assert isinstance(parts.store, SharedStore)
    assert parts.clock._ask == parts.store.now
    before = parts.store.now()
    parts.clock.look()
    assert timedelta() <= parts.clock() - before < timedelta(hours=1)
    assert parts.clock.complaint == ""
    parts.store.close()


@pytest.mark.parametrize("restarts", [False, True], ids=["while it runs", "while it was down"])
def test_a_deadline_that_a_wrong_clock_moved_is_moved_back(office: Office, *, restarts: bool) -> None:
    office.open_game()
    with office.parts.store.work() as work:
        before = work.games.get("ardennes")
    assert before is not None
    right = office.now
    office.now += timedelta(days=30)
    office.settle()
    office.now = right + timedelta(minutes=5)
    if restarts:
        office.stop()
        office.start()
    for _ in range(2):
        office.settle()
    with office.parts.store.work() as work:
        after = work.games.get("ardennes")
    assert after is not None
    assert (after.clock.deadline, after.clock.before_outage) == (before.clock.deadline, None)
    assert after.position == before.position
    subjects = [letter.subject for letter in office.letters("france@players.test")]
    assert [one.partition(": ")[2] for one in subjects[-1:]] == ["the deadline is as it was"]
    office.stop()


def test_a_deadline_that_somebody_set_since_stays(office: Office) -> None:
    office.open_game()
    right = office.now
    office.now += timedelta(days=30)
    office.settle()
    office.keep("gil", "EXTEND 2 days because of the clock")
    office.settle()
    with office.parts.store.work() as work:
        set_ = work.games.get("ardennes")
    office.now = right
    office.settle()
    with office.parts.store.work() as work:
        game = work.games.get("ardennes")
    assert game is not None
    assert set_ is not None
    assert game.clock.deadline == set_.clock.deadline
    office.stop()


# Files


def drop(folder: Path, name: str, text: str) -> Path:
    (folder / "new").mkdir(parents=True, exist_ok=True)
    (folder / "cur").mkdir(exist_ok=True)
    path = folder / "new" / name
    path.write_bytes(text.encode())
    return path


def test_one_file_that_cannot_be_read_holds_up_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    source = MaildirSource("maildir", tmp_path, shelf.keep)
    drop(tmp_path, "1.forbidden", "first")
    long = drop(tmp_path, "2." + "x" * 252, "second")
    drop(tmp_path, "3.plain", "third")
    real = MaildirSource.read

    def read(path: Path) -> bytes:
        if path.name == "1.forbidden":  # the user who runs the tests may be allowed everything
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path)

    monkeypatch.setattr(MaildirSource, "read", staticmethod(read))
    for _ in range(2):
        source.drain()
    assert shelf.contents() == [b"second", b"third"]
    assert source.complaint() == "1.forbidden: Permission denied"
    assert not long.exists()
    assert len(list((tmp_path / "cur").iterdir())) == 2
    monkeypatch.undo()
    (tmp_path / "new" / "1.forbidden").unlink()
    source.drain()
    assert source.complaint() == ""


def test_a_mail_that_cannot_be_put_away_is_kept_once_and_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf()
    source = MaildirSource("maildir", tmp_path, shelf.keep)
    drop(tmp_path, "1.theirs", "first")
    drop(tmp_path, "2.ours", "second")
    real = durable.move

    def move(origin: Path, target: Path) -> None:
        if origin.name == "1.theirs":
            raise PermissionError(errno.EPERM, "Operation not permitted")
        real(origin, target)

    monkeypatch.setattr("judge.mail.sources.maildir.move", move)
    for _ in range(3):
        source.drain()
    assert shelf.contents() == [b"first", b"second"]
    assert source.complaint() == "1.theirs: Operation not permitted"


def test_the_folder_is_on_the_disk_too_when_a_mail_was_put_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(durable, "sync_folder", synced.append)
    sender = MaildirSender(tmp_path / "outgoing")
    sender.send(b"x", envelope_from="judge@localhost", recipient="cho@players.test")
    shelf = Shelf()
    drop(tmp_path / "incoming", "1", "x")
    MaildirSource("maildir", tmp_path / "incoming", shelf.keep).drain()
    assert synced == [tmp_path / "outgoing" / "new", tmp_path / "incoming" / "cur"]


def test_a_folder_of_letters_that_was_deleted_is_made_again(tmp_path: Path) -> None:
    sender = MaildirSender(tmp_path / "outgoing")
    for text in (b"one", b"two"):
        shutil.rmtree(tmp_path / "outgoing")
        sender.send(text, envelope_from="judge@localhost", recipient="cho@players.test")
        (letter,) = (tmp_path / "outgoing" / "new").iterdir()
        assert letter.read_bytes().endswith(text)


# Privacy


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
def test_files_are_for_their_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    file = tmp_path / "database" / "judge.sqlite3"
    url = f"sqlite:///{file}"
    with alone(url, Part):
        migrate(url)
    with closing(Store.open(url)) as store, closing(ProcessLocks(url)) as locks, store.work() as work:
        locks.claim("work")
        work.secret("tokens")
        work.commit()
        back_up(url, tmp_path / "database" / "copy")
        sender = MaildirSender(tmp_path / "outgoing")
        sender.send(b"x", envelope_from="judge@localhost", recipient="cho@players.test")
        soundness = Soundness(file)
        soundness.note_start()
        soundness.note_clean_stop()
        made = [path for folder in ("database", "outgoing") for path in (tmp_path / folder).rglob("*")]
    assert {"judge.sqlite3", "judge.sqlite3-wal", "judge.sqlite3-shm", "copy"} <= {path.name for path in made}
    folders = [tmp_path / "database", tmp_path / "outgoing", *(path for path in made if path.is_dir())]
    assert {path: stat.S_IMODE(path.stat().st_mode) for path in folders} == dict.fromkeys(folders, 0o700)
    files = [path for path in made if path.is_file()]
    assert {path: stat.S_IMODE(path.stat().st_mode) for path in files} == dict.fromkeys(files, 0o600)


@pytest.mark.parametrize("open_to_all", ["judge.sqlite3", "judge.sqlite3-wal", "outgoing", "password"])
def test_the_doctor_refuses_what_everybody_may_read(
    tmp_path: Path, open_to_all: str, run: Callable[..., tuple[int, str, str]]
) -> None:
    make_file(tmp_path / "judge.sqlite3")
    password, path = tmp_path / "password", tmp_path / open_to_all
    account = f'{{ kind = "imap", host = "localhost", port = {free_port()}, password_file = "{password}" }},'
    house = House(tmp_path, more=account, url=f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    with closing(Store.open(house.url)) as store, store.work() as work:
        work.secret("tokens")
        work.commit()
        MaildirSender(tmp_path / "outgoing")
        touch_private(password)
        password.write_text("secret")
        path.chmod(path.stat().st_mode | stat.S_IROTH)
        _, _, complaint = run("doctor", "--config", house.config)
    said = [line for line in complaint.splitlines() if "privacy" in line]
    assert said == [f"judge: privacy: every user of this machine may read {path}; run `chmod o-rwx {path}`"]


# Backups


def test_a_backup_is_for_our_eyes_and_is_never_written_over(office: Office, tmp_path: Path) -> None:
    file = tmp_path / "copy"
    back_up(office.url, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    office.open_game()
    with pytest.raises(InstallationError, match="never written over"):
        back_up(office.url, file)
    assert file.read_bytes() == before


def damage(file: Path) -> None:
    """Damage some pages in the middle."""
    content = bytearray(file.read_bytes())
    for page in range(3, len(content) // 4096, 2):
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    file.write_bytes(content)


@only_sqlite
def test_a_damaged_database_is_found_and_its_backups_stay(
    office: Office, tmp_path: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    office.open_game()
    folder = tmp_path / "backups"
    folder.mkdir()
    good = rotate(office.url, folder, office.now, keep=1)
    office.stop()
    database = tmp_path / "judge.sqlite3"
    damage(database)
    with pytest.raises(InstallationError, match="is damaged"):
        check_soundness(database)
    with pytest.raises(InstallationError, match="is damaged"):
        rotate(office.url, folder, office.now + timedelta(days=1), keep=1)
    assert list(folder.iterdir()) == [good]
    config = tmp_path / "config.toml"
    config.write_text(f'database = {{ url = "{office.url}" }}\nsources = []\n', "utf-8")
    code, _, complaint = run("doctor", "--config", config)
    assert code == 1
    assert "judge: database: " in complaint
    code, _, complaint = run("serve", "--config", config)
    assert code == 2
    assert re.search("damaged|malformed", complaint)
    put_back(office.url, good)
    with closing(Store.open(office.url)) as store, store.work() as work:
        assert work.games.get("ardennes") is not None


def test_a_folder_keeps_the_newest_backups(office: Office, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "diary").touch()
    made = []
    for _ in range(5):
        made.append(rotate(office.url, folder, office.now, keep=2))
        office.now += timedelta(days=1)
    assert sorted(folder.iterdir()) == [folder / "diary", *made[-2:]]


# The doctor


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("judge", '{ address = "judge+x@localhost" }', "judge.address is judge.x@localhost"),
        ("judge", '{ operator = "Judge+me@localhost" }', "the judge would write to itself"),
        ("sources", '[{ kind = "listener", host = "0.0.0.0" }]', "listener listens on all interfaces"),
        ("watch", '{ port = 9100, host = "::" }', "/metrics is answered on all interfaces"),
        ("delivery", '{ kind = "smtp", username = "judge" }', "delivery has a username and no password"),
        (
            "sources",
            '[{ kind = "imap", host = "nosuch.invalid", username = "judge" }]',
            "source imap has a username and no password",
        ),
        (
            "sources",
            '[{ kind = "imap", host = "nosuch.invalid" }]',
            "source imap: the host nosuch.invalid is not known",
        ),
        ("delivery", '{ kind = "smtp", host = "nosuch.invalid" }', "delivery: the host nosuch.invalid is not known"),
    ],
)
def test_the_doctor_names_what_asks_for_trouble(
    tmp_path: Path, setting: str, value: str, said: str, run: Callable[..., tuple[int, str, str]]
) -> None:
    good = {"judge": "{}", "sources": "[]", "watch": "{}", "delivery": f'{{ folder = "{tmp_path}" }}'} | {
        setting: value
    }
    url = url_of(tmp_path)
    migrate(url)
    config = tmp_path / "config.toml"
    rest = "\n".join(f"{name} = {chosen}" for name, chosen in good.items())
    config.write_text(f'database = {{ url = "{url}" }}\n{rest}\n', "utf-8")
    code, _, complaint = run("doctor", "--config", config)
    assert code == 1
    assert re.search(said, complaint), complaint


@pytest.mark.parametrize(
    ("terminal", "of_the_judge", "said"),
    [
        ("ja_JP.UTF-8", "en", "設定: judge.operator が judge@localhost です"),
        ("C.UTF-8", "ja", "設定: judge.operator が judge@localhost です"),
        ("", "ja", "設定: judge.operator が judge@localhost です"),
        ("en_GB.UTF-8", "ja", "settings: judge.operator is judge@localhost"),
        ("de_DE.UTF-8", "ja", "settings: judge.operator is judge@localhost"),
        ("C.UTF-8", "en", "settings: judge.operator is judge@localhost"),
    ],
)
def test_the_doctor_speaks_as_the_terminal_or_else_as_the_judge(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[..., tuple[int, str, str]],
    terminal: str,
    of_the_judge: str,
    said: str,
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", terminal)
    config = tmp_path / "config.toml"
    who = f'{{ operator = "judge@localhost", language = "{of_the_judge}" }}'
    url = f"sqlite:///{tmp_path / 'none.sqlite3'}"
    config.write_text(f'judge = {who}\nsources = []\ndatabase = {{ url = "{url}" }}\n', "utf-8")
    code, _, complaint = run("doctor", "--config", config)
    assert code == 1
    assert said in complaint
    assert ("データベース" in complaint) == ("設定" in said)


def test_the_doctor_knows_our_own_judge_from_another(tmp_path: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    house = House(tmp_path)
    migrate(house.url)
    (tmp_path / "other").mkdir()
    other = House(tmp_path / "other", port=house.port)
    migrate(other.url)
    with house.running():
        assert "where a judge listens" in run("doctor", "--config", house.config)[1]
        code, _, complaint = run("doctor", "--config", other.config)
    assert code == 1
    assert "is held by another judge" in complaint


@pytest.mark.parametrize(("has_skia", "said"), [(True, "drawn by Skia"), (False, "drawn by resvg, which takes longer")])
def test_the_doctor_says_what_draws_the_maps(
    office: Office,
    run: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    *,
    has_skia: bool,
    said: str,
) -> None:
    monkeypatch.setattr("judge.reports.pictures.has_skia", lambda: has_skia)
    config = office.folder / "config.toml"
    way = f'delivery = {{ folder = "{office.folder}" }}'
    config.write_text(f'database = {{ url = "{office.url}" }}\nsources = []\n{way}\n', "utf-8")
    code, answer, _ = run("doctor", "--config", config)
    assert code == 0
    assert f"pictures: good, {said}" in answer
    office.stop()


class Picky:
    """A mail server that rejects plus addresses."""

    async def handle_RCPT(  # noqa: N802
        self, _server: object, _session: object, envelope: object, address: str, _options: list[str]
    ) -> str:
        del envelope
        return "550 5.1.1 no such user" if "+" in address else "250 OK"


def test_the_doctor_tries_whether_secret_addresses_arrive(
    tmp_path: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    controller = Controller(Picky(), hostname=HERE, port=free_port())
    controller.start()
    url = url_of(tmp_path)
    migrate(url)
    config = tmp_path / "config.toml"
    way = f'delivery = {{ kind = "smtp", host = "{HERE}", port = {controller.port} }}'
    config.write_text(f'database = {{ url = "{url}" }}\nsources = []\n{way}\n', "utf-8")
    code, _, complaint = run("doctor", "--config", config)
    controller.stop()
    assert code == 1
    assert "plus addresses: 550 judge+doctor@localhost: 5.1.1 no such user" in complaint


@pytest.mark.parametrize(
    ("waiting", "old_mail", "was_read", "said"),
    [
        (12, "leave", False, "take care, 12 mails lie in INBOX and will be left alone"),
        (1, "take", False, "take care, 1 mail lies in INBOX and will be READ AND ANSWERED"),
        (12, "leave", True, ""),
        (0, "leave", False, ""),
    ],
)
def test_the_doctor_warns_of_somebodys_mailbox(
    office: Office,
    run: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    *,
    waiting: int,
    old_mail: str,
    was_read: bool,
    said: str,
) -> None:
    def check(source: ImapSource) -> str:
        source.waiting = waiting
        return "here"

    monkeypatch.setattr(ImapSource, "check", check)
    if was_read:
        office.parts.intake.keep(RawMail(b"From: cho@players.test\r\n\r\nHELP\r\n", "imap", NOON, None, ()))
    config = office.folder / "config.toml"
    source = f'[{{ kind = "imap", host = "mx.test", old_mail = "{old_mail}" }}]'
    way = f'{{ folder = "{office.folder}" }}'
    config.write_text(f'database = {{ url = "{office.url}" }}\nsources = {source}\ndelivery = {way}\n', "utf-8")
    code, _, complaint = run("doctor", "--config", config)
    office.stop()
    assert code == 0, complaint
    assert said in complaint
    assert bool(said) == bool(complaint)

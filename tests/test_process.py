"""`judge serve` as a process: killed, stopped, started twice, in parts, badly installed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller

from judge.cli import main
from judge.demo.post_office import utc_now
from judge.errors import InstallationError
from judge.service.engine.part import Part
from judge.service.engine.run import Service
from judge.storage import Store, migrate
from tests.database import only_sqlite
from tests.house import EVERYBODY, NEVER, ORDERS, PLAYED, POWERS, House
from tests.killing import kill_again_and_again
from tests.office import Office
from tests.wire import HERE, PATIENCE_SECONDS, free_port, wait_until

DAY = timedelta(days=1)


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    migrate(made.url)
    return made


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.stop()


# Killed


@pytest.mark.long
def test_a_judge_killed_while_mail_arrives_loses_nothing_and_doubles_nothing(house: House) -> None:
    kill_again_and_again(house, kills=3, seed=1)


# Stopped


class Stalled:
    """A mail server that falls silent when it hears a recipient."""

    def __init__(self) -> None:
        self.controller = Controller(self, hostname=HERE, port=free_port())
        self.is_asked = threading.Event()

    async def handle_RCPT(self, *_: object) -> str:  # noqa: N802
        self.is_asked.set()
        self.task = asyncio.current_task()
        await asyncio.Event().wait()
        raise AssertionError

    def end(self) -> None:
        assert self.task is not None
        self.controller.loop.call_soon_threadsafe(self.task.cancel)
        self.controller.stop()


def test_it_stops_although_a_mail_is_just_being_handed_over(tmp_path: Path) -> None:
    stalled = Stalled()
    stalled.controller.start()
    house = House(tmp_path)
    migrate(house.url)
    way = f'delivery = {{ kind = "smtp", port = {stalled.controller.port}, timeout_seconds = {10 * PATIENCE_SECONDS},'
    house.config.write_text(house.config.read_text("utf-8").replace("delivery = {", way), "utf-8")
    with house.running() as process:
        house.send("gil@players.test", "HELP")
        assert stalled.is_asked.wait(PATIENCE_SECONDS)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE_SECONDS) == 0, house.log()
    stalled.end()
    assert "Traceback" not in house.log()


@pytest.fixture
def signals() -> Iterator[None]:
    """Restore the signal handlers after a test."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    os.close(signal.set_wakeup_fd(-1))
    for number in numbers:
        signal.signal(number, before[number])


@pytest.mark.usefixtures("signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_heard_though_no_function_of_ours_is_called(
    office: Office, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """The signal comes as if between our last step and the wait."""
    service = Service(office.parts)
    service.heed_signals()
    signal.signal(number, lambda *_: None)
    signal.raise_signal(number)
    is_stopped = threading.Event()
    monkeypatch.setattr(service, "stop", is_stopped.set)
    threading.Thread(target=service.wait_until_told, daemon=True).start()
    assert is_stopped.wait(PATIENCE_SECONDS)
    os.close(service.told)


@pytest.mark.parametrize("server", ["closed", "silent"])
def test_it_stops_although_a_server_is_out_of_reach(tmp_path: Path, server: str) -> None:
    """Servers may take ten times as long as the test waits."""
    patience = f"timeout_seconds = {10 * PATIENCE_SECONDS}"
    with ExitStack() as stack:
        port = free_port()
        if server == "silent":
            silent = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            silent.settimeout(PATIENCE_SECONDS)
            port = silent.getsockname()[1]
        imap = f'{{ kind = "imap", host = "127.0.0.1", port = {port}, username = "x", security = "none", {patience} }}'
        house = House(tmp_path, more=imap)
        migrate(house.url)
        config = house.config.read_text("utf-8").replace(
            "delivery = {", f'delivery = {{ kind = "smtp", port = {port}, {patience},'
        )
        house.config.write_text(config, "utf-8")
        process = stack.enter_context(house.running())
        house.send("gil@players.test", "HELP")  # the answer to it cannot leave
        wait_until(lambda: house.rows("select id from inbox where state = 'done'"))
        if server == "silent":
            for _ in ("to read", "to deliver"):
                stack.enter_context(silent.accept()[0])
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE_SECONDS) == 0, house.log()
    assert "Traceback" not in house.log()


# Started twice and in parts


@only_sqlite  # tests/test_shared.py has several on one PostgreSQL
def test_a_second_judge_on_the_same_database_is_refused(house: House) -> None:
    elsewhere = house.folder / "elsewhere.toml"
    elsewhere.write_text(house.settings(free_port()), "utf-8")
    with house.running():
        second = [
            judge("serve", "--config", elsewhere),
            judge("serve", "--only", "deliver", "--config", elsewhere),
            judge("restore", elsewhere, "--config", elsewhere),
            judge("migrate", "--config", elsewhere),
        ]
        for process in second:
            code, complaint = said(process)
            assert code == 75
            assert complaint.startswith("judge: another judge is running")
            assert complaint.count("\n") == 1


def test_four_processes_play_the_opening_together(house: House) -> None:
    with house.running(*Part):
        begun = house.open_game()
        wait_until(lambda: house.phase() == "S1901M")
        orders = {power: house.send(POWERS[power], order, "READY") for power, (order, _) in ORDERS.items()}
        wait_until(lambda: house.phase() == "F1901M" and house.is_quiet())
    game = house.game()
    assert game is not None
    assert set(map(str, game.position.units)) >= PLAYED
    assert house.results("ardennes S1901M") == Counter(EVERYBODY)
    assert {id_: len(found) for id_, found in house.replies().items() if id_ != "None"} == dict.fromkeys(
        [*begun, *orders.values()], 1
    )


# Late


@pytest.mark.long
def test_mail_accepted_before_the_judge_was_down_counts_after_a_missed_deadline(house: House) -> None:
    with house.running():
        house.open_game()
        wait_until(lambda: house.phase() == "S1901M" and house.is_quiet())
    with house.running(Part.RECEIVE):
        for power, (order, _) in ORDERS.items():
            house.send(POWERS[power], order)
    house.pass_time(10 * DAY)
    with house.running():
        # The judge did not know that it was away: the phase stays open for another day.
        wait_until(lambda: (game := house.game()) is not None and (game.clock.deadline or NEVER) > utc_now() + 10 * DAY)
        assert house.phase() == "S1901M"
    house.pass_time(DAY + timedelta(minutes=2))
    with house.running():
        wait_until(lambda: house.phase() == "F1901M" and house.is_quiet())
        game = house.game()
        assert game is not None
        assert set(map(str, game.position.units)) >= PLAYED
        house.send(POWERS["FRANCE"], "STATUS")
        wait_until(house.is_quiet)
    assert house.rows("select phase from history") == [("S1901M",)]


# Badly installed


def judge(*arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "judge", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Return exit code and complaint."""
    with process:
        _, complaint = process.communicate(timeout=PATIENCE_SECONDS)
    return process.returncode, complaint


GOOD = """
database = { url = "sqlite:///FOLDER/good.sqlite3" }
delivery = { folder = "FOLDER/outgoing" }
sources = [{ kind = "listener", port = 0 }]
"""
BAD = {
    "a port in use": (GOOD.replace("port = 0", "port = TAKEN"), "source listener cannot start: .* is in use already"),
    "a database in no folder": (GOOD.replace("good.", "nowhere/good."), "there is no database .*run `judge migrate`"),
    "an empty database": (GOOD.replace("good.", "empty."), "the database is empty; run `judge migrate`"),
    "no way out": (GOOD.replace("outgoing", "empty.sqlite3"), "empty.sqlite3.*: "),
    "no TOML": ("sources = [", "config.toml: "),
}
"""A bad installation → its settings, and the complaint about it."""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, tuple[int, str]]]:
    """Yield the complaint of `judge serve` about each bad installation.

    All are tried at the same time.
    """
    folder = tmp_path_factory.mktemp("bad")
    migrate(f"sqlite:///{folder / 'good.sqlite3'}")
    (folder / "empty.sqlite3").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        trials = {}
        for name, (settings, _) in BAD.items():
            config = folder / name / "config.toml"
            config.parent.mkdir()
            filled = settings.replace("FOLDER", str(folder)).replace("TAKEN", str(taken.getsockname()[1]))
            config.write_bytes(filled.encode("utf-8", "surrogateescape"))
            trials[name] = judge("serve", "--config", config)
        yield {name: said(trial) for name, trial in trials.items()}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_installation_is_told_in_one_line(complaints: Mapping[str, tuple[int, str]], name: str) -> None:
    code, complaint = complaints[name]
    assert code == (75 if name == "a port in use" else 2)  # this one may pass, the others will not
    assert re.fullmatch(f"judge: .*{BAD[name][1]}.*\n", complaint), complaint


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_settings_that_cannot_be_read_are_told_in_one_line(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["judge", command, "--config", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"judge: {tmp_path} cannot be read: Is a directory\n"


@pytest.mark.parametrize("act", [Store.open, migrate])
def test_a_file_that_is_no_database_is_left_alone(act: Callable[[str], object], tmp_path: Path) -> None:
    file = tmp_path / "diary"
    file.write_text("Dear diary, " * 500, "utf-8")
    with pytest.raises(InstallationError, match="diary cannot be opened: file is not a database"):
        act(f"sqlite:///{file}")
    assert file.read_text("utf-8").startswith("Dear diary")


@pytest.mark.parametrize("act", [Store.open, migrate])
@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("here", "database.url is wrong: "),
        ("nosuch://here", "database.url is wrong: nosuch is no database of ours; it begins with sqlite:/// or"),
        ("mysql://ada:hidden@here/judge", "database.url is wrong: mysql is no database of ours"),
        ("postgresql+asyncpg://ada:hidden@here/judge", r"database.url is wrong: postgresql\+asyncpg is no"),
        (
            "postgresql://ada:hidden@/judge?host=/dev/null",
            r"postgresql://ada:\*\*\*@/judge.* cannot be opened: connection",
        ),
        ("sqlite:////dev/null/judge.sqlite3", "/dev/null/judge.sqlite3"),
    ],
)
def test_a_database_that_cannot_be_reached_is_told_without_its_password(
    act: Callable[[str], object], url: str, reason: str
) -> None:
    with pytest.raises(InstallationError, match=reason) as refused:
        act(url)
    assert "hidden" not in str(refused.value)


def test_the_doctor_names_what_is_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = House(tmp_path, more=f'{{ kind = "imap", host = "127.0.0.1", port = {free_port()}, security = "none" }}')
    migrate(house.url)
    monkeypatch.setattr(sys, "argv", ["judge", "doctor", "--config", str(house.config)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    said_well, complaint = capsys.readouterr()
    assert "source listener: good" in said_well
    assert "delivery: good" in said_well
    assert re.fullmatch(r"judge: source imap: nobody listens at .*\n", complaint)

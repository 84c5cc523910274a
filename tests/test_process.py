"""`judge serve` as a process: killed, stopped, doubled, taken apart, badly installed."""

from __future__ import annotations

import json
import mailbox
import os
import random
import re
import signal
import smtplib
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from judge.cli import main
from judge.demo.post_office import utc_now
from judge.errors import InstallationError
from judge.games import Game
from judge.rules import load_map
from judge.rules.notation import write_order
from judge.rules.position import Power
from judge.service import Part
from judge.storage import Store, migrate
from tests.soak import Soak
from tests.wire import PATIENCE_SECONDS, free_port, is_listening, wait_until

JUDGE = "judge@localhost"
POWERS = {str(power): f"{str(power).lower()}@players.test" for power in load_map().powers}
"""Power → the address of whoever plays it."""
EVERYBODY = ("gil@players.test", *POWERS.values())
ORDERS = {
    "AUSTRIA": ("A VIE - GAL", "A VIE H"),
    "ENGLAND": ("F LON - NTH", "F LON H"),
    "FRANCE": ("A PAR - BUR", "A PAR H"),
    "GERMANY": ("A MUN - RUH", "A MUN H"),
    "ITALY": ("A VEN - TYR", "A VEN H"),
    "RUSSIA": ("A MOS - UKR", "A MOS H"),
    "TURKEY": ("A CON - BUL", "A CON H"),
}
"""What each power orders in turn, mail after mail; the last one counts."""
PLAYED = {"A GAL", "F NTH", "A BUR", "A RUH", "A TYR", "A UKR", "A BUL"}
"""Units that stand somewhere after the first orders of all."""
DAY = timedelta(days=1)
NEVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass
class House:
    """A judge on a folder of its own, in as many processes as wanted."""

    folder: Path
    port: int = field(default_factory=free_port)
    more: str = ""
    """More of the settings."""
    program: Sequence[str] = (sys.executable, "-m", "judge")

    def __post_init__(self) -> None:
        self.offset = self.folder / "clock-offset"
        self.config = self.folder / "config.toml"
        self.url = f"sqlite:///{self.folder / 'judge.sqlite3'}"
        self.config.write_text(self.settings(self.port), "utf-8")
        self.number = 0

    def settings(self, port: int) -> str:
        return f"""
judge = {{ address = "{JUDGE}", authserv_id = "mx.test" }}
database = {{ url = "{self.url}" }}
games = {{ settling_seconds = 0 }}
clock = {{ offset_file = "{self.offset}" }}
delivery = {{ folder = "{self.folder / "outgoing"}" }}
sources = [
  {{ kind = "listener", port = {port} }},
  {{ kind = "maildir", folder = "{self.folder / "incoming"}", poll_seconds = 0.2 }},
  {self.more}
]
"""

    def start(self, *arguments: str, config: Path | None = None, fail: str = "") -> subprocess.Popen[str]:
        """`fail` is a step at which the judge kills itself."""
        command = [*self.program, "serve", "--config", str(config or self.config), *arguments]
        with (self.folder / "judge.log").open("a", encoding="utf-8") as log:
            environment = os.environ | {"JUDGE_FAIL": fail}
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)

    def migrate(self) -> None:
        migrate(self.url)

    def pass_time(self, time: timedelta) -> None:
        """The judge's clock goes on by that much."""
        ahead = float(self.offset.read_text("utf-8")) if self.offset.exists() else 0.0
        self.offset.write_text(str(ahead + time.total_seconds()), "utf-8")

    @contextmanager
    def running(self, *parts: Part) -> Iterator[subprocess.Popen[str]]:
        """One process for everything, or one for each part, up and well; they end by being killed."""
        processes = [self.start("--only", part.value) for part in parts] or [self.start()]
        try:
            for process in processes:
                assert process.stdout is not None
                assert process.stdout.readline(), self.log()
            yield processes[0]
        finally:
            for process in processes:
                end(process)

    def log(self) -> str:
        return (self.folder / "judge.log").read_text("utf-8")

    # Mail

    def letter(self, sender: str, *lines: str) -> EmailMessage:
        """A mail whose sender our mail server vouches for."""
        self.number += 1
        mail = EmailMessage()
        mail["Authentication-Results"] = "mx.test; dmarc=pass header.from=players.test"
        mail["From"], mail["To"], mail["Subject"] = sender, JUDGE, "game"
        mail["Message-ID"] = f"<{self.number}@players.test>"
        mail.set_content("\n".join(lines) + "\n")
        return mail

    def send(self, sender: str, *lines: str) -> str:
        """Until it is accepted; its Message-ID."""
        mail = self.letter(sender, *lines)
        until = time.monotonic() + PATIENCE_SECONDS
        while not self.accepts(mail):
            assert time.monotonic() < until, self.log()
            time.sleep(0.02)
        return str(mail["Message-ID"])

    def accepts(self, mail: EmailMessage) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as connection:
                connection.send_message(mail, str(mail["From"]), [JUDGE])
        except (OSError, smtplib.SMTPException):
            return False
        return True

    def open_game(self) -> list[str]:
        """The mails that begin a game."""
        begun = [self.send("gil@players.test", "CREATE ardennes", "deadline: 3 days", "ready with missing orders: yes")]
        return begun + [self.send(address, f"JOIN ardennes AS {power}") for power, address in POWERS.items()]

    def replies(self) -> dict[str, list[EmailMessage]]:
        """Message-ID of a player's mail → the judge's answers to it, every copy."""
        found: dict[str, list[EmailMessage]] = {}
        for mail in self.letters():
            found.setdefault(str(mail["In-Reply-To"]), []).append(mail)
        return found

    def letters(self) -> list[EmailMessage]:
        """Everything that lies in the outgoing Maildir."""
        box = mailbox.Maildir(self.folder / "outgoing", factory=None)
        return [message_from_bytes(box.get_bytes(key), policy=SMTP) for key in box.iterkeys()]

    def results(self, phase: str) -> Counter[str]:
        """Who was sent the results of a phase, every copy counted."""
        records = [(mail, part.get_content()) for mail in self.letters() for part in mail.iter_attachments()]
        read = [(mail, json.loads(content)) for mail, content in records]
        return Counter(str(mail["To"]) for mail, record in read if record.get("output", {}).get("id") == phase)

    # Behind the scene

    def game(self) -> Game | None:
        store = Store.open(self.url)
        with store.work() as work:
            game = work.games.get("ardennes")
        store.close()
        return game

    def phase(self) -> str | None:
        game = self.game()
        return str(game.position.phase) if game is not None and game.deadline else None

    def rows(self, query: str) -> list[tuple[object, ...]]:
        connection = sqlite3.connect(self.folder / "judge.sqlite3")
        found = connection.execute(query).fetchall()
        connection.close()
        return found

    def is_quiet(self) -> bool:
        """Whether all mail is worked and all letters have left."""
        unworked = "select id from inbox where state in ('waiting', 'suspect')"
        return not self.rows(f"{unworked} union select id from outbox where state = 'queued'")


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    migrate(made.url)
    return made


# Killed


@dataclass
class Correspondence:
    """Seven people who write on, one mail after the other, whatever happens to the judge."""

    house: House
    pause_seconds: float
    accepted: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: {power: [] for power in ORDERS})
    """Power → Message-ID and order of every mail that was answered with 250."""
    begun: list[str] = field(default_factory=list)
    """The Message-IDs of CREATE and the JOINs."""
    enough: threading.Event = field(default_factory=threading.Event)

    def write(self) -> None:
        self.begun = self.house.open_game()
        wait_until(lambda: self.house.phase() == "S1901M")
        chance = random.Random(1)
        while not self.enough.is_set() or not all(self.accepted.values()):
            power = chance.choice(list(ORDERS))
            mine = self.accepted[power]
            order = ORDERS[power][len(mine) % 2]
            mine.append((self.house.send(POWERS[power], order), order))
            self.enough.wait(self.pause_seconds * chance.random())


def kill_again_and_again(house: House, *, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    correspondence = Correspondence(house, pause_seconds=0.05)
    writing = threading.Thread(target=correspondence.write)
    writing.start()
    for _ in range(kills):
        begun = time.monotonic()
        process = house.start()
        wait_until(lambda: is_listening(house.port))
        # Measured by what this machine takes for a start, so that on a slow one too something is done.
        time.sleep(chance.random() * 0.5 * (time.monotonic() - begun))
        end(process)
    with house.running():
        correspondence.enough.set()
        writing.join()
        wait_until(house.is_quiet)
        check_that_nothing_was_lost_or_doubled(house, correspondence.begun, correspondence.accepted)
        for address in POWERS.values():
            house.send(address, "READY")
        wait_until(lambda: house.phase() == "F1901M" and house.is_quiet())
    assert house.rows("select phase from history") == [("S1901M",)]
    assert house.results("ardennes S1901M") == Counter(EVERYBODY)


def check_that_nothing_was_lost_or_doubled(
    house: House, begun: Sequence[str], accepted: Mapping[str, Sequence[tuple[str, str]]]
) -> None:
    written = [*begun, *(id_ for mails in accepted.values() for id_, _ in mails)]
    kept = house.rows("select message_id, state from inbox")
    assert Counter(kept) == Counter((id_, "done") for id_ in written)
    replies = house.replies()
    for id_ in written:
        assert len({str(copy["Message-ID"]) for copy in replies[id_]}) == 1
    for power, mails in accepted.items():
        for id_, order in mails:
            body = replies[id_][0].get_body(("plain",))
            assert body is not None
            assert f"= {order} is on file" in body.get_content()
        game = house.game()
        assert game is not None
        assert [write_order(filed.order) for filed in game.seat(Power(power)).orders] == [o for _, o in mails[-1:]]
    assert len(house.rows("select id from outbox where kind = 'report'")) == 8


def test_a_judge_killed_while_mail_arrives_loses_nothing_and_doubles_nothing(house: House) -> None:
    kill_again_and_again(house, kills=3, seed=1)


@pytest.mark.soak
def test_a_judge_killed_many_times_loses_nothing_and_doubles_nothing(tmp_path: Path, soak: Soak) -> None:
    for seed in soak.seeds(40):
        (tmp_path / str(seed)).mkdir()
        house = House(tmp_path / str(seed))
        house.migrate()
        kill_again_and_again(house, kills=5, seed=seed)


# Stopped


@pytest.mark.parametrize("server", ["closed", "silent"])
def test_it_stops_although_a_server_is_out_of_reach(tmp_path: Path, server: str) -> None:
    """Servers have ten times as long to answer as we wait for the end."""
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
        house.send("gil@players.test", "HELP")  # the answer to which cannot leave
        wait_until(lambda: house.rows("select id from inbox where state = 'done'"))
        if server == "silent":
            for _ in ("to read", "to deliver"):
                stack.enter_context(silent.accept()[0])
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE_SECONDS) == 0, house.log()
    assert "Traceback" not in house.log()


# Doubled and taken apart


def test_a_second_judge_on_the_same_database_is_refused(house: House) -> None:
    elsewhere = house.folder / "elsewhere.toml"
    elsewhere.write_text(house.settings(free_port()), "utf-8")
    with house.running():
        second = [
            judge("serve", "--config", elsewhere),
            judge("serve", "--only", "deliver", "--config", elsewhere),
            judge("restore", elsewhere, "--config", elsewhere),
        ]
        for process in second:
            code, complaint = said(process)
            assert code == 2
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


def test_mail_accepted_before_the_judge_was_down_counts_after_a_missed_deadline(house: House) -> None:
    with house.running():
        house.open_game()
        wait_until(lambda: house.phase() == "S1901M" and house.is_quiet())
    with house.running(Part.RECEIVE):
        for power, (order, _) in ORDERS.items():
            house.send(POWERS[power], order)
    house.offset.write_text(str(10 * 86400), "utf-8")
    with house.running():
        # Nobody knew that the judge was away: the phase stays open for another day.
        wait_until(lambda: (game := house.game()) is not None and (game.deadline or NEVER) > utc_now() + 10 * DAY)
        assert house.phase() == "S1901M"
    house.offset.write_text(str(11 * 86400 + 120), "utf-8")
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
    """Exit code and complaint."""
    with process:
        _, complaint = process.communicate(timeout=PATIENCE_SECONDS)
    return process.returncode, complaint


GOOD = """
database = { url = "sqlite:///FOLDER/good.sqlite3" }
delivery = { folder = "FOLDER/outgoing" }
sources = [{ kind = "listener", port = 0 }]
"""
BAD = {
    "a port in use": (GOOD.replace("port = 0", "port = TAKEN"), "source listener cannot start.*address already in use"),
    "a database in no folder": (GOOD.replace("good.", "nowhere/good."), "there is no database .*run `judge migrate`"),
    "an empty database": (GOOD.replace("good.", "empty."), "the database is empty; run `judge migrate`"),
    "no way out": (GOOD.replace("outgoing", "empty.sqlite3"), "empty.sqlite3.*: "),
    "no TOML": ("sources = [", "config.toml: "),
}
"""A bad installation → its settings, and what is said about it."""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, tuple[int, str]]]:
    """What `judge serve` says about each bad installation; all are tried at the same time."""
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
    assert code == 2
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
        ("nosuch://here", "database.url is wrong: Can't load plugin"),
        ("mysql://ada:hidden@here/judge", r"mysql://ada:\*\*\*@here/judge cannot be opened: No module"),
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
    assert re.fullmatch(r"judge: source imap: .*Connection refused\n", complaint)

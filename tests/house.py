"""A judge in a process of its own, and everything it reads and writes."""

from __future__ import annotations

import json
import mailbox
import os
import smtplib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from judge.games import Game
from judge.rules import load_map
from judge.service.engine.clock import set_ahead
from judge.service.engine.part import Part
from judge.service.talk.pacing import PAUSE
from judge.storage import Store, migrate
from tests.database import IS_POSTGRESQL, change, rows, url_of
from tests.office import joining
from tests.wire import PATIENCE_SECONDS, free_port, wait_until

JUDGE = "judge@localhost"
POWERS = {str(power): f"{str(power).lower()}@players.test" for power in load_map().powers}
"""Power → the address of its player."""
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
"""Power → the orders it gives in turn, mail after mail; the last one counts."""
PLAYED = {"A GAL", "F NTH", "A BUR", "A RUH", "A TYR", "A UKR", "A BUL"}
"""Where units stand after the first order of every power."""
NEVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass
class House:
    """A judge with a folder of its own, in one or more processes."""

    folder: Path
    port: int = field(default_factory=free_port)
    more: str = ""
    """Additional settings."""
    program: Sequence[str] = (sys.executable, "-m", "judge")
    url: str = ""
    """The URL of the database, if the house does not have its own."""

    def __post_init__(self) -> None:
        self.offset = self.folder / "clock-offset"
        self.config = self.folder / "config.toml"
        self.url = self.url or url_of(self.folder)
        self.config.write_text(self.settings(self.port), "utf-8")
        self.number = 0

    def settings(self, port: int) -> str:
        return f"""
judge = {{ address = "{JUDGE}", authserv_id = "mx.test" }}
database = {{ url = "{self.url}" }}
games = {{ settling_seconds = 0 }}
clock = {{ offset_file = "{self.offset}" }}
delivery = {{ folder = "{self.folder / "outgoing"}", pictures = false }}
sources = [
  {{ kind = "listener", port = {port} }},
  {{ kind = "maildir", folder = "{self.folder / "incoming"}", poll_seconds = 0.2 }},
  {self.more}
]
"""

    def start(self, *arguments: str, config: Path | None = None, fail: str = "") -> subprocess.Popen[str]:
        """Start the judge; `fail` is a step at which it kills itself."""
        command = [*self.program, "serve", "--config", str(config or self.config), *arguments]
        with (self.folder / "judge.log").open("a", encoding="utf-8") as log:
            environment = os.environ | {"JUDGE_FAIL": fail}
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)

    def migrate(self) -> None:
        migrate(self.url)

    def pass_time(self, time: timedelta) -> None:
        """Move the judge's clock forward."""
        ahead = float(self.offset.read_text("utf-8")) if self.offset.exists() else 0.0
        set_ahead(self.offset, ahead + time.total_seconds())

    @contextmanager
    def running(self, *parts: Part) -> Iterator[subprocess.Popen[str]]:
        """Run one process for everything, or one for each part, until the block ends.

        All have started up before the block begins. They are ended by being killed.
        """
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
        """Return a mail whose sender our mail server vouches for."""
        self.number += 1
        mail = EmailMessage()
        mail["Authentication-Results"] = "mx.test; dmarc=pass header.from=players.test"
        mail["From"], mail["To"], mail["Subject"] = sender, JUDGE, "game"
        mail["Message-ID"] = f"<{self.number}@players.test>"
        mail.set_content("\n".join(lines) + "\n")
        return mail

    def send(self, sender: str, *lines: str) -> str:
        """Send a mail until it is accepted; return its Message-ID."""
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
        """Send the mails that begin a game; return their Message-IDs."""
        begun = [self.send("gil@players.test", "CREATE ardennes", "deadline: 3 days", "ready with missing orders: yes")]
        if IS_POSTGRESQL:  # mails of several people are worked side by side
            wait_until(lambda: self.game() is not None)
        return begun + [self.send(address, *joining(power)) for power, address in POWERS.items()]

    def replies(self) -> dict[str, list[EmailMessage]]:
        """Map the Message-ID of each player's mail to every copy of the judge's answers.

        One answer may answer several mails.
        """
        found: dict[str, list[EmailMessage]] = {}
        for mail in self.letters():
            for answered in str(mail["References"]).split() if mail["Auto-Submitted"] == "auto-replied" else ():
                found.setdefault(answered, []).append(mail)
        return found

    def letters(self) -> list[EmailMessage]:
        """Return all mails in the outgoing Maildir."""
        box = mailbox.Maildir(self.folder / "outgoing", factory=None)
        return [message_from_bytes(box.get_bytes(key), policy=SMTP) for key in box.iterkeys()]

    def results(self, phase: str) -> Counter[str]:
        """Count the results of a phase that each address was sent, every copy included."""
        files = [(mail, part) for mail in self.letters() for part in mail.iter_attachments()]
        read = [(mail, json.loads(part.get_content())) for mail, part in files if part.get_content_subtype() == "json"]
        return Counter(str(mail["To"]) for mail, record in read if record.get("output", {}).get("id") == phase)

    def let_answers_leave(self) -> None:
        """Pass so much time that no answer waits for others."""
        self.pass_time(PAUSE)

    # Behind the scene

    def game(self) -> Game | None:
        with closing(Store.open(self.url)) as store, store.work() as work:
            return work.games.get("ardennes")

    def phase(self) -> str | None:
        game = self.game()
        return str(game.position.phase) if game is not None and game.clock.deadline else None

    def give_up_the_dead(self) -> None:
        """Let killed workers count as dead at once.

        Otherwise the others would wait until a killed worker has been silent for long enough.
        """
        if IS_POSTGRESQL:
            change(self.url, "UPDATE worker SET seen = seen - interval '1 hour'")

    def rows(self, query: str) -> list[tuple[object, ...]]:
        return rows(self.url, query)

    def is_quiet(self) -> bool:
        """Whether all mail is worked and all letters have left."""
        unworked = "select id from inbox where state in ('waiting', 'suspect')"
        return not self.rows(f"{unworked} union select id from outbox where state in ('queued', 'gathering')")


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


@contextmanager
def small_disk(folder: Path, *options: str) -> Iterator[Path]:
    """Mount a disk of a few megabytes."""
    folder.mkdir()
    mounted = subprocess.run(
        ("mount", "-t", "tmpfs", "-o", ",".join(("size=12m", *options)), "none", folder),
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"no disk of our own: {mounted.stderr}")
    try:
        yield folder
    finally:
        subprocess.run(("umount", "--lazy", folder), check=True)


def fill(disk: Path) -> Path:
    """Fill a disk completely; return the file that fills it."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return ballast
    raise AssertionError

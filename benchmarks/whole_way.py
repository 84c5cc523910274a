"""Take an order mail through the whole judge, from SMTP in to SMTP out.

One mail after another is stored, read, worked, answered, sent and marked as sent. Promise: at most 2.7 times the CPU
time of a bare program that loses no mail either. That program takes the mail by aiosmtpd, commits it before its 250,
reads it with `email` and one regular expression, commits an answer of two parts, sends it by smtplib over one
connection, and commits the state. Both run in processes of their own, in alternating rounds. A third process writes
the mails and takes the answers; its time is not counted. Each mail has other orders in other words, in one of two
languages. All mails of a side come over one connection, as from a mail server. What three commits and a parse of each
mail take alone is printed beside it.
"""

from __future__ import annotations

import re
import smtplib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from random import Random

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from games import full_game, judge_in, order_mail, people
from measure import Figure, Promise, cpu_ms, in_turns, report, run, share, times, without_logs

from judge.demo.post_office import free_port
from judge.games import Game
from judge.mail.letters import RawMail
from judge.mail.sending import SmtpSender
from judge.mail.sources import ListenerSource
from judge.service.engine.assemble import Parts
from judge.service.engine.run import Service

TARGETS = {"PAR": ("BUR", "GAS", "PIC"), "MAR": ("SPA", "GAS", "PIE"), "BRE": ("MAO", "ENG", "GAS")}
KINDS = {"PAR": "A", "MAR": "A", "BRE": "F"}
GREETINGS = ("", "Hello,\r\n\r\nmy orders for this phase:\r\n\r\n", "命令です。\r\n", "Dear judge,\r\n\r\n")
ENDS = ("", "\r\n\r\nBest wishes,\r\nAnna", "\r\n\r\nよろしくお願いします。", "\r\n\r\n-- \r\nSent from my phone")
FORMS = (
    "{kind} {from_} - {to}",
    "{long} {from_} to {to}",
    "{kind}({from_})-{to}",
    "{long} in {from_} moves to {to}",
    "{from_} {japanese}を{to}へ移動",
)
LONG, JAPANESE = {"A": "Army", "F": "Fleet"}, {"A": "陸軍", "F": "海軍"}
GAMES = 10
MAILS = 20
"""Mails in each round, spread evenly over the games."""
WARM_UP, ROUNDS = 2, 9
"""Few enough rounds: each player gets fewer answers than the hourly limit."""
WHOLE_WAY = Promise("an order mail from SMTP to SMTP, beside a bare program that loses no mail either", most=2.7)
_TABLES = """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE inbox (id INTEGER PRIMARY KEY, mail BLOB, state TEXT);
    CREATE TABLE filed_order (address TEXT, place INTEGER, line TEXT, PRIMARY KEY (address, place));
    CREATE TABLE outbox (id INTEGER PRIMARY KEY, recipient TEXT, mail BLOB, state TEXT);
"""
_AFTER_SECONDS = 0.2
"""Time for the work after the answer was handed over."""


def texts() -> Iterator[str]:
    """Yield orders in various words, hardly ever the same twice."""
    chance = Random(1)
    while True:
        form = chance.choice(FORMS)
        lines = [
            form.format(
                kind=KINDS[at], long=LONG[KINDS[at]], japanese=JAPANESE[KINDS[at]], from_=at, to=chance.choice(to)
            )
            for at, to in TARGETS.items()
        ]
        chance.shuffle(lines)
        yield chance.choice(GREETINGS) + "\r\n".join(lines) + chance.choice(ENDS)


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    count = WARM_UP + times(ROUNDS, rounds)
    with tempfile.TemporaryDirectory() as folder:
        world = World()
        parts = judge_in(Path(folder))
        games = _games(parts)
        mails = [
            order_mail(parts, games[number % GAMES], number, text)
            for number, text in enumerate(islice(texts(), count * MAILS))
        ]
        parts.store.close()
        taken: dict[str, list[float]] = {"judge": [], "floor": []}
        with _side("judge", folder, world.port) as judge, _side("floor", folder, world.port) as floor:
            for number in range(count):
                some = mails[number * MAILS : (number + 1) * MAILS]
                for side in in_turns((judge, floor), number):
                    taken[side.name].append(world.cpu_ms(side, some))
        world.controller.stop()
        least = _three_commits_and_a_parse(Path(folder), mails)
    ours, bare = taken["judge"][WARM_UP:], taken["floor"][WARM_UP:]
    report("an order mail's whole way", statistics.median(ours), "ms CPU", "bare and durable", statistics.median(bare))
    print(f"  three commits and a parse alone: {least:.2f} ms CPU")
    return [Figure(WHOLE_WAY, share(ours, bare))]


@dataclass(frozen=True, slots=True)
class Side:
    """A program in a process of its own that reports its CPU time on request."""

    name: str
    process: subprocess.Popen[str]
    port: int

    def cpu_ms(self) -> float:
        """Return the CPU time of the process so far."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())


@contextmanager
def _side(name: str, folder: str, way_out: int) -> Iterator[Side]:
    port = free_port()
    command = (sys.executable, __file__, name, folder, str(port), str(way_out))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        side = Side(name, process, port)
        try:
            side.cpu_ms()
            yield side
        finally:
            process.kill()


class World:
    """The world outside: writes mails and takes answers."""

    def __init__(self) -> None:
        self.answers: SimpleQueue[bytes] = SimpleQueue()
        self.clients: dict[str, smtplib.SMTP] = {}
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port())
        self.controller.start()
        self.port = self.controller.port

    def client_of(self, side: Side) -> smtplib.SMTP:
        """Return the connection to a side, reopened if the side closed it as idle."""
        client = self.clients.get(side.name)
        try:
            if client is not None and client.noop()[0] == 250:
                return client
        except smtplib.SMTPException:
            pass
        client = self.clients[side.name] = smtplib.SMTP("127.0.0.1", side.port)
        return client

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take an answer."""
        assert isinstance(envelope.content, bytes)
        self.answers.put(envelope.content)
        return "250 OK"

    def cpu_ms(self, side: Side, mails: list[RawMail]) -> float:
        """Return a side's CPU time for a mail, from arrival to its end."""
        began = side.cpu_ms()
        client = self.client_of(side)
        for mail in mails:
            client.sendmail(mail.envelope_from or "", mail.envelope_to, mail.content)
            answer = self.answers.get(timeout=60)
            assert b"multipart/alternative" in answer
        time.sleep(_AFTER_SECONDS)
        return (side.cpu_ms() - began) / len(mails)


def _games(parts: Parts) -> list[Game]:
    with parts.store.work() as work:
        names = [f"game{number}" for number in range(GAMES)]
        games = [full_game(parts, work, name, people(work, name), with_reports=False) for name in names]
        work.commit()
    return games


def _three_commits_and_a_parse(folder: Path, mails: Sequence[RawMail]) -> float:
    """Return the median CPU time of the least that a mail costs, in milliseconds."""
    with closing(sqlite3.connect(folder / "least.sqlite3", isolation_level=None)) as database:
        database.executescript(_TABLES)
        waiting = iter(mails)

        def once() -> None:
            content = next(waiting).content
            kept = database.execute("INSERT INTO inbox (mail, state) VALUES (?, 'waiting')", (content,)).lastrowid
            message_from_bytes(content, policy=policy.default)
            for state in ("worked", "done"):
                database.execute("UPDATE inbox SET state = ? WHERE id = ?", (state, kept))

        return cpu_ms(once, len(mails))


def judge(folder: Path, port: int, way_out: int) -> None:
    """Run the whole judge."""
    without_logs()
    parts = judge_in(folder)
    parts.delivery.sender = SmtpSender("127.0.0.1", way_out)
    (listener,) = parts.sources
    assert isinstance(listener, ListenerSource)
    listener.port = port
    Service(parts).start()


class Bare:
    """The floor: a bare program as careful with mail as the judge.

    Nothing is answered with 250 or forgotten before it is on the disk.
    """

    def __init__(self, folder: Path, way_out: int) -> None:
        self.database = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None, check_same_thread=False)
        self.database.executescript(_TABLES)
        self.waiting: SimpleQueue[int] = SimpleQueue()
        self.client = smtplib.SMTP("127.0.0.1", way_out)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store a mail."""
        kept = self.database.execute("INSERT INTO inbox (mail, state) VALUES (?, 'waiting')", (envelope.content,))
        assert kept.lastrowid is not None
        self.waiting.put(kept.lastrowid)
        return "250 OK"

    def run(self) -> None:
        """Work one mail after another."""
        while True:
            self.work(self.waiting.get())

    def work(self, id_: int) -> None:
        """File the orders, and write and send the answer."""
        (content,) = self.database.execute("SELECT mail FROM inbox WHERE id = ?", (id_,)).fetchone()
        mail = message_from_bytes(content, policy=policy.default)
        body = mail.get_body(("plain",))
        assert body is not None
        lines = re.findall(r"^.*(?:\b[AF][ (]|Army|Fleet|軍).*$", body.get_content(), re.MULTILINE)
        answer = _answer(mail, lines)
        sender = mail["From"].addresses[0].addr_spec
        self.database.execute("BEGIN IMMEDIATE")
        self.database.execute("DELETE FROM filed_order WHERE address = ?", (sender,))
        rows = [(sender, place, line) for place, line in enumerate(lines)]
        self.database.executemany("INSERT INTO filed_order VALUES (?, ?, ?)", rows)
        written = ("INSERT INTO outbox (recipient, mail, state) VALUES (?, ?, 'queued')", (sender, answer.as_bytes()))
        letter = self.database.execute(*written).lastrowid
        self.database.execute("UPDATE inbox SET state = 'done' WHERE id = ?", (id_,))
        self.database.execute("COMMIT")
        queued = self.database.execute("SELECT recipient, mail FROM outbox WHERE id = ?", (letter,)).fetchone()
        self.client.sendmail("judge@localhost", [queued[0]], queued[1])
        self.database.execute("UPDATE outbox SET state = 'sent' WHERE id = ?", (letter,))


def _answer(mail: EmailMessage, lines: list[str]) -> EmailMessage:
    answer = EmailMessage(policy.SMTP)
    answer["From"], answer["To"], answer["Date"] = "judge@localhost", mail["From"], formatdate()
    answer["Subject"], answer["Message-ID"] = mail["Subject"], make_msgid(domain="localhost")
    answer["In-Reply-To"] = answer["References"] = mail["Message-ID"]
    answer.set_content("Your orders are on file:\n" + "".join(f"  {line}\n" for line in lines))
    items = "".join(f"<li>{line}</li>" for line in lines)
    answer.add_alternative(f"<p>Your orders are on file:</p><ul>{items}</ul>", subtype="html")
    return answer


def floor(folder: Path, port: int, way_out: int) -> None:
    """Run the bare program."""
    bare = Bare(folder, way_out)
    Controller(bare, hostname="127.0.0.1", port=port).start()
    threading.Thread(target=bare.run, daemon=True).start()


def _tell_cpu() -> None:
    for _ in sys.stdin:
        print(time.process_time_ns() / 1e6, flush=True)


if __name__ == "__main__":
    sides = {"judge": judge, "floor": floor}
    if sys.argv[1:2] and sys.argv[1] in sides:
        sides[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
        _tell_cpu()
    else:
        run(measure)

"""Take mails by SMTP over 8 connections, each committed before its 250.

The promise is the CPU time of a mail, relative to a bare aiosmtpd that writes each mail to SQLite (WAL, synchronous =
FULL) before it answers. The clients run in a process of their own. The number of mails per second is printed too.
"""

from __future__ import annotations

import smtplib
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import check_output

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from games import judge_in
from measure import Figure, Promise, in_turns, report, run, share, times

from judge.demo.post_office import free_port
from judge.mail.sources import ListenerSource

CONNECTIONS = 8
MAILS = 250
"""Mails over each connection."""
ROUNDS = 5
MAIL = Promise("CPU of a mail taken over 8 connections, beside bare aiosmtpd that commits each", most=1.7)
BODY = "A Par - Bur\r\nA Mar S A Par - Bur\r\nF Bre - Mao\r\n" * 10


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    count = times(ROUNDS, rounds)
    with tempfile.TemporaryDirectory() as folder:
        servers = {"judge": _judge(Path(folder)), "floor": _bare(Path(folder))}
        rates: dict[str, list[float]] = {name: [] for name in servers}
        taken: dict[str, list[float]] = {name: [] for name in servers}
        for number in range(count):
            for name, (port, _) in in_turns(servers.items(), number):
                begun = time.process_time_ns()
                seconds = float(check_output((sys.executable, __file__, str(port), f"{name}-{number}")))
                taken[name].append((time.process_time_ns() - begun) / 1e6 / (CONNECTIONS * MAILS))
                rates[name].append(CONNECTIONS * MAILS / seconds)
        for _, stored in servers.values():
            assert stored() == count * CONNECTIONS * MAILS
    judge, floor = (statistics.median(rates[name]) for name in ("judge", "floor"))
    report("intake by SMTP", judge, "mails/s", "bare aiosmtpd and SQLite", floor)
    cpu = [statistics.median(taken[name]) for name in ("judge", "floor")]
    report("CPU time of a mail", cpu[0], "ms", "bare aiosmtpd and SQLite", cpu[1])
    return [Figure(MAIL, share(taken["judge"], taken["floor"]))]


def _judge(folder: Path) -> tuple[int, Callable[[], int]]:
    parts = judge_in(folder)
    (listener,) = parts.sources
    assert isinstance(listener, ListenerSource)
    listener.start()

    def count() -> int:
        with parts.store.work() as work:
            return sum(work.inbox.counts().values())

    return listener.port, count


class _Bare:
    def __init__(self, folder: Path) -> None:
        self.database = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None, check_same_thread=False)
        self.database.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
            "CREATE TABLE inbox (id INTEGER PRIMARY KEY, mail BLOB);"
        )

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.database.execute("INSERT INTO inbox (mail) VALUES (?)", (envelope.content,))
        return "250 OK"


def _bare(folder: Path) -> tuple[int, Callable[[], int]]:
    bare = _Bare(folder)
    controller = Controller(bare, hostname="127.0.0.1", port=free_port())
    controller.start()
    return controller.port, lambda: int(bare.database.execute("SELECT count(*) FROM inbox").fetchone()[0])


def send(port: int, name: str) -> None:
    """Send all mails and print the seconds that took."""

    def converse(number: int) -> None:
        with smtplib.SMTP("127.0.0.1", port) as client:
            ready.wait()
            for mail in range(MAILS):
                head = f"From: cho@players.test\r\nMessage-ID: <{name}-{number}-{mail}@players.test>\r\n\r\n"
                client.sendmail("cho@players.test", ["judge@localhost"], (head + BODY).encode())

    ready = threading.Barrier(CONNECTIONS + 1)
    threads = [threading.Thread(target=converse, args=(number,)) for number in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    ready.wait()
    begun = time.monotonic()
    for thread in threads:
        thread.join()
    print(time.monotonic() - begun)


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].isdigit():
        send(int(sys.argv[1]), sys.argv[2])
    else:
        run(measure)

"""Compose 800 reports and hand them over by SMTP.

The promise is the CPU time of a letter, relative to a bare smtplib loop. That loop sends the same mails, already
composed, over one connection, and stores nothing. The server is a bare aiosmtpd in a process of its own, and offers
pipelining, as mail servers do. The number of letters per second is printed too.
"""

from __future__ import annotations

import asyncio
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session
from deadline import with_orders
from games import NOON, full_game, judge_in, people
from measure import Figure, Promise, in_turns, report, run, share, times

from judge.demo.post_office import free_port, is_listening
from judge.mail.composing import compose
from judge.mail.sending import SmtpSender
from judge.service.engine.assemble import Parts
from judge.service.phases import close_phase

GAMES = 100
ROUNDS = 7
LETTER = Promise("CPU of a letter composed, sent and marked, beside smtplib sending what was composed before", most=3.5)


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, _sink() as port:
        parts = judge_in(Path(folder))
        contents = _fill(parts)
        rates: dict[str, list[float]] = {"judge": [], "floor": []}
        taken: dict[str, list[float]] = {"judge": [], "floor": []}
        parts.delivery.sender = SmtpSender("127.0.0.1", port)
        ways: Mapping[str, Callable[[], int]] = {
            "floor": lambda: _hand_over(port, contents),
            "judge": parts.delivery.deliver_due,
        }
        for number in range(times(ROUNDS, rounds)):
            for name, deliver in in_turns(ways.items(), number):
                begun, cpu = time.monotonic(), time.process_time_ns()
                sent = deliver()
                taken[name].append((time.process_time_ns() - cpu) / 1e6 / sent)
                rates[name].append(sent / (time.monotonic() - begun))
                assert sent == len(contents)
            _again(parts)
        parts.store.close()
    judge, floor = (statistics.median(rates[name]) for name in ("judge", "floor"))
    report("delivery by SMTP", judge, "mails/s", "bare smtplib", floor)
    judge, floor = (statistics.median(taken[name]) for name in ("judge", "floor"))
    report("CPU time of a letter", judge, "ms", "bare smtplib", floor)
    return [Figure(LETTER, share(taken["judge"], taken["floor"]))]


def _hand_over(port: int, contents: Sequence[bytes]) -> int:
    with smtplib.SMTP("127.0.0.1", port) as client:
        for content in contents:
            client.sendmail("judge+bounce-1.x@localhost", ["cho@players.test"], content)
    return len(contents)


def _fill(parts: Parts) -> list[bytes]:
    """Queue the reports of many games; return their contents."""
    with parts.store.work() as work:
        crowd = people(work, "crowd")
        for number in range(GAMES):
            game = with_orders(full_game(parts, work, f"game{number}", crowd, with_reports=False))
            assert close_phase(work, parts.closing.writer, game, NOON, 0) is not None
        work.commit()
        letters = [work.outbox.get(row["id"]) for row in work.outbox.latest(GAMES * 8)]
    return [compose(letter.letter) for letter in letters if letter is not None]


def _again(parts: Parts) -> None:
    with parts.store.work() as work:
        work.connection.exec_driver_sql("UPDATE outbox SET state = 'queued', due = '2026-01-01 00:00:00'")
        work.commit()


class _Nothing:
    async def handle_EHLO(  # noqa: N802
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return ["250-PIPELINING", *responses]

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        return "250 OK"


@contextmanager
def _sink() -> Iterator[int]:
    port = free_port()
    with subprocess.Popen((sys.executable, __file__, str(port))) as process:
        try:
            while not is_listening(port):
                time.sleep(0.05)
            yield port
        finally:
            process.terminate()


async def _serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(_Nothing()), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].isdigit():
        asyncio.run(_serve(int(sys.argv[1])))
    else:
        run(measure)

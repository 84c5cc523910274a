"""Many games on one PostgreSQL, shared by workers in processes of their own: order mails, then all closings at once.

    python benchmarks/crowd_postgres.py [games [workers …]]        20 games and 1 2 workers if not given

The whole size is 10000 games and 1 2 4 workers: 70,000 mails and 10,000 closings each time, some hours on two cores.
Every mail has exactly one answer, every phase is closed once and every report written once, or the script ends with 1.
Aims, told whether they are reached: a mail costs at most 1.3 times the CPU it costs the embedded judge, the queue has
at most 15 % of it, and N workers have 1/N of the work each, give or take 20 %. The database's own CPU is not counted.
The floor is the embedded judge on SQLite, with the same mails in the same run.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import mean
from subprocess import DEVNULL, PIPE, Popen

from games import NOON, full_game, people
from measure import report, without_logs
from sqlalchemy import text

from judge.config import load_config
from judge.mail.letters import RawMail
from judge.rules import load_map
from judge.service import Part, Parts, assemble
from judge.storage import Store, migrate
from tests.postgres import Server

LATER = NOON + timedelta(hours=2)
ORDERS = ("A VIE - GAL", "F LON - NTH", "A PAR - BUR", "A MUN - RUH", "A VEN - TYR", "A MOS - UKR", "A CON - BUL")
MOST_DEARER, MOST_OF_THE_QUEUE, MOST_UNEVEN = 1.3, 0.15, 0.2
ENOUGH = 300
"""Games, to know what a mail costs alone."""
WARM_UP = 4
"""Games for each worker before anything is measured: it reads its grammars at the first mail, as the embedded judge."""
_HELD = "UPDATE procrastinate_jobs SET scheduled_at = 'infinity' WHERE queue_name = 'mail'"
_LET_GO = "UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE queue_name = 'mail'"
_LET_GO_FIRST = (
    _LET_GO + " AND id IN (SELECT id FROM procrastinate_jobs WHERE queue_name = 'mail' ORDER BY id LIMIT {})"
)
_TICKS = os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Measure and print; 1 if something was lost or doubled."""
    without_logs()
    games, *counts = [int(argument) for argument in sys.argv[1:]] or [20]
    server = Server()
    try:
        print(f"{games} games, {games * 7} mails")
        return max(_round(server, games, count) for count in counts or (1, 2))
    finally:
        server.stop()


def _round(server: Server, games: int, count: int) -> int:
    """So many workers, and before and after them the same without any: what else runs here makes all of it dearer."""
    alone = [_alone(server, games, f"before {count}")]
    parts, cpus = _shared(server, games, count)
    alone.append(_alone(server, games, f"after {count}"))
    embedded, direct = (mean(costs) for costs in zip(*alone, strict=True))
    cost = sum(cpus) / (games * 7) * 1000
    shares = [cpu / sum(cpus) * count for cpu in cpus]
    report(f"{count} workers: an order mail", cost, "ms CPU", "embedded on SQLite", embedded)
    print(f"  without the queue {direct:.2f} ms: it has {1 - direct / cost:.0%} of the CPU; shares {_shown(shares)}")
    wrong = list(_wrong(parts.store, games + WARM_UP * count))
    for said in wrong:
        print(f"  WRONG: {said}")
    parts.store.close()
    is_uneven = any(abs(share - 1) > MOST_UNEVEN for share in shares)
    is_missed = cost > MOST_DEARER * embedded or 1 - direct / cost > MOST_OF_THE_QUEUE or is_uneven
    print(f"  what we aim at is {'not reached' if is_missed else 'reached'}")
    return int(bool(wrong))


def _alone(server: Server, games: int, name: str) -> tuple[float, float]:
    """What a mail costs on SQLite, and on PostgreSQL, where one process works all of them without a queue."""
    few = min(games, ENOUGH) + WARM_UP
    embedded = _by_ourselves(f"sqlite:///{tempfile.mkdtemp()}/judge.sqlite3", few)
    return embedded, _by_ourselves(server.make(name, empty=False), few)


def _by_ourselves(url: str, games: int) -> float:
    """The CPU of one mail, in milliseconds, if one process works all of them without a queue."""
    parts = _filled(url, games)
    parts.intake.work_some(WARM_UP * 7)
    begun = time.process_time()
    worked = parts.intake.work_all()
    cost = (time.process_time() - begun) / worked * 1000
    parts.store.close()
    return cost


def _shared(server: Server, games: int, count: int) -> tuple[Parts, list[float]]:
    """All mails, then all closings: the database as it is left, and the CPU seconds of each worker."""
    first = WARM_UP * count
    parts = _filled(server.make(f"crowd {count}", empty=False), games + first)
    with _workers(parts, Part.WORK, count) as processes:
        rest = "SELECT count(*) - {} FROM inbox WHERE state <> 'done'"
        _until(parts, processes, rest.format(games * 7), partial(_run, parts.store, _LET_GO_FIRST.format(first)))
        seconds, cpus = _until(parts, processes, rest.format(0), partial(_run, parts.store, _LET_GO))
    print(f"  {count} workers: {games * 7 / seconds:.0f} mails/s")
    games += first
    with _workers(parts, Part.CLOCK, count) as processes:
        rest = f"SELECT {games} - count(*) FROM history"
        seconds, _ = _until(parts, processes, rest, partial(_close_all, parts.store))
    print(f"  {count} workers: {games / seconds:.1f} closings/s")
    return parts, cpus


def _shown(shares: Sequence[float]) -> str:
    return ", ".join(f"{share:.2f}" for share in shares)


def _filled(url: str, games: int) -> Parts:
    """A judge with so many games, and a mail of every player; its clock is two hours ahead of their beginning."""
    folder = Path(tempfile.mkdtemp())
    (folder / "ahead").write_text(str((LATER - datetime.now(UTC)).total_seconds()))
    (folder / "config.toml").write_text(f"""
        database = {{ url = "{url}" }}
        clock = {{ offset_file = "{folder / "ahead"}" }}
        delivery = {{ folder = "{folder / "outgoing"}", pictures = false }}
        sources = [{{ kind = "listener", port = 0 }}]
    """)
    migrate(url)
    parts = assemble(load_config(folder / "config.toml"))
    os.environ["JUDGE_CONFIG"] = str(folder / "config.toml")
    for number in range(games):
        with parts.store.work() as work:
            persons = people(work, f"crowd{number}")
            full_game(parts, work, f"game-{number}", persons, with_reports=False)
            work.commit()
        parts.intake.keep(*_mails(parts, f"game-{number}"))
    return parts


def _mails(parts: Parts, name: str) -> Iterator[RawMail]:
    with parts.store.look() as work:
        game = work.games.get(name)
        assert game is not None
        persons = work.people.many(game.members)
    for power, order in zip(load_map().powers, ORDERS, strict=True):
        holder = game.seat(power).holder
        assert holder is not None
        token = parts.closing.writer.reply_token(game, holder)
        sender, recipient = persons[holder].address, f"judge+{name}.{token}@localhost"
        head = f"From: {sender}\r\nTo: {recipient}\r\nSubject: Re: [{name}]\r\nMessage-ID: <{power}.{name}@test>\r\n"
        yield RawMail(f"{head}\r\n{order}\r\n".encode(), "bench", LATER, sender, (recipient,))


@contextmanager
def _workers(parts: Parts, part: Part, count: int) -> Iterator[list[Popen[bytes]]]:
    """So many processes that have nothing to do yet: the jobs are let go when all are there."""
    command = [sys.executable, "-m", "judge", "serve", "--only", part.value]
    _run(parts.store, _HELD)
    processes = [Popen(command, stdout=PIPE, stderr=DEVNULL) for _ in range(count)]
    try:
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        yield processes
    finally:
        for process in processes:
            process.terminate()
            process.wait()


def _until(
    parts: Parts, processes: Sequence[Popen[bytes]], rest: str, begin: Callable[[], None]
) -> tuple[float, list[float]]:
    """The seconds until nothing is left, and the CPU seconds that each of them took."""
    time.sleep(2)
    before = [_cpu(process.pid) for process in processes]
    begun = time.monotonic()
    begin()
    while _count(parts.store, rest):
        time.sleep(0.2)
    seconds = time.monotonic() - begun
    return seconds, [_cpu(process.pid) - known for process, known in zip(processes, before, strict=True)]


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _run(store: Store, statement: str) -> None:
    with store.work() as work:
        work.connection.execute(text(statement))
        work.commit()


def _count(store: Store, query: str) -> int:
    with store.look() as work:
        return int(work.connection.execute(text(query)).scalar_one())


def _close_all(store: Store) -> None:
    """Closing is asked for in all games."""
    with store.look() as work:
        names = work.games.due(LATER + timedelta(days=365))
    for name in names:
        with store.work() as work:
            game = work.games.get(name)
            assert game is not None
            work.games.save(replace(game, closing_since=LATER - timedelta(minutes=1)))
            work.commit()


def _wrong(store: Store, games: int) -> Iterator[str]:
    """What was lost or doubled."""
    counted = {
        "answers": ("SELECT count(DISTINCT inbox) FROM outbox WHERE kind = 'reply'", games * 7),
        "answers, all": ("SELECT count(*) FROM outbox WHERE kind = 'reply'", games * 7),
        "orders on file": ("SELECT count(*) FROM inbox WHERE state = 'done' AND kind = 'person'", games * 7),
        "phases closed": ("SELECT count(*) FROM history", games),
        "reports": ("SELECT count(*) FROM outbox WHERE kind = 'report'", games * 8),
    }
    for what, (query, wanted) in counted.items():
        found = _count(store, query)
        if found != wanted:
            yield f"{what}: {found}, not {wanted}"


if __name__ == "__main__":
    sys.exit(main())

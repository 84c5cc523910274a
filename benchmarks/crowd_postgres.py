"""Work order mails, then close all games, on a PostgreSQL shared by several workers.

Each worker has a process of its own.

    python benchmarks/crowd_postgres.py                   40 games, one worker and two
    python benchmarks/crowd_postgres.py --rounds 250      10,000 games and four workers too: 70,000 mails and 10,000
                                                          closings each, a quarter of an hour on 2 cores

Promises: every mail has exactly one answer, every phase is closed once and every report is written once. A mail costs
at most 1.75 times the CPU of the embedded judge, and the queue at most 20 % of it. Each of N workers has 1/N of the
work, give or take 20 %. The database's own CPU is not counted in these. The floor is `judge serve` on SQLite with the
same mails in the same run. N workers are compared with N embedded judges, because processes that share a processor pay
more for everything. All have read their grammars, but no game, before anything is counted.

Two workers on two cores that the server shares do at least 1.5 times the mails of one. This is computed from CPU, which
other load changes far less than seconds: two cores do 2 / (worker + server) mails, one worker at most 1 / worker. A
real worker also waits for the server and the disk. On an idle machine, the ratio by the clock is therefore higher.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import mean
from subprocess import DEVNULL, PIPE, Popen

from games import NOON, full_game, people
from measure import Figure, Promise, report, run, without_logs
from sqlalchemy import text

from judge.config import load_config
from judge.mail.letters import RawMail
from judge.rules import load_map
from judge.service.engine.assemble import Parts, assemble
from judge.service.engine.logs import logs_to_stderr
from judge.service.engine.part import Part
from judge.storage import Store, WorkMail, migrate
from judge.storage.jobs import Jobs
from tests.postgres import Server

LATER = NOON + timedelta(hours=2)
ORDERS = ("A VIE - GAL", "F LON - NTH", "A PAR - BUR", "A MUN - RUH", "A VEN - TYR", "A MOS - UKR", "A CON - BUL")
GAMES, WORKERS, MANY = 40, (1, 2), 1000
"""Games, numbers of workers, and the number of games from which four workers run too."""
DEARER = Promise("an order mail on a shared PostgreSQL, beside as many embedded judges", most=1.75)
OF_THE_QUEUE = Promise("the part of it that the queue has", most=0.2)
UNEVEN = Promise("the part of the work that a worker does more or less than others", most=0.2)
TWO = Promise("the mails of two workers beside one, on two cores with the server, by CPU", least=1.5)
ENOUGH = 300
"""The most games for measuring what a mail costs alone."""
WARM_UP = 4
"""Games for each worker or embedded judge before anything is measured."""
_PUT_BY = "UPDATE inbox SET state = 'dropped' WHERE id > {}"
_TAKE_UP = "UPDATE inbox SET state = 'waiting' WHERE state = 'dropped' AND id <= {}"
_WAITING, _SUSPECT = (
    f"coalesce((SELECT min(id) FROM inbox WHERE state = '{state}'), 0)" for state in ("waiting", "suspect")
)
_UNDONE = f"SELECT {_WAITING} + {_SUSPECT}"
"""Zero if no mail waits. An index answers without counting, because the query runs often."""
_PATIENCE = timedelta(minutes=5)
"""How long a count may stay the same before the script gives up."""
_SERVE = (sys.executable, "-m", "judge", "serve", "--only")
_TURNS = "turns"
"""The argument that makes this script one of its own workers."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge with its mails, and the path of its settings."""

    parts: Parts
    config: Path

    def run(self, statement: str) -> None:
        """Run a statement that changes the database."""
        with self.parts.store.work() as work:
            work.connection.execute(text(statement))
            work.commit()

    def count(self, query: str) -> int:
        """Return the number that a query counts."""
        with self.parts.store.look() as work:
            return int(work.connection.execute(text(query)).scalar_one())


@dataclass(frozen=True, slots=True)
class Worked:
    """All mails of some games, worked by several workers."""

    mails: int
    seconds: float
    cpus: Sequence[float]
    """CPU seconds of each worker."""
    server: float
    """CPU seconds of the server."""

    @property
    def cost(self) -> float:
        """The workers' CPU for a mail, in milliseconds."""
        return sum(self.cpus) / self.mails * 1000

    @property
    def unevenness(self) -> float:
        """The part of its fair share that a worker did more or less, at most."""
        return max(abs(cpu / sum(self.cpus) * len(self.cpus) - 1) for cpu in self.cpus)

    @property
    def left_of_two(self) -> float:
        """The part of two cores that the server leaves to the workers."""
        return 2 * sum(self.cpus) / (sum(self.cpus) + self.server)


def measure(rounds: float) -> list[Figure]:
    """Measure and print, and fail if something was lost or doubled."""
    games = max(GAMES // 2, round(GAMES * rounds))
    server = Server()
    try:
        print(f"{games} games, {games * 7} mails")
        worked, found = zip(*(_round(server, games, count) for count in _counts(games)), strict=True)
    finally:
        server.stop()
    one, two = worked[:2]
    print(f"two workers beside one, by the clock: {two.mails / two.seconds * one.seconds / one.mails:.2f}")
    worst = (max(figures, key=lambda one: one.measured) for figures in zip(*found, strict=True))
    return [*worst, Figure(TWO, two.left_of_two)]


def _counts(games: int) -> Sequence[int]:
    return (*WORKERS, 4) if games >= MANY else WORKERS


def _round(server: Server, games: int, count: int) -> tuple[Worked, tuple[Figure, ...]]:
    """Measure `count` workers, and before and after them the floors.

    Other load on the machine makes all of them dearer.
    """
    few = max(1, min(games, ENOUGH) // count)
    alone = [_alone(server, few, count, "before")]
    judge, worked = _shared(server, games, count)
    alone.append(_alone(server, few, count, "after"))
    embedded, direct = (mean(costs) for costs in zip(*alone, strict=True))
    report(f"{count} workers: an order mail", worked.cost, "ms CPU", "embedded on SQLite", embedded)
    print(f"  without the queue {direct:.2f} ms; the server {worked.server / worked.mails * 1000:.2f} ms beside it")
    wrong = list(_wrong(judge, games + WARM_UP * count))
    for said in wrong:
        print(f"  WRONG: {said}")
    judge.parts.store.close()
    assert not wrong, "something was lost or doubled"
    of_queue = Figure(OF_THE_QUEUE, 1 - direct / worked.cost)
    return worked, (Figure(DEARER, worked.cost / embedded), of_queue, Figure(UNEVEN, worked.unevenness))


def _alone(server: Server, games: int, count: int, when: str) -> tuple[float, float]:
    """Return the cost of a mail for embedded judges, and on PostgreSQL without a queue.

    `count` processes have `games` games each. Costs are in milliseconds of CPU.
    """
    places = [f"{when} {number + 1} of {count}" for number in range(count)]
    embedded = [_filled(f"sqlite:///{tempfile.mkdtemp()}/judge.sqlite3", games + WARM_UP) for _ in places]
    _run(embedded, _PUT_BY.format(WARM_UP * 7))
    rest = partial(_count, embedded, _UNDONE)
    with _started(embedded, (*_SERVE, Part.WORK.value)) as processes:
        _until(processes, rest, lambda: None)
        _, cpus = _until(processes, rest, partial(_run, embedded, _TAKE_UP.format((WARM_UP + games) * 7)))
    direct = [_filled(server.make(place, empty=False), games + WARM_UP) for place in places]
    with _started(direct, (sys.executable, __file__, _TURNS, str(games + WARM_UP))) as processes:
        rest = partial(_count, direct, _UNDONE)
        _, turns = _until(processes, rest, partial(_tell, processes))
    for judge in (*embedded, *direct):
        judge.parts.store.close()
    mails = games * 7 * count
    return sum(cpus) / mails * 1000, sum(turns) / mails * 1000


def _turns(games: int) -> None:
    """Be a worker without a queue: work the turns of all games."""
    parts = assemble(load_config(Path(os.environ["JUDGE_CONFIG"])))
    logs_to_stderr()
    for number in range(games):
        if number == WARM_UP:
            gc.collect()
            gc.freeze()
            gc.set_threshold(10_000)  # as `judge serve` sets it
            print("ready", flush=True)
            sys.stdin.readline()
        parts.intake.work_turn(f"game{number}")
    sys.stdin.readline()


def _shared(server: Server, games: int, count: int) -> tuple[Judge, Worked]:
    """Work all mails, then close all games; return the judge and what the mails cost."""
    first = WARM_UP * count
    judge = _filled(server.make(f"crowd {count}", empty=False), games + first)
    jobs = Jobs(judge.parts.config.database.url)
    judge.run(_PUT_BY.format(0))  # a worker that starts claims all waiting mail
    with _started([judge] * count, (*_SERVE, Part.WORK.value)) as processes:
        _until(processes, partial(judge.count, _UNDONE), partial(_take_up, judge, jobs, 0, first))
        before = _cpu_of(server)
        seconds, cpus = _until(processes, partial(judge.count, _UNDONE), partial(_take_up, judge, jobs, first, games))
        worked = Worked(games * 7, seconds, cpus, _cpu_of(server) - before)
        memory = [_megabytes(process.pid) for process in processes]
    print(f"  {count} workers: {worked.mails / seconds:.0f} mails/s, {max(memory)} MB of memory at most")
    jobs.close()
    games += first
    with _started([judge] * count, (*_SERVE, Part.CLOCK.value)) as processes:
        open_ = partial(judge.count, f"SELECT {games} - count(*) FROM history")
        seconds, _ = _until(processes, open_, partial(_close_all, judge.parts.store))
    print(f"  {count} workers: {games / seconds:.1f} closings/s")
    return judge, worked


def _filled(url: str, games: int) -> Judge:
    """Return a judge with games and a mail of every player.

    Its clock is two hours ahead of the start of the games.
    """
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
    for number in range(games):
        with parts.store.work() as work:
            persons = people(work, f"crowd{number}")
            full_game(parts, work, f"game{number}", persons, with_reports=False)
            work.commit()
        parts.intake.keep(*_mails(parts, f"game{number}"))
    return Judge(parts, folder / "config.toml")


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
def _started(judges: Sequence[Judge], command: Sequence[str]) -> Iterator[list[Popen[bytes]]]:
    """Yield an idle process for each judge, ready to work."""
    environments = [os.environ | {"JUDGE_CONFIG": str(judge.config)} for judge in judges]
    processes = [Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=one) for one in environments]
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
    processes: Sequence[Popen[bytes]], rest: Callable[[], int], begin: Callable[[], None]
) -> tuple[float, list[float]]:
    """Return the seconds until nothing is left, and the CPU seconds of each process."""
    time.sleep(2)
    before = [_cpu(process.pid) for process in processes]
    begun = time.monotonic()
    begin()
    left, since = rest(), begun
    while left:
        time.sleep(0.05)
        if (now_left := rest()) != left:
            left, since = now_left, time.monotonic()
        assert time.monotonic() - since < _PATIENCE.total_seconds(), f"{left} are left, and nothing is done"
    seconds = time.monotonic() - begun
    return seconds, [_cpu(process.pid) - known for process, known in zip(processes, before, strict=True)]


def _tell(processes: Sequence[Popen[bytes]]) -> None:
    """Tell the processes to begin."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()


def _cpu(pid: int, *, with_ended: bool = False) -> float:
    """Return the CPU seconds of a process, and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_ended else 13])) / _TICKS


def _cpu_of(server: Server) -> float:
    """Return the CPU seconds of all processes of a server."""
    main = server.process.pid
    seconds = _cpu(main, with_ended=True)
    for child in Path(f"/proc/{main}/task/{main}/children").read_text().split():
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            seconds += _cpu(int(child))
    return seconds


def _megabytes(pid: int) -> int:
    """Return the peak memory of a process in MB."""
    (peak,) = re.findall(r"^VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(peak) // 1000


def _run(judges: Sequence[Judge], statement: str) -> None:
    for judge in judges:
        judge.run(statement)


def _count(judges: Sequence[Judge], query: str) -> int:
    return sum(judge.count(query) for judge in judges)


def _take_up(judge: Judge, jobs: Jobs, first: int, games: int) -> None:
    """Make the mail of some games wait, and wake the workers."""
    judge.run(_TAKE_UP.format((first + games) * 7))
    jobs.after([WorkMail(f"game{number}") for number in range(first, first + games)])


def _close_all(store: Store) -> None:
    """Make all games due for closing."""
    with store.look() as work:
        names = work.games.due(LATER + timedelta(days=365))
    for name in names:
        with store.work() as work:
            game = work.games.get(name)
            assert game is not None
            work.games.save(replace(game, clock=replace(game.clock, closing_since=LATER - timedelta(minutes=1))))
            work.commit()


def _wrong(judge: Judge, games: int) -> Iterator[str]:
    """Yield what was lost or doubled."""
    counted = {
        "answers": ("SELECT count(DISTINCT inbox) FROM outbox WHERE kind = 'reply'", games * 7),
        "answers, all": ("SELECT count(*) FROM outbox WHERE kind = 'reply'", games * 7),
        "orders on file": ("SELECT count(*) FROM inbox WHERE state = 'done' AND kind = 'person'", games * 7),
        "phases closed": ("SELECT count(*) FROM history", games),
        "reports": ("SELECT count(*) FROM outbox WHERE kind = 'report'", games * 8),
    }
    for what, (query, wanted) in counted.items():
        found = judge.count(query)
        if found != wanted:
            yield f"{what}: {found}, not {wanted}"


if __name__ == "__main__":
    if sys.argv[1:2] == [_TURNS]:
        without_logs()
        _turns(int(sys.argv[2]))
    else:
        run(measure)

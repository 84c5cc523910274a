"""The engine for several machines sharing a PostgreSQL database.

Procrastinate's workers run our jobs.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Status
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from judge.errors import SourceError
from judge.mail.sources import ImapSource, MaildirSource, Source
from judge.service.engine.assemble import Parts
from judge.service.engine.part import Part
from judge.storage import Store
from judge.storage.jobs import (
    CLOCK,
    CLOSE,
    DELIVERY,
    HASTY,
    MAIL,
    Claims,
    Jobs,
    connection_info,
    has_read,
    is_known,
    latest_due,
    refuse_an_older_queue,
    unread_since,
    what_is_due,
    what_waits,
)

log = structlog.get_logger(__name__)

_QUEUES = {Part.WORK: (MAIL,), Part.CLOCK: (CLOSE, CLOCK), Part.DELIVER: (DELIVERY,)}
_LOOK = "* * * * * */2"
"""Every other second, for games and letters that fall due."""
_WATCH = "* * * * *"
_SWEEP_SECONDS = 10
"""Seconds between two looks for mail whose wake-up was lost."""
_MOST_GAMES, _MOST_TURNS = 1000, 100
"""Limits of one look; the oldest come first, and all are reached in time."""
SILENT_SECONDS = 20
"""A worker without a heartbeat for this long counts as dead.

It sends one every five seconds.
"""
_STOPPING_SECONDS = 1.0
_NEW = timedelta(hours=23)
"""A mailbox never read counts as last read this long ago: closings wait for it."""
_FORGOTTEN = timedelta(days=1)
"""Closings do not wait for a mailbox that was last read longer ago."""


def _pool(**settings: Any) -> AsyncConnectionPool:  # noqa: ANN401 - what Procrastinate gives and the pool takes
    """Return a pool that does not test connections before use.

    Testing would double the queries.
    """
    return AsyncConnectionPool(min_size=1, max_size=3, **(settings | {"check": None}))


async def _without_begin(connection: AsyncConnection[Any]) -> None:
    """Use autocommit.

    Every query of Procrastinate is a single statement, which needs no BEGIN and COMMIT.
    """
    await connection.set_autocommit(True)
    await connection.execute(HASTY)


class Shared:
    """The workers of one process: one for each part, each with its own connection."""

    def __init__(self, parts: Parts, mailboxes: Sequence[Source]) -> None:
        self.parts = parts
        self.mailboxes = Mailboxes(parts, mailboxes)
        self.jobs = Jobs(parts.config.database.url)
        self.gauges = QueueGauges(parts.store, self.jobs)
        self.running: dict[Part, tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = {}
        self.is_stopping = threading.Event()
        self.on_begin: Callable[[str], None] = lambda _: None
        """Called when a part is connected and working: its worker never returns to report that."""
        parts.store.waker = self.jobs
        self.jobs.clock = parts.clock
        parts.intake.is_stopping = self.is_stopping.is_set
        parts.closing.unread_since = self._unread_since
        self.connection_info = connection_info(parts.config.database.url)
        self.settling = timedelta(seconds=parts.config.games.settling_seconds)

    def check(self) -> None:
        """Raise InstallationError if the database's queue is not what our library expects."""
        refuse_an_older_queue(self.parts.store.engine)

    def acts(self, parts: Collection[Part]) -> Mapping[str, Callable[[], int]]:
        """Return name → function to run in a loop.

        A worker runs until told to stop, or until the database is away.
        """
        acts: dict[str, Callable[[], int]] = {part.value: partial(self._run, part) for part in _QUEUES if part in parts}
        if self.mailboxes.others:
            acts["mailboxes"] = self.mailboxes.look
        return acts

    def _run(self, part: Part) -> int:
        return asyncio.run(self._work(part))

    async def _work(self, part: Part) -> int:
        connector = PsycopgConnector(pool_factory=_pool, conninfo=self.connection_info, configure=_without_begin)
        app = App(connector=connector)
        self._put_tasks(app, part)
        async with app.open_async():
            worker = asyncio.create_task(
                app.run_worker_async(
                    queues=list(_QUEUES[part]),
                    name=part.value,
                    delete_jobs="always",
                    install_signal_handlers=False,
                    update_heartbeat_interval=SILENT_SECONDS / 4,
                    stalled_worker_timeout=SILENT_SECONDS,
                    shutdown_graceful_timeout=_STOPPING_SECONDS,
                )
            )
            if part is Part.WORK:  # earlier than the clock's next look
                await asyncio.to_thread(self._sweep)
            self.on_begin(part.value)
            self.running[part] = asyncio.get_running_loop(), worker
            if self.is_stopping.is_set():
                worker.cancel()
            try:
                await worker
            except asyncio.CancelledError:
                log.info("worker stopped", worker=part.value)
            finally:
                del self.running[part]
        return 0

    def _put_tasks(self, app: App, part: Part) -> None:
        tasks: dict[str, Callable[..., object]] = {
            MAIL: self.parts.intake.work_turn,
            CLOSE: self.parts.closing.look_after,
            DELIVERY: self.parts.delivery.deliver_due,
        }
        for name in _QUEUES[part]:
            if name in tasks:
                app.task(name=name, queue=name)(tasks[name])
        if part is Part.CLOCK:
            acts = (("look", _LOOK, self.look), ("watch", _WATCH, self.watch), ("tidy", _WATCH, partial(_tidy, app)))
            for name, cron, act in acts:
                app.periodic(cron=cron)(app.task(name=name, queue=CLOCK, queueing_lock=name)(act))

    def look(self, timestamp: int) -> None:
        """Queue jobs for all that is due.

        Every ten seconds, also queue jobs for work whose wake-up may have been lost.
        """
        now = self.parts.clock()
        self.parts.closing.heed_the_clock(now)
        with self.parts.store.look() as work:
            tasks = [*what_is_due(work.connection, now, self.settling, _MOST_GAMES)]
            if timestamp % _SWEEP_SECONDS == 0:
                tasks += what_waits(work.connection, now, _MOST_TURNS)
        self.jobs.after(tasks)

    def _sweep(self) -> None:
        """Queue jobs for mail that was left when the last process stopped."""
        with self.parts.store.look() as work:
            tasks = what_waits(work.connection, self.parts.clock(), _MOST_TURNS)
        self.jobs.after(tasks)

    def _unread_since(self, due: datetime) -> Sequence[str]:
        with self.parts.store.look() as work:
            return unread_since(work.connection, due, self.parts.clock() - _FORGOTTEN)

    def watch(self, timestamp: int) -> None:
        """Run the checks of every minute; one process does it for all."""
        del timestamp
        self.parts.watch.look()
        self.parts.intake.ask_what_waits()
        self.parts.intake.heed_boards()
        self.parts.desks.write_in_the_morning()
        while not self.is_stopping.is_set() and self.parts.watch.clean():
            pass

    def stop(self) -> None:
        """Accept no new jobs, and wait a short time for those under way."""
        self.is_stopping.set()
        for loop, worker in list(self.running.values()):
            loop.call_soon_threadsafe(worker.cancel)
        self.mailboxes.stop()


async def _tidy(app: App, timestamp: int) -> None:
    """Remove the jobs of dead workers.

    Their work is still in the tables and will be queued again.
    """
    del timestamp
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=SILENT_SECONDS):
        with suppress(ConnectorException):  # another process removed it first
            await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)


class QueueGauges(Collector):
    """Metrics of the queues, measured at each scrape."""

    def __init__(self, store: Store, jobs: Jobs) -> None:
        self.store = store
        self.jobs = jobs

    def collect(self) -> Iterator[Metric]:
        """Yield jobs by queue, live judges, and the size of the database."""
        family = GaugeMetricFamily("judge_queue_jobs", "Jobs, by queue and state", labels=("queue", "state"))
        for labels, count in self.jobs.in_queues().items():
            family.add_metric(labels, count)
        yield family
        live = Counter(worker.version for worker in self.store.live_workers())
        family = GaugeMetricFamily("judge_workers", "Live judge processes, by version", labels=("version",))
        for version, count in live.items():
            family.add_metric((version,), count)
        yield family
        yield GaugeMetricFamily(
            "judge_database_megabytes", "What the database takes on its server", self.store.megabytes()
        )


class Mailboxes:
    """The mailboxes this process may read.

    Each is read by one process at a time, across all machines.
    """

    def __init__(self, parts: Parts, sources: Sequence[Source]) -> None:
        self.parts = parts
        self.others = list(sources)
        """Mailboxes that another process may be reading."""
        self.read: dict[str, tuple[Source, datetime]] = {}
        """Mailbox → its source here, and when it was last read completely."""
        self.claims = Claims(parts.store.engine)

    @property
    def ours(self) -> Sequence[Source]:
        """The mailboxes that this process reads."""
        return [source for source, _ in self.read.values()]

    def look(self) -> int:
        """Claim unclaimed mailboxes; read ours completely if a game waits for that; return 0."""
        if not self.claims.are_held():  # the database was away; a mail that two processes read is stored once
            for mailbox in self.read:
                self.claims.take(_claim(mailbox))
        for source in tuple(self.others):
            self._take(source)
        with self.parts.store.look() as work:
            due = latest_due(work.connection, self.parts.clock())
        for mailbox, (source, at) in tuple(self.read.items()):
            if due is not None and at < due:
                self._read(mailbox, source)
        return 0

    def _take(self, source: Source) -> None:
        mailbox = place_of(source)
        if not self.claims.take(_claim(mailbox)):
            return
        before = self.parts.clock() - _NEW
        with self.parts.store.work() as work:
            if not is_known(work.connection, mailbox):
                has_read(work.connection, mailbox, before)
                work.commit()
        source.start()
        self.others.remove(source)
        self.read[mailbox] = source, before
        log.info("mailbox is ours", source=source.name)

    def _read(self, mailbox: str, source: Source) -> None:
        at = self.parts.clock()
        try:
            source.drain()
        except SourceError as error:
            log.warning("a game waits for a mailbox", source=source.name, reason=str(error))
            return
        with self.parts.store.work() as work:
            has_read(work.connection, mailbox, at)
            work.commit()
        self.read[mailbox] = source, at

    def stop(self) -> None:
        """Release the claims: other processes may read the mailboxes while we finish."""
        self.claims.close()


def _claim(mailbox: str) -> str:
    return f"mailbox {mailbox}"


def place_of(source: Source) -> str:
    """Return the location of a mailbox, the same on every machine that can reach it."""
    match source:
        case MaildirSource():
            return f"{socket.gethostname()}:{source.folder.resolve()}"
        case ImapSource():
            return str(source.account)
        case _:
            return source.name

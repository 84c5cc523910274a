"""Procrastinate on PostgreSQL: its jobs wake workers; our rows say what to do.

Only the library's public interface is used. A lost wake-up costs seconds: the clock polls the rows now and then
(`what_waits`) and defers a new job.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any

import psycopg
import structlog
from procrastinate import App, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.schema import SchemaManager
from psycopg_pool import ConnectionPool
from sqlalchemy import Connection, Engine, TextClause, case, func, insert, make_url, or_, select, text, update
from sqlalchemy.exc import DBAPIError

from judge.errors import InstallationError
from judge.storage import tables as t
from judge.storage.leases import is_free
from judge.storage.states import WAITING_LETTERS, InboxState, among
from judge.storage.turns import waits
from judge.storage.waking import DELIVER, CloseGame, Deliver, Task, WorkMail, turn_of

log = structlog.get_logger(__name__)

MAIL, CLOSE, DELIVERY, CLOCK = "mail", "close", "deliver", "clock"
"""The queues. The first three each have one task, of the same name."""

_LIBRARY = "procrastinate"
HASTY = "SET synchronous_commit TO off"
"""For connections that only defer jobs: a job lost in a power failure costs seconds."""
_PATIENCE_SECONDS = 2.0
"""How long a commit waits for a connection to defer its jobs.

After that, the clock finds the rows.
"""
_MOMENT_SECONDS = 0.1
"""Letters queued within that time after others get no job of their own.

Mostly the earlier job still waits. If it ran before they were committed, the clock finds them.
"""
_READING = t.judge_reading
_CLAIM = text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")
_ARE_HELD = text("SELECT true")


# The library's tables


def connection_info(url: str) -> str:
    """Return the address of the database in libpq's syntax."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def put_in_place(engine: Engine) -> None:
    """Bring the library's tables and functions to the installed version."""
    steps = _steps()
    with engine.begin() as connection:
        known = _version(connection)
        if known is None:
            known = steps[-1].name
            _apply(connection, SchemaManager.get_schema(), known)
    for step in steps:
        if step.name > known:  # each in its own commit: a value added to an enum cannot be used in the same one
            with engine.begin() as connection:
                _apply(connection, step.read_text("utf-8"), step.name)


def refuse_an_older_queue(engine: Engine) -> None:
    """Raise InstallationError if the library was upgraded and `judge migrate` was not run since."""
    with engine.connect() as connection:
        if not is_newest(connection):
            raise InstallationError(f"the queue in the database is older than {_steps()[-1].name}; run `judge migrate`")


def is_newest(connection: Connection) -> bool:
    """Whether the library's tables are those of the installed version."""
    return (_version(connection) or "") >= _steps()[-1].name


def _steps() -> list[Path]:
    return sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))


def _version(connection: Connection) -> str | None:
    """Return the newest applied migration of the library; None if its tables are missing."""
    found = select(t.library.c.version).where(t.library.c.name == _LIBRARY)
    version: str | None = connection.execute(found).scalar()
    return version


def _apply(connection: Connection, statements: str, version: str) -> None:
    connection.connection.cursor().execute(statements)
    known = update(t.library).where(t.library.c.name == _LIBRARY).values(version=version)
    if connection.execute(known).rowcount == 0:
        connection.execute(insert(t.library).values(name=_LIBRARY, version=version))


# Wake-ups


class Jobs:
    """Defer a job for each task, once its reason is committed."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.clock: Callable[[], datetime] | None = None
        """Set in processes that run games; without it, due games are left to the clock."""
        self._told_deliverers = -_MOMENT_SECONDS

    @cached_property
    def _pool(self) -> ConnectionPool:
        options = {"autocommit": True, "application_name": "judge"}
        address = connection_info(self.url)
        return ConnectionPool(
            address, kwargs=options, configure=_be_hasty, min_size=1, timeout=_PATIENCE_SECONDS, open=True
        )

    @cached_property
    def _app(self) -> App:
        return App(connector=SyncPsycopgConnector()).open(self._pool)

    def after(self, tasks: Sequence[Task]) -> None:
        """Wake the workers.

        An error is logged and not raised: the rows are committed, and the clock finds them.
        """
        try:
            for task in tasks:
                self._defer(task)
        except ConnectorException as error:
            log.warning("workers could not be woken", reason=str(error.__cause__ or error))

    def _defer(self, task: Task) -> None:
        match task:
            case WorkMail(turn):
                self._once(MAIL, turn, turn=turn)
            case CloseGame(game, due):
                if self.clock is not None and due <= self.clock():
                    self._once(CLOSE, game, game=game)
            case Deliver():
                now = monotonic()
                if now - self._told_deliverers >= _MOMENT_SECONDS:
                    self._once(DELIVERY, "")
                    self._told_deliverers = now

    def _once(self, queue: str, what: str, **arguments: str) -> None:
        """Defer a job unless the same one waits: that one begins after our commit."""
        with suppress(AlreadyEnqueued):
            self._app.configure_task(queue, queue=queue, queueing_lock=f"{queue} {what}").defer(**arguments)

    def in_queues(self) -> Mapping[tuple[str, str], int]:
        """Return (queue, state) → number of jobs."""
        queues = self._app.job_manager.list_queues()
        return {(queue["name"], state): queue[state] for queue in queues for state in ("todo", "doing")}

    def close(self) -> None:
        """Close the connections; work committed from now on is left to the clock."""
        self._pool.close()


def _be_hasty(connection: psycopg.Connection[Any]) -> None:
    connection.execute(HASTY)


def what_is_due(connection: Connection, now: datetime, settling: timedelta, limit: int) -> Sequence[Task]:
    """Return tasks for due games, longest due first, and for due letters."""
    game, due = t.game.c, t.game.c.due
    ripe = select(game.name).where(due <= now, or_(due <= now - settling, due == game.closing_since))
    tasks: list[Task] = [CloseGame(name, now) for name in connection.execute(ripe.order_by(due).limit(limit)).scalars()]
    letter = select(t.outbox.c.id).where(among(t.outbox.c.state, WAITING_LETTERS), t.outbox.c.due <= now).limit(1)
    return [*tasks, DELIVER] if connection.execute(letter).first() is not None else tasks


def what_waits(connection: Connection, now: datetime, limit: int) -> Sequence[WorkMail]:
    """Return turns with mail that no live worker has claimed, oldest first.

    Their wake-ups may be lost.
    """
    mail = t.inbox.c
    sender = case((mail.turn.is_(None), mail.sender)).label("sender")
    is_time = or_(mail.state == InboxState.WAITING.value, mail.retry_at <= now)
    found = select(mail.turn, sender).where(waits(t.inbox), is_time, is_free(mail.owner, ""))
    rows = connection.execute(found.group_by(mail.turn, sender).order_by(func.min(mail.id)).limit(limit))
    return [WorkMail(turn_of(row.turn, row.sender)) for row in rows]


# When the mailboxes were read


def latest_due(connection: Connection, now: datetime) -> datetime | None:
    """Return the latest past due time of a game."""
    return connection.execute(select(func.max(t.game.c.due)).where(t.game.c.due <= now)).scalar()


def has_read(connection: Connection, mailbox: str, at: datetime) -> None:
    """Note that everything that was in a mailbox at that time is stored."""
    known = update(_READING).where(_READING.c.mailbox == mailbox).values(read_at=at)
    if connection.execute(known).rowcount == 0:
        connection.execute(insert(_READING).values(mailbox=mailbox, read_at=at))


def is_known(connection: Connection, mailbox: str) -> bool:
    """Whether a mailbox was ever read."""
    return connection.execute(select(_READING.c.mailbox).where(_READING.c.mailbox == mailbox)).first() is not None


def unread_since(connection: Connection, at: datetime, forgotten: datetime) -> list[str]:
    """Return the mailboxes not read since `at`, without those not read since `forgotten`."""
    found = select(_READING.c.mailbox).where(_READING.c.read_at < at, _READING.c.read_at > forgotten)
    return list(connection.execute(found.order_by(_READING.c.mailbox)).scalars())


class Claims:
    """Advisory locks of one process, held as long as its own connection lasts.

    The connection is used for nothing else.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self.connection: Connection | None = None

    def take(self, name: str) -> bool:
        """Take a lock; False if another process has it."""
        return bool(self._ask(_CLAIM, name=name))

    def are_held(self) -> bool:
        """Whether the connection lasts; without it all locks are lost."""
        if self.connection is None:
            return False
        try:
            return bool(self._ask(_ARE_HELD))
        except DBAPIError:
            return False

    def _ask(self, question: TextClause, **values: object) -> object:
        self.connection = self.connection or self.engine.connect()
        try:
            return self.connection.execute(question, values).scalar_one()
        except DBAPIError:
            self.close()
            raise

    def close(self) -> None:
        """Release all locks."""
        if self.connection is not None:
            self.connection.invalidate()
            self.connection.close()
        self.connection = None

"""Procrastinate's tables beside ours on PostgreSQL: jobs are deferred in the very transaction they follow from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, assert_never

from sqlalchemy import (
    Connection,
    Engine,
    TextClause,
    bindparam,
    func,
    insert,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError

from judge.errors import InstallationError
from judge.storage import tables as t
from judge.storage.pipeline import run_soon
from judge.storage.waking import NO_GAME, CloseGame, Deliver, Errand, WorkMail, turn_of

MAIL, CLOSE, DELIVERY, CLOCK = "mail", "close", "deliver", "clock"
"""The queues, and the task that is in each."""

SILENT_SECONDS = 20
"""A worker that has not been heard of for so long is dead: it says every five that it lives."""
_FIRST_VERSION = "03.04.00_50_post_add_retry_failed_job_procedure.sql"
"""What a database has that does not say so: the last of Procrastinate's migrations when we began to use it."""
_IS_THERE = text("SELECT to_regclass('procrastinate_jobs')")
_VERSION = text("SELECT obj_description('procrastinate_jobs'::regclass, 'pg_class')")
_INDEX = """
CREATE INDEX IF NOT EXISTS judge_jobs_lock ON procrastinate_jobs (lock, status) WHERE status IN ('todo', 'doing')
"""
# One job for many changes: one that is there, of the same turn, and has not begun does this as well. It is locked until
# we commit, so that no worker can begin it before and not see what we did; nor can it have begun, or it would not be
# found. Who looked for work meanwhile has passed over it, and is told again.
_DEFER = """
WITH wanted AS (
    SELECT * FROM jsonb_to_recordset(CAST(%(jobs)s AS jsonb)) AS (queue varchar, turn text, args jsonb)
), there AS (
    SELECT wanted.queue, wanted.turn, job.id FROM wanted CROSS JOIN LATERAL (
        SELECT id FROM procrastinate_jobs
        WHERE lock = wanted.turn AND queue_name = wanted.queue AND status = 'todo'
        LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS job
    UNION ALL
    SELECT wanted.queue, wanted.turn, job.id FROM wanted CROSS JOIN LATERAL (
        SELECT id FROM procrastinate_jobs
        WHERE wanted.turn IS NULL AND lock IS NULL AND queue_name = wanted.queue AND status = 'todo'
        LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS job
), told AS MATERIALIZED (
    SELECT pg_notify('procrastinate_queue_v1#' || queue, json_build_object('type', 'job_inserted', 'job_id', id)::text)
    FROM there
)
SELECT (SELECT count(*) FROM told), procrastinate_defer_jobs_v1(array_agg(
    ROW(queue, queue, 0, turn, NULL, args, NULL)::procrastinate_job_to_defer_v1
)) FROM wanted
WHERE NOT EXISTS (SELECT FROM there WHERE there.queue = wanted.queue AND there.turn IS NOT DISTINCT FROM wanted.turn)
"""
_PRUNE = text("SELECT procrastinate_prune_stalled_workers_v1(:seconds)")
# What comes by the clock comes again by itself.
_DROP = text(
    "DELETE FROM procrastinate_jobs WHERE status = 'doing' AND worker_id IS NULL AND queueing_lock IS NOT NULL"
)
_AGAIN = text("""
SELECT procrastinate_retry_job_v2(id, NULL, NULL, NULL, NULL) FROM (
    SELECT id FROM procrastinate_jobs WHERE status = 'doing' AND worker_id IS NULL FOR UPDATE SKIP LOCKED
) AS stalled
""")
_WITHOUT_A_JOB = text("""
SELECT DISTINCT turn, CASE WHEN turn IS NULL THEN sender END AS sender FROM inbox
WHERE (state = 'waiting' OR (state = 'suspect' AND retry_at <= :now)) AND NOT EXISTS (
    SELECT FROM procrastinate_jobs
    WHERE lock = coalesce(turn, :no_game || coalesce(sender, ''))
        AND queue_name = 'mail' AND status IN ('todo', 'doing')
)
LIMIT :limit
""").bindparams(bindparam("now", type_=t.Moment()))
_RIPE = text("""
SELECT name FROM game WHERE due <= :now AND (due <= :settled OR due = closing_since) ORDER BY due LIMIT :limit
""").bindparams(bindparam("now", type_=t.Moment()), bindparam("settled", type_=t.Moment()))
_READING = t.judge_reading
_CLAIM = text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")
_ARE_HELD = text("SELECT true")
_IN_QUEUES = text("SELECT queue_name, status::text, count(*) FROM procrastinate_jobs GROUP BY 1, 2")


def connection_info(url: str) -> str:
    """The address of the database in PostgreSQL's own words."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def put_in_place(engine: Engine) -> None:
    """Procrastinate's own tables and functions at the newest version we have, and our index on them."""
    from procrastinate.schema import SchemaManager  # noqa: PLC0415 - only who uses PostgreSQL needs to have it

    steps = _steps()
    with engine.begin() as connection:
        if connection.execute(_IS_THERE).scalar() is None:
            _apply(connection, SchemaManager.get_schema(), steps[-1].name)
        known = _version(connection)
    for step in steps:
        if step.name > known:  # each in a commit of its own: a word added to a type cannot be used in the same
            with engine.begin() as connection:
                _apply(connection, step.read_text("utf-8"), step.name)
    with engine.begin() as connection:
        connection.exec_driver_sql(_INDEX)


def refuse_an_older_queue(engine: Engine) -> None:
    """Procrastinate was renewed, and nobody has told the database: its workers would ask for what is not there."""
    newest = _steps()[-1].name
    with engine.connect() as connection:
        is_there = connection.execute(_IS_THERE).scalar() is not None
        if not is_there or _version(connection) < newest:
            raise InstallationError(f"the queue in the database is older than {newest}; run `judge migrate`")


def _steps() -> list[Path]:
    from procrastinate.schema import SchemaManager  # noqa: PLC0415 - only who uses PostgreSQL needs to have it

    return sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))


def _version(connection: Connection) -> str:
    return connection.execute(_VERSION).scalar() or _FIRST_VERSION


def _apply(connection: Connection, statements: str, version: str) -> None:
    connection.connection.cursor().execute(statements)
    connection.exec_driver_sql(f"COMMENT ON TABLE procrastinate_jobs IS '{version}'")


class Jobs:
    """Defers a job for all that is to be done next: it exists exactly if the change does."""

    def __init__(self) -> None:
        self.clock: Callable[[], datetime] | None = None
        """Who runs games tells the time: without one, what is due is found by whoever does."""

    def within(self, connection: Connection, errands: Sequence[Errand]) -> None:
        """Write the jobs down."""
        jobs = [job for job in map(self._job, errands) if job is not None]
        if jobs:
            run_soon(connection, _DEFER, {"jobs": json.dumps(jobs)})

    def after(self, errands: Sequence[Errand]) -> None:
        """Nothing: the database tells the workers."""

    def _job(self, errand: Errand) -> Mapping[str, Any] | None:
        match errand:
            case WorkMail(turn):
                return _job(MAIL, turn, {"turn": turn})
            case CloseGame(game, due):
                # A job for later would have all later jobs of the game wait: only what is due becomes one.
                if self.clock is None or due > self.clock():
                    return None
                return _job(CLOSE, game, {"game": game})
            case Deliver():
                return _job(DELIVERY, None, {})
            case _:
                assert_never(errand)


def _job(queue: str, turn: str | None, args: Mapping[str, object]) -> Mapping[str, Any]:
    return {"queue": queue, "turn": turn, "args": args}


def take_over(connection: Connection) -> int:
    """Have the jobs done again whose workers have said nothing for long; how many."""
    connection.execute(_PRUNE, {"seconds": SILENT_SECONDS})
    connection.execute(_DROP)
    return len(connection.execute(_AGAIN).all())


def ripe_games(connection: Connection, now: datetime, settling: timedelta, limit: int) -> list[str]:
    """The games that somebody has to look after now, the longest due first."""
    return list(connection.execute(_RIPE, {"now": now, "settled": now - settling, "limit": limit}).scalars())


def is_letter_due(connection: Connection, now: datetime) -> bool:
    """Whether a letter is to leave now, or to be gathered."""
    waits = (t.outbox.c.state.in_(("queued", "gathering")), t.outbox.c.due <= now)
    return connection.execute(select(t.outbox.c.id).where(*waits).limit(1)).first() is not None


def without_a_job(connection: Connection, now: datetime, limit: int) -> list[WorkMail]:
    """Where mails are to be worked although no job says so: their pause is over, or another engine has left them."""
    rows = connection.execute(_WITHOUT_A_JOB, {"now": now, "limit": limit, "no_game": NO_GAME})
    return [WorkMail(turn_of(row.turn, row.sender)) for row in rows]


def in_queues(connection: Connection) -> Mapping[tuple[str, str], int]:
    """Queue and state → number of jobs."""
    return {(row[0], row[1]): row[2] for row in connection.execute(_IN_QUEUES)}


# When the mailboxes were read


def latest_due(connection: Connection, now: datetime) -> datetime | None:
    """The latest moment that is over and for which a game waits."""
    return connection.execute(select(func.max(t.game.c.due)).where(t.game.c.due <= now)).scalar()


def has_read(connection: Connection, mailbox: str, at: datetime) -> None:
    """All that lay in a mailbox then is stored."""
    known = update(_READING).where(_READING.c.mailbox == mailbox).values(read_at=at)
    if connection.execute(known).rowcount == 0:
        connection.execute(insert(_READING).values(mailbox=mailbox, read_at=at))


def is_known(connection: Connection, mailbox: str) -> bool:
    """Whether a mailbox was ever read."""
    return connection.execute(select(_READING.c.mailbox).where(_READING.c.mailbox == mailbox)).first() is not None


def unread_since(connection: Connection, at: datetime, forgotten: datetime) -> list[str]:
    """The mailboxes that were not read since then, but for those that nobody has read for long."""
    found = select(_READING.c.mailbox).where(_READING.c.read_at < at, _READING.c.read_at > forgotten)
    return list(connection.execute(found.order_by(_READING.c.mailbox)).scalars())


class Claims:
    """What one process has for itself, as long as it is connected: on this connection nothing else is done."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self.connection: Connection | None = None

    def take(self, name: str) -> bool:
        """Have something; False if another process has it."""
        return bool(self._ask(_CLAIM, name=name))

    def are_held(self) -> bool:
        """Whether we are still connected; if not, nothing is ours any more."""
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
        """Let go of everything."""
        if self.connection is not None:
            self.connection.invalidate()
            self.connection.close()
        self.connection = None

"""Procrastinate's tables beside ours on PostgreSQL: jobs are deferred in the very transaction they follow from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, assert_never

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    String,
    Table,
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

from judge.storage import tables as t
from judge.storage.waking import CloseGame, Deliver, Errand, WorkMail, turn_of

MAIL, CLOSE, DELIVERY, CLOCK = "mail", "close", "deliver", "clock"
"""The queues, and the task that is in each."""

# A job that is there and has not begun is not deferred again. Who is quicker holds an advisory lock, for two that write
# the same queueing lock at the same time would wait for each other, and the second would fail, and all that it did.
_DEFER_FUNCTION = """
CREATE OR REPLACE FUNCTION judge_defer(jobs jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    job record;
BEGIN
    FOR job IN SELECT * FROM jsonb_to_recordset(jobs) AS (queue varchar, turn text, once text, args jsonb) LOOP
        CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended(job.once, 0));
        CONTINUE WHEN EXISTS (SELECT FROM procrastinate_jobs WHERE queueing_lock = job.once AND status = 'todo');
        PERFORM procrastinate_defer_jobs_v1(
            ARRAY[ROW(job.queue, job.queue, 0, job.turn, job.once, job.args, NULL)::procrastinate_job_to_defer_v1]
        );
    END LOOP;
END;
$$
"""
_INDEX = """
CREATE INDEX IF NOT EXISTS judge_jobs_lock ON procrastinate_jobs (lock, status) WHERE status IN ('todo', 'doing')
"""
_reading = Table(
    "judge_reading",
    MetaData(),
    Column("mailbox", String(400), primary_key=True),
    Column("read_at", t.Moment, nullable=False),
)
_DEFER = text("SELECT judge_defer(CAST(:jobs AS jsonb))")
_PRUNE = text("SELECT procrastinate_prune_stalled_workers_v1(:seconds)")
# What is to be done again is there already, or is done again in its old place.
_DROP = text("""
DELETE FROM procrastinate_jobs AS stalled WHERE status = 'doing' AND worker_id IS NULL AND EXISTS (
    SELECT FROM procrastinate_jobs WHERE queueing_lock = stalled.queueing_lock AND status = 'todo')
""")
_AGAIN = text("""
SELECT procrastinate_retry_job_v2(id, NULL, NULL, NULL, NULL) FROM procrastinate_jobs
WHERE status = 'doing' AND worker_id IS NULL
""")
_WITHOUT_A_JOB = (
    text("""
SELECT id, sender FROM inbox
WHERE (state = 'waiting' OR (state = 'suspect' AND retry_at <= :now))
    AND NOT EXISTS (SELECT FROM procrastinate_jobs WHERE queueing_lock = 'mail ' || inbox.id AND status = 'todo')
    AND NOT EXISTS (SELECT FROM procrastinate_jobs WHERE queueing_lock = 'mail ' || inbox.id AND status = 'doing')
ORDER BY id LIMIT :limit
""")
    .columns(id=t.inbox.c.id.type, sender=t.inbox.c.sender.type)
    .bindparams(bindparam("now", type_=t.Moment()))
)
_RIPE = text("""
SELECT name FROM game WHERE due <= :now AND (due <= :settled OR due = closing_since) ORDER BY due LIMIT :limit
""").bindparams(bindparam("now", type_=t.Moment()), bindparam("settled", type_=t.Moment()))
_CLAIM = text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")
_ARE_HELD = text("SELECT true")
_IN_QUEUES = text("SELECT queue_name, status::text, count(*) FROM procrastinate_jobs GROUP BY 1, 2")
_WORKERS = text("SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '20 seconds'")


def connection_info(url: str) -> str:
    """The address of the database in PostgreSQL's own words."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def put_in_place(engine: Engine) -> None:
    """Procrastinate's own tables and functions, and what we need of our own beside them."""
    from procrastinate.schema import SchemaManager  # noqa: PLC0415 - only who uses PostgreSQL needs to have it

    with engine.begin() as connection:
        if connection.execute(text("SELECT to_regclass('procrastinate_jobs')")).scalar() is None:
            connection.connection.cursor().execute(SchemaManager.get_schema())
        connection.exec_driver_sql(_DEFER_FUNCTION)
        connection.exec_driver_sql(_INDEX)
        _reading.create(connection, checkfirst=True)


class Jobs:
    """Defers a job for all that is to be done next: it exists exactly if the change does."""

    def __init__(self) -> None:
        self.clock: Callable[[], datetime] | None = None
        """Who runs games tells the time: without one, what is due is found by whoever does."""

    def within(self, connection: Connection, errands: Sequence[Errand]) -> None:
        """Write the jobs down."""
        jobs = [job for job in map(self._job, errands) if job is not None]
        if jobs:
            connection.execute(_DEFER, {"jobs": json.dumps(jobs)})

    def after(self, errands: Sequence[Errand]) -> None:
        """Nothing: the database tells the workers."""

    def _job(self, errand: Errand) -> Mapping[str, Any] | None:
        match errand:
            case WorkMail(mail, turn):
                return _job(MAIL, turn, f"{MAIL} {mail}", {"mail": mail, "turn": turn})
            case CloseGame(game, due):
                # A job for later would have all later jobs of the game wait: only what is due becomes one.
                if self.clock is None or due > self.clock():
                    return None
                return _job(CLOSE, game, f"{CLOSE} {game}", {"game": game})
            case Deliver():
                return _job(DELIVERY, None, DELIVERY, {})
            case _:
                assert_never(errand)


def _job(queue: str, turn: str | None, once: str, args: Mapping[str, object]) -> Mapping[str, Any]:
    return {"queue": queue, "turn": turn, "once": once, "args": args}


def take_over(connection: Connection, silent_seconds: float) -> int:
    """Have the jobs done again whose workers have said nothing for that long; how many."""
    connection.execute(_PRUNE, {"seconds": silent_seconds})
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
    """Mails that are to be worked now although no job says so: their pause is over, or they are from another engine."""
    rows = connection.execute(_WITHOUT_A_JOB, {"now": now, "limit": limit})
    return [WorkMail(row.id, turn_of(None, row.sender)) for row in rows]


def in_queues(connection: Connection) -> Mapping[tuple[str, str], int]:
    """Queue and state → number of jobs."""
    return {(row[0], row[1]): row[2] for row in connection.execute(_IN_QUEUES)}


def workers(connection: Connection) -> int:
    """How many say that they are there."""
    return int(connection.execute(_WORKERS).scalar_one())


# When the mailboxes were read


def latest_due(connection: Connection, now: datetime) -> datetime | None:
    """The latest moment that is over and for which a game waits."""
    return connection.execute(select(func.max(t.game.c.due)).where(t.game.c.due <= now)).scalar()


def has_read(connection: Connection, mailbox: str, at: datetime) -> None:
    """All that lay in a mailbox then is stored."""
    known = update(_reading).where(_reading.c.mailbox == mailbox).values(read_at=at)
    if connection.execute(known).rowcount == 0:
        connection.execute(insert(_reading).values(mailbox=mailbox, read_at=at))


def is_known(connection: Connection, mailbox: str) -> bool:
    """Whether a mailbox was ever read."""
    return connection.execute(select(_reading.c.mailbox).where(_reading.c.mailbox == mailbox)).first() is not None


def unread_since(connection: Connection, at: datetime, forgotten: datetime) -> list[str]:
    """The mailboxes that were not read since then, but for those that nobody has read for long."""
    found = select(_reading.c.mailbox).where(_reading.c.read_at < at, _reading.c.read_at > forgotten)
    return list(connection.execute(found.order_by(_reading.c.mailbox)).scalars())


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

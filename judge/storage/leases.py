"""Leases on PostgreSQL: a worker keeps the rows it claimed while it beats.

Each worker has a unique name and beats by the clock of the database. On SQLite no worker beats: each task has one
process (`judge.storage.process_locks`).
"""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Table,
    bindparam,
    delete,
    exists,
    inspect,
    literal_column,
    not_,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import Insert, insert

from judge import __version__
from judge.storage import tables as t
from judge.storage.prepared import Prepared

BEAT_SECONDS = 10.0
"""The interval between two beats of a worker."""
_NOW: ColumnElement[Any] = literal_column("timezone('UTC', now())")
_LATELY: ColumnElement[Any] = literal_column("timezone('UTC', now()) - interval '40 seconds'")
"""A worker whose last beat is older counts as dead."""


def name_of_us() -> str:
    """Return a unique name for a worker of this process."""
    return f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(4)}"


def is_free(owner: Column[str], worker: str | BindParameter[str]) -> ColumnElement[bool]:
    """Whether a row has no owner, is ours, or has a dead owner."""
    return or_(owner.is_(None), owner == worker, is_of_the_dead(owner))


def is_of_the_dead(owner: Column[str]) -> ColumnElement[bool]:
    """Whether the owner of a row is dead.

    Each beat of another worker removes silent ones. On SQLite no worker beats: every row claimed by an earlier process
    is free.
    """
    return not_(exists().where(t.worker.c.name == owner))


@dataclass(frozen=True, slots=True)
class LiveWorker:
    """A process that runs the judge on a shared database."""

    name: str
    """Host, process id and a random part."""
    version: str
    """The version of the judge; "" if it is older than this column."""
    reads: str
    """The schema revision it was made for; steps marked "expand" keep that readable."""
    beat_ago: timedelta
    """The time since its last beat."""

    def __str__(self) -> str:
        version = f", judge {self.version}" if self.version else ""
        return f"{self.name.rpartition(':')[0]} (heard {self.beat_ago.total_seconds():.0f} s ago{version})"


def beat(connection: Connection, worker: str, reads: str) -> None:
    """Note that this worker is alive and what it reads; remove workers silent for long."""
    now = {"seen": _NOW, "version": __version__, "reads": reads}
    if connection.execute(if_new(t.worker).values(name=worker, **now)).rowcount != 1:
        connection.execute(t.worker.update().where(t.worker.c.name == worker).values(**now))
    connection.execute(delete(t.worker).where(t.worker.c.seen <= _LATELY))


def leave(connection: Connection, worker: str) -> None:
    """Note that this worker has stopped; its leases end at once."""
    connection.execute(delete(t.worker).where(t.worker.c.name == worker))


def live_workers(connection: Connection) -> tuple[LiveWorker, ...]:
    """Return the live workers, by name; none if the schema has no workers yet."""
    if not inspect(connection).has_table(t.worker.name):
        return ()
    columns = {column["name"] for column in inspect(connection).get_columns(t.worker.name)}
    known = [t.worker.c[name] if name in columns else literal_column("''") for name in ("version", "reads")]
    ago: ColumnElement[Any] = literal_column("EXTRACT(EPOCH FROM timezone('UTC', now()) - seen)")
    found = select(t.worker.c.name, *known, ago).where(t.worker.c.seen > _LATELY).order_by(t.worker.c.name)
    return tuple(LiveWorker(*row[:3], timedelta(seconds=float(row[3]))) for row in connection.execute(found))


def if_new(table: Table) -> Insert:
    """Return an INSERT that does nothing if the key exists, even one just written elsewhere.

    SQLAlchemy renders it for SQLite too.
    """
    return insert(table).on_conflict_do_nothing()


@cache
def kept_if_new(table: Table, names: tuple[str, ...]) -> Prepared:
    """Return an `if_new` with these columns; it returns the id of a new row."""
    return Prepared(if_new(table).values({name: bindparam(name) for name in names}).returning(table.c.id))

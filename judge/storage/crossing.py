"""Restore a SQLite backup into a PostgreSQL database, in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Engine, Integer, String, Table, func, insert, select
from sqlalchemy.exc import DBAPIError

from judge.errors import InstallationError
from judge.storage import tables as t
from judge.storage.dumps import FORGET, erased
from judge.storage.migrate import clear_faults, migrate
from judge.storage.store import make_engine

_BATCH = 500
_TABLES = tuple(table for table in t.metadata.sorted_tables if table is not t.library)
"""All tables except the one that holds the versions of the server's own tables."""
_BEGINS = b"SQLite format 3\0"


def is_of_sqlite(file: Path) -> bool:
    """Whether a file is a SQLite database."""
    with file.open("rb") as opened:
        return opened.read(len(_BEGINS)) == _BEGINS


def cross(url: str, file: Path) -> None:
    """Replace everything in a PostgreSQL database by a SQLite backup of any revision.

    No process may use the PostgreSQL database meanwhile. Raises InstallationError.
    """
    migrate(url)
    forget = "".join(FORGET.format(person) for person in erased(url))
    with clear_faults(url), _newest(file) as origin, _opened(url) as target:
        try:
            with origin.connect() as here, target.begin() as there:
                _empty(there)
                for table in _TABLES:
                    _copy(table, here, there)
                    _count_on(table, there)
                if forget:
                    there.connection.cursor().execute(forget)  # several statements
        except DBAPIError as error:
            raise InstallationError(f"{file} cannot be restored: {str(error.orig).splitlines()[0]}") from error


@contextmanager
def _newest(file: Path) -> Iterator[Engine]:
    """Yield a copy of the backup, migrated to the newest revision; the backup is unchanged."""
    with TemporaryDirectory(prefix="judge-") as folder:
        copy = Path(folder) / "copy.sqlite3"
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        migrate(f"sqlite:///{copy}")
        with _opened(f"sqlite:///{copy}") as engine:
            yield engine


@contextmanager
def _opened(url: str) -> Iterator[Engine]:
    engine = make_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def _empty(there: Connection) -> None:
    names = ", ".join(f'"{table.name}"' for table in _TABLES)
    there.exec_driver_sql(f"TRUNCATE {names} CASCADE")


def _copy(table: Table, here: Connection, there: Connection) -> None:
    lengths = {
        column.name: column.type.length
        for column in table.columns
        if isinstance(column.type, String) and column.type.length is not None
    }
    rows = here.execution_options(yield_per=_BATCH).execute(select(table)).mappings()
    for batch in rows.partitions():
        there.execute(insert(table), [_fitting(dict(row), lengths) for row in batch])


def _fitting(row: dict[str, Any], lengths: dict[str, int]) -> dict[str, Any]:
    """Cut texts to their column's length: SQLite stores longer ones, PostgreSQL refuses them."""
    return {name: value[: lengths[name]] if value and name in lengths else value for name, value in row.items()}


def _count_on(table: Table, there: Connection) -> None:
    """Set the sequence of a table's id past the copied rows."""
    (column, *others) = table.primary_key.columns
    if others or not isinstance(column.type, Integer) or column.foreign_keys:
        return
    last = select(func.max(column)).scalar_subquery()
    sequence = func.pg_get_serial_sequence(table.name, column.name)
    there.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))

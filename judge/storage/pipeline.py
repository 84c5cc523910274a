"""Run statements on the driver; on PostgreSQL, pipeline those whose results are not needed yet.

A round trip to the server costs more than the statement. Changes are therefore sent with the next query or with the
commit, in their order, in libpq's pipeline mode. SQLite runs in our process: there each statement is run at once.

The promise of `benchmarks/crowd_postgres.py` needs it. What it saves there differs from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError

from judge.errors import ConflictError
from judge.storage.connections import is_shared

Heed: TypeAlias = Callable[[Any], object]
"""A callback that receives the result of a statement."""
_SOON = "judge_soon"
_ONE = "WITH changed AS ({} RETURNING 1) SELECT 1 / count(*) FROM changed"
"""Divide by zero unless one row was changed: the server then stops the pipeline."""
_NOT_ONE = "22012"
"""PostgreSQL's code for a division by zero; no other statement of ours divides."""
_IDLE = 0
"""The status of a connection without a transaction (libpq)."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement that has not run yet."""

    sql: str
    values: Any
    heed: Heed | None = None
    objection: str | None = None
    """Message of the conflict unless one row is changed; None if any number is right."""
    is_for_each: bool = False
    """Whether `values` are several sets, with one run for each."""


_COMMIT = _Statement("COMMIT", None)


def run(connection: Connection, sql: str, values: Any) -> Any:  # noqa: ANN401 - of the driver
    """Run a statement and return its result; raises the exceptions of SQLAlchemy."""
    _begin(connection)
    return _sent(connection, *_taken(connection), _Statement(sql, values))


def run_soon(connection: Connection, sql: str, values: Any, heed: Heed | None = None) -> None:  # noqa: ANN401 - of the driver
    """Run a statement with the next one on this connection, or with the commit.

    Then call `heed` with its result.
    """
    _soon(connection, _Statement(sql, values, heed))


def run_each_soon(connection: Connection, sql: str, values: Sequence[Any]) -> None:
    """Run a statement once for each of these values, as `run_soon` does."""
    if len(values) > 1 and not is_shared(connection):
        _soon(connection, _Statement(sql, values, is_for_each=True))
    else:
        for one in values:
            run_soon(connection, sql, one)


def change_one_soon(connection: Connection, sql: str, values: Any, objection: str) -> None:  # noqa: ANN401 - of the driver
    """Run a statement as `run_soon` does; it must change exactly one row.

    Otherwise ConflictError is raised at that time.
    """
    _soon(connection, _Statement(_ONE.format(sql) if is_shared(connection) else sql, values, objection=objection))


def commit(connection: Connection) -> None:
    """Commit, after the statements that wait."""
    soon = _taken(connection)
    if soon:
        _sent(connection, *soon, _COMMIT)
    connection.commit()  # psycopg knows if the pipeline has committed already


def send_what_waits(engine: Engine) -> None:
    """Send waiting statements before any other on their connection; drop them after a rollback."""

    @event.listens_for(engine, "begin")
    def at_the_beginning(connection: Connection) -> None:
        _taken(connection)

    @event.listens_for(engine, "before_cursor_execute")
    def before_a_statement(connection: Connection, *_of_it: object) -> None:
        _flush(connection)

    @event.listens_for(engine, "commit")
    def before_the_commit(connection: Connection) -> None:
        _flush(connection)


def _begin(connection: Connection) -> None:
    if not connection.in_transaction():
        connection.begin()


def _soon(connection: Connection, statement: _Statement) -> None:
    _begin(connection)
    if is_shared(connection):
        connection.info.setdefault(_SOON, []).append(statement)
    else:
        _sent(connection, statement)


def _flush(connection: Connection) -> None:
    soon = _taken(connection)
    if soon:
        _sent(connection, *soon)


def _taken(connection: Connection) -> Sequence[_Statement]:
    """Remove and return the statements that wait; the caller runs or drops them."""
    soon: Sequence[_Statement] = connection.info.pop(_SOON, ())
    return soon


def _sent(connection: Connection, *statements: _Statement) -> Any:  # noqa: ANN401 - of the driver
    """Run statements, call their `heed`, and return the result of the last."""
    driver: Any = connection.connection.dbapi_connection
    kind = connection.dialect.loaded_dbapi.Error
    try:
        # psycopg sends a BEGIN by itself, and would wait for that alone.
        if len(statements) == 1 and not (is_shared(connection) and driver.pgconn.transaction_status == _IDLE):
            cursors = [_executed(driver, statements[0])]
        else:
            with driver.pipeline():
                cursors = [_executed(driver, one) for one in statements]
    except kind as error:
        objections = [one.objection for one in statements if one.objection is not None]
        if objections and getattr(error, "sqlstate", None) == _NOT_ONE:
            raise ConflictError(" or ".join(objections)) from error
        sent = ";\n".join(one.sql for one in statements)
        raise DBAPIError.instance(sent, None, error, kind, dialect=connection.dialect) from error
    for cursor, one in zip(cursors, statements, strict=True):
        if one.heed is not None:
            one.heed(cursor)
        if one.objection is not None and cursor.rowcount != 1:  # PostgreSQL selects one row with the count
            raise ConflictError(one.objection)
    return cursors[-1]


def _executed(driver: Any, statement: _Statement) -> Any:  # noqa: ANN401 - of the driver
    cursor = driver.cursor()
    (cursor.executemany if statement.is_for_each else cursor.execute)(statement.sql, statement.values)
    return cursor

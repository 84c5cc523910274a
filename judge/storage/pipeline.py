"""Statements as the driver takes them; to PostgreSQL those travel together for whose answer nobody waits.

To wait for another process costs more than what is asked of it. So what is to be changed is sent with what is asked
next, or with the commit, and in its order: libpq calls that its pipeline mode. SQLite is in our own process.

It is kept for what `benchmarks/crowd_postgres.py` promises. What it saves there differs from run to run.
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
"""Hears what the driver answered."""
_SOON = "judge_soon"
_ONE = "WITH changed AS ({} RETURNING 1) SELECT 1 / count(*) FROM changed"
"""What follows is done only if one row was changed: the server sees to that, and we need not hear of it before."""
_NOT_ONE = "22012"
"""PostgreSQL: a division by zero; we have no other."""
_IDLE = 0
"""The status of a connection without a transaction (libpq)."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement that is still to be run."""

    sql: str
    values: Any
    heed: Heed | None = None
    objection: str | None = None
    """Why it is a conflict if not one row is changed; None if any number is right."""
    is_for_each: bool = False
    """Its values are several sets, and it is run once for each."""


_COMMIT = _Statement("COMMIT", None)


def run(connection: Connection, sql: str, values: Any) -> Any:  # noqa: ANN401 - of the driver
    """What the driver answers; its faults are those of SQLAlchemy."""
    _begin(connection)
    return _sent(connection, *_taken(connection), _Statement(sql, values))


def run_soon(connection: Connection, sql: str, values: Any, heed: Heed | None = None) -> None:  # noqa: ANN401 - of the driver
    """The same, before anything else is done on the connection or as it is committed; then `heed` hears the answer."""
    _soon(connection, _Statement(sql, values, heed))


def run_each_soon(connection: Connection, sql: str, values: Sequence[Any]) -> None:
    """The same, once for each of these values."""
    if len(values) > 1 and not is_shared(connection):
        _soon(connection, _Statement(sql, values, is_for_each=True))
    else:
        for one in values:
            run_soon(connection, sql, one)


def change_one_soon(connection: Connection, sql: str, values: Any, objection: str) -> None:  # noqa: ANN401 - of the driver
    """The same; raises ConflictError then, if it did not change one row."""
    _soon(connection, _Statement(_ONE.format(sql) if is_shared(connection) else sql, values, objection=objection))


def commit(connection: Connection) -> None:
    """Make it lasting, and what was to be done soon with it."""
    soon = _taken(connection)
    if soon:
        _sent(connection, *soon, _COMMIT)
    connection.commit()  # psycopg knows if that is done already


def send_what_waits(engine: Engine) -> None:
    """Whatever else is done on its connections comes behind what was to be done soon; what was rolled back never is."""

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
    """What was to be done soon: whoever takes it does it."""
    soon: Sequence[_Statement] = connection.info.pop(_SOON, ())
    return soon


def _sent(connection: Connection, *statements: _Statement) -> Any:  # noqa: ANN401 - of the driver
    """What the driver answers to the last of them; whoever heeds one has heard it."""
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
        if one.objection is not None and cursor.rowcount != 1:  # of one row SQLite says that, and PostgreSQL the count
            raise ConflictError(one.objection)
    return cursors[-1]


def _executed(driver: Any, statement: _Statement) -> Any:  # noqa: ANN401 - of the driver
    cursor = driver.cursor()
    (cursor.executemany if statement.is_for_each else cursor.execute)(statement.sql, statement.values)
    return cursor

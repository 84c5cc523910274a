"""Record the statements that a database is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event

_OF_NO_TABLE = ("BEGIN", "COMMIT", "ROLLBACK")


@contextmanager
def asked_of(connection: Connection) -> Iterator[list[str]]:
    """Yield a list that collects the statements of one SQLite connection, with their values."""
    statements: list[str] = []
    driver: Any = connection.connection.dbapi_connection
    driver.set_trace_callback(lambda said: None if said.startswith(_OF_NO_TABLE) else statements.append(said))
    yield statements
    driver.set_trace_callback(None)


@contextmanager
def asked_by_all(engine: Engine) -> Iterator[list[str]]:
    """Yield a list that collects the statements of all connections opened meanwhile."""
    statements: list[str] = []

    def note(said: str) -> None:
        if not said.startswith(_OF_NO_TABLE):
            statements.append(said)

    def connect(driver: Any, _record: object) -> None:
        if engine.dialect.name == "sqlite":
            driver.set_trace_callback(note)
        else:
            driver.cursor_factory = noting(driver.cursor_factory, note)

    engine.dispose()
    event.listen(engine, "connect", connect)
    yield statements
    event.remove(engine, "connect", connect)
    engine.dispose()


def noting(cursor: type[Any], note: Callable[[str], None]) -> type[Any]:
    """Return a class of psycopg cursors that passes each query to `note`."""

    class Noting(cursor):  # type: ignore[misc]
        def execute(self, query: Any, *values: Any, **options: Any) -> Any:
            note(str(query))
            return super().execute(query, *values, **options)

        def executemany(self, query: Any, *values: Any, **options: Any) -> Any:
            note(str(query))
            return super().executemany(query, *values, **options)

    return Noting

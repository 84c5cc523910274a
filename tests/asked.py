"""What a database of SQLite is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event

_OF_NO_TABLE = ("BEGIN", "COMMIT", "ROLLBACK")


@contextmanager
def asked_of(connection: Connection) -> Iterator[list[str]]:
    """By one connection meanwhile: statements with their values."""
    statements: list[str] = []
    driver: Any = connection.connection.dbapi_connection
    driver.set_trace_callback(lambda said: None if said.startswith(_OF_NO_TABLE) else statements.append(said))
    yield statements
    driver.set_trace_callback(None)


@contextmanager
def asked_by_all(engine: Engine) -> Iterator[list[str]]:
    """By all connections meanwhile, which are new ones."""
    statements: list[str] = []

    def connect(driver: Any, _record: object) -> None:
        driver.set_trace_callback(lambda said: None if said.startswith(_OF_NO_TABLE) else statements.append(said))

    engine.dispose()
    event.listen(engine, "connect", connect)
    yield statements
    event.remove(engine, "connect", connect)
    engine.dispose()

"""The databases of the tests: SQLite, or PostgreSQL if TEST_DATABASE=postgresql.

The PostgreSQL server is the tests' own.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.pool import NullPool, Pool

from judge.durable import touch_private
from judge.storage import Store, migrate
from judge.storage.packing import unpack
from judge.storage.store import make_engine

if TYPE_CHECKING:
    from sqlalchemy.pool import ConnectionPoolEntry

    from tests.postgres import Server

IS_POSTGRESQL = os.environ.get("TEST_DATABASE") == "postgresql"
only_sqlite = pytest.mark.skipif(IS_POSTGRESQL, reason="about a file of SQLite")
only_postgresql = pytest.mark.skipif(not IS_POSTGRESQL, reason="about PostgreSQL: make test-postgres")

_EVERY_STATE = Path(__file__).parent / "databases" / "every_state" / "0003.sql"
_numbers = count()
_servers: list[Server] = []
_connections: list[ConnectionPoolEntry] = []


def url_of(folder: Path, name: str = "judge.sqlite3", *, empty: bool = False) -> str:
    """Return the URL of a database of that name in a folder.

    The database exists already, with its tables unless `empty`.
    """
    if IS_POSTGRESQL:
        return server().make(str(folder / name), empty=empty)
    file = folder / name
    if not empty and not file.exists():
        make_file(file)
    return f"sqlite:///{file}"


def make_file(file: Path) -> None:
    """Make an SQLite database with its tables."""
    touch_private(file)
    file.write_bytes(_migrated())


def make_old_file(file: Path) -> Path:
    """Make an SQLite database of the first release, with games in every state."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(_EVERY_STATE.read_text("utf-8"))
    return file


@cache
def _migrated() -> bytes:
    """Return a new database as the bytes of a file.

    It is cached: making a database takes longer than most tests.
    """
    with TemporaryDirectory() as folder:
        migrate(f"sqlite:///{folder}/new")
        return (Path(folder) / "new").read_bytes()


def url_in_memory() -> str:
    """Return the URL of a new database that no other process needs to find."""
    return server().make(f"in memory {next(_numbers)}", empty=False) if IS_POSTGRESQL else "sqlite://"


def store_in_memory(content: bytes | None = None) -> Store:
    """Return a store on SQLite in memory, whatever database the other tests use.

    It is new, or has the content of another store.
    """
    store = Store(make_engine("sqlite://"))
    fill(store, content or _migrated())
    return store


def fill(store: Store, content: bytes) -> None:
    """Replace all that a store on SQLite holds."""
    with store.engine.connect() as connection, closing(sqlite3.connect(":memory:")) as origin:
        origin.deserialize(content[:18] + b"\1\1" + content[20:])  # in memory there is no write-ahead log
        origin.backup(_sqlite(connection))


def content_of(store: Store) -> bytes:
    """Return all that a store on SQLite holds."""
    with store.engine.connect() as connection:
        return _sqlite(connection).serialize()


def _sqlite(connection: Connection) -> sqlite3.Connection:
    found = connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found


def copy(origin: Path, folder: Path, name: str = "judge.sqlite3") -> None:
    """Copy the database of one folder to another; no process may be using it."""
    if IS_POSTGRESQL:
        server().copy(str(origin / name), str(folder / name))
    else:
        shutil.copy(origin / name, folder)


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query, without the judge."""
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def records(url: str) -> list[str]:
    """Return the records of all phases, in their order."""
    found = rows(url, "select record, packed from history order by place")
    return [record if packed is None else unpack(packed).decode() for record, packed in found]


def change(url: str, *statements: str) -> None:
    """Change a database without the judge."""
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


def server() -> Server:
    """Return the PostgreSQL server of these tests."""
    (found,) = _servers
    return found


@contextmanager
def served() -> Iterator[None]:
    """Keep a server running as long as tests run, if they need one."""
    if not IS_POSTGRESQL:
        yield
        return
    from tests.postgres import Server

    event.listen(Pool, "connect", lambda _, entry: _connections.append(entry))
    _servers.append(Server())
    try:
        yield
    finally:
        _servers.pop().stop()


@contextmanager
def tidied() -> Iterator[None]:
    """Remove the databases and connections of a test after it."""
    known, open_before = set(_servers[0].databases) if _servers else set(), len(_connections)
    yield
    if _servers:
        for connection in _connections[open_before:]:
            connection.invalidate()  # the owner of the connection then has nothing left to clean up
        del _connections[open_before:]
        _servers[0].take_back(set(_servers[0].databases) - known)

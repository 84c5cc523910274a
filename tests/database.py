"""Where the tests keep what lasts: in SQLite, or on a PostgreSQL server of their own if TEST_DATABASE=postgresql."""

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
    """The database of that name in a folder; it is there already, with its tables unless `empty`."""
    if IS_POSTGRESQL:
        return server().make(str(folder / name), empty=empty)
    file = folder / name
    if not empty and not file.exists():
        make_file(file)
    return f"sqlite:///{file}"


def make_file(file: Path) -> None:
    """A database of SQLite with its tables."""
    touch_private(file)
    file.write_bytes(_migrated())


def make_old_file(file: Path) -> Path:
    """A database of SQLite as a judge of the first release left it, with games in every state."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(_EVERY_STATE.read_text("utf-8"))
    return file


@cache
def _migrated() -> bytes:
    """A new database, as a file: to make one anew takes longer than most tests."""
    with TemporaryDirectory() as folder:
        migrate(f"sqlite:///{folder}/new")
        return (Path(folder) / "new").read_bytes()


def url_in_memory() -> str:
    """A new database that nobody else needs to find."""
    return server().make(f"in memory {next(_numbers)}", empty=False) if IS_POSTGRESQL else "sqlite://"


def store_in_memory(content: bytes | None = None) -> Store:
    """A store on SQLite in memory, whatever the other tests use: a new one, or one with the content of another."""
    engine = make_engine("sqlite://")
    with engine.connect() as connection:
        _sqlite(connection).deserialize(content or _migrated())
    return Store(engine)


def content_of(store: Store) -> bytes:
    """All that a store in memory holds."""
    with store.engine.connect() as connection:
        return _sqlite(connection).serialize()


def _sqlite(connection: Connection) -> sqlite3.Connection:
    found = connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found


def copy(origin: Path, folder: Path, name: str = "judge.sqlite3") -> None:
    """The database of one folder, in another; nobody uses it."""
    if IS_POSTGRESQL:
        server().copy(str(origin / name), str(folder / name))
    else:
        shutil.copy(origin / name, folder)


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    """What is in a database, seen past the judge."""
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def records(url: str) -> list[str]:
    """The phases on record, in their order."""
    found = rows(url, "select record, packed from history order by place")
    return [record if packed is None else unpack(packed).decode() for record, packed in found]


def change(url: str, *statements: str) -> None:
    """Change a database behind the judge's back."""
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


def server() -> Server:
    """The server of these tests."""
    (found,) = _servers
    return found


@contextmanager
def served() -> Iterator[None]:
    """As long as tests run there is a server, if they need one."""
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
    """The databases and connections of one test are gone after it."""
    known, open_before = set(_servers[0].databases) if _servers else set(), len(_connections)
    yield
    if _servers:
        for connection in _connections[open_before:]:
            connection.invalidate()  # and whoever held it has nothing left to put away
        del _connections[open_before:]
        _servers[0].take_back(set(_servers[0].databases) - known)

"""The database, and units of work on it: each is committed whole or rolled back."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from threading import RLock
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, select
from sqlalchemy.exc import DBAPIError, DisconnectionError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from judge.errors import ConflictError, InstallationError, UnmigratedError
from judge.games.person import Person
from judge.mail.letters import RawMail
from judge.mail.marks import Mark
from judge.mail.signing import Keyring, RetiredKey
from judge.storage import tables as t
from judge.storage.census import Census, take_census
from judge.storage.connections import (
    Beginning,
    Connections,
    begin_to_rest,
    beginning_of,
    has_rested,
    is_in_use,
)
from judge.storage.games import Games
from judge.storage.group_commit import GroupCommit, Kept
from judge.storage.idle import IdleCheck
from judge.storage.inbox import Arrived, Inbox
from judge.storage.known_games import KnownGames
from judge.storage.leases import LiveWorker, beat, if_new, leave, live_workers, name_of_us
from judge.storage.migrate import clear_faults, current_revision, head_revision, is_expanded, is_on_server, sqlite_file
from judge.storage.outbox import Outbox
from judge.storage.people import People
from judge.storage.personal import personal_data
from judge.storage.pipeline import commit, send_what_waits
from judge.storage.prepared import Prepared
from judge.storage.publications import Publications
from judge.storage.records import Records
from judge.storage.retention import Looked, redact
from judge.storage.spending import Spending
from judge.storage.waking import Embedded, Task, Waker

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

_ON_THE_DISK, _HASTY = "PRAGMA synchronous=FULL", "PRAGMA synchronous=NORMAL"
_SYNCHRONOUS = "judge_synchronous"
_PAGES = 500
"""Pages freed at a time: other writers wait meanwhile."""
_OLDEST_POSTGRESQL = (14,)
_CONNECT_SECONDS = 10
_SIGNING = "signing"
"""Name of the secret that is the seed of the private key."""
_OTHERS_WERE_QUICKER = ("23505", "40001", "40P01")
"""PostgreSQL's codes for: unique violation, serialization failure, deadlock."""


class Work:
    """A unit of work: a transaction that is rolled back at its end unless committed."""

    def __init__(self, connection: Connection, waker: Waker, worker: str, known: KnownGames) -> None:
        self.connection = connection
        self.waker = waker
        self.tasks: dict[Task, None] = {}
        """The tasks to wake workers for after the commit, without duplicates, in order."""
        self.games = Games(connection, self.wake, known)
        self.people = People(connection)
        self.inbox = Inbox(connection, self.wake, worker)
        self.outbox = Outbox(connection, self.wake, worker)
        self.records = Records(connection)

    @property
    def spending(self) -> Spending:
        """The sums over letters; made when needed, because few mails need them."""
        return Spending(self.connection)

    @property
    def publications(self) -> Publications:
        """The words that are published with their games; made when needed."""
        return Publications(self.connection)

    def commit(self) -> None:
        """Commit, update the shared cache of games and wake the workers."""
        tasks = tuple(self.tasks)
        commit(self.connection)
        self.games.committed()
        self.tasks.clear()
        self.waker.after(tasks)

    def wake(self, task: Task) -> None:
        """Note a task to wake a worker for, if this unit of work is committed."""
        self.tasks[task] = None

    def secret(self, name: str) -> bytes:
        """Return a secret of this judge; it is made at random at the first call."""
        value = self._secret(name)
        if value is None:  # another process may be making it too; the first wins
            self.connection.execute(if_new(t.secret).values(name=name, value=secrets.token_bytes(32)))
            value = self._secret(name)
            assert value is not None
        return bytes(value)

    def mark(self, source: str) -> Mark | None:
        """Return where a mailbox stood when it was first seen, or None."""
        found = select(t.source_mark.c.validity, t.source_mark.c.next, t.source_mark.c.at)
        row = self.connection.execute(found.where(t.source_mark.c.source == source)).one_or_none()
        return Mark(*row) if row is not None else None

    def set_mark(self, source: str, mark: Mark) -> None:
        """Remember the position of a mailbox."""
        self.connection.execute(delete(t.source_mark).where(t.source_mark.c.source == source))
        values = {"source": source, "validity": mark.validity, "next": mark.next, "at": mark.at}
        self.connection.execute(if_new(t.source_mark).values(values))

    def has_read(self, source: str) -> bool:
        """Whether mail ever came from a source."""
        found = select(t.inbox.c.id).where(t.inbox.c.source == source).limit(1)
        return self.connection.execute(found).first() is not None

    def shrink(self) -> bool:
        """Return some free pages to the file system; True if there are more."""
        if self.connection.dialect.name != "sqlite":
            return False
        cursor = self.connection.connection.cursor()
        cursor.execute(f"PRAGMA incremental_vacuum({_PAGES})")
        cursor.fetchall()  # each fetch frees a page, although there are no rows
        return bool(self.connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()) and self._gives_back()

    def _gives_back(self) -> bool:
        return bool(self.connection.exec_driver_sql("PRAGMA auto_vacuum").scalar_one())

    def old_secret(self, name: str) -> bytes | None:
        """Return the value of a secret before its last change, or None."""
        return self._secret(f"{name}, before")

    def change_secret(self, name: str) -> None:
        """Make a new secret; keep the previous one, forget the one before that."""
        before = {"name": f"{name}, before", "value": self.secret(name)}
        self.connection.execute(delete(t.secret).where(t.secret.c.name.in_((name, before["name"]))))
        self.connection.execute(insert(t.secret).values(before))

    def keyring(self) -> Keyring:
        """Return the key that signs reports, made at the first call, and earlier public keys."""
        found = select(t.retired_key.c.public, t.retired_key.c.signed).order_by(t.retired_key.c.number)
        retired = (RetiredKey(bytes(public), bytes(signed)) for public, signed in self.connection.execute(found))
        return Keyring(self.secret(_SIGNING), tuple(retired))

    def change_key(self) -> Keyring:
        """Make a new key, signed by the previous one; keep that one's public half."""
        before = self.keyring()
        self.connection.execute(delete(t.secret).where(t.secret.c.name == _SIGNING))
        retired = before.retired_for(Keyring(self.secret(_SIGNING)))
        self.connection.execute(insert(t.retired_key).values(public=retired.public, signed=retired.signed))
        return self.keyring()

    def _secret(self, name: str) -> bytes | None:
        return self.connection.execute(select(t.secret.c.value).where(t.secret.c.name == name)).scalar()

    def data_of(self, person: Person) -> Mapping[str, Any]:
        """Return everything stored about a person."""
        return personal_data(self.connection, person)

    def census(self) -> Census:
        """Return the census of the database."""
        return take_census(self.connection)

    def redact(self, before: datetime, looked: Looked) -> Looked:
        """Empty the old mails of a batch; return `looked` unchanged if there are no more."""
        return redact(self.connection, before, looked)


class Store:
    """A database at the newest schema: SQLite, used by the processes of one machine."""

    is_shared = False
    """Whether judges on several machines use it, each with a worker name."""

    def __init__(self, engine: Engine, worker: str = "") -> None:
        self.engine = engine
        self.worker = worker or name_of_us()
        """The name under which it claims mail; the claims last as long as it beats."""
        self.waker: Waker = Embedded()
        self.is_in_memory = isinstance(engine.pool, StaticPool)
        self._connections = Connections(engine, stay_open=not self.is_in_memory)
        self._readers = self._connections
        # All threads share the one connection that a database in memory has.
        self._turn: AbstractContextManager[object] = RLock() if self.is_in_memory else nullcontext()
        self._known_games = KnownGames()
        self._group_commit = GroupCommit(self._commit_mails)

    @staticmethod
    def open(url: str, worker: str = "") -> Store:
        """Connect, under the given worker name or a new one.

        Raises InstallationError if that is impossible or the schema is not at its newest revision.
        """
        with clear_faults(url):
            return _opened(url, worker)

    @contextmanager
    def work(self, *, may_be_lost: bool = False) -> Iterator[Work]:
        """Open a unit of work; leaving it without `commit()` rolls back.

        Raises ConflictError if another worker was quicker. With `may_be_lost`, SQLite commits without fsync: the commit
        survives a crash of the process, but not a power failure.
        """
        beginning = Beginning.HASTY if may_be_lost else Beginning.LASTING
        with self._turn, self._connections.one(beginning) as connection:
            try:
                yield Work(connection, self.waker, self.worker, self._known_games)
            except DBAPIError as error:
                if getattr(error.orig, "sqlstate", None) in _OTHERS_WERE_QUICKER:
                    raise ConflictError(f"somebody else was quicker: {error.orig}") from error
                raise

    def beat(self) -> None:
        """Note that this worker lives: it keeps its claims."""

    def leave(self) -> None:
        """Note that this worker stops: its claims end."""

    def live_workers(self) -> tuple[LiveWorker, ...]:
        """Return the workers of a shared database."""
        return ()

    @contextmanager
    def look(self) -> Iterator[Work]:
        """Open a read-only unit of work on one snapshot; it does not block writers."""
        with self._turn, self._readers.one(Beginning.READING) as connection:
            yield Work(connection, self.waker, self.worker, self._known_games)

    def idle_check(self, next_due: Prepared, clock: Callable[[], datetime]) -> IdleCheck | None:
        """Return an idle check; None if the database is not a SQLite file."""
        file = sqlite_file(self.engine.url.render_as_string())

        def asked() -> datetime | None:
            with self.look() as work:
                found: datetime | None = next_due.value(work.connection)
                return found

        return IdleCheck(file, clock, asked) if file is not None else None

    def keep(self, raw: RawMail, identity: str, message_id: str | None) -> int | None:
        """Store a mail and commit; None if the same mail is stored already."""
        return self.keep_all([Arrived(raw, identity, message_id)])[0]

    def keep_all(self, mails: Sequence[Arrived]) -> Kept:
        """Store mails in their order and commit; several threads may share one commit."""
        return self._group_commit.keep(mails)

    def _commit_mails(self, mails: Sequence[Arrived]) -> Kept:
        with self.work() as work:
            kept = [work.inbox.keep(mail) for mail in mails]
            work.commit()
        return kept

    @property
    def shown_url(self) -> str:
        """The address of the database without its password."""
        return self.engine.url.render_as_string()

    def megabytes(self) -> int | None:
        """Return the size of the database on its server in megabytes; None for a file."""
        return None

    def close(self) -> None:
        """Close all connections."""
        for connections in (self._connections, self._readers):
            connections.close()
        self.engine.dispose()


class SharedStore(Store):
    """A PostgreSQL database, used by judges on any number of machines."""

    is_shared = True

    def __init__(self, engine: Engine, worker: str = "") -> None:
        super().__init__(engine, worker)
        self._reads = head_revision()  # now: the files may be replaced by a newer version while we run
        at_one_moment = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._readers = Connections(at_one_moment, stay_open=False)

    def now(self) -> datetime:
        """Return the time by the clock of the server."""
        with self.engine.connect() as connection:
            found: datetime = connection.exec_driver_sql("SELECT clock_timestamp()").scalar_one()
        return found.astimezone(UTC)

    def beat(self) -> None:
        """Note that this worker lives: it keeps its claims."""
        with self.engine.begin() as connection:
            beat(connection, self.worker, self._reads)

    def leave(self) -> None:
        """Note that this worker stops: its claims end."""
        with suppress(SQLAlchemyError), self.engine.begin() as connection:  # otherwise the claims end with the beats
            leave(connection, self.worker)

    def live_workers(self) -> tuple[LiveWorker, ...]:
        """Return the live workers, by name."""
        with self.engine.connect() as connection:
            return live_workers(connection)

    @contextmanager
    def look(self) -> Iterator[Work]:
        """Open a read-only unit of work on one snapshot; it does not block writers."""
        with super().look() as work:
            yield work
            work.connection.commit()  # at a rollback psycopg forgets which statements the server has prepared

    def megabytes(self) -> int | None:
        """Return the size of the database on its server in megabytes."""
        with self.engine.connect() as connection:
            size = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one()
        return int(size) // 1_000_000


def _opened(url: str, worker: str) -> Store:
    kind = SharedStore if is_on_server(url) else Store
    file = sqlite_file(url)
    if file is not None and not file.is_file():  # connecting would make an empty one
        raise UnmigratedError(f"there is no database {file}; run `judge migrate`")
    engine = make_engine(url)
    if url in ("sqlite://", "sqlite:///:memory:"):
        t.metadata.create_all(engine)  # no other process can migrate a database in our memory
        return kind(engine, worker)
    if kind.is_shared:
        _refuse_old_servers(engine)
    current, head = current_revision(engine), head_revision()
    if current != head and not (kind.is_shared and is_expanded(engine, current, head)):
        engine.dispose()
        state = f"at revision {current}, not {head}" if current else "empty"
        raise UnmigratedError(f"the database is {state}; run `judge migrate`")
    return kind(engine, worker)


def _refuse_old_servers(engine: Engine) -> None:
    with engine.connect() as connection:
        version = connection.dialect.server_version_info
    if version is not None and version < _OLDEST_POSTGRESQL:
        raise InstallationError(f"this is PostgreSQL {version[0]}; {_OLDEST_POSTGRESQL[0]} or newer is needed")


def make_engine(url: str) -> Engine:
    """Return an engine for a database.

    SQLite gets a write-ahead log, fsync at every commit by default, and one writer at a time.
    """
    if not url.startswith("sqlite"):
        return _postgresql(url)
    options: dict[str, Any] = {"connect_args": {"check_same_thread": False, "timeout": 30}}
    if url in ("sqlite://", "sqlite:///:memory:"):
        options["poolclass"] = StaticPool
    engine = create_engine(url, **options)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:  # noqa: ANN401 - a DBAPI connection
        connection.isolation_level = None  # we say BEGIN ourselves
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        beginning, cursor = beginning_of(connection), connection.connection.cursor()
        is_reading = beginning is Beginning.READING
        words = "BEGIN" if is_reading else "BEGIN IMMEDIATE"
        try:  # on the driver: SQLAlchemy's overhead costs more than the statement
            synchronous = _HASTY if beginning is Beginning.HASTY else _ON_THE_DISK
            if not is_reading and connection.info.get(_SYNCHRONOUS) != synchronous:
                cursor.execute(synchronous)
                connection.info[_SYNCHRONOUS] = synchronous
            cursor.execute(words)
        except sqlite3.Error as error:
            raise DBAPIError.instance(words, None, error, sqlite3.Error) from error

    return engine


def _postgresql(url: str) -> Engine:
    """Return an engine that notices when the server was restarted."""
    args = {"connect_timeout": _CONNECT_SECONDS, "application_name": "judge"}
    engine = create_engine(url, connect_args=args, paramstyle="format")  # with names, psycopg has to sort them out
    from psycopg.types.string import StrDumper  # noqa: PLC0415 - its library is needed on PostgreSQL only

    class WithoutNull(StrDumper):
        """Replace null characters: PostgreSQL stores no text with them, and hostile mail has them."""

        def dump(self, obj: str) -> Any:  # noqa: ANN401 - some buffer
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:  # noqa: ANN401 - a DBAPI connection
        connection.adapters.register_dumper(str, WithoutNull)

    @event.listens_for(engine, "checkin")
    def rest(_connection: object, record: ConnectionPoolEntry) -> None:
        begin_to_rest(record.info)

    send_what_waits(engine)

    @event.listens_for(engine, "checkout")
    def try_out(connection: DBAPIConnection, record: ConnectionPoolEntry, _proxy: object) -> None:
        if has_rested(record.info):
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise DisconnectionError from error
        is_in_use(record.info)

    return engine

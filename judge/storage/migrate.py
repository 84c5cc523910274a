"""The database schema and its revisions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import Engine, create_engine, delete, insert, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError

from judge.durable import make_private, touch_private
from judge.errors import InstallationError, ResourceError, may_pass
from judge.resources import shipped
from judge.storage import tables as t

_INCREMENTAL = (2,)
"""SQLite's answer to `PRAGMA auto_vacuum` if it is incremental."""
_VERSIONS = "alembic_version"
_JUDGE = "judge"
"""Key of the row in `library` with the oldest revision whose judge reads this database."""
_SUPPORTED = ("sqlite", "postgresql", "postgresql+psycopg")
_LIBRARY = "PostgreSQL needs one library more: pip install 'diplomacy-mail-judge[postgres]'"


def migrate(url: str) -> None:
    """Bring a database to the newest revision; raises InstallationError.

    A missing SQLite file is made.
    """
    with clear_faults(url):
        file = sqlite_file(url)
        if file is not None:
            make_private(file.parent)
            touch_private(file)  # SQLite gives its log the same mode
        _upgrade(url)
        if file is not None:
            _let_it_shrink(file)
        elif url.startswith("postgresql"):
            _put_queue_in_place(url)


def _upgrade(url: str) -> None:
    from alembic import command  # noqa: PLC0415 - a large library that a running judge does not need
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(shipped("migrations")))
    config.set_main_option("path_separator", "os")
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise InstallationError(f"the database {_shown(url)} cannot be migrated: {_first_line(error)}") from error


def _put_queue_in_place(url: str) -> None:
    from judge.storage.jobs import put_in_place  # noqa: PLC0415 - its library is needed on PostgreSQL only

    engine = create_engine(url)
    try:
        put_in_place(engine)
        _note_oldest_reader(engine)
    finally:
        engine.dispose()


def _let_it_shrink(file: Path) -> None:
    """Let the file shrink by incremental vacuum; an old file is rewritten for that, once."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        if database.execute("PRAGMA auto_vacuum").fetchone() != _INCREMENTAL:
            database.execute("PRAGMA auto_vacuum=INCREMENTAL")
            database.execute("VACUUM")


def sqlite_file(url: str) -> Path | None:
    """Return the file of a SQLite database; None if in memory or on a server."""
    database = make_url(url).database
    return Path(database) if url.startswith("sqlite:///") and database and database != ":memory:" else None


def is_on_server(url: str) -> bool:
    """Whether the database is on a PostgreSQL server."""
    return url.startswith("postgresql")


@contextmanager
def clear_faults(url: str) -> Iterator[None]:
    """Turn every database error into an InstallationError of one line, without the password.

    An error that may pass by itself becomes a ResourceError.
    """
    try:
        _refuse_others(url)
        yield
    except ModuleNotFoundError as error:
        raise InstallationError(_LIBRARY) from error
    except ArgumentError as error:
        raise InstallationError(f"the setting database.url is wrong: {_first_line(error)}") from error
    except (SQLAlchemyError, OSError) as error:
        reason = _first_line(getattr(error, "orig", None) or error)
        kind = ResourceError if _may_pass(error) else InstallationError
        raise kind(f"the database {_shown(url)} cannot be opened: {reason}") from error


def _shown(url: str) -> str:
    return make_url(url).render_as_string()


def _refuse_others(url: str) -> None:
    kind = make_url(url).drivername
    if kind not in _SUPPORTED:
        supported = "it begins with sqlite:/// or postgresql://, nothing else is supported"
        raise InstallationError(f"the setting database.url is wrong: {kind} is no database of ours; {supported}")


def _may_pass(error: Exception) -> bool:
    if isinstance(error, OSError):
        return may_pass(error)
    return isinstance(error, OperationalError) and not _cannot_be_opened(getattr(error, "orig", None))


def of_sqlite(said: str, error: sqlite3.Error) -> InstallationError:
    """Return a SQLite error as ResourceError if it may pass, else as InstallationError.

    A full disk may pass.
    """
    may_it = isinstance(error, sqlite3.OperationalError) and not _cannot_be_opened(error)
    return ResourceError(said) if may_it else InstallationError(said)


def _cannot_be_opened(error: object) -> bool:
    """Whether SQLite could not open a file: it is missing or access is denied."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_CANTOPEN


def _first_line(error: object) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


# Rolling upgrades on PostgreSQL: judges of two versions on one database


def pending(current: str | None) -> Mapping[str, bool]:
    """Return the steps from a revision to the newest → whether each is marked "expand"."""
    return {revision: expands for revision, expands in _steps().items() if revision > (current or "")}


def oldest_reader() -> str:
    """Return the oldest revision whose judge reads the newest.

    All steps after it are marked "expand".
    """
    return max(revision for revision, expands in _steps().items() if not expands)


def is_expanded(engine: Engine, current: str | None, known: str) -> bool:
    """Whether this judge can read a database at a newer revision than it knows."""
    if current is None or current < known:
        return False
    with engine.connect() as connection:
        oldest = connection.execute(select(t.library.c.version).where(t.library.c.name == _JUDGE)).scalar()
    return oldest is not None and oldest <= known


@cache
def _steps() -> Mapping[str, bool]:
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - a large library that a running judge does not need

    found = ScriptDirectory(str(shipped("migrations"))).walk_revisions()
    return {script.revision: getattr(script.module, "kind", "") == "expand" for script in found}


def _note_oldest_reader(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(delete(t.library).where(t.library.c.name == _JUDGE))
        connection.execute(insert(t.library).values(name=_JUDGE, version=oldest_reader()))


def known_revisions() -> tuple[str, ...]:
    """Return the revisions we can migrate from and to, in order, by file names."""
    return tuple(sorted(file.name.partition("_")[0] for file in shipped("migrations").glob("versions/[0-9]*.py")))


def head_revision() -> str:
    """Return the newest revision."""
    return known_revisions()[-1]


def revision_of(url: str) -> str | None:
    """Return the revision of a database; None if empty or missing. Raises InstallationError."""
    file = sqlite_file(url)
    if file is not None and not file.is_file():  # connecting would make an empty one
        return None
    with clear_faults(url):
        engine = create_engine(url)
        try:
            return current_revision(engine)
        finally:
            engine.dispose()


def current_revision(engine: Engine) -> str | None:
    """Return the revision of a database; None if it is empty."""
    plain = create_engine(engine.url)
    try:
        with plain.connect() as connection:
            if not inspect(connection).has_table(_VERSIONS):
                return None
            found: str | None = connection.execute(text(f"SELECT version_num FROM {_VERSIONS}")).scalar()  # noqa: S608
            return found
    finally:
        plain.dispose()

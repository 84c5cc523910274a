"""Back up and restore a database; for PostgreSQL see `judge.storage.dumps`.

A backup can be made while the judge runs. Restoring one requires that the judge is stopped.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from judge.durable import make_private, move
from judge.errors import ConfigError, InstallationError, of_system
from judge.storage.dumps import dump, undump
from judge.storage.migrate import is_on_server, known_revisions, of_sqlite, sqlite_file
from judge.storage.soundness import check_soundness

_TABLES = {"game", "inbox", "outbox"}
"""Tables that exist in every revision."""
_ROTATED = "judge-????-??-??T??????"


def back_up(url: str, file: Path) -> None:
    """Copy the database; `file` is complete or unchanged. Raises ConfigError or InstallationError."""
    if is_on_server(url):
        _refuse_to_write_over(file)
        dump(url, file)
        return
    database = _database(url)
    if not database.is_file() or not database.stat().st_size:  # connecting would make an empty one
        raise InstallationError(f"there is no database {database}; run `judge migrate`")
    _refuse_itself(database, file)
    _refuse_to_write_over(file)
    check_soundness(database)
    try:
        _replace(file, database)
    except OSError as error:
        raise of_system(f"{file} cannot be written: {error}", error) from error
    except sqlite3.Error as error:
        raise of_sqlite(f"{file} cannot be written: {error}", error) from error


def rotate(url: str, folder: Path, now: datetime, keep: int | None = None) -> Path:
    """Make a backup in a folder, check it, then remove the oldest beyond `keep`."""
    kind = "dump" if is_on_server(url) else "sqlite3"
    file = folder / f"judge-{now:%Y-%m-%dT%H%M%S}.{kind}"
    back_up(url, file)
    for old in sorted(folder.glob(f"{_ROTATED}.{kind}"))[: -keep if keep is not None else 0]:
        old.unlink()
    return file


def put_back(url: str, file: Path) -> None:
    """Check a backup and replace the database with it; no process may use it meanwhile."""
    if not file.is_file():
        raise ConfigError((f"{file} does not exist" if not file.exists() else f"{file} is no file",))
    if is_on_server(url):
        _put_on_server(url, file)
        return
    database = _database(url)
    _refuse_itself(database, file)
    try:
        _check(file)
        erased = _erased(database)
        make_private(database.parent)
        _replace(database, file, erased)
    except OSError as error:
        raise of_system(f"{file} cannot be restored: {error}", error) from error
    except sqlite3.Error as error:
        raise of_sqlite(f"{file} cannot be restored: {error}", error) from error


def _put_on_server(url: str, file: Path) -> None:
    from judge.storage.crossing import cross, is_of_sqlite  # noqa: PLC0415 - once in the life of a judge

    if is_of_sqlite(file):
        _check(file)
        cross(url, file)
    else:
        undump(url, file)


def _database(url: str) -> Path:
    file = sqlite_file(url)
    if file is None:
        raise ConfigError(("a database in memory is neither saved nor restored",))
    return file


def _refuse_to_write_over(file: Path) -> None:
    if file.exists():
        raise InstallationError(f"{file} is there already; a backup is never written over")


def _refuse_itself(database: Path, file: Path) -> None:
    if file.exists() and database.exists() and file.samefile(database):
        raise ConfigError((f"{file} is the database itself",))


def _check(file: Path) -> None:
    """Check that a file is a whole backup of a known version; raises InstallationError."""
    with closing(sqlite3.connect(file)) as copy:
        try:
            tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            (damage,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            revisions = copy.execute("SELECT version_num FROM alembic_version").fetchall() if tables else []
        except sqlite3.Error as error:
            raise InstallationError(f"{file} is no backup of a judge: {error}") from error
    if not tables >= _TABLES or not revisions:
        raise InstallationError(f"{file} is no backup of a judge: it has no games and mails")
    if damage != "ok":
        raise InstallationError(f"{file} is damaged: {damage}")
    if revisions[0][0] not in known_revisions():
        raise InstallationError(f"{file} was made by a newer version of the judge (revision {revisions[0][0]})")


def _erased(database: Path) -> list[int]:
    """Return the ids of persons erased in the database that is replaced.

    The list is empty if that database cannot be read.
    """
    if not database.is_file():
        return []
    try:
        with closing(sqlite3.connect(database)) as old:
            found = old.execute("SELECT id FROM person WHERE address = 'erased-' || id || '@invalid'")
            return [id_ for (id_,) in found]
    except sqlite3.Error:  # it is replaced because it is damaged
        return []


def _forget(copy: sqlite3.Connection, person: int) -> None:
    """Erase a person again who was erased after the backup was made."""
    person_has, inbox_has, outbox_has = (_columns_of(copy, table) for table in ("person", "inbox", "outbox"))
    second = "second" if "second" in person_has else "NULL"  # early revisions lack some columns
    found = copy.execute(f"SELECT address, {second} FROM person WHERE id = ?", (person,)).fetchone()  # noqa: S608
    addresses = found or ("", None)
    nobody = f"erased-{person}@invalid"
    copy.execute("UPDATE person SET address = ?, name = '…', zone = '' WHERE id = ?", (nobody, person))
    if "wishes" in person_has:
        copy.execute("UPDATE person SET wishes = '{}' WHERE id = ?", (person,))
    if "second" in person_has:
        copy.execute("UPDATE person SET second = NULL WHERE id = ?", (person,))
    if "mailbox" in person_has:
        copy.execute("UPDATE person SET mailbox = NULL WHERE id = ?", (person,))
    emptied = "content = x'', envelope_from = NULL, envelope_to = '[]'"
    copy.execute(f"UPDATE inbox SET {emptied} WHERE person = ?", (person,))  # noqa: S608
    if "sender" in inbox_has:
        written = f"UPDATE inbox SET {emptied}, sender = NULL WHERE person = ? OR (person IS NULL AND sender IN (?, ?))"  # noqa: S608
        copy.execute(written, (person, *addresses))
    for state in ("queued", "gathering"):  # written out, as in migrations: the copy may be old
        copy.execute("UPDATE outbox SET state = 'dropped' WHERE person = ? AND state = ?", (person, state))
    copy.execute("UPDATE outbox SET recipient = ?, letter = '{}', body = '' WHERE person = ?", (nobody, person))
    if "packed" in outbox_has:
        copy.execute("UPDATE outbox SET packed = NULL, shared = NULL WHERE person = ?", (person,))
    if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'press'").fetchone():  # it counts as a no of theirs
        theirs = "SELECT game FROM press WHERE person = ? AND NOT is_statement"
        of_their_games = f"DELETE FROM press WHERE NOT is_statement AND game IN ({theirs})"  # noqa: S608
        copy.execute(of_their_games, (person,))
        copy.execute("DELETE FROM press WHERE person = ?", (person,))
    if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'bounce_day'").fetchone():
        copy.execute("DELETE FROM bounce_day WHERE address IN (?, ?)", addresses)


def _columns_of(database: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in database.execute(f"PRAGMA table_info({table})")}


def _replace(target: Path, origin: Path, erased: Sequence[int] = ()) -> None:
    """Copy a database beside `target`; move it into place once it is on the disk."""
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)  # it holds addresses, press and the secret behind all tokens
    try:
        with closing(sqlite3.connect(origin)) as source, closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
            for person in erased:
                _forget(copy, person)
            copy.commit()
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, whole in itself
        check_soundness(unfinished)
        with unfinished.open("rb+") as written:
            os.fsync(written.fileno())
        for rest in ("-wal", "-shm"):  # they belong to the replaced file and would corrupt the copy
            target.with_name(f"{target.name}{rest}").unlink(missing_ok=True)
        move(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)

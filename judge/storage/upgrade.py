"""Upgrade a database after a new version was installed: back up, migrate, verify."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from judge.errors import InstallationError
from judge.games.game import GameState
from judge.storage.backup import rotate
from judge.storage.migrate import clear_faults, migrate, revision_of, sqlite_file
from judge.storage.soundness import check_soundness
from judge.storage.store import Store, Work

_COUNTED = {"games": "game", "mails": "inbox", "letters": "outbox"}
"""Tables whose rows every migration keeps."""


@dataclass(frozen=True, slots=True)
class Upgraded:
    """The result of an upgrade."""

    backup: Path
    before: str | None
    """The revision before the upgrade."""
    after: str | None
    """The revision after the upgrade."""
    rows: Mapping[str, int]
    """Kind of row → number, the same as before."""


def upgrade(url: str, folder: Path, now: datetime) -> Upgraded:
    """Back up a database into a folder, migrate it and verify it.

    No judge may use it meanwhile. Raises InstallationError. Once there is a backup, the error names it.
    """
    backup = rotate(url, folder, now)
    before, rows = revision_of(url), _count(url)
    try:
        migrate(url)
        _verify(url, rows)
    except Exception as error:  # after any error, the operator must learn how to go back
        is_ours = isinstance(error, InstallationError)
        said = str(error) if is_ours else f"{type(error).__name__}: {' '.join(str(error).split())}"
        back = f"install the version before and run `judge restore {backup}`"
        raise (type(error) if is_ours else InstallationError)(f"{said}; to go back, {back}") from error
    return Upgraded(backup, before, revision_of(url), rows)


def _count(url: str) -> Mapping[str, int]:
    with clear_faults(url):
        engine = create_engine(url, poolclass=NullPool)
        with engine.connect() as connection:
            counts = {name: text(f"SELECT count(*) FROM {table}") for name, table in _COUNTED.items()}  # noqa: S608
            return {name: connection.execute(count).scalar_one() for name, count in counts.items()}


def _verify(url: str, rows: Mapping[str, int]) -> None:
    """Check for damaged pages, lost rows and unreadable games; raises InstallationError."""
    file = sqlite_file(url)
    if file is not None:
        check_soundness(file)
    if (found := _count(url)) != rows:
        raise InstallationError(f"the migration lost something: there were {told(rows)}, there are {told(found)}")
    with closing(Store.open(url)) as store, store.look() as work:
        _read_games(work)


def _read_games(work: Work) -> None:
    last = ""
    while names := work.games.names(GameState, last):
        for name in names:
            try:
                work.games.get(name)
            except Exception as error:
                raise InstallationError(f"the game {name} cannot be read: {type(error).__name__}") from error
        last = names[-1]


def told(rows: Mapping[str, int]) -> str:
    """Return the numbers of rows, in one line."""
    return ", ".join(f"{count} {name}" for name, count in rows.items())

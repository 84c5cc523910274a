"""The migrations make the tables of the code, and an old database is not opened."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Index, create_engine, inspect
from sqlalchemy.pool import NullPool

from judge.errors import InstallationError
from judge.resources import shipped
from judge.storage import Store, migrate
from judge.storage.migrate import head_revision, known_revisions
from judge.storage.tables import metadata
from tests.database import IS_POSTGRESQL, change, only_sqlite, url_of


def _config(url: str = "") -> Config:
    config = Config()
    config.set_main_option("script_location", str(shipped("migrations")))
    config.set_main_option("path_separator", "os")
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


_SCRIPTS = tuple(ScriptDirectory.from_config(_config()).walk_revisions())


def test_an_empty_file_is_refused_until_it_is_migrated(tmp_path: Path) -> None:
    url = url_of(tmp_path, empty=True)
    with pytest.raises(InstallationError, match="judge migrate"):
        Store.open(url)
    migrate(url)
    Store.open(url).close()


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    url = url_of(tmp_path / "deep" / "er", empty=True)
    migrate(url)
    store = Store.open(url)
    with store.work() as work:
        secret = work.secret("seats")
        work.commit()
    store.close()
    migrate(url)
    store = Store.open(url)
    with store.work() as work:
        assert work.secret("seats") == secret
    store.close()


def test_a_database_of_another_revision_is_refused(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    migrate(url)
    change(url, "UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(InstallationError, match=head_revision()):
        Store.open(url)


def test_the_revisions_are_those_of_the_migrations() -> None:
    assert known_revisions() == tuple(reversed([script.revision for script in _SCRIPTS]))
    assert head_revision() == _SCRIPTS[0].revision


def test_tables_and_migrations_agree(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    migrate(url)
    store = Store.open(url)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_ours, "include_object": is_of_both})
        assert compare_metadata(context, metadata) == []
    store.close()


_KINDS = {script.revision: getattr(script.module, "kind", "") for script in _SCRIPTS if script.revision > "0018"}


def test_every_step_says_whether_it_is_expand_or_contract() -> None:
    assert set(_KINDS.values()) <= {"expand", "contract"}


@pytest.mark.parametrize("revision", [revision for revision, kind in _KINDS.items() if kind == "expand"])
def test_a_step_that_expands_leaves_what_was_there(tmp_path: Path, revision: str) -> None:
    """A judge of the previous revision can still read and write.

    Every column remains, and no new one must be filled.
    """
    url = url_of(tmp_path, empty=True)
    command.upgrade(_config(url), f"{int(revision) - 1:04}")
    before = _columns(url)
    command.upgrade(_config(url), revision)
    after = _columns(url)
    for table, columns in before.items():
        added = after[table].keys() - columns.keys()
        assert {name: after[table][name] for name in columns} == columns
        assert all(after[table][name] in (_Column.NULL, _Column.DEFAULT) for name in added)


class _Column(Enum):
    NULL = "may be left out"
    DEFAULT = "has a default"
    NEEDED = "has to be given"


def _columns(url: str) -> dict[str, dict[str, _Column]]:
    engine = create_engine(url, poolclass=NullPool)
    tables = inspect(engine)
    return {
        table: {column["name"]: _needed(column) for column in tables.get_columns(table)}
        for table in tables.get_table_names()
    }


def _needed(column: Mapping[str, Any]) -> _Column:
    if column["nullable"]:
        return _Column.NULL
    return _Column.NEEDED if column["default"] is None else _Column.DEFAULT


def is_of_both(thing: object, _name: str | None, _kind: str, *_: object) -> bool:
    """Whether a thing exists in both databases: partial indexes are made on PostgreSQL only."""
    return IS_POSTGRESQL or not isinstance(thing, Index) or thing.dialect_options["postgresql"]["where"] is None


def is_ours(name: str | None, kind: str, _: object) -> bool:
    """Whether a table is ours.

    On PostgreSQL the queue library also has tables, with its own migrations.
    """
    return kind != "table" or not IS_POSTGRESQL or name in metadata.tables


@only_sqlite
def test_every_connection_is_durable_and_strict(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'judge.db'}"
    migrate(url)
    store = Store.open(url)
    with store.engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    store.close()
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30000}

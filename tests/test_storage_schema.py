"""The migrations make the tables the code speaks of, and an old database is not opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Index

from judge.errors import InstallationError
from judge.resources import shipped
from judge.storage import Store, migrate
from judge.storage.migrate import head_revision, known_revisions
from judge.storage.tables import metadata
from tests.database import IS_POSTGRESQL, change, only_sqlite, url_of


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
    change(url, "UPDATE alembic_version SET version_num = 'older'")
    with pytest.raises(InstallationError, match=head_revision()):
        Store.open(url)


def test_the_revisions_are_those_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(shipped("migrations")))
    scripts = ScriptDirectory.from_config(config)
    assert known_revisions() == tuple(reversed([script.revision for script in scripts.walk_revisions()]))
    assert head_revision() == scripts.get_current_head()


def test_tables_and_migrations_agree(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    migrate(url)
    store = Store.open(url)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_ours, "include_object": is_of_both})
        assert compare_metadata(context, metadata) == []
    store.close()


def is_of_both(thing: object, _name: str | None, _kind: str, *_: object) -> bool:
    """A partial index is made on PostgreSQL alone."""
    return IS_POSTGRESQL or not isinstance(thing, Index) or thing.dialect_options["postgresql"]["where"] is None


def is_ours(name: str | None, kind: str, _: object) -> bool:
    """PostgreSQL has the tables of the queue library as well, which have migrations of their own."""
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

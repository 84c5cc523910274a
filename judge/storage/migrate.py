"""The schema and its revisions."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine

from judge.resources import shipped


def _config(url: str = "") -> Config:
    config = Config()
    config.set_main_option("script_location", str(shipped("migrations")))
    config.set_main_option("path_separator", "os")
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def migrate(url: str) -> None:
    """Bring a database to the newest revision; a missing SQLite file is made."""
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    command.upgrade(_config(url), "head")


def head_revision() -> str | None:
    """The newest revision there is."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def current_revision(engine: Engine) -> str | None:
    """The revision a database is at; None if it is empty."""
    plain = create_engine(engine.url)
    try:
        with plain.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    finally:
        plain.dispose()

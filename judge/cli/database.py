"""The operator's commands on the database: its schema, its backups, its secrets."""

from __future__ import annotations

from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from judge.cli.common import ConfigFile, given_config, operators_language
from judge.cli.terminal import waiting
from judge.complaints import say
from judge.config import Config
from judge.service.engine.clock import Clock
from judge.service.engine.part import Part
from judge.storage import Store, alone, back_up, migrate, migrating, put_back, revision_of, rotate, told, upgrade


def migrate_command(config: ConfigFile = None) -> None:
    """Bring the database to the newest schema.

    No judge that cannot read it may be running.
    """
    settings = given_config(config)
    url = settings.database.url
    with migrating(url, Part):
        before = revision_of(url)
        migrate(url)
    print(_migrated(settings, before, revision_of(url)))


def upgrade_command(
    folder: Annotated[Path, typer.Argument(help="The folder for the backup.")],
    config: ConfigFile = None,
) -> None:
    """Back up, migrate and verify the database after a new version was installed.

    The judge must not be running.
    """
    settings = given_config(config)
    url = settings.database.url
    with alone(url, Part), waiting("copying, migrating and checking"):
        done = upgrade(url, folder, Clock(settings.clock.offset_file)())
    worded = partial(say, operators_language(settings))
    print(worded("copied_to", file=done.backup))
    print(_migrated(settings, done.before, done.after))
    print(worded("verified", rows=told(done.rows)))


def _migrated(settings: Config, before: str | None, after: str | None) -> str:
    with closing(Store.open(settings.database.url)) as store:
        worded = partial(say, operators_language(settings), place=store.shown_url, before=before, after=after)
    if before == after:
        return worded("up_to_date")
    return worded("is_migrated") if before else worded("is_new")


def backup(
    file: Annotated[Path, typer.Argument(help="A new file; with --keep, a folder.")],
    keep: Annotated[int | None, typer.Option(help="Keep that many in the folder, the newest.", min=1)] = None,
    config: ConfigFile = None,
) -> None:
    """Copy the database while the judge runs. Database and copy are checked."""
    settings = given_config(config)
    with waiting("copying and checking"):
        if keep is None:
            back_up(settings.database.url, file)
        else:
            file = rotate(settings.database.url, file, Clock(settings.clock.offset_file)(), keep)
    print(f"copied to {file}")


def restore(file: Path, config: ConfigFile = None) -> None:
    """Replace the database by a backup.

    A backup of SQLite can replace a PostgreSQL database too. The judge must not be running.
    """
    url = given_config(config).database.url
    with alone(url, Part), waiting("checking and copying"):
        put_back(url, file)
    print(f"restored from {file}")


def rekey(config: ConfigFile = None) -> None:
    """Change the secret behind all addresses and tokens.

    The previous secret stays valid until the next change. The judge must not be running.
    """
    from judge.service.engine.assemble import TOKENS  # noqa: PLC0415 - slow to import, and only here

    url = given_config(config).database.url
    with alone(url, Part), closing(Store.open(url)) as store, store.work() as work:
        work.change_secret(TOKENS)
        work.commit()
    print("the secret is changed; what was made with the one before is good until the next change")


def signing_key(
    new: Annotated[
        bool, typer.Option("--new", help="Make another key, signed by the last. The judge must not be running.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Print the public keys of signed reports and receipts, oldest first."""
    url = given_config(config).database.url
    with alone(url, Part) if new else nullcontext(), closing(Store.open(url)) as store, store.work() as work:
        keyring = work.change_key() if new else work.keyring()
        work.commit()
    for key in (*(one.public for one in keyring.retired), keyring.public):
        print(key.hex())

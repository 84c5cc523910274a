"""`judge site`: finished games as pages that any web server can show."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from judge.cli.common import ConfigFile, given_config
from judge.cli.terminal import waiting
from judge.errors import ConfigError
from judge.service.archive import archived_games, write_site
from judge.storage import Store


def site(folder: Path, config: ConfigFile = None) -> None:
    """Write the archive of finished games that LIST shows to a folder: maps, orders, reasons, in both languages."""
    with closing(Store.open(given_config(config).database.url)) as store, waiting("reading the games"):
        games = archived_games(store)
    try:
        with waiting("drawing"):
            written = write_site(folder, games)
    except OSError as error:
        raise ConfigError((f"{error.filename or folder} cannot be written: {error.strerror}",)) from error
    print(f"{folder}: {written.games} games, the pictures of {written.drawn} drawn")

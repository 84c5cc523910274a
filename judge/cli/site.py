"""`judge site`: finished games as pages that any web server can show."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from judge.cli.common import ConfigFile, given_config
from judge.cli.terminal import waiting
from judge.errors import ConfigError
from judge.service.archive import archived_games, write_site
from judge.service.engine.clock import wall
from judge.storage import Store


def site(folder: Path, config: ConfigFile = None) -> None:
    """Write a club's web pages to a folder, in every language.

    They show the finished games that LIST shows, each with maps, orders and reasons. They also hold the documents for
    players, masters and operators. Begin at index.html.
    """
    given = given_config(config)
    with closing(Store.open(given.database.url)) as store, waiting("reading the games"):
        games = archived_games(store, wall())
    try:
        with waiting("drawing"):
            written = write_site(folder, games, given.judge.site)
    except OSError as error:
        raise ConfigError((f"{error.filename or folder} cannot be written: {error.strerror}",)) from error
    told = "1 game" if written.games == 1 else f"{written.games} games"
    print(f"{folder}: {told}, the pictures of {written.drawn} drawn, and the documents in every language.")
    print(f"Begin at {folder / 'index.html'}.")

"""Shared by the operator's commands: the settings file, and a refusal in one line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer import Exit

from judge.boards.operators import look_in, use_boards_in
from judge.errors import ConfigError

if TYPE_CHECKING:
    from judge.config import Config

ConfigFile = Annotated[Path | None, typer.Option("--config", "-c", help="The settings file; config.toml if not given.")]


def given_config(path: Path | None) -> Config:
    """Load the settings file given by option or environment."""
    from judge.cli.asking import system_language  # noqa: PLC0415 - it needs the settings as well
    from judge.config import from_environment, load_config  # noqa: PLC0415 - slow to import, and many need no settings

    config = load_config(path or from_environment(), system_language() or "en")
    use_boards_in(config.games.boards)
    return config


def find_boards() -> Mapping[str, Path]:
    """Return the operator's boards for a command that has no settings, from those in their usual place."""
    from judge.config import from_environment, load_config  # noqa: PLC0415

    try:
        folder = load_config(from_environment()).games.boards
    except ConfigError:
        return {}
    return look_in(folder).good if folder is not None else {}


def refuse(why_not: str) -> NoReturn:
    """Print the reason and exit with code 1."""
    print(f"judge: {why_not}", file=sys.stderr)
    raise Exit(1)

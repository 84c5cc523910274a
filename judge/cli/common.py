"""Helpers of the operator's commands: settings file, operator's language, refusals in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer import Exit

from judge.boards.operators import look_in, use_boards_in
from judge.errors import ConfigError
from judge.languages import Language

if TYPE_CHECKING:
    from judge.config import Config

ConfigFile = Annotated[Path | None, typer.Option("--config", "-c", help="The settings file; config.toml if not given.")]

_OF_NOBODY = ("", "C", "POSIX")
"""Values of a locale that is not set."""


def system_language() -> Language | None:
    """Return the terminal's language, English if we lack it, None if none is set."""
    chosen = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    if chosen.partition(".")[0] in _OF_NOBODY:
        return None
    return next((one for one in Language if chosen.startswith(one)), Language.ENGLISH)


def operators_language(config: Config) -> Language:
    """Return the operator's language: that of the terminal, else that of the judge."""
    return system_language() or config.judge.language


def given_config(path: Path | None) -> Config:
    """Load the settings file given by option or environment."""
    from judge.config import from_environment, load_config  # noqa: PLC0415 - slow to import, and many need no settings

    config = load_config(path or from_environment(), system_language() or "en")
    use_boards_in(config.games.boards)
    return config


def find_boards() -> Mapping[str, Path]:
    """Return the operator's boards, for a command that has no settings.

    The settings are read from their usual place.
    """
    from judge.config import from_environment, load_config  # noqa: PLC0415

    try:
        folder = load_config(from_environment()).games.boards
    except ConfigError:
        return {}
    return look_in(folder).good


def refuse(why_not: str) -> NoReturn:
    """Print the reason and exit with code 1."""
    print(f"judge: {why_not}", file=sys.stderr)
    raise Exit(1)

"""Shared by the operator's commands: the settings file, and a refusal in one line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer import Exit

from judge.config import Config, from_environment, load_config

ConfigFile = Annotated[Path | None, typer.Option("--config", "-c", help="The settings file; config.toml if not given.")]


def given_config(path: Path | None) -> Config:
    """Load the settings file given by option or environment."""
    return load_config(path or from_environment())


def refuse(why_not: str) -> NoReturn:
    """Print the reason and exit with code 1."""
    print(f"judge: {why_not}", file=sys.stderr)
    raise Exit(1)

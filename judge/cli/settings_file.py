"""`judge config`: the example settings file and the systemd units."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judge.errors import ConfigError
from judge.resources import shipped

_UNITS = "docs/systemd"


def config_command(
    units: Annotated[Path | None, typer.Option(help="Write the systemd units into that folder.")] = None,
) -> None:
    """Print an example settings file with every setting explained."""
    if units is None:
        print(shipped("config.example.toml").read_text("utf-8"), end="")
        return
    try:
        units.mkdir(parents=True, exist_ok=True)
        for unit in sorted(shipped(_UNITS).iterdir()):
            with (units / unit.name).open("xb") as new:
                new.write(unit.read_bytes())
            print(units / unit.name)
    except FileExistsError as error:
        raise ConfigError((f"{error.filename} is there already, and may be yours",)) from error
    except OSError as error:
        raise ConfigError((f"{error.filename or units} cannot be written: {error.strerror}",)) from error

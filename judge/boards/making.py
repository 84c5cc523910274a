"""A small board as a start for a new one."""

from __future__ import annotations

import re
from pathlib import Path

from judge.errors import ConfigError
from judge.resources import shipped

_NAME = re.compile("[a-z][a-z0-9-]{1,29}")
_FILES = ("board.toml", "names.toml")


def make_board(folder: Path) -> tuple[Path, ...]:
    """Write a small playable board with comments into a new folder; return its files.

    Raises ConfigError if the name is not allowed or the folder is not empty.
    """
    name = folder.resolve().name
    if not _NAME.fullmatch(name):
        raise ConfigError((f"{name!r} is no name for a board: small letters, digits and hyphens, a letter first",))
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError((f"{folder} is there and not empty",))
    folder.mkdir(parents=True, exist_ok=True)
    for file in _FILES:
        text = (shipped("templates") / "board" / file).read_text("utf-8").replace("NAME_OF_THE_BOARD", name)
        (folder / file).write_text(text, "utf-8")
    return tuple(folder / file for file in _FILES)

"""The only access to the files we ship."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from judge.errors import InstallationError

_PACKAGE = Path(__file__).resolve().parent


@cache
def shipped(name: str) -> Path:
    """Return the shipped folder or file of that name, such as `grammar` or `templates`; raises InstallationError.

    In a checkout, the folders beside the package are used first, because an editable install may contain outdated
    copies of them. In a wheel they are inside the package.
    """
    checkout = _PACKAGE.parent
    places = [_PACKAGE / name, _PACKAGE / "_shipped" / name]
    if (checkout / "pyproject.toml").is_file():
        places.insert(0, checkout / name)
    for place in places:
        if place.exists():
            return place
    raise InstallationError(f"{name!r} is missing; the judge is not installed completely")


Finder = Callable[[], Mapping[str, Path]]
_finders: list[Finder] = []


def look_for_boards(find: Finder) -> None:
    """Let the operator's boards, by name, be found beside the shipped ones; `find` is called when one is asked for."""
    _finders[:] = [find]
    _found.cache_clear()


@cache
def _found() -> Mapping[str, Path]:
    return _finders[0]() if _finders else {}


def board_names() -> tuple[str, ...]:
    """Return the names of all boards, sorted."""
    return tuple(sorted({*(path.parent.name for path in shipped("maps").glob("*/board.toml")), *_found()}))


def board_folder(name: str) -> Path:
    """Return the folder of a board; it may not exist."""
    folder = shipped("maps") / name
    return folder if folder.is_dir() else _found().get(name, folder)


def board_data(name: str, file: str) -> Mapping[str, Any]:
    """Return the contents of a TOML file of a board; nothing if the board has no such file."""
    path = board_folder(name) / file
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


@cache
def shipped_data(name: str) -> Mapping[str, Any]:
    """Return the contents of a shipped TOML file, such as `grammar/around.toml`, read once."""
    return tomllib.loads(shipped(name).read_text("utf-8"))

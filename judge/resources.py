"""Access to the files we ship; nothing else reads them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from judge.errors import BoardError, InstallationError

_PACKAGE = Path(__file__).resolve().parent


@cache
def shipped(name: str) -> Path:
    """Return a shipped folder or file by name; raises InstallationError.

    Examples are `grammar` and `templates`. In a checkout, the folders beside the package are used first, because an
    editable install may contain outdated copies of them. In a wheel they are inside the package.
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
    """Let the operator's boards be found by name, beside the shipped ones.

    `find` is called for each look-up, because a board may be added or mended while the judge runs.
    """
    _finders[:] = [find]


def _found() -> Mapping[str, Path]:
    return _finders[0]() if _finders else {}


def boards() -> tuple[str, ...]:
    """Return the names of all boards, shipped or the operator's, sorted."""
    return tuple(sorted({*shipped_boards(), *_found()}))


@cache
def shipped_boards() -> tuple[str, ...]:
    """Return the names of the boards that are shipped, sorted."""
    return tuple(sorted(path.parent.name for path in shipped("maps").glob("*/board.toml")))


def board_folder(name: str) -> Path:
    """Return the folder of a board; it may not exist."""
    folder = shipped("maps") / name
    return folder if folder.is_dir() else _found().get(name, folder)


def board_data(name: str, file: str) -> Mapping[str, Any]:
    """Return the contents of a TOML file of a board; empty if it has none.

    A board that extends another one has all of its tables, with the board's own values in place of theirs. Raises
    BoardError if the file cannot be read.
    """
    own, base = _table_of(board_folder(name) / file), board_extended(name)
    return merged(board_data(base, file), own) if base else own


def board_extended(name: str) -> str | None:
    """Return the name of the board that a board extends; None if it extends none."""
    return _table_of(board_folder(name) / "board.toml").get("extends")


def board_file(name: str, file: str) -> Path:
    """Return the path of a file of a board, or of the board it extends.

    The file may not exist.
    """
    path, base = board_folder(name) / file, board_extended(name)
    return board_file(base, file) if base and not path.exists() else path


def _table_of(path: Path) -> Mapping[str, Any]:
    return _table_written(path, path.stat().st_mtime_ns) if path.exists() else {}


@cache
def _table_written(path: Path, _at: int) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BoardError(path.parent.name, f"{path}: {error}") from error


def merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the tables of `base`, with the values of `own` replacing its values."""
    tables = {key: merged(base[key], value) for key, value in own.items() if isinstance(base.get(key), Mapping)}
    return {**base, **own, **tables}


@cache
def shipped_data(name: str) -> Mapping[str, Any]:
    """Return the contents of a shipped TOML file, such as `grammar/around.toml`, read once."""
    return tomllib.loads(shipped(name).read_text("utf-8"))

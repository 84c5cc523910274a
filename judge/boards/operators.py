"""The operator's own boards, used beside the shipped ones if they have no fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from judge.errors import ConfigError
from judge.resources import boards, look_for_boards, shipped


@dataclass(frozen=True, slots=True)
class OperatorsBoards:
    """The boards found in the operator's folder."""

    good: Mapping[str, Path]
    """Name → folder of a board without faults."""
    bad: Mapping[str, tuple[str, ...]]
    """Name → all faults of a faulty board."""


def use_boards_in(folder: Path | None) -> None:
    """Allow games on the good boards of a folder, including boards added or fixed later."""
    if folder is not None:
        look_for_boards(lambda: look_in(folder).good)


def look_in(folder: Path | None) -> OperatorsBoards:
    """Check every board in a folder; None means no folder.

    A folder that does not exist is reported as a fault.
    """
    if folder is None:
        return OperatorsBoards({}, {})
    if not folder.is_dir():
        return OperatorsBoards({}, {folder.name: (f"there is no folder {folder}",)})
    return _checked(folder, tuple(_state_of(folder)))


def _state_of(folder: Path) -> Iterator[tuple[Path, int, int]]:
    """Yield path, time and size of each board file; a change triggers a new check."""
    for path in sorted(folder.glob("*/*")):
        with suppress(FileNotFoundError):  # removed at this moment
            found = path.stat()
            yield path, found.st_mtime_ns, found.st_size


@lru_cache(maxsize=4)
def _checked(folder: Path, _state: tuple[tuple[Path, int, int], ...]) -> OperatorsBoards:
    from judge.boards.faults import faults_of  # noqa: PLC0415 - slow to import, and most judges need no check

    good: dict[str, Path] = {}
    bad: dict[str, tuple[str, ...]] = {}
    for one in sorted(path.parent for path in folder.glob("*/board.toml")):
        faults = faults_of(one)
        if (shipped("maps") / one.name).is_dir():
            faults = (f"a board {one.name} is shipped; give this one another name", *faults)
        if faults:
            bad[one.name] = faults
        else:
            good[one.name] = one.resolve()
    return OperatorsBoards(good, bad)


def known_board(name: str) -> str:
    """Return the name of a board; raises ConfigError if there is none of that name."""
    if name not in boards():
        own = "those of your own are in the folder that `boards` below [games] names in the settings"
        raise ConfigError((f"there is no board {name!r}; there is {', '.join(boards())}; {own}",))
    return name

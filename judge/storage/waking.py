"""Tasks to do next: a unit of work names them, its commit wakes workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class WorkMail:
    """Work the waiting mail of a turn."""

    turn: str
    """A game, or a sender while the game is unknown.

    The mails of a turn are worked one after another.
    """


@dataclass(frozen=True, slots=True)
class CloseGame:
    """Look after a game: close its phase, or remind players."""

    game: str
    due: datetime


@dataclass(frozen=True, slots=True)
class Deliver:
    """Deliver the letters that are due."""


Task: TypeAlias = WorkMail | CloseGame | Deliver
DELIVER = Deliver()

Wake: TypeAlias = Callable[[Task], None]
"""A callback by which a unit of work names a task."""


class Waker(Protocol):
    """Wake workers. The rows say what to do: a lost call costs only seconds."""

    def after(self, tasks: Sequence[Task]) -> None:
        """Wake workers for committed tasks. Raises nothing."""


NO_GAME = "from "
"""Prefix of a mail's turn while its game is unknown; no game is named so."""


class Embedded:
    """Wake the loops of the same process, if there are any."""

    def __init__(self, on_errand: Wake = lambda _: None) -> None:
        self.on_errand = on_errand

    def after(self, tasks: Sequence[Task]) -> None:
        """Wake the loops."""
        for task in tasks:
            self.on_errand(task)


def turn_of(game: str | None, sender: str | None) -> str:
    """Return the turn of a mail: its game, else its sender."""
    return game if game is not None else f"{NO_GAME}{sender or ''}"


def sender_of(turn: str) -> str | None:
    """Return the sender of a turn, "" if unknown; None for a game's turn."""
    return turn.removeprefix(NO_GAME) if turn.startswith(NO_GAME) else None

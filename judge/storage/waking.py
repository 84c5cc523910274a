"""Errands: what has to be done next. A unit of work names them, and its commit wakes the worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class WorkMail:
    """Mail is to be worked: all that waits for its turn there."""

    turn: str
    """What has the same turn is worked one after the other: a game, or, while that is not known, a sender."""


@dataclass(frozen=True, slots=True)
class CloseGame:
    """A game is to be looked after: its phase closed, or somebody reminded."""

    game: str
    due: datetime


@dataclass(frozen=True, slots=True)
class Deliver:
    """Letters are to leave."""


Errand: TypeAlias = WorkMail | CloseGame | Deliver
DELIVER = Deliver()

Wake: TypeAlias = Callable[[Errand], None]
"""How a unit of work says it."""


class Waker(Protocol):
    """Wakes workers. The rows say what has to be done: a lost call costs seconds, nothing else."""

    def after(self, errands: Sequence[Errand]) -> None:
        """Wake the workers; the reasons are committed. Raises nothing."""


NO_GAME = "from "
"""How the turn of a mail begins whose game is not known; no game is called so."""


class Embedded:
    """Wakes the loops of the same process, if there are any."""

    def __init__(self, on_errand: Wake = lambda _: None) -> None:
        self.on_errand = on_errand

    def after(self, errands: Sequence[Errand]) -> None:
        """Wake the loops."""
        for errand in errands:
            self.on_errand(errand)


def turn_of(game: str | None, sender: str | None) -> str:
    """With whom a mail has its turn."""
    return game if game is not None else f"{NO_GAME}{sender or ''}"


def sender_of(turn: str) -> str | None:
    """Whose turn it is where that is no game; empty if nobody knows."""
    return turn.removeprefix(NO_GAME) if turn.startswith(NO_GAME) else None

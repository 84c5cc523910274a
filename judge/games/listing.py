"""Under which head LIST shows a game: kept beside it, so that nobody has to read all games to list some."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from judge.commands import ListKind
from judge.games.game import Game, GameState
from judge.games.seats import vacancies


class Shelf(IntEnum):
    """In the order in which they are listed."""

    HIDDEN = 0
    """Over, or shown only to those who are in it."""
    NEW = 1
    """Forming: anybody may join."""
    VACANT = 2
    """A power wants a player."""
    RUNNING = 3


SHELVES: Mapping[ListKind, tuple[Shelf, ...]] = {
    ListKind.ALL: (Shelf.NEW, Shelf.VACANT, Shelf.RUNNING),
    ListKind.NEW: (Shelf.NEW,),
    ListKind.VACANT: (Shelf.VACANT,),
}


def shelf_of(game: Game) -> Shelf:
    """Where a game stands on the list."""
    if game.state is GameState.FINISHED or not game.settings.listed:
        return Shelf.HIDDEN
    if game.state is GameState.FORMING:
        return Shelf.NEW
    return Shelf.VACANT if vacancies(game) else Shelf.RUNNING

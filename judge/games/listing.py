"""The section of LIST a game belongs to.

It is stored with the game, so that LIST need not read every game.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from judge.commands import ListKind
from judge.games.game import Game, GameState
from judge.games.seats import vacancies


class Shelf(IntEnum):
    """Sections of LIST, in the order they are listed."""

    HIDDEN = 0
    """Finished, or shown only to its members."""
    NEW = 1
    """Forming: new players may join."""
    VACANT = 2
    """Running, with a power that needs a player."""
    RUNNING = 3


SHELVES: Mapping[ListKind, tuple[Shelf, ...]] = {
    ListKind.ALL: (Shelf.NEW, Shelf.VACANT, Shelf.RUNNING),
    ListKind.NEW: (Shelf.NEW,),
    ListKind.VACANT: (Shelf.VACANT,),
}


def shelf_of(game: Game) -> Shelf:
    """The section of LIST in which a game is shown."""
    if game.state is GameState.FINISHED or not game.settings.listed:
        return Shelf.HIDDEN
    if game.state is GameState.FORMING:
        return Shelf.NEW
    return Shelf.VACANT if vacancies(game) else Shelf.RUNNING

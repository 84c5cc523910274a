"""Cache of games as last committed: unchanged games are not read again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from judge.games.game import Game

_MOST = 500
"""Games in the cache; some ten thousand bytes each."""


class KnownGames:
    """The games read or written lately, for all threads; the caller compares versions."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.games: OrderedDict[str, Game] = OrderedDict()

    def get(self, name: str) -> Game | None:
        """Return a game as it was when it was cached, or None."""
        with self.lock:
            return self.games.get(name)

    def put(self, game: Game) -> None:
        """Cache a committed game."""
        with self.lock:
            self.games[game.name] = game
            self.games.move_to_end(game.name)
            while len(self.games) > _MOST:
                self.games.popitem(last=False)

"""Games as they were committed last, so that what has not changed is not read again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from judge.games.game import Game

_MOST = 500
"""Games of the day; some ten thousand bytes each."""


class KnownGames:
    """The games that were read or written of late, for all threads. Whoever asks compares the version."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.games: OrderedDict[str, Game] = OrderedDict()

    def get(self, name: str) -> Game | None:
        """A game as it was at some time."""
        with self.lock:
            return self.games.get(name)

    def put(self, game: Game) -> None:
        """A game as it is committed."""
        with self.lock:
            self.games[game.name] = game
            self.games.move_to_end(game.name)
            while len(self.games) > _MOST:
                self.games.popitem(last=False)

"""What comes back from asking something of a game."""

from __future__ import annotations

from dataclasses import dataclass

from judge.games.answers import Answer
from judge.games.events import Event, RefusalReason, Refused
from judge.games.game import Game


@dataclass(frozen=True, slots=True)
class Handled:
    """The game after a request, the answer to the one who asked, and what others have to be told."""

    game: Game
    answer: Answer
    events: tuple[Event, ...] = ()


def refused(game: Game, reason: RefusalReason, subject: str = "", instead: str = "") -> Handled:
    """The game as it was, and why."""
    return Handled(game, Refused(reason, subject, instead))

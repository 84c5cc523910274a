"""What comes back from asking something of a game."""

from __future__ import annotations

from dataclasses import dataclass

from judge.games.answers import Answer
from judge.games.events import Event
from judge.games.game import Game
from judge.games.refusals import Refusal, Refused


@dataclass(frozen=True, slots=True)
class Handled:
    """The game after a request, the answer to the one who asked, and what others have to be told."""

    game: Game
    answer: Answer
    events: tuple[Event, ...] = ()


def refused(game: Game, why: Refusal) -> Handled:
    """The game as it was, and why."""
    return Handled(game, Refused(why))

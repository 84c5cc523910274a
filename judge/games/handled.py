"""The result of a request to a game."""

from __future__ import annotations

from dataclasses import dataclass

from judge.games.answers import Answer
from judge.games.events import Event
from judge.games.game import Game
from judge.games.refusals import Refusal, Refused


@dataclass(frozen=True, slots=True)
class Handled:
    """The game after a request, the answer to the sender, and events for others."""

    game: Game
    answer: Answer
    events: tuple[Event, ...] = ()


def refused(game: Game, why: Refusal) -> Handled:
    """Return the unchanged game with a refusal."""
    return Handled(game, Refused(why))

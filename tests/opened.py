"""A game that has just started, without a judge around it."""

from __future__ import annotations

from datetime import UTC, datetime

from judge.commands import Create, Join
from judge.games import Game, GameState, Handled, PersonId, create, join
from judge.rules import load_map
from judge.rules.position import Power

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
MASTER = PersonId(100)
MAP = load_map()
FRANCE, GERMANY, ITALY = Power("FRANCE"), Power("GERMANY"), Power("ITALY")


def opened() -> Game:
    """Return a started game; person 1 plays the map's first power, and so on."""
    made = create(Create("ardennes"), MASTER)
    assert isinstance(made, Handled)
    game = made.game
    for number, power in enumerate(MAP.powers, start=1):
        game = join(game, PersonId(number), Join("ardennes", power), NOON, seed=1).game
    assert game.state is GameState.ACTIVE
    return game

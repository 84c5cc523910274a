"""Robots give their orders in the commit that opens a phase."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from judge.games import Game
from judge.games.robots import ordered, robots_to_order
from judge.games.sight import seen_as
from judge.robots import RobotView, orders
from judge.storage import Work

_CHANCE = "robots"
"""The name of the secret that seeds the robots' random choices."""


def with_robots(work: Work, game: Game) -> Game:
    """Return the game with the orders of its robots on file.

    Calling it twice changes nothing. The random seed is a secret of this judge; players cannot predict a robot.
    """
    waiting = robots_to_order(game)
    if not waiting:
        return game
    told = f"{game.name} {game.position.phase}".encode()
    seed = int.from_bytes(hashlib.blake2b(told, key=work.secret(_CHANCE), digest_size=8).digest())
    circumstances = replace(game.circumstances, declined={})  # what other powers decline is secret
    for powers in waiting:
        seen = seen_as(game, powers)
        view = RobotView(game.map, seen.position, powers, game.settings.rules, circumstances)
        game = ordered(game, orders(view, seed))
    return game

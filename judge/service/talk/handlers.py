"""The handler of every command, in one table joined from those of the modules.

Commands to a game are carried out by `do_in_a_game`, which finds the game and passes the command to `judge.games`.
There, each module has its own table of handlers.
"""

from __future__ import annotations

from judge.games.request import joined
from judge.service.talk import adopting, all_games, founding, lists, of_a_game, oneself, reporting

HANDLERS = joined(
    of_a_game.HANDLERS,
    all_games.HANDLERS,
    founding.HANDLERS,
    adopting.HANDLERS,
    oneself.HANDLERS,
    lists.HANDLERS,
    reporting.HANDLERS,
)
"""Class of a command → its handler."""

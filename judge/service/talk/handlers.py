"""The handler of every command: one table, joined from those of the subjects.

What is asked of a game is done by `do_in_a_game`, which finds the game and hands the command to `judge.games`; its row
stands in the module of its subject there.
"""

from __future__ import annotations

from judge.games.request import joined
from judge.service.talk import founding, lists, of_a_game, oneself

HANDLERS = joined(of_a_game.HANDLERS, founding.HANDLERS, oneself.HANDLERS, lists.HANDLERS)
"""Class of a command → its handler."""

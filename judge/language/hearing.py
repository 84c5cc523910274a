"""Whether a single line addresses the judge.

This separates a sender's own words from quotations.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from judge.budget import Budget
from judge.commands import Clear, Give, SetReady, Steering, Undo, Wait
from judge.language.context import Context
from judge.language.line import read_line
from judge.language.lines import ReadLine
from judge.rules.map import USUAL_BOARD, load_map

_PLAYING = (Give, Clear, Undo, SetReady, Wait)


def gives_order(line: str, budget: Budget, board: str = USUAL_BOARD) -> bool:
    """Whether a line clearly gives an order, or a command usual beside orders."""
    return any(isinstance(request, _PLAYING) for request in _read(line, budget, board).requests)


def may_ask(line: str, budget: Budget, board: str = USUAL_BOARD) -> bool:
    """Whether a line may be an order or a command, even a misspelled one.

    True if in doubt.
    """
    read = _read(line, budget, board)
    return bool(read.faults) or any(not isinstance(request, Steering) for request in read.requests)


def _read(line: str, budget: Budget, board: str) -> ReadLine:
    return read_line(0, line, replace(_start(board), budget=budget))


@cache
def _start(board: str) -> Context:
    """Return the context of a mail whose sender is not known yet.

    It has no position.
    """
    return Context(load_map(board))

"""Whether a line by itself says something to the judge: asked where a mail is cut into own words and quotations."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from judge.budget import Budget
from judge.commands import Clear, Give, SetReady, Steering, Undo, Wait
from judge.language.context import Context
from judge.language.line import read_line
from judge.language.lines import ReadLine
from judge.rules.map import load_map

_PLAYING = (Give, Clear, Undo, SetReady, Wait)


def gives_order(line: str, budget: Budget) -> bool:
    """Whether a line gives an order, or says what players say beside their orders, in words that are clear."""
    return any(isinstance(request, _PLAYING) for request in _read(line, budget).requests)


def may_ask(line: str, budget: Budget) -> bool:
    """Whether a line may be an order or a command, read or misread: sooner yes than no."""
    read = _read(line, budget)
    return bool(read.faults) or any(not isinstance(request, Steering) for request in read.requests)


def _read(line: str, budget: Budget) -> ReadLine:
    return read_line(0, line, replace(_start(), budget=budget))


@cache
def _start() -> Context:
    """No board is known yet when a mail is taken apart."""
    return Context(load_map())

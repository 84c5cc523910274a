"""Whether a line spells out the order that was filed for it.

Otherwise the line was only taken to mean that order.
"""

from __future__ import annotations

from judge.commands import Give
from judge.language.context import Context
from judge.language.reading import read
from judge.rules.notation import write_order
from judge.rules.orders import Order


def spells(line: str, order: Order, context: Context) -> bool:
    """Whether a line on its own reads as the order.

    Guesses, misspelled names and words around the line do not count.
    Lines that a YES decided are several lines, and never spell the order.
    """
    if line.strip().upper() == write_order(order):
        return True
    if "\n" in line:
        return False
    given = [request for one in read(line, context) for request in one.requests]
    return any(isinstance(one, Give) and one.order == order and not one.misnamed and not one.guessed for one in given)

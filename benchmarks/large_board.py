"""Read orders on the largest shipped board, compared with the standard board.

Each mail orders other units. Promise: reading ten lines takes at most 1.5 times what it takes on the standard board.
Both boards are in the middle of a random game. The same people write, half in English and half in Japanese. The mails
are read in turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from statistics import median

from measure import Figure, Promise, cpu_ms_once, report, run, share, times

from judge.language import Context, read
from judge.resources import boards
from judge.rules import STANDARD, adjudicate, load_map
from judge.rules.map import USUAL_BOARD
from judge.rules.position import PhaseKind
from tests.nasty import random_orders
from tests.writers import in_english, in_japanese

LARGEST = max(boards(), key=lambda name: len(load_map(name).provinces))
LINES, MAILS, WARM_UP = 10, 300, 30
LARGE = Promise("ten lines of orders read on the largest board, beside the standard one", most=1.5)


@dataclass(frozen=True, slots=True)
class Mail:
    """Ten orders on a board, as a person writes them."""

    text: str
    context: Context

    def cpu_ms(self) -> float:
        """Return the cost of reading the mail."""
        return cpu_ms_once(partial(read, self.text, self.context))


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    count = WARM_UP + times(MAILS, rounds)
    pairs = zip(islice(_mails(LARGEST), count), islice(_mails(USUAL_BOARD), count), strict=True)
    taken = [(large.cpu_ms(), usual.cpu_ms()) for large, usual in pairs][WARM_UP:]
    large, usual = ([one[side] for one in taken] for side in (0, 1))
    report(f"ten lines on {LARGEST}", median(large), "ms CPU", USUAL_BOARD, median(usual))
    return [Figure(LARGE, share(large, usual))]


def _mails(board: str) -> Iterator[Mail]:
    """Yield mails with ten orders each, of all powers together.

    A power of a small board has fewer units than ten.
    """
    chance, map_ = Random(1425), load_map(board)
    position = map_.start()
    while True:
        orders = random_orders(map_, position, STANDARD, chance)
        if position.phase.kind is PhaseKind.MOVEMENT:
            given = [order for several in orders.values() for order in several]
            chance.shuffle(given)
            context = Context(map_, position, map_.powers)
            for place in range(0, len(given) - LINES, LINES):
                writer = chance.choice((in_english, in_japanese))(chance, fickle=True, board=board)
                yield Mail("\n".join(map(writer.write, given[place : place + LINES])), context)
        resolution = adjudicate(map_, position, orders)
        position = map_.start() if resolution.over else resolution.position


if __name__ == "__main__":
    run(measure)

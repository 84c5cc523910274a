"""No line costs more than a hundred ordinary ones; random lines search for one."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable

import pytest

from judge.language import Context, read
from judge.language.orders.structures import notation, slow_structures, usual
from judge.language.words import LONGEST_LINE, load_lexicon, normal_form
from judge.rules import Power, load_map
from tests.soak import Soak

MAP = load_map()
BOARD = Context(MAP, MAP.start(), (Power("FRANCE"),))
WORST = 100
ORDINARY = (
    *("A Par - Bur", "A Mar S A Par - Bur", "Fleet Brest to the Mid-Atlantic", "the army in Paris holds"),
    *("パリ陸軍をブルゴーニュへ移動", "マルセイユ陸軍はパリ陸軍のブルゴーニュへの移動を支援", "ブレスト海軍を維持"),
)
SIGNS = (" ", "", ", ", ". ", "; ", "、", "。", " - ", "-", "(", ") ", ": ", "/", "ー", "※", "~", "'", "\u0301")


def taken(line: str) -> float:
    """Return processor seconds with empty caches; the least of a few measurements.

    Other processes may keep the machine busy.
    """

    def once() -> float:
        for remembered in (notation, usual, slow_structures):
            remembered.cache_clear()
        begun = time.process_time()
        read(line, BOARD)
        return time.process_time() - begun

    return min(once() for _ in range(3))


def made_to_be_slow(chance: random.Random) -> str:
    """Return repeated or random words, up to the length of a line."""
    words = list(load_lexicon("standard").terminals)
    makers: tuple[Callable[[], str], ...] = (
        lambda: chance.choice(words),
        lambda: chance.choice(ORDINARY),
        lambda: "".join(chance.choices("abcdefmnoprstuxァンウスー陸海軍", k=chance.randint(1, 9))),
        lambda: str(chance.randrange(10_000)),
    )
    pieces = [chance.choice(makers)() + chance.choice(SIGNS) for _ in range(chance.choice([1, 2, 3, 5, 8, 400]))]
    return ("".join(pieces) * LONGEST_LINE)[: chance.choice([200, 600, LONGEST_LINE])]


def test_lines_made_to_be_slow_are_read_as_one() -> None:
    for seed in range(20):
        line = made_to_be_slow(random.Random(seed)).replace("\n", " ")
        assert [one.text for one in read(line, BOARD)] in ([line], [])


@pytest.mark.parametrize("letter", ["a", "…", "㍿", "\ufdfa"])
def test_only_the_beginning_of_a_long_line_is_read_however_much_a_letter_stands_for(letter: str) -> None:
    line = normal_form(letter * (LONGEST_LINE - 1))
    assert len(line.text) == len(line.origin) <= LONGEST_LINE
    assert len(normal_form(letter * 60_000).text) <= LONGEST_LINE


@pytest.mark.soak
def test_no_line_takes_more_than_a_hundred_ordinary_ones(soak: Soak) -> None:
    gc.disable()
    try:
        ordinary = statistics.mean(map(taken, ORDINARY))
        worst = (0.0, "")
        for seed in soak.seeds(20_000):
            line = made_to_be_slow(random.Random(seed))
            ratio = taken(line) / ordinary
            if ratio > WORST:  # once more, side by side: a busy machine is not the line's fault
                ratio = min(taken(line) / statistics.mean(map(taken, ORDINARY)) for _ in range(5))
            worst = max(worst, (ratio, line))
            assert worst[0] <= WORST, f"seed {seed}: {worst[0]:.0f} ordinary lines for {line[:200]!r}"
    finally:
        gc.enable()

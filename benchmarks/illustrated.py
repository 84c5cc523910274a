"""Compose eight reports with both maps and two players' fronts, from outcomes to bytes.

They are in two languages. Promises: they cost at most 2.5 times the same reports without maps, and a mail with both
maps and a front has at most 200 kB.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from deadline import closed_and_composed, with_orders
from games import NOON, full_game, judge_in, people
from measure import Figure, Promise, cpu_ms_in_turns, cpu_ms_of_rounds, report, run, share, times

from judge.service.engine.assemble import Parts
from judge.service.post.letters import LetterWriter

OF_THE_PLAIN = Promise("8 reports with both maps and two fronts, beside the same without", most=2.5)
SIZE = Promise("kB of the largest mail with both maps and a front", most=200)
WARM_UP, ROUNDS = 3, 15


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    count = times(ROUNDS, rounds)
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder), draws=True)
        names = [f"game{number}" for number in range(2 * (WARM_UP + count))]
        with parts.store.work() as work:
            crowd = people(work, "crowd")
            for name in names:
                game = with_orders(full_game(parts, work, name, crowd, with_reports=False))
                work.games.save(replace(game, clock=replace(game.clock, closing_since=NOON)))
            work.commit()
        waiting, sizes = iter(names), list[int]()
        drawing = parts.closing.writer
        acts = {
            name: _by(parts, replace(drawing, draws=draws), closed_and_composed(parts, waiting, sizes))
            for name, draws in (("drawn", True), ("plain", False))
        }
        cpu_ms_in_turns(acts, WARM_UP)
        taken = cpu_ms_of_rounds(acts, count)
        parts.store.close()
    drawn, plain = taken["drawn"], taken["plain"]
    report("eight reports with their maps", statistics.median(drawn), "ms CPU", "without", statistics.median(plain))
    return [Figure(OF_THE_PLAIN, share(drawn, plain)), Figure(SIZE, max(sizes) / 1000)]


def _by(parts: Parts, writer: LetterWriter, act: Callable[[], None]) -> Callable[[], None]:
    """Return the same act with another writer of letters."""

    def with_writer() -> None:
        parts.closing.writer = writer
        act()

    return with_writer


if __name__ == "__main__":
    run(measure)

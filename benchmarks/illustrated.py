"""Eight reports of one phase with both maps, text and HTML, in two languages: from outcomes to bytes ready to send.

Promises: at most 6 times the same without maps, and a mail with both maps at most 250 kB.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from deadline import with_orders
from games import NOON, full_game, judge_in, people
from measure import cpu_ms_in_turns, cpu_ms_of_rounds, is_kept, report, share, without_logs

from judge.service import Parts
from judge.service.post.letters import LetterWriter

OF_THE_PLAIN, MOST_BYTES = 6.0, 250_000
WARM_UP, ROUNDS = 3, 15


def main() -> int:
    """Measure and print."""
    without_logs()
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder), draws=True)
        names = [f"game-{number}" for number in range(2 * (WARM_UP + ROUNDS))]
        with parts.store.work() as work:
            crowd = people(work, "crowd")
            for name in names:
                game = with_orders(full_game(parts, work, name, crowd, with_reports=False))
                work.games.save(replace(game, closing_since=NOON))
            work.commit()
        waiting, sizes = iter(names), list[int]()
        drawing = parts.closing.writer
        acts = {
            name: _closed_and_composed(parts, replace(drawing, draws=draws), waiting, sizes)
            for name, draws in (("drawn", True), ("plain", False))
        }
        cpu_ms_in_turns(acts, WARM_UP)
        rounds = cpu_ms_of_rounds(acts, ROUNDS)
        parts.store.close()
    drawn, plain = rounds["drawn"], rounds["plain"]
    report("eight reports with their maps", statistics.median(drawn), "ms CPU", "without", statistics.median(plain))
    kept = [
        is_kept("eight reports with maps beside without", share(drawn, plain), most=OF_THE_PLAIN),
        is_kept("kB of the largest mail", max(sizes) / 1000, most=MOST_BYTES / 1000),
    ]
    return 0 if all(kept) else 1


def _closed_and_composed(
    parts: Parts, writer: LetterWriter, waiting: Iterator[str], sizes: list[int]
) -> Callable[[], None]:
    """The next game's phase is closed, and its eight reports are composed."""

    def act() -> None:
        parts.closing.writer = writer
        parts.closing.close(next(waiting))
        with parts.store.work() as work:
            letters = work.outbox.lease(NOON, 8, timedelta())
            work.outbox.sent([letter.id for letter in letters])
            work.commit()
        sizes.extend(len(parts.delivery.illustrator.compose(letter)) for letter in letters)
        parts.delivery.illustrator.forget()

    return act


if __name__ == "__main__":
    sys.exit(main())

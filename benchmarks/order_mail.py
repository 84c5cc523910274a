"""One order mail, from stored to reply queued and committed: with 1 game and with 1,000 games on file.

Promise: at most 5 ms CPU, and at most 1.2 times that with 1,000 games.
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

from games import full_game, judge_in, order_mail, people
from measure import cpu_ms, report

ORDERS = "A Par - Bur\r\nA Mar S A Par - Bur\r\nF Bre - Mao"


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder))
        with parts.store.work() as work:
            game = full_game(parts, work, "ardennes", people(work, "first"))
            work.commit()
        numbers = itertools.count()

        def one_mail() -> None:
            parts.intake.work_one()

        def measured(rounds: int) -> float:
            for _ in range(rounds + 20):
                parts.intake.keep(order_mail(parts, game, next(numbers), ORDERS))
            cpu_ms(one_mail, 20)
            return cpu_ms(one_mail, rounds)

        alone = measured(200)
        with parts.store.work() as work:
            crowd = people(work, "crowd")
            for number in range(999):
                full_game(parts, work, f"game-{number}", crowd, with_reports=False)
            work.commit()
        crowded = measured(200)
        report("an order mail with 1,000 games on file", crowded, "ms CPU", "with 1 game", alone)
        parts.store.close()


if __name__ == "__main__":
    main()

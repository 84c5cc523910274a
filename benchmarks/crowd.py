"""100 games due at the same moment: closed, 800 reports in two languages rendered and queued.

Promise: at most 1.5 s CPU. The floor is the adjudication of the same 100 phases alone.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from deadline import with_orders
from games import NOON, full_game, judge_in, people
from measure import report, without_logs

from judge.games import close

GAMES = 100
WARM_UP = 5


def main() -> None:
    """Measure and print."""
    without_logs()
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder))
        parts.closing.sources = ()
        with parts.store.work() as work:
            crowd = people(work, "crowd")
            games = [
                with_orders(full_game(parts, work, f"game-{number}", crowd, with_reports=False))
                for number in range(WARM_UP + GAMES)
            ]
            for game in games:
                work.games.save(replace(game, closing_since=NOON))
            work.commit()
        for game in games[:WARM_UP]:
            parts.closing.close(game.name)
        begun = time.process_time()
        for game in games[WARM_UP:]:
            close(game, game.position.phase, NOON)
        floor = time.process_time() - begun
        begun = time.process_time()
        assert parts.closing.close_due() == GAMES
        seconds = time.process_time() - begun
        with parts.store.work() as work:
            assert work.outbox.counts()["queued"] == (WARM_UP + GAMES) * 8
        parts.store.close()
    report("100 games due at once, 800 reports", seconds, "s CPU", "adjudication alone", floor)


if __name__ == "__main__":
    main()

"""Estimate how many machines a number of games needs, from costs measured now.

There is no promise.

    python benchmarks/growth.py [dearer [commits]]

`dearer` is how much more a mail costs where machines share the work (`benchmarks/crowd_postgres.py` measures it),
`commits` how many commits a second the one database makes.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from deadline import with_orders
from games import NOON, full_game, judge_in, order_mail, people
from measure import without_logs

ROUNDS = 30
PHASES_A_WEEK = 2
MAILS_A_PHASE = 10
"""Seven players write once, some twice, and some ask."""
LETTERS_A_PHASE = 8 + MAILS_A_PHASE + 7
"""Reports, answers, and words to others."""
BUSIEST_HOUR = 0.05
"""The share of a week's work in the busiest hour: people choose the same evening."""
COMMITS_A_MAIL = 5
"""The mail is stored, fetched, begun, worked with its answer, finished."""
COMMITS_A_LETTER = 0.2
"""Letters leave in batches."""
CORES = 8
"""Cores of one machine; half are used, to leave room for the busiest minutes."""


def main() -> None:
    """Measure and print the table."""
    without_logs()
    dearer, commits = (*map(float, sys.argv[1:]), *(1.4, 1000.0)[len(sys.argv) - 1 :])
    mail, phase, letter = _costs()
    print(f"measured: {mail * 1000:.1f} ms CPU a mail, {phase * 1000:.0f} ms a phase, {letter * 1000:.1f} ms a letter")
    print(f"taken for granted: a mail costs {dearer} times that if machines share; {commits:.0f} commits a second")
    print(f"{'games':>10} {'mails/s':>8} {'letters/s':>10} {'cores':>6} {'machines':>9} {'of the database':>16}")
    for games in (1_000, 10_000, 100_000, 1_000_000):
        phases = games * PHASES_A_WEEK * BUSIEST_HOUR / 3600
        mails, letters = phases * MAILS_A_PHASE, phases * LETTERS_A_PHASE
        cores = mails * mail * dearer + phases * phase + letters * letter
        used = (mails * COMMITS_A_MAIL + letters * COMMITS_A_LETTER) / commits
        machines = math.ceil(cores / (CORES / 2))
        print(f"{games:>10,} {mails:>8.1f} {letters:>10.1f} {cores:>6.1f} {machines:>9} {used:>15.0%}")


def _costs() -> tuple[float, float, float]:
    """Return the CPU seconds of a mail, a phase with its reports, and a letter."""
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder))
        parts.closing.sources = ()
        with parts.store.work() as work:
            games = [
                with_orders(full_game(parts, work, f"game{n}", people(work, f"crowd-{n}"), with_reports=False))
                for n in range(ROUNDS)
            ]
            for game in games:
                work.games.save(game)
            work.commit()
        for number, game in enumerate(games):
            parts.intake.keep(order_mail(parts, game, number, "A Par - Bur\r\nF Bre - Mao"))
        assert parts.intake.work_some(1) == (1, True)  # loads the grammars; the other mails are measured
        mail = _cpu(parts.intake.work_all) / (ROUNDS - 1)
        parts.delivery.deliver_due()
        for game in games:
            with parts.store.work() as work:
                now = work.games.get(game.name)
                assert now is not None
                work.games.save(replace(now, clock=replace(now.clock, closing_since=NOON)))
                work.commit()
        phase = _cpu(parts.closing.close_due) / ROUNDS
        letter = _cpu(parts.delivery.deliver_due) / (8 * ROUNDS)
        parts.store.close()
    return mail, phase, letter


def _cpu(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    main()

"""Close games that are due at once, compared with games closed one by one.

Each has 8 reports in two languages. Promise: a game due at once costs at most 1.25 times a game due alone. Both
take turns. The bare adjudication of the same phases is printed too.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deadline import with_orders
from games import NOON, full_game, judge_in, people
from measure import Figure, Promise, cpu_ms_once, in_turns, report, run, share, times

from judge.games import Game, close
from judge.service.engine.assemble import Parts

GAMES = 25
"""Games closed at once in each round, and as many one by one."""
WARM_UP, ROUNDS = 1, 5
CROWD = Promise("a phase among 25 due at once, beside one due alone", most=1.25)


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    count = WARM_UP + times(ROUNDS, rounds)
    taken: dict[str, list[float]] = {"crowd": [], "alone": []}
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder))
        parts.closing.sources = ()
        games = iter(_games(parts, count * GAMES * len(taken)))
        for number in range(count):
            for name in in_turns(taken, number):
                some = [next(games) for _ in range(GAMES)]
                taken[name].append(_at_once_ms(parts, some) if name == "crowd" else _one_by_one_ms(parts, some))
        with parts.store.work() as work:
            assert work.outbox.counts()["queued"] == count * GAMES * len(taken) * 8
        parts.store.close()
    crowd, alone = taken["crowd"][WARM_UP:], taken["alone"][WARM_UP:]
    bare = cpu_ms_once(lambda: [close(game, game.position.phase, NOON) for game in some]) / GAMES
    report(f"a phase of {GAMES} due at once", statistics.median(crowd), "ms CPU", "due alone", statistics.median(alone))
    print(f"adjudication alone: {bare:.2f} ms CPU")
    return [Figure(CROWD, share(crowd, alone))]


def _games(parts: Parts, count: int) -> list[Game]:
    with parts.store.work() as work:
        crowd = people(work, "crowd")
        games = [
            with_orders(full_game(parts, work, f"game{number}", crowd, with_reports=False)) for number in range(count)
        ]
        games = [work.games.save(game) for game in games]
        work.commit()
    return games


def _at_once_ms(parts: Parts, games: Sequence[Game]) -> float:
    with parts.store.work() as work:
        for game in games:
            work.games.save(replace(game, clock=replace(game.clock, closing_since=NOON)))
        work.commit()
    begun = time.process_time_ns()
    assert parts.closing.close_due() == len(games)
    return (time.process_time_ns() - begun) / 1e6 / len(games)


def _one_by_one_ms(parts: Parts, games: Sequence[Game]) -> float:
    return statistics.mean(_at_once_ms(parts, [game]) for game in games)


if __name__ == "__main__":
    run(measure)

"""One movement deadline of a full game: adjudicated, text and HTML for 8 readers in two languages, queued.

Promise: at most 15 times the floor, which is the adjudication alone, and 8 letters in one bare SQLite commit: nothing
is rendered. Beside what it cost before it is measured by `before.py`.
"""

from __future__ import annotations

import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from games import NOON, full_game, judge_in, people
from measure import cpu_ms_in_turns, cpu_ms_of_rounds, is_kept, report, share, without_logs

from judge.commands import Give
from judge.games import Game, MailContext, RequestContext, close, handle
from judge.rules import read_order

ORDERS = (
    "A PAR - BUR",
    "A MAR S A PAR - BUR",
    "F BRE - MAO",
    "A MUN - BUR",
    "F KIE - DEN",
    "A BER - KIE",
    "F LON - NTH",
    "A VEN - TRI",
    "A WAR - GAL",
)
WARM_UP = 20
ROUNDS = 60
PROMISE = 15


def main() -> int:
    """Measure and print."""
    without_logs()
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder))
        names = [f"game-{number}" for number in range(WARM_UP + ROUNDS)]
        with parts.store.work() as work:
            crowd = people(work, "crowd")
            for name in names:
                game = with_orders(full_game(parts, work, name, crowd))
                work.games.save(replace(game, closing_since=NOON))
            work.commit()
        with parts.store.work() as work:
            leased = work.outbox.lease(NOON, 8, timedelta())
        letters = [queued.letter.text + (queued.letter.html or "") for queued in leased]
        waiting = iter(names)
        acts = {"deadline": lambda: parts.closing.close(next(waiting)), "floor": _bare(Path(folder), game, letters)}
        cpu_ms_in_turns(acts, WARM_UP)
        rounds = cpu_ms_of_rounds(acts, ROUNDS)
        figures = {name: statistics.median(taken) for name, taken in rounds.items()}
        with parts.store.work() as work:
            assert all(work.records.phases(name) for name in names)
        report("a movement deadline with 8 reports", figures["deadline"], "ms CPU", "floor", figures["floor"])
        parts.store.close()
    return 0 if is_kept("beside adjudication and commit alone", share(*rounds.values()), most=PROMISE) else 1


def with_orders(game: Game) -> Game:
    """Orders on file for several powers."""
    for text in ORDERS:
        order = read_order(text)
        power = next(power for unit, power in game.position.units.items() if text.startswith(str(unit)))
        holder = game.seat(power).holder
        assert holder is not None
        game = handle(game, holder, Give(order), RequestContext(NOON, MailContext(1, text, NOON))).game
    return game


def _bare(folder: Path, game: Game, letters: Iterable[str]) -> Callable[[], None]:
    database = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE outbox (body TEXT);")
    rows = [(letter,) for letter in letters]

    def act() -> None:
        close(game, game.position.phase, NOON)
        database.execute("BEGIN IMMEDIATE")
        database.executemany("INSERT INTO outbox VALUES (?)", rows)
        database.execute("COMMIT")

    return act


if __name__ == "__main__":
    sys.exit(main())

"""Work an order mail, from the stored mail to the committed reply.

It is measured with 1 game and with 1,000 games on file. Promises: at most 12 times the floor, and with 1,000 games at
most 1.2 times as much as with one. The floor is the same lines parsed by a bare Lark grammar, and as many rows written
and committed by bare SQLite; no mail is read and nothing is answered. `whole_way.py` compares with a program that does
as much as the judge.
"""

from __future__ import annotations

import itertools
import sqlite3
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from games import full_game, judge_in, order_mail, people
from lark import Lark
from measure import Figure, Promise, cpu_ms_in_turns, cpu_ms_of_rounds, report, run, share, times

from judge.games import Game
from judge.service.engine.assemble import Parts

ORDERS = ("A Par - Bur", "A Mar S A Par - Bur", "F Bre - Mao")
WARM_UP = 30
ROUNDS = 150
"""With the warm-up, fewer than the answers that one person gets in an hour."""
OF_THE_FLOOR = Promise("an order mail worked, beside its parse and its rows alone", most=12)
WITH_MANY = Promise("an order mail with 1,000 games on file, beside one", most=1.2)
GRAMMAR = r"""
start: unit "-" PLACE | unit "S" unit ["-" PLACE] | unit "H"
unit: KIND PLACE
KIND: "A" | "F"
PLACE: /[A-Z][a-z]{2}/
%ignore " "
"""


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    count = times(ROUNDS, min(1, rounds))
    with tempfile.TemporaryDirectory() as folder:
        small, large = _judge(Path(folder) / "small", 1), _judge(Path(folder) / "large", 1000)
        acts: dict[str, Callable[[], object]] = {
            "small": partial(small.intake.work_some, 1),
            "large": partial(large.intake.work_some, 1),
            "floor": _bare(Path(folder)),
        }
        cpu_ms_in_turns(acts, WARM_UP)
        taken = cpu_ms_of_rounds(acts, count)
        figures = {name: statistics.median(one) for name, one in taken.items()}
        for parts in (small, large):
            with parts.store.work() as work:
                assert work.inbox.counts()["done"] == WARM_UP + count
                assert work.outbox.counts() == {"queued": WARM_UP + count}
            parts.store.close()
        report("an order mail with 1 game on file", figures["small"], "ms CPU", "floor", figures["floor"])
        report("an order mail with 1,000 games on file", figures["large"], "ms CPU", "with 1 game", figures["small"])
    return [
        Figure(OF_THE_FLOOR, share(taken["small"], taken["floor"])),
        Figure(WITH_MANY, share(taken["large"], taken["small"])),
    ]


def _judge(folder: Path, games: int) -> Parts:
    """Return a judge with that many games, and mails for one of them."""
    folder.mkdir()
    parts = judge_in(folder)
    with parts.store.work() as work:
        game = full_game(parts, work, "ardennes", people(work, "first"), with_reports=False)
        crowd = people(work, "crowd")
        for number in range(games - 1):
            full_game(parts, work, f"game{number}", crowd, with_reports=False)
        work.commit()
    _fill(parts, game)
    return parts


def _fill(parts: Parts, game: Game) -> None:
    for number in range(WARM_UP + ROUNDS):
        parts.intake.keep(order_mail(parts, game, number, "\r\n".join(ORDERS)))


def _bare(folder: Path) -> Callable[[], None]:
    """Return the floor: parse the lines and write the rows in two commits.

    The rows are an attempt, the game, its orders, a reply and the mail's state.
    """
    parser = Lark(GRAMMAR, parser="lalr")
    database = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    database.executescript("""
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE inbox (id INTEGER PRIMARY KEY, attempts INTEGER, state TEXT); INSERT INTO inbox VALUES (1, 0, '');
        CREATE TABLE game (name TEXT PRIMARY KEY, version INTEGER); INSERT INTO game VALUES ('ardennes', 1);
        CREATE TABLE filed_order (power TEXT, place INTEGER, line TEXT, PRIMARY KEY (power, place));
        CREATE TABLE outbox (id INTEGER PRIMARY KEY, key TEXT UNIQUE, body TEXT);
    """)
    numbers = itertools.count()

    def act() -> None:
        for line in ORDERS:
            parser.parse(line)
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE inbox SET attempts = attempts + 1")
        database.execute("COMMIT")
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE game SET version = version + 1 WHERE name = 'ardennes'")
        database.execute("DELETE FROM filed_order WHERE power = 'FRANCE'")
        database.executemany("INSERT INTO filed_order VALUES ('FRANCE', ?, ?)", list(enumerate(ORDERS)))
        database.execute("INSERT INTO outbox (key, body) VALUES (?, ?)", (f"reply {next(numbers)}", "x" * 4000))
        database.execute("UPDATE inbox SET state = 'done'")
        database.execute("COMMIT")

    return act


if __name__ == "__main__":
    run(measure)

"""Measure a large database, compared with an empty one.

It holds 10,000 games and 1 million stored mails. Promises: an order mail costs at most 1.3 times as much. After a
clean stop the judge takes at most 1.5 times the CPU time to start. After a kill every page is read; that is printed
and not promised. All stored mail is young: the judge must not begin to empty old mail while it is measured.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path

from games import full_game, judge_in, order_mail, people
from measure import Figure, Promise, cpu_ms_in_turns, cpu_ms_of_rounds, in_turns, report, run, share, times

from judge.config import Config, DatabaseSettings, ListenerSettings
from judge.games import Game
from judge.service.engine.assemble import Parts, assemble
from judge.service.engine.run import Service

GAMES = 10_000
MAILS = 1_000_000
WARM_UP = 20
ROUNDS = 80
STARTS = 5
MAIL = Promise("an order mail among a million, beside among none", most=1.3)
START = Promise("start-up after a clean stop with a million mails, beside with none", most=1.5)
_CALM_SECONDS = 1
"""Time for the loops to poll once before the judge is stopped."""
COPIES = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {games}) "
    "INSERT INTO {table} ({columns}) SELECT {values} FROM {table} JOIN n WHERE {name} = 'game0'"
)
STORED = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {mails})
    INSERT INTO inbox (identity, message_id, state, source, received_at, envelope_from, envelope_to, content, attempts,
        confirmed, kind)
    SELECT hex(randomblob(32)), '<' || i || '@x>', 'done', 'listener', datetime(), 'x@y', '[]',
        zeroblob(400), 1, 0, 'person' FROM n
"""
SENT = """
    INSERT INTO outbox (key, message_id, state, due, attempts, kind, recipient, queued_at, letter, body, inbox, game,
        person)
    SELECT 'k' || id, '<r' || id || '@x>', 'sent', datetime(), 0, 'reply',
        'p' || (id % 5000) || '@players.test', datetime(), '{}', 'x', id, 'game-' || (id % 9000), 1
    FROM inbox WHERE id % 2 = 0
"""


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    mails, count = round(MAILS * min(1, rounds)), times(ROUNDS, min(1, rounds))
    with tempfile.TemporaryDirectory() as folder:
        (empty, game), (large, other) = (_judge(Path(folder) / name) for name in ("empty", "large"))
        large.store.close()
        _fill(Path(folder) / "large" / "judge.sqlite3", mails)
        starts: dict[str, list[float]] = {"empty": [], "large": []}
        unclean = {name: _start_ms(Path(folder) / name) for name in starts}
        for number in range(STARTS):
            for name in in_turns(starts, number):
                starts[name].append(_start_ms(Path(folder) / name))
        for parts, its_game in ((empty, game), (large, other)):
            for number in range(WARM_UP + count):
                parts.intake.keep(order_mail(parts, its_game, number, "A Par - Bur\r\nA Mar S A Par - Bur"))
        acts = {"large": partial(large.intake.work_some, 1), "empty": partial(empty.intake.work_some, 1)}
        cpu_ms_in_turns(acts, WARM_UP)
        taken = cpu_ms_of_rounds(acts, count)
        figures = {name: statistics.median(one) for name, one in taken.items()}
        for parts in (empty, large):
            parts.store.close()
    report(f"an order mail among {mails:,}", figures["large"], "ms CPU", "among none", figures["empty"])
    medians = [statistics.median(starts[name]) for name in ("large", "empty")]
    report(f"start-up with {mails:,} mails, every page read", unclean["large"], "ms CPU", "with none", unclean["empty"])
    report(f"start-up with {mails:,} mails after a clean stop", medians[0], "ms CPU", "with none", medians[1])
    return [
        Figure(MAIL, share(taken["large"], taken["empty"])),
        Figure(START, share(starts["large"], starts["empty"])),
    ]


def _judge(folder: Path) -> tuple[Parts, Game]:
    folder.mkdir()
    parts = judge_in(folder)
    with parts.store.work() as work:
        game = full_game(parts, work, "ardennes", people(work, "first"), with_reports=False)
        full_game(parts, work, "game0", people(work, "crowd"), with_reports=False)
        work.commit()
    return parts, game


def _fill(file: Path, mails: int) -> None:
    with closing(sqlite3.connect(file)) as database:
        for table, name in (("game", "name"), ("seat", "game")):
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            values = ["'game-' || i" if column == name else f"{table}.{column}" for column in columns]
            database.execute(
                COPIES.format(
                    games=GAMES - 2,
                    table=table,
                    columns=", ".join(columns),
                    values=", ".join(values),
                    name=f"{table}.{name}",
                )
            )
        database.execute(STORED.format(mails=mails))
        database.execute(SENT)
        database.commit()
        assert database.execute("SELECT count(*) FROM game").fetchone() == (GAMES,)


def _start_ms(folder: Path) -> float:
    begun = time.process_time_ns()
    url = f"sqlite:///{folder / 'judge.sqlite3'}"
    config = Config(database=DatabaseSettings(url=url), sources=(ListenerSettings(kind="listener", port=0),))
    service = Service(assemble(config))
    service.start()
    taken = (time.process_time_ns() - begun) / 1e6
    time.sleep(_CALM_SECONDS)
    service.stop()
    return taken


if __name__ == "__main__":
    run(measure)

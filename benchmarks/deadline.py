"""Close one movement phase of a full game and queue its reports.

There are 8 reports as text and HTML in two languages. Two promises are relative to a floor, which is the bare
adjudication and 8 letters in one bare SQLite commit: the phase closed with nothing drawn, and the phase closed with
its 8 reports ready to send, both maps in each, as a judge does by default.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from games import NOON, full_game, judge_in, people
from measure import Figure, Promise, cpu_ms_in_turns, cpu_ms_of_rounds, report, run, share, times

from judge.commands import Give
from judge.games import Game, MailContext, Request, close, handle
from judge.rules import read_order
from judge.service.engine.assemble import Parts

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
WARM_UP = 10
ROUNDS = 60
PLAIN = Promise("a phase closed with 8 reports, beside its adjudication and 8 letters in one commit", most=22)
DRAWN = Promise("the same with both maps drawn and the reports ready to send", most=60)


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    plain, drawn = _measured(times(ROUNDS, rounds), draws=False), _measured(times(ROUNDS // 3, rounds), draws=True)
    return [Figure(PLAIN, plain), Figure(DRAWN, drawn)]


def _measured(count: int, *, draws: bool) -> float:
    """Return the cost of a deadline in multiples of the floor."""
    with tempfile.TemporaryDirectory() as folder:
        parts = judge_in(Path(folder), draws=draws)
        names = [f"game{number}" for number in range(WARM_UP + count)]
        with parts.store.work() as work:
            crowd = people(work, "crowd")
            for name in names:
                game = with_orders(full_game(parts, work, name, crowd))
                work.games.save(replace(game, clock=replace(game.clock, closing_since=NOON)))
            work.commit()
        with parts.store.work() as work:
            leased = work.outbox.lease(NOON, 8, timedelta())
        letters = [queued.letter.text + (queued.letter.html or "") for queued in leased]
        parts.delivery.deliver_due()
        waiting = iter(names)
        closed = closed_and_composed(parts, waiting) if draws else lambda: parts.closing.close(next(waiting))
        acts = {"deadline": closed, "floor": _bare(Path(folder), game, letters)}
        cpu_ms_in_turns(acts, WARM_UP)
        taken = cpu_ms_of_rounds(acts, count)
        with parts.store.work() as work:
            assert all(work.records.phases(name) for name in names)
        parts.store.close()
    ours, floor = (statistics.median(one) for one in taken.values())
    how = "ready to send, with maps" if draws else "queued"
    report(f"a movement deadline with 8 reports {how}", ours, "ms CPU", "floor", floor)
    return share(*taken.values())


def closed_and_composed(parts: Parts, waiting: Iterator[str], sizes: list[int] | None = None) -> Callable[[], None]:
    """Return an act that closes the next game's phase and composes its eight reports."""

    def act() -> None:
        parts.closing.close(next(waiting))
        with parts.store.work() as work:
            letters = work.outbox.lease(NOON, 8, timedelta())
            work.outbox.sent([letter.id for letter in letters])
            work.commit()
        composed = [parts.delivery.illustrator.compose(letter) for letter in letters]
        assert len(composed) == 8
        if sizes is not None:
            sizes.extend(map(len, composed))
        parts.delivery.illustrator.forget()

    return act


def with_orders(game: Game) -> Game:
    """Return the game with orders on file for several powers."""
    for text in ORDERS:
        order = read_order(text)
        power = next(power for unit, power in game.position.units.items() if text.startswith(str(unit)))
        holder = game.seat(power).holder
        assert holder is not None
        game = handle(Request(game, holder, Give(order), MailContext(1, text, NOON), NOON)).game
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
    run(measure)

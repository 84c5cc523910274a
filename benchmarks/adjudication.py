"""Movement phases of some 31 units and 26 orders, beside the package `diplomacy` on equal work in the same run.

Two rows: from orders as text to what became of each and why (the package: its result codes), and from a line of
JSON to a line of JSON, as `judge adjudicate` works. Every phase is measured once and was never seen before; then
the whole once more with nothing remembered from line to line. Promised: both at least 12 times as fast, warm;
a million lines grow the process by nothing; `import judge.rules` takes less than 150 ms.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from phases import MAP, Orders, movement_phases

from judge.reports import reasons_on
from judge.reports.clauses import clause_of_shape
from judge.rules import STANDARD, Position, UnitKind, adjudicate, read_order, write_order
from judge.rules.exchange import adjudicate_line, write_task
from judge.rules.exchange.known import tables
from judge.rules.orders import Move, Order

PHASES = 1_600
WARMING = 400
UNITS = 29
TURN = 20
MILLION = 1_000_000
FASTER = 12
IMPORT_MS = 150
GROWTH_MB = 1
"""More than a page or two that the interpreter keeps, less than one byte for each adjudication."""
REMEMBERED = (reasons_on, tables, clause_of_shape, read_order)
"""What is remembered from line to line."""


def main() -> None:
    """Measure and print; `--quick` leaves the million out. Exit code 1 if a promise is not kept."""
    tasks = [Work(number, position, orders) for number, (position, orders) in enumerate(movement_phases(PHASES, UNITS))]
    units = statistics.mean(len(task.position.units) for task in tasks)
    orders = statistics.mean(sum(map(len, task.orders.values())) for task in tasks)
    print(f"{len(tasks)} phases, on average {units:.1f} units and {orders:.1f} orders")
    kept = [speed(tasks), import_time()]
    if "--quick" not in sys.argv[1:]:
        kept.append(memory(tasks))
    sys.exit(0 if all(kept) else 1)


class Work:
    """A phase as each side wants it."""

    def __init__(self, number: int, position: Position, orders: Orders) -> None:
        self.position = position
        self.orders = orders
        self.texts = {power: [write_order(order) for order in given] for power, given in orders.items()}
        self.line = json.dumps({"id": number} | write_task(position, orders, STANDARD))
        theirs = {power: [in_their_notation(order) for order in given] for power, given in orders.items()}
        self.their_line = json.dumps(json.loads(self.line) | {"orders": theirs})
        self.theirs = json.loads(self.their_line)


def speed(tasks: Sequence[Work]) -> bool:
    """Both in turns of twenty phases, so that a noisy moment of the machine hits both or none."""
    theirs = peer()
    gc.collect()
    gc.freeze()  # neither side is to clear up among the phases of this script
    if theirs is None:
        print("the package diplomacy is not installed (make bench does it): ours alone")
    rows = (
        ("orders as text", from_text, None if theirs is None else theirs.from_text),
        ("lines of JSON", from_line, None if theirs is None else theirs.from_line),
    )
    kept = True
    for name, ours, peers in rows:
        for task in tasks[:WARMING]:
            ours(task)
        ratio = compared(name, tasks[WARMING:], ours, peers)
        kept = kept and (ratio is None or ratio >= FASTER)
    compared(
        "lines of JSON, nothing remembered",
        tasks[WARMING : 2 * WARMING],
        cold,
        None if theirs is None else theirs.from_line,
    )
    print(f"promised of both: {FASTER}")
    return kept


def compared(
    name: str, tasks: Sequence[Work], ours: Callable[[Work], object], theirs: Callable[[Work], object] | None
) -> float | None:
    """The median of both and of their ratios, turn by turn; processor time."""
    ours_us: list[float] = []
    theirs_us: list[float] = []
    for turn in range(0, len(tasks), TURN):
        some = tasks[turn : turn + TURN]
        ours_us.append(taken_us(ours, some))
        if theirs is not None:
            theirs_us.append(taken_us(theirs, some))
    told = f"{name}: ours {statistics.median(ours_us):.0f} us"
    if theirs is None:
        print(told)
        return None
    ratio = statistics.median(their / our for their, our in zip(theirs_us, ours_us, strict=True))
    print(f"{told}, diplomacy 1.1.2 {statistics.median(theirs_us):.0f} us, ratio {ratio:.1f}")
    return ratio


def taken_us(act: Callable[[Work], object], tasks: Sequence[Work]) -> float:
    """Processor time of one call on the average, in microseconds."""
    began = time.process_time_ns()
    for task in tasks:
        act(task)
    return (time.process_time_ns() - began) / 1000 / len(tasks)


def from_text(task: Work) -> Sequence[Sequence[str]]:
    """Orders read, the phase adjudicated, every outcome in words."""
    orders = {power: [read_order(text) for text in texts] for power, texts in task.texts.items()}
    resolution, why = adjudicate(MAP, task.position, orders), reasons_on(MAP.name)
    return [[why(outcome) for outcome in verdict.outcomes] for verdict in resolution.verdicts]


def from_line(task: Work) -> str:
    """As `judge adjudicate` does it."""
    written, good = adjudicate_line(task.line, reasons_on)
    assert good
    return written


def cold(task: Work) -> str:
    """The same as if it were the first line."""
    for remembered in REMEMBERED:
        remembered.cache_clear()
    return from_line(task)


class Peer:
    """The package, asked as its users ask it."""

    def __init__(self, game: Any) -> None:  # noqa: ANN401 - the package has no types
        self.game = game
        self.empty = game.get_state()

    def from_text(self, task: Work) -> object:
        """A phase from its state and orders, to what became of each unit."""
        line, game = task.theirs, self.game
        game.set_state(
            {**self.empty, "name": line["phase"], "units": line["units"], "centers": line["centers"], "retreats": {}}
        )
        for power, given in line["orders"].items():
            game.set_orders(power, given)
        game.process()
        return {unit: [str(code) for code in codes] for unit, codes in game.result_history.last_value().items()}

    def from_line(self, task: Work) -> str:
        """The same from JSON to JSON, with the position it leaves."""
        line = json.loads(task.their_line)
        results = self.from_text(task)
        after = self.game.get_state()
        kept = {key: after[key] for key in ("name", "units", "retreats", "centers")}
        return json.dumps({"id": line["id"], **kept, "results": results})


def peer() -> Peer | None:
    """The package; None if it is not installed."""
    if importlib.util.find_spec("diplomacy") is None:
        return None
    from diplomacy import Game  # noqa: PLC0415 - only where it is installed

    return Peer(Game())


def in_their_notation(order: Order) -> str:
    """An order as the package reads it: it wants VIA wherever an army goes by convoy."""
    text = write_order(order)
    if isinstance(order, Move) and order.unit.kind is UnitKind.ARMY and order.goal not in MAP.reach(order.unit):
        text += "" if order.by_convoy else " VIA"
    return text


def memory(tasks: Sequence[Work]) -> bool:
    """How much the process grows by a million lines, once it is warm."""

    def lines(count: int) -> None:
        for task in islice(cycle(tasks), count):
            from_line(task)

    lines(MILLION // 20)
    gc.collect()
    before = resident_mb()
    lines(MILLION)
    gc.collect()
    growth = resident_mb() - before
    print(f"memory: {growth:+.2f} MB after {MILLION:,} lines (promised: nothing)")
    return growth < GROWTH_MB


def resident_mb() -> float:
    """What the process holds in memory now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def elapsed_ms(command: Sequence[str]) -> float:
    """How long a command takes to its end."""
    began = time.perf_counter()
    subprocess.run(command, check=True)
    return (time.perf_counter() - began) * 1000


def import_time() -> bool:
    """In a fresh interpreter each, beside starting the bare interpreter."""

    def started_ms(code: str) -> float:
        command = [sys.executable, "-c", code]
        return statistics.median(elapsed_ms(command) for _ in range(9))

    bare = started_ms("pass")
    imported = started_ms("import judge.rules") - bare
    json = started_ms("import json") - bare
    with_map = started_ms("from judge.rules import load_map; load_map()") - bare
    print(f"import judge.rules: {imported:.0f} ms (promised: {IMPORT_MS}); with the map read: {with_map:.0f} ms")
    print(f"beside it: import json {json:.0f} ms, starting Python {bare:.0f} ms")
    return imported < IMPORT_MS


if __name__ == "__main__":
    main()

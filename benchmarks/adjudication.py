"""Adjudicate movement phases, compared with the package `diplomacy` on equal work.

There are four kinds of phases: melees of 12 units of four powers in neighboring provinces, boards of random games
thinned to 12 to 34 units, full boards of random games with 29 units or more, and mid-games that seven robots play.
Each kind is measured in two ways. The first goes from a position and orders as text to the outcomes and their reasons
(for the package: its result codes); both sides set up the position from the same values. The second goes from a line
of JSON to a line of JSON, as `judge adjudicate` does. Every phase is measured once and is new. Full boards are then
measured again with cold caches. Further promises: a million lines grow the process by at most 1 MB, and
`import judge.rules` takes little CPU time. `compiled.py` runs this script with a compiled `judge`. Each kind has a
higher promise then, and these two are left out.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from measure import Figure, Promise, process_ms, run, times
from phases import MAP, Orders, boards, melees, mid_games, movement_phases

from judge.reports.clauses import clause_of_shape, reasons_on
from judge.rules import STANDARD, Position, UnitKind, adjudicate, decisions, read_order, write_order
from judge.rules.exchange import adjudicate_line, write_task
from judge.rules.exchange.known import tables
from judge.rules.exchange.reading import read_task
from judge.rules.orders import Move, Order

PHASES = 800
WARMING = 200
TURN = 20
MILLION = 1_000_000
COMPILED = ((16, 15), (16, 15), (17, 16), (18, 17))
"""The promised speed of the compiled adjudicator on each kind.

In multiples of the package's, for orders as text and for lines of JSON.
"""
IMPORT = Promise("Python with judge.rules imported, beside a bare one", most=12)
GROWTH = Promise("MB that a process grows by in a million lines", most=1)
"""The interpreter keeps a page or two: less than one byte for each adjudication."""
REMEMBERED = (reasons_on, tables, clause_of_shape, read_order)
"""The caches that last from line to line."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Phases of a kind, and the promised speed in multiples of the package's."""

    phases: Callable[[int], Iterator[tuple[Position, Orders]]]
    text: Promise
    line: Promise


def kind(name: str, phases: Callable[[int], Iterator[tuple[Position, Orders]]], text: float, line: float) -> Kind:
    """Return a kind of phases with its two promises."""
    return Kind(
        phases,
        Promise(f"{name}, orders as text: times as fast as the package", least=text),
        Promise(f"{name}, lines of JSON: times as fast as the package", least=line),
    )


KINDS = (
    kind("melees of 12 units", lambda count: melees(count, 12), 9, 9),
    kind("boards of 12 to 34 units", lambda count: boards(count, 12, 34), 9, 9),
    kind("full boards", lambda count: movement_phases(count, 29), 10, 10),
    kind("mid-games", mid_games, 12, 12),
)
COMPILED_KINDS = tuple(
    kind(f"compiled, {one.text.what.partition(',')[0]}", one.phases, *promised)
    for one, promised in zip(KINDS, COMPILED, strict=True)
)


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    theirs = peer()
    if theirs is None:
        print("the package diplomacy is not installed (make bench does it): ours alone")
    figures: list[Figure] = []
    is_compiled = not str(decisions.__file__).endswith(".py")
    for one in COMPILED_KINDS if is_compiled else KINDS:
        phases = one.phases(WARMING + times(PHASES, rounds))
        tasks = [Work(number, position, orders) for number, (position, orders) in enumerate(phases)]
        units = statistics.mean(len(task.position.units) for task in tasks)
        orders = statistics.mean(sum(map(len, task.orders.values())) for task in tasks)
        print(f"{len(tasks)} phases, on average {units:.1f} units and {orders:.1f} orders")
        figures += speed(one, tasks, theirs)
    if is_compiled:
        return figures
    figures.append(Figure(IMPORT, beside_a_bare_python()))
    return [*figures, Figure(GROWTH, growth_mb(tasks, round(MILLION * min(1, rounds))))]


class Work:
    """A phase in the input formats of both sides."""

    def __init__(self, number: int, position: Position, orders: Orders) -> None:
        self.position = position
        self.orders = orders
        self.line = json.dumps({"id": number} | write_task(position, orders, STANDARD))
        self.ours = json.loads(self.line)
        theirs = {power: [in_their_notation(order) for order in given] for power, given in orders.items()}
        self.their_line = json.dumps(json.loads(self.line) | {"orders": theirs})
        self.theirs = json.loads(self.their_line)


def speed(one: Kind, tasks: Sequence[Work], theirs: Peer | None) -> Iterator[Figure]:
    """Yield the figures of a kind; both sides alternate every twenty phases.

    A noisy moment of the machine then hits both or none.
    """
    gc.collect()
    gc.freeze()  # neither side should collect the phases of this script
    rows = (
        (one.text, from_text, None if theirs is None else theirs.from_text),
        (one.line, from_line, None if theirs is None else theirs.from_line),
    )
    for promise, ours, peers in rows:
        for task in tasks[:WARMING]:
            ours(task)
        ratio = compared(promise.what.partition(":")[0], tasks[WARMING:], ours, peers)
        if ratio is not None:
            yield Figure(promise, ratio)
    cold_line = None if theirs is None else theirs.from_line
    compared("the same, nothing remembered", tasks[WARMING : WARMING + 10 * TURN], cold, cold_line)


def compared(
    name: str, tasks: Sequence[Work], ours: Callable[[Work], object], theirs: Callable[[Work], object] | None
) -> float | None:
    """Print the median CPU time of both sides; return the median ratio of all turns."""
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
    """Return the average CPU time of one call, in microseconds."""
    began = time.process_time_ns()
    for task in tasks:
        act(task)
    return (time.process_time_ns() - began) / 1000 / len(tasks)


def from_text(task: Work) -> Sequence[Sequence[str]]:
    """Set up the position, read orders, adjudicate, and put every outcome in words."""
    given = read_task(task.ours)
    resolution, why = adjudicate(given.map, given.position, given.orders), reasons_on(MAP.name)
    return [[why(outcome) for outcome in verdict.outcomes] for verdict in resolution.verdicts]


def from_line(task: Work) -> str:
    """Adjudicate a line as `judge adjudicate` does."""
    written, good = adjudicate_line(task.line, reasons_on)
    assert good
    return written


def cold(task: Work) -> str:
    """Adjudicate a line with cold caches."""
    for remembered in REMEMBERED:
        remembered.cache_clear()
    return from_line(task)


class Peer:
    """The package, used as its users do."""

    def __init__(self, game: Any) -> None:  # noqa: ANN401 - the package has no types
        self.game = game
        self.empty = game.get_state()

    def from_text(self, task: Work) -> object:
        """Adjudicate a phase from its state and orders; return the result of each unit."""
        line, game = task.theirs, self.game
        game.set_state(
            {**self.empty, "name": line["phase"], "units": line["units"], "centers": line["centers"], "retreats": {}}
        )
        for power, given in line["orders"].items():
            game.set_orders(power, given)
        game.process()
        return {unit: [str(code) for code in codes] for unit, codes in game.result_history.last_value().items()}

    def from_line(self, task: Work) -> str:
        """Adjudicate from JSON to JSON, with the resulting position."""
        line = json.loads(task.their_line)
        results = self.from_text(task)
        after = self.game.get_state()
        kept = {key: after[key] for key in ("name", "units", "retreats", "centers")}
        return json.dumps({"id": line["id"], **kept, "results": results})


def peer() -> Peer | None:
    """Return the package; None if it is not installed."""
    if importlib.util.find_spec("diplomacy") is None:
        return None
    from diplomacy import Game  # noqa: PLC0415 - only where it is installed

    return Peer(Game())


def in_their_notation(order: Order) -> str:
    """Return an order in the package's notation: it needs VIA for every convoyed army."""
    text = write_order(order)
    if isinstance(order, Move) and order.unit.kind is UnitKind.ARMY and order.goal not in MAP.reach(order.unit):
        text += "" if order.by_convoy else " VIA"
    return text


def growth_mb(tasks: Sequence[Work], count: int) -> float:
    """Return how many MB the warm process grows by in that many lines."""

    def lines(count: int) -> None:
        for task in islice(cycle(tasks), count):
            from_line(task)

    lines(MILLION // 20)
    gc.collect()
    before = resident_mb()
    lines(count)
    gc.collect()
    growth = resident_mb() - before
    print(f"memory: {growth:+.2f} MB after {count:,} lines")
    return max(0.0, growth)


def resident_mb() -> float:
    """Return the resident memory of the process in MB."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def started_ms(code: str) -> float:
    """Return the median CPU time of nine interpreters that run this code."""
    return statistics.median(process_ms("-c", code) for _ in range(9))


def beside_a_bare_python() -> float:
    """Return the CPU time of starting and importing, divided by that of starting alone."""
    bare = started_ms("pass")
    imported = started_ms("import judge.rules")
    print(f"Python with judge.rules imported: {imported:.0f} ms CPU; a bare one: {bare:.0f} ms CPU")
    return imported / bare


if __name__ == "__main__":
    run(measure)

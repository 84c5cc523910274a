"""One movement phase of some 31 units and 26 orders: typed orders to outcomes with every reason read, and a position.

Promises: at least 20 times as fast as the package `diplomacy` (set_state + set_orders + process) on the same
phases in the same run; a million adjudications grow the process by nothing; `import judge.rules` takes less
than 150 ms.
"""

from __future__ import annotations

import gc
import importlib.util
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from phases import MAP, Orders, movement_phases

from judge.rules import Position, Power, UnitKind, adjudicate, write_order
from judge.rules.orders import Move, Order

PHASES = 2_000
UNITS = 29
TURN = 100
ROUNDS = 3
MILLION = 1_000_000
FASTER = 20
IMPORT_MS = 150
GROWTH_MB = 1
"""More than a page or two that the interpreter keeps, less than one byte for each adjudication."""


def main() -> None:
    """Measure and print; `--quick` leaves the million out. Exit code 1 if a promise is not kept."""
    phases = list(movement_phases(PHASES, UNITS))
    units = statistics.mean(len(position.units) for position, _ in phases)
    orders = statistics.mean(sum(map(len, given.values())) for _, given in phases)
    print(f"{len(phases)} phases, on average {units:.1f} units and {orders:.1f} orders")
    kept = [speed(phases), import_time()]
    if "--quick" not in sys.argv[1:]:
        kept.append(memory(phases))
    sys.exit(0 if all(kept) else 1)


def speed(phases: Sequence[tuple[Position, Orders]]) -> bool:
    """Both in turns of a hundred phases, each phase at its best of three rounds.

    A noisy moment of the machine then hits both or none, and neither finds the caches cold.
    """
    theirs = peer()
    ours_us: list[float] = []
    theirs_us: list[float] = []
    for turn in range(0, len(phases), TURN):
        some = phases[turn : turn + TURN]
        ours_us += best_us([partial(read_reasons, position, orders) for position, orders in some])
        if theirs is not None:
            theirs_us += best_us([theirs(position, orders) for position, orders in some])
    print(f"ours: median {statistics.median(ours_us):.0f} us, mean {statistics.mean(ours_us):.0f} us")
    if theirs is None:
        print("the package diplomacy is not installed (make bench does it)")
        return True
    print(f"diplomacy 1.1.2: median {statistics.median(theirs_us):.0f} us, mean {statistics.mean(theirs_us):.0f} us")
    ratio = statistics.median(theirs_us) / statistics.median(ours_us)
    print(f"ratio of the medians: {ratio:.1f} (promised: {FASTER})")
    return ratio >= FASTER


def best_us(acts: Sequence[Callable[[], object]]) -> list[float]:
    """How long each call takes at best; each round calls all of them."""
    rounds = [[taken_us(act) for act in acts] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def read_reasons(position: Position, orders: Orders) -> Position:
    """What a caller wants: what became of every order and why, and the next position."""
    resolution = adjudicate(MAP, position, orders)
    for verdict in resolution.verdicts:
        for outcome in verdict.outcomes:
            assert outcome.result
    return resolution.position


def taken_us(act: Callable[[], object]) -> float:
    """How long one call takes, in microseconds."""
    began = time.perf_counter_ns()
    act()
    return (time.perf_counter_ns() - began) / 1000


def peer() -> Callable[[Position, Orders], Callable[[], None]] | None:
    """A phase as the package adjudicates it, made ready to be timed; None if it is not installed."""
    if importlib.util.find_spec("diplomacy") is None:
        return None
    from diplomacy import Game  # noqa: PLC0415 - only where it is installed

    game = Game()
    empty = game.get_state()

    def ready(position: Position, orders: Orders) -> Callable[[], None]:
        units: dict[Power, list[str]] = {power: [] for power in MAP.powers}
        for unit, power in position.units.items():
            units[power].append(str(unit))
        centers = {power: list(position.centers_of(power)) for power in MAP.powers}
        state = {**empty, "name": str(position.phase), "units": units, "centers": centers, "retreats": {}}
        texts = {power: [in_their_notation(order) for order in given] for power, given in orders.items()}

        def act() -> None:
            game.set_state(state)
            for power, given in texts.items():
                game.set_orders(power, given)
            game.process()

        return act

    return ready


def in_their_notation(order: Order) -> str:
    """An order as the package reads it: it wants VIA wherever an army goes by convoy."""
    text = write_order(order)
    if isinstance(order, Move) and order.unit.kind is UnitKind.ARMY and order.goal not in MAP.reach(order.unit):
        text += "" if order.by_convoy else " VIA"
    return text


def memory(phases: Sequence[tuple[Position, Orders]]) -> bool:
    """How much the process grows by a million adjudications, once it is warm."""

    def adjudications(count: int) -> None:
        for position, orders in islice(cycle(phases), count):
            read_reasons(position, orders)

    adjudications(MILLION // 20)
    gc.collect()
    before = resident_mb()
    adjudications(MILLION)
    gc.collect()
    growth = resident_mb() - before
    print(f"memory: {growth:+.2f} MB after {MILLION:,} adjudications (promised: nothing)")
    return growth < GROWTH_MB


def resident_mb() -> float:
    """What the process holds in memory now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def import_time() -> bool:
    """In a fresh interpreter each, beside starting the bare interpreter."""

    def started_ms(code: str) -> float:
        command = [sys.executable, "-c", code]
        return statistics.median(taken_us(lambda: subprocess.run(command, check=True)) / 1000 for _ in range(9))

    bare = started_ms("pass")
    imported = started_ms("import judge.rules") - bare
    json = started_ms("import json") - bare
    with_map = started_ms("from judge.rules import load_map; load_map()") - bare
    print(f"import judge.rules: {imported:.0f} ms (promised: {IMPORT_MS}); with the map read: {with_map:.0f} ms")
    print(f"beside it: import json {json:.0f} ms, starting Python {bare:.0f} ms")
    return imported < IMPORT_MS


if __name__ == "__main__":
    main()

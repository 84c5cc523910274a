"""What all benchmarks share: CPU time, medians, one line per figure."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import structlog

T = TypeVar("T")


def cpu_ms(act: Callable[[], object], rounds: int) -> float:
    """Median CPU time of one call, in milliseconds."""
    return cpu_ms_in_turns({"": act}, rounds)[""]


def cpu_ms_in_turns(acts: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median CPU time of one call of each; they take turns, so that noise hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(rounds):
        for name, act in acts.items():
            began = time.process_time_ns()
            act()
            times[name].append((time.process_time_ns() - began) / 1e6)
    return {name: statistics.median(taken) for name, taken in times.items()}


def in_turns(things: Iterable[T], number: int) -> Sequence[T]:
    """Now one first, then the other: whoever is measured second finds another machine."""
    found = list(things)
    return found if number % 2 == 0 else found[::-1]


def share(mine: Sequence[float], floor: Sequence[float]) -> float:
    """How much of the floor's rates ours are, round by round: what else the machine does hits both of a round alike."""
    return statistics.median(one / bare for one, bare in zip(mine, floor, strict=True))


def without_logs() -> None:
    """Silence: a benchmark prints its figures only."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])


def report(figure: str, value: float, unit: str, floor: str, floor_value: float) -> None:
    """Print a figure beside its comparison from the same run."""
    print(f"{figure}: {value:.2f} {unit}; {floor}: {floor_value:.2f} {unit}; ratio {value / floor_value:.2f}")

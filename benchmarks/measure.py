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
    return {name: statistics.median(taken) for name, taken in cpu_ms_of_rounds(acts, rounds).items()}


def cpu_ms_of_rounds(acts: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """CPU time of one call of each, round by round."""
    times: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(rounds):
        for name, act in acts.items():
            began = time.process_time_ns()
            act()
            times[name].append((time.process_time_ns() - began) / 1e6)
    return times


def in_turns(things: Iterable[T], number: int) -> Sequence[T]:
    """Now one first, then the other: whoever is measured second finds another machine."""
    found = list(things)
    return found if number % 2 == 0 else found[::-1]


def share(mine: Sequence[float], floor: Sequence[float]) -> float:
    """Ours in parts of the floor's, the median of all rounds: what else the machine does hits both of a round alike."""
    return statistics.median(one / bare for one, bare in zip(mine, floor, strict=True))


def without_logs() -> None:
    """Silence: a benchmark prints its figures only."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])


def is_kept(promise: str, ratio: float, *, most: float | None = None, least: float | None = None) -> bool:
    """Whether a ratio is what was promised; printed."""
    kept = (most is None or ratio <= most) and (least is None or ratio >= least)
    bound = f"at most {most:g}" if most is not None else f"at least {least:g}"
    print(f"promise: {promise}: {ratio:.2f}, {bound}: {'kept' if kept else 'BROKEN'}")
    return kept


def report(figure: str, value: float, unit: str, floor: str, floor_value: float) -> None:
    """Print a figure beside its comparison from the same run."""
    print(f"{figure}: {value:.2f} {unit}; {floor}: {floor_value:.2f} {unit}; ratio {value / floor_value:.2f}")

"""Shared by all benchmarks: CPU time, medians, promises, one line per figure.

A script hands its `measure` to `run`, which reads `--rounds FACTOR` and `--tolerance FACTOR`:

    python benchmarks/crowd.py                                  as `make bench` does: exit code 1 beyond a promise
    python benchmarks/crowd.py --rounds 2 --tolerance 1.3       as `.ci/run` does for a script that missed one
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import structlog

T = TypeVar("T")
BROKEN, CRASHED = 1, 2
"""Exit codes: a promise is broken, or the script itself failed."""
KEPT, MISSED = "kept", "MISSED"
"""Last word of a promise's line; a missed one may be within the tolerance."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A bound that a figure must keep: a most or a least."""

    what: str
    most: float | None = None
    least: float | None = None

    @property
    def bound(self) -> str:
        """The bound in words, as in docs/figures.md."""
        return f"{self.most:g}" if self.most is not None else f"at least {self.least:g}"

    def beyond(self, figure: float) -> float:
        """Return how far the figure is beyond the promise; more than 1 is missed."""
        if self.most is not None:
            return figure / self.most
        assert self.least is not None
        return self.least / figure if figure > 0 else float("inf")


@dataclass(frozen=True, slots=True)
class Figure:
    """A promise and its measured value."""

    promise: Promise
    measured: float

    def is_kept(self, tolerance: float = 1) -> bool:
        """Whether the figure is within the promise times the tolerance."""
        return self.promise.beyond(self.measured) <= tolerance


Measure = Callable[[float], Iterable[Figure]]
"""A script's function, given a factor for its usual number of rounds."""


def run(measure: Measure) -> None:
    """Measure, print each promise with its figure, and exit.

    Exit codes: 0 all are kept, 1 one is broken, 2 the script failed.
    """
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rounds", type=float, default=1, help="times the usual number of rounds")
    arguments.add_argument("--tolerance", type=float, default=1, help="fail only beyond so many times a promise")
    given = arguments.parse_args()
    without_logs()
    try:
        figures = list(measure(given.rounds))
    except Exception:  # noqa: BLE001 - a missed promise is measured again, a failure must not be
        traceback.print_exc()
        sys.exit(CRASHED)
    for figure in figures:
        print(line_of(figure))
    sys.exit(0 if all(figure.is_kept(given.tolerance) for figure in figures) else BROKEN)


def line_of(figure: Figure) -> str:
    """Return the line printed about a promise."""
    word = KEPT if figure.is_kept() else MISSED
    bound = figure.promise.bound if figure.promise.most is None else f"at most {figure.promise.bound}"
    return f"promise: {figure.promise.what}: {figure.measured:.3g}, {bound}: {word}"


def times(count: int, rounds: float) -> int:
    """Return the number of rounds times the factor, at least three."""
    return max(3, round(count * rounds))


def cpu_ms(act: Callable[[], object], rounds: int) -> float:
    """Return the median CPU time of one call, in milliseconds."""
    return cpu_ms_in_turns({"": act}, rounds)[""]


def cpu_ms_in_turns(acts: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median CPU time of one call of each; turns spread noise evenly."""
    return {name: statistics.median(taken) for name, taken in cpu_ms_of_rounds(acts, rounds).items()}


def cpu_ms_of_rounds(acts: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return the CPU time of one call of each, round by round."""
    taken: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(rounds):
        for name, act in acts.items():
            taken[name].append(cpu_ms_once(act))
    return taken


def cpu_ms_once(act: Callable[[], object]) -> float:
    """Return the CPU time of one call, in milliseconds."""
    began = time.process_time_ns()
    act()
    return (time.process_time_ns() - began) / 1e6


def process_ms(*arguments: str, given: str = "", folder: Path | None = None) -> float:
    """Return the CPU time of an interpreter with these arguments; it must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    subprocess.run(command, input=given, cwd=folder, stdout=subprocess.DEVNULL, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def in_turns(things: Iterable[T], number: int) -> Sequence[T]:
    """Return the things, reversed every other round: the machine's state differs for the second."""
    found = list(things)
    return found if number % 2 == 0 else found[::-1]


def share(mine: Sequence[float], floor: Sequence[float]) -> float:
    """Return the median over all rounds of ours divided by the floor.

    Other load on the machine hits both of a round alike.
    """
    return statistics.median(one / bare for one, bare in zip(mine, floor, strict=True))


def without_logs() -> None:
    """Silence the logs: a benchmark prints its figures only."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])


def report(figure: str, value: float, unit: str, floor: str, floor_value: float) -> None:
    """Print a figure beside its comparison from the same run."""
    print(f"{figure}: {value:.2f} {unit}; {floor}: {floor_value:.2f} {unit}; ratio {value / floor_value:.2f}")

"""What all benchmarks share: CPU time, medians, one line per figure."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def cpu_ms(act: Callable[[], object], rounds: int) -> float:
    """Median CPU time of one call, in milliseconds."""
    times = []
    for _ in range(rounds):
        began = time.process_time_ns()
        act()
        times.append((time.process_time_ns() - began) / 1e6)
    return statistics.median(times)


def report(figure: str, value: float, unit: str, floor: str, floor_value: float) -> None:
    """Print a figure beside its comparison from the same run."""
    print(f"{figure}: {value:.2f} {unit}; {floor}: {floor_value:.2f} {unit}; ratio {value / floor_value:.2f}")

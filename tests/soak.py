"""Long runs.

A random run takes SOAK_SECONDS, starting at SOAK_SEED. Without SOAK_SECONDS it plays its whole number of seeds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest


def long_but(usual: Collection[Any], cases: Iterable[Any]) -> list[Any]:
    """Return cases for `parametrize`; all but the usual ones run only among the long runs."""
    return [one if one in usual else pytest.param(*_as_many(one), marks=pytest.mark.long) for one in cases]


def _as_many(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)


@dataclass
class Soak:
    """A long run: its first seed, and how far it came."""

    seconds: float | None = field(
        default_factory=lambda: float(os.environ["SOAK_SECONDS"]) if "SOAK_SECONDS" in os.environ else None
    )
    first: int = field(default_factory=lambda: int(os.environ.get("SOAK_SEED", "0")))
    begun: int = 0

    def seeds(self, whole: int) -> Iterator[int]:
        """Yield seeds: `whole` of them, or as many as time allows, at least one."""
        until = None if self.seconds is None else time.monotonic() + self.seconds
        while self.begun == 0 or (self.begun < whole if until is None else time.monotonic() < until):
            self.begun += 1
            yield self.first + self.begun - 1

    def __str__(self) -> str:
        return f"{self.begun} from seed {self.first}, the last {self.first + self.begun - 1}"

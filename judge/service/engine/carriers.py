"""A pool of threads that send letters.

An idle thread waits for more work, because starting a thread costs as much as a letter.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeAlias

_LONGEST_REST_SECONDS = 10.0
_Act: TypeAlias = Callable[[], None]


class Carriers:
    """A pool that grows to as many threads as are needed at the same time."""

    def __init__(self) -> None:
        self._resting: deque[_Carrier] = deque()

    def carry(self, act: _Act) -> None:
        """Run `act` in another thread; it may never finish."""
        try:
            carrier = self._resting.pop()
        except IndexError:
            carrier = _Carrier(self._resting)
            # A daemon: a server that does not answer must not keep the judge from stopping.
            threading.Thread(target=carrier.run, name="carrier", daemon=True).start()
        carrier.acts.put(act)


class _Carrier:
    """One thread and its queue of work."""

    def __init__(self, resting: deque[_Carrier]) -> None:
        self.acts: SimpleQueue[_Act] = SimpleQueue()
        self.resting = resting

    def run(self) -> None:
        """Run one act after another, until none arrives for `_LONGEST_REST_SECONDS`."""
        act: _Act | None = self.acts.get()
        while act is not None:
            act()
            del act  # it holds letters
            self.resting.append(self)
            act = self._next()

    def _next(self) -> _Act | None:
        with suppress(Empty):
            return self.acts.get(timeout=_LONGEST_REST_SECONDS)
        try:
            self.resting.remove(self)
        except ValueError:  # `carry` has just chosen this thread
            return self.acts.get()
        return None

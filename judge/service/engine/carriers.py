"""Threads that carry letters: one that is done waits for more, for to start one costs as much as a letter."""

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
    """As many as are needed at the same time."""

    def __init__(self) -> None:
        self._resting: deque[_Carrier] = deque()

    def carry(self, act: _Act) -> None:
        """Have something done beside us; it may never come to its end."""
        try:
            carrier = self._resting.pop()
        except IndexError:
            carrier = _Carrier(self._resting)
            # A daemon: a server that does not answer must not keep us from ending.
            threading.Thread(target=carrier.run, name="carrier", daemon=True).start()
        carrier.acts.put(act)


class _Carrier:
    """One thread."""

    def __init__(self, resting: deque[_Carrier]) -> None:
        self.acts: SimpleQueue[_Act] = SimpleQueue()
        self.resting = resting

    def run(self) -> None:
        """Do one thing after another, until there is nothing for a while."""
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
        except ValueError:  # somebody has just chosen us
            return self.acts.get()
        return None

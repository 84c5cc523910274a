"""`judge serve`: every part in a loop of its own, waking the others."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from enum import StrEnum

import structlog

from judge.service.assemble import Parts

log = structlog.get_logger(__name__)

_LONGEST_NAP_SECONDS = 1.0


class Part(StrEnum):
    """What can also run alone, as a process of its own on the same database."""

    RECEIVE = "receive"
    WORK = "work"
    CLOCK = "clock"
    DELIVER = "deliver"


class Loop:
    """Does one thing again and again: when woken, when something is due, and now and then."""

    def __init__(self, name: str, act: Callable[[], int], stopping: threading.Event) -> None:
        self.act = act
        self.stopping = stopping
        self.woken = threading.Event()
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)

    def wake(self) -> None:
        """There may be something to do."""
        self.woken.set()

    def _run(self) -> None:
        while not self.stopping.is_set():
            self.woken.clear()
            try:
                busy = self.act() > 0
            except Exception:
                log.exception("loop failed, going on", loop=self.thread.name)
                busy = False
            if not busy:
                self.woken.wait(_LONGEST_NAP_SECONDS)


class Service:
    """A running judge."""

    def __init__(self, parts: Parts, only: Part | None = None) -> None:
        self.parts = parts
        self.stopping = threading.Event()
        wanted = set(Part) if only is None else {only}
        acts: dict[Part, Callable[[], int]] = {
            Part.WORK: parts.intake.work_all,
            Part.CLOCK: parts.closing.close_due,
            Part.DELIVER: parts.delivery.deliver_due,
        }
        self.loops = {part: Loop(part.value, act, self.stopping) for part, act in acts.items() if part in wanted}
        self.receives = Part.RECEIVE in wanted
        parts.intake.on_kept = lambda: self._wake(Part.WORK)
        parts.intake.on_worked = lambda: self._wake(Part.CLOCK, Part.DELIVER)
        parts.closing.on_closed = lambda: self._wake(Part.DELIVER)

    def _wake(self, *parts: Part) -> None:
        for part in parts:
            if part in self.loops:
                self.loops[part].wake()

    def start(self) -> None:
        """Start everything; returns at once."""
        if self.receives:
            for source in self.parts.sources:
                source.start()
        for loop in self.loops.values():
            loop.thread.start()
        log.info("judge started", parts=[*self.loops])

    def stop(self) -> None:
        """Stop everything in an order that loses nothing: no new mail first, then the loops."""
        self.stopping.set()
        if self.receives:
            for source in self.parts.sources:
                source.stop()
        for loop in self.loops.values():
            loop.wake()
            loop.thread.join(timeout=30)
        self.parts.delivery.sender.close()
        self.parts.store.close()
        log.info("judge stopped")

    def run_until_told(self) -> None:
        """Run until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.stopping.set())
        self.start()
        self.stopping.wait()
        self.stop()

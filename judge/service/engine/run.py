"""`judge serve`: every part in its own loop, waking the others."""

from __future__ import annotations

import errno
import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, assert_never

import structlog
from prometheus_client import CollectorRegistry

from judge.commands import Language
from judge.errors import failed_resource, of_system
from judge.language import Context, read
from judge.mail.sources import ListenerSource, Source
from judge.reports.vocabulary import order_sentence
from judge.rules.map import USUAL_BOARD, load_map
from judge.rules.orders import Move
from judge.service.engine.assemble import Parts
from judge.service.engine.clock import Clock, OwnClock
from judge.service.engine.metrics import Gauges, MetricsServer
from judge.service.engine.notify import ALIVE, READY, STOPPING, notify, watchdog_seconds
from judge.service.engine.part import Part
from judge.service.sample import sample_report
from judge.storage import (
    BEAT_SECONDS,
    CloseGame,
    Deliver,
    Embedded,
    ProcessLocks,
    Soundness,
    Task,
    WorkMail,
    check_soundness,
)
from judge.storage.idle import NEXT_GAME, NEXT_LETTER, NEXT_MAIL, IdleCheck

if TYPE_CHECKING:
    from judge.service.engine.queue import Shared

log = structlog.get_logger(__name__)

_LONGEST_NAP_SECONDS = 1.0
_WATCH_EVERY_SECONDS = 60.0
_NEW_THINGS = 10_000
"""Threshold of garbage collection: about as many objects as one mail creates."""
_PATIENCE_SECONDS = 1.5
"""When stopping: how long to wait for work under way.

A server that does not answer is left.
"""


_LONGEST_TURN_SECONDS = 900.0
"""A loop that shows no progress for this long counts as dead."""

_THOROUGH = frozenset((Part.WORK, Part.DELIVER))
_NEXT_DUE = {Part.WORK: NEXT_MAIL, Part.CLOCK: NEXT_GAME, Part.DELIVER: NEXT_LETTER}


class Loop:
    """Repeats a function: when woken, when something is due, and after each nap."""

    def __init__(
        self, name: str, act: Callable[[], int], stopping: threading.Event, nap_seconds: float = _LONGEST_NAP_SECONDS
    ) -> None:
        self.act = act
        self.nap_seconds = nap_seconds
        self.idle_check: IdleCheck | None = None
        """Tells after a nap whether there may be work."""
        self.is_endless = False
        """Whether a turn lasts until the judge stops, like that of a queue's worker."""
        self.is_thorough = False
        """Whether `act` does all the work there is and is woken for more.

        Repeating it at once would be useless.
        """
        self.complaint = ""
        self.busy_since: float | None = None
        """When the current turn began or last showed progress.

        None between turns, and where a turn has no end.
        """
        self.stopping = stopping
        self.woken = threading.Event()
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)

    def wake(self) -> None:
        """Run the function soon: there may be something to do."""
        self.woken.set()

    def is_well(self) -> None:
        """Clear the complaint: the loop works."""
        if self.complaint:
            log.info("loop works again", loop=self.thread.name)
        self.complaint = ""

    def is_told_to_stop(self) -> bool:
        """Whether a long turn should end; asking shows progress."""
        self.busy_since = time.monotonic()
        return self.stopping.is_set()

    def is_alive(self) -> bool:
        """Whether the thread runs, and its turn has not been stuck for long."""
        since = self.busy_since
        is_stuck = since is not None and time.monotonic() - since > _LONGEST_TURN_SECONDS
        return self.thread.is_alive() and not is_stuck

    def _run(self) -> None:
        while not self.stopping.is_set():
            self.busy_since = None if self.is_endless else time.monotonic()
            try:
                busy = self._look() > 0
                self.is_well()
            except Exception as error:
                complaint = f"{self.thread.name}: {failed_resource(error) or type(error).__name__}"
                if complaint != self.complaint:
                    log.exception("loop failed, going on", loop=self.thread.name)
                self.complaint = complaint
                busy = False
                if self.idle_check is not None:
                    self.idle_check.end()
            self.busy_since = None
            if self.is_thorough or not busy:
                self.woken.wait(self.nap_seconds)
        if self.idle_check is not None:
            self.idle_check.close()

    def _look(self) -> int:
        """Run the function, unless there is known to be nothing to do."""
        if self.idle_check is not None:
            if not self.woken.is_set() and self.idle_check.lasts():
                return 0
            self.idle_check.begin()
        self.woken.clear()
        return self.act()


class Service:
    """A running judge."""

    def __init__(self, parts: Parts, only: Part | None = None, registry: CollectorRegistry | None = None) -> None:
        self.parts = parts
        self.registry = registry or CollectorRegistry()
        self.metrics: MetricsServer | None = None
        self.locks = ProcessLocks(parts.config.database.url)
        self.soundness = Soundness(self.locks.file) if self.locks.file is not None else None
        self.stopping = threading.Event()
        self.told = -1
        """The file descriptor to read stop signals from, set by `heed_signals`."""
        self.wanted = frozenset(Part) if only is None else frozenset((only,))
        self.sources = [source for source in parts.sources if self._reads(source)]
        self.loops: dict[Part, Loop] = {}
        self.all_loops: list[Loop] = []
        self.shared: Shared | None = None
        if parts.store.is_shared:
            self._share()
            self.all_loops.append(Loop("beat", self._beat, self.stopping, BEAT_SECONDS))
        else:
            self._loop()
        self.clock = parts.clock if isinstance(parts.clock, Clock) else Clock()
        parts.closing.clock_complaint = self._clock_complaint
        parts.delivery.is_stopping = self._stops(Part.DELIVER)
        parts.watch.outside = self._outside

    def _loop(self) -> None:
        """Set up loops of our own for a database that is not shared."""
        parts = self.parts
        acts: dict[Part, Callable[[], int]] = {
            Part.WORK: parts.intake.work_all,
            Part.CLOCK: parts.closing.close_due,
            Part.DELIVER: parts.delivery.deliver_due,
        }
        self.loops = {part: Loop(part.value, act, self.stopping) for part, act in acts.items() if part in self.wanted}
        for part, loop in self.loops.items():
            loop.is_thorough = part in _THOROUGH
            loop.idle_check = parts.store.idle_check(_NEXT_DUE[part], parts.clock)
        parts.intake.is_stopping = self._stops(Part.WORK)
        self.all_loops = list(self.loops.values())
        if Part.CLOCK in self.wanted:
            intake, watch = parts.intake, parts.watch
            mails = (intake.ask_what_waits, intake.heed_boards, parts.desks.write_in_the_morning)
            for act in (watch.look, watch.clean, *mails, self._look_at_clock):
                self.all_loops.append(Loop(act.__name__, act, self.stopping, _WATCH_EVERY_SECONDS))
        parts.store.waker = Embedded(self._heed)

    def _stops(self, part: Part) -> Callable[[], bool]:
        """Return the function that a part calls during a long turn: whether to end it."""
        return self.loops[part].is_told_to_stop if part in self.loops else self.stopping.is_set

    def _share(self) -> None:
        """Set up workers on a database shared with other machines."""
        from judge.service.engine.queue import Shared  # noqa: PLC0415 - its libraries are needed for PostgreSQL only

        mailboxes = [source for source in self.sources if not isinstance(source, ListenerSource)]
        self.sources = [source for source in self.sources if isinstance(source, ListenerSource)]
        self.shared = Shared(self.parts, mailboxes if Part.RECEIVE in self.wanted else ())
        loops = {name: Loop(name, act, self.stopping) for name, act in self.shared.acts(self.wanted).items()}
        self.shared.on_begin = lambda name: loops[name].is_well()
        for loop in loops.values():
            loop.is_endless = True
        self.all_loops += loops.values()

    def _reads(self, source: Source) -> bool:
        """Whether to read a source.

        A process of the clock alone reads mailboxes too: they must be empty before a phase closes.
        """
        return Part.RECEIVE in self.wanted or (Part.CLOCK in self.wanted and not isinstance(source, ListenerSource))

    def _heed(self, task: Task) -> None:
        """Wake the loop for a task, if it runs in this process."""
        match task:
            case WorkMail():
                part = Part.WORK
            case CloseGame():
                part = Part.CLOCK
            case Deliver():
                part = Part.DELIVER
            case _:
                assert_never(task)
        if part in self.loops:
            self.loops[part].wake()

    def start(self) -> None:
        """Start everything and return at once; raises InstallationError if that is impossible."""
        for part in sorted(self.wanted):
            self.locks.claim(part.value, to_work=True)
        are_pages_read = self._check_soundness()
        if self.shared is not None:
            self.shared.check()
        if self.wanted & {Part.WORK, Part.CLOCK}:
            _warm_up()
        if Part.WORK in self.wanted:
            self.parts.intake.heed_boards()
        self._beat()
        for source in self.sources:
            try:
                source.start()
            except OSError as error:
                raise of_system(f"source {source.name} cannot start: {_why_not(source, error)}", error) from error
        self._serve_metrics()
        for loop in self.all_loops:
            loop.thread.start()
        self._tell_systemd()
        log.info("judge started", parts=" ".join(sorted(self.wanted)), pages="read" if are_pages_read else "known")

    def _tell_systemd(self) -> None:
        """Report that the judge is ready, and from now on that it is alive.

        It counts as alive while every loop does.
        """
        notify(READY)
        if (seconds := watchdog_seconds()) is not None:
            Loop("watchdog", self._say_alive, self.stopping, seconds / 3).thread.start()

    def _say_alive(self) -> int:
        stuck = [loop.thread.name for loop in self.all_loops if not loop.is_alive()]
        if stuck:
            log.error("watchdog not told", stuck=" ".join(stuck))
        else:
            notify(ALIVE)
        return 0

    def _check_soundness(self) -> bool:
        """Check all pages of an SQLite database; return whether they were checked.

        They are not, if the last stop was clean or other processes already run on the database.
        """
        if self.soundness is None:
            return False
        is_doubtful = not self.soundness.is_known() and not self.locks.others_run()
        if is_doubtful:
            check_soundness(self.soundness.file)
        self.soundness.note_start()
        return is_doubtful

    def _beat(self) -> int:
        """Send the heartbeat, and release what dead processes had claimed."""
        self.locks.claim_again()
        self.parts.store.beat()
        self._look_at_clock()
        if Part.WORK in self.wanted:
            self.parts.intake.resume()
        if Part.DELIVER in self.wanted:
            self.parts.delivery.resume()
        return 0

    def _serve_metrics(self) -> None:
        watch = self.parts.config.watch
        if not watch.port:
            return
        self.registry.register(Gauges(self.parts.watch))
        if self.shared is not None:
            self.registry.register(self.shared.gauges)
        try:
            self.metrics = MetricsServer(watch.host, watch.port, self.registry, self.complaints)
        except OSError as error:
            said = f"{watch.host}:{watch.port} for /metrics is not free: {error.strerror}"
            raise of_system(said, error) from error

    def complaints(self) -> Iterator[str]:
        """Yield the faults that keep the judge from working."""
        for loop in self.all_loops:
            if loop.complaint or not loop.thread.is_alive():
                yield loop.complaint or f"{loop.thread.name}: ended"
        yield from self._outside()
        try:
            yield from self.parts.watch.complaints()
        except Exception as error:  # noqa: BLE001 - whatever it is, the database is not well
            yield f"database: {type(error).__name__}"

    def _look_at_clock(self) -> int:
        """Compare the clock with another; tell the operator if it may be wrong."""
        self.clock.look()
        if said := self.clock.complaint:
            self.parts.watch.tell_at_once(said)
        return 0

    def _clock_complaint(self) -> str:
        """Return why no phase may close now, or "".

        A clock of our own may have jumped since the last look, therefore the clock part looks again.
        """
        if isinstance(self.clock, OwnClock) and Part.CLOCK in self.wanted:
            self.clock.look()
        return self.clock.complaint

    def _outside(self) -> Iterator[str]:
        """Yield what is wrong with the clock, the sources and the delivery."""
        if said := self._clock_complaint():
            yield said
        for source in (*self.sources, *(self.shared.mailboxes.ours if self.shared is not None else ())):
            if said := source.complaint():
                yield f"{source.name}: {said}"
        if said := self.parts.delivery.complaint:
            yield f"delivery: {said}"

    def stop(self) -> None:
        """Stop the sources first, then the loops.

        Work that hangs is left, and is done after the next start.
        """
        notify(STOPPING)
        self.stopping.set()
        if self.shared is not None:
            self.shared.stop()
        until = time.monotonic() + _PATIENCE_SECONDS
        sources = (*self.sources, *(self.shared.mailboxes.ours if self.shared is not None else ()))
        self._finish([_begin(f"stop {source.name}", source.stop) for source in sources], until)
        for loop in self.all_loops:
            loop.wake()
        self._finish([loop.thread for loop in self.all_loops], until)
        if self.metrics is not None:
            self.metrics.stop()
        self._finish([_begin("stop sender", self.parts.delivery.sender.close)], until)
        if not any(loop.thread.is_alive() for loop in self.all_loops):  # otherwise its leases are still held
            self.parts.store.leave()
        if self.shared is not None:
            self.shared.jobs.close()
        self.parts.store.close()
        if self.soundness is not None and not any(loop.thread.is_alive() for loop in self.all_loops):
            self.soundness.note_clean_stop()
        self.locks.close()
        log.info("judge stopped")

    def _finish(self, threads: list[threading.Thread], until: float) -> None:
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
            if thread.is_alive():
                log.warning("left behind", thread=thread.name)

    def heed_signals(self) -> None:
        """Make SIGTERM and SIGINT end `wait_until_told`.

        Signals are written to a pipe as they arrive. A Python signal handler runs only between two bytecode steps of
        the main thread. A signal that arrives just before that thread blocks could be lost while others are busy.
        """
        self.told, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)

    def wait_until_told(self) -> None:
        """Run until told to stop, then stop."""
        os.read(self.told, 1)
        self.stop()


_OF_EACH_KIND = ("READY", "when is the next deadline")


def _warm_up() -> None:
    """Load grammars and templates before the first mail.

    The first mail is then quick, and a kill rarely hits a mail at work.
    """
    map_ = load_map(USUAL_BOARD)
    unit = next(iter(map_.units_by_text.values()))
    order = Move(unit, next(iter(map_.neighbors(unit)), unit.location))
    for line in (*_OF_EACH_KIND, *(order_sentence(order, language) for language in Language)):
        read(line, Context(map_))
    for language in Language:
        sample_report(language)
    # All these objects stay alive. Scanning them after every few hundred allocations would be wasted.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_THINGS)


def _begin(name: str, act: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=act, name=name, daemon=True)
    thread.start()
    return thread


def _why_not(source: object, error: OSError) -> str:
    """Return why a source cannot start, in plain words for the most common case."""
    if error.errno == errno.EADDRINUSE and isinstance(source, ListenerSource):
        return f"{source.place} is in use already, by another judge or another program"
    return error.strerror or str(error)

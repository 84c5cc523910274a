"""Kill any process of a judge on PostgreSQL, or the database, again and again.

The judge runs in many processes on one database.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from judge.errors import InstallationError
from judge.service.engine.part import Part
from tests.house import EVERYBODY, POWERS, House, end
from tests.killing import Way, Writers, account, is_all_worked, unkilled
from tests.postgres import Server
from tests.wire import is_listening, wait_until

MARCHES = {
    "AUSTRIA": ("A VIE", "A GAL"),
    "ENGLAND": ("F LON", "F NTH"),
    "FRANCE": ("A PAR", "A BUR"),
    "GERMANY": ("A MUN", "A RUH"),
    "ITALY": ("A VEN", "A TYR"),
    "RUSSIA": ("A MOS", "A UKR"),
    "TURKEY": ("A SMY", "A ARM"),
}
"""Power → a unit at home, and the same unit where it marches to.

It goes there and back. No center is won or lost by it, and no phase needs other orders.
"""
STAFF = (Part.RECEIVE, Part.WORK, Part.WORK, Part.CLOCK, Part.DELIVER, Part.DELIVER)
AWAY = (InstallationError, DBAPIError)
DOWN = 75
"""The exit code if the database is away at a start; systemd restarts the process."""


@dataclass
class Marching(Writers):
    """Seven people who play phase after phase, whatever is killed meanwhile."""

    chance: random.Random = field(default_factory=random.Random)
    places: dict[str, str] = field(default_factory=lambda: {power: home for power, (home, _) in MARCHES.items()})
    """Power → its unit, where it stands now."""
    played: list[str] = field(default_factory=list)
    """The phases that are over."""
    writes: threading.Event = field(default_factory=threading.Event)
    closes: threading.Event = field(default_factory=threading.Event)

    def write(self) -> None:
        self.writes.set()
        self.begin()
        wait_until(lambda: self.phase() is not None)
        while not self.enough.is_set():
            self.play(str(self.phase()))

    def is_created(self) -> bool:
        with suppress(*AWAY):
            return super().is_created()
        return False

    def phase(self) -> str | None:
        """Return the open phase; None also if the database is away."""
        with suppress(*AWAY):
            return self.house.phase()
        return None

    def play(self, phase: str) -> None:
        """Send orders for each power, then READY from all; wait until the phase closes.

        Of a power's orders, the last counts.
        """
        for power in POWERS:
            place = self.places[power]
            home, away = MARCHES[power]
            for _ in range(self.chance.randint(1, 2)):
                to = self.chance.choice((home, away))
                order = f"{place} H" if to == place else f"{place} - {to.split()[1]}"
                self.accepted[power].append((self.send(power, f"PHASE {phase}", order), order))
                self.places[power] = to
                self.enough.wait(self.pause_seconds * self.chance.random())
        self.closes.set()
        for power in POWERS:
            self.send(power, f"PHASE {phase}", "READY")
        wait_until(lambda: self.phase() not in (None, phase))
        self.played.append(phase)


@dataclass
class Staff:
    """The processes of a house.

    A process that ends is restarted, as systemd does, unless a restart cannot help.
    """

    house: House
    versions: list[House] = field(default_factory=list)
    """The house with each program a process may run; empty for its own."""
    processes: list[subprocess.Popen[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.processes = [self._begun(part) for part in STAFF]

    def _begun(self, part: Part) -> subprocess.Popen[str]:
        self.versions = [*self.versions[1:], *self.versions[:1]]  # each in turn
        return (self.versions or [self.house])[0].start("--only", part.value)

    def kill(self, place: int) -> None:
        end(self.processes[place])

    def stay(self) -> None:
        for place, part in enumerate(STAFF):
            process = self.processes[place]
            if process.poll() is not None:
                assert process.returncode in (-signal.SIGKILL, DOWN), (part, process.returncode, self.house.log())
                end(process)
                self.processes[place] = self._begun(part)

    def stay_until(self, holds: Callable[[], object]) -> None:
        def stay_and_ask() -> object:
            self.stay()
            return holds()

        wait_until(stay_and_ask)

    def end(self) -> None:
        for process in self.processes:
            end(process)


def kill_any_part(
    house: House, server: Server, *, kills: int, seed: int, ways: Sequence[Way], newer: Path | None = None
) -> None:
    """Kill parts and the database in turn while mail comes and phases close.

    With the program of a newer version, the database is migrated in the middle, beneath the running processes.
    Processes started after that run either version.
    """
    chance = random.Random(seed)
    writers = Marching(house, 0.05, ways, chance=random.Random(seed))
    pool = ThreadPoolExecutor(1)
    staff = Staff(house)
    targets = [partial(staff.kill, place) for place in range(len(STAFF))]
    targets += [partial(kill_for_a_while, server, chance)] * 2
    try:
        wait_until(lambda: is_listening(house.port))
        writing = pool.submit(writers.write)
        for moment in (writers.writes, writers.closes):
            if moment is writers.closes and newer is not None:
                staff.versions = [house, migrated(house, newer)]
            staff.stay_until(lambda moment=moment: moment.is_set() or writing.done())  # type: ignore[misc]
            for _ in range(kills // 2):
                chance.choice(targets)()
                staff.stay()
                time.sleep(chance.random() * 2)
        writers.enough.set()
        staff.stay_until(writing.done)
        writing.result()
        house.let_answers_leave()
        wait_until(lambda: is_all_worked(house, len(writers.written)))
        check_all_was_done_once(house, writers)
    finally:
        writers.enough.set()
        staff.end()
        pool.shutdown()
    assert account(house.url) == account(unkilled(house.folder, writers.written))


def migrated(house: House, newer: Path) -> House:
    """Return the house with a newer program, which has migrated the database in use."""
    program = ("env", f"PYTHONPATH={newer}", sys.executable, "-P", "-m", "judge")
    migrate = (*program, "migrate", "--config", str(house.config))

    def is_done() -> bool:
        done = subprocess.run(migrate, capture_output=True, text=True, check=False)
        assert done.returncode in (0, DOWN), done.stderr  # the database may just be away
        return done.returncode == 0

    wait_until(is_done)
    return replace(house, program=program)


def kill_for_a_while(server: Server, chance: random.Random) -> None:
    server.kill()
    time.sleep(chance.random())
    server.start()


def check_all_was_done_once(house: House, writers: Marching) -> None:
    """Check that every mail has one answer and every phase one report to each player.

    There may be several copies, but all have one Message-ID.
    """
    kept = house.rows("select message_id, state from inbox")
    assert Counter(kept) == Counter((str(mail["Message-ID"]), "done") for mail in writers.written)
    letters = {str(letter["Message-ID"]): letter for letter in house.letters()}
    written = house.rows("select message_id from outbox where state != 'gathered'")
    assert sorted(letters) == sorted(str(id_) for (id_,) in written)
    replies = house.replies()
    for mail in writers.written:
        assert len({str(copy["Message-ID"]) for copy in replies[str(mail["Message-ID"])]}) == 1
    for mails in writers.accepted.values():
        for id_, order in mails:
            body = replies[id_][0].get_body(("plain",))
            assert body is not None
            assert f"= {order} is on file" in body.get_content(), body.get_content()
    assert house.rows("select phase from history order by place") == [(phase,) for phase in writers.played]
    reports = house.rows("select phase, recipient from outbox where kind = 'report'")
    phases = [*writers.played, str(house.phase())]
    assert Counter(reports) == Counter((phase, person) for phase in phases for person in EVERYBODY)

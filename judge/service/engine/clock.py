"""The only place that reads the time."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path

from judge.durable import as_private
from judge.mail.arrival import stamps
from judge.mail.letters import RawMail

_MOST_APART = timedelta(seconds=5)
"""The clocks of two machines that are set by NTP differ by milliseconds."""
_SLOW_SECONDS = 1.0
"""A database's answer that takes longer is too old to set a clock by."""
_JUMP = timedelta(minutes=5)
"""A larger jump ahead is doubted, and other clocks must agree within this time."""
_WITNESSES = 3
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that cannot be set; on Linux it runs on while the machine sleeps."""


def wall() -> datetime:
    """Return the time by the clock of this machine."""
    return datetime.now(UTC)


def steady() -> float:
    """Return the seconds since the machine was started, whatever its clock is set to."""
    return time.clock_gettime(_STEADY)


def set_ahead(offset_file: Path, seconds: float) -> None:
    """Set the clocks that read the file ahead.

    The file is written in one step. Readers get the old value or the new one.
    """
    written = offset_file.with_name(f"{offset_file.name}.new")
    written.write_text(str(seconds), "utf-8")
    written.replace(offset_file)


class Clock:
    """The current time in UTC; rehearsals set it ahead by `offset_file`."""

    complaint = ""
    """Why this clock may be wrong; "" if no fault is known.

    While there is a complaint, no phase closes.
    """

    def __init__(self, offset_file: Path | None = None) -> None:
        self.offset_file = offset_file

    def look(self) -> None:
        """Compare this clock with another one, if there is one."""

    def __call__(self) -> datetime:
        """Return the current time."""
        return self._true() + self._offset()

    def _true(self) -> datetime:
        return wall()

    def _offset(self) -> timedelta:
        if self.offset_file is None:
            return timedelta()
        try:
            return timedelta(seconds=float(self.offset_file.read_text("utf-8").strip() or 0))
        except (OSError, ValueError):
            return timedelta()


class SharedClock(Clock):
    """The time of a database shared by several machines.

    Between two looks it advances by the steady clock.
    """

    def __init__(
        self,
        ask: Callable[[], datetime],
        offset_file: Path | None = None,
        *,
        wall: Callable[[], datetime] = wall,
        steady: Callable[[], float] = steady,
    ) -> None:
        """Ask the database for its time at once, by `ask`."""
        super().__init__(offset_file)
        self._ask, self._wall, self._steady = ask, wall, steady
        self._looked = ask(), steady()
        self.look()

    def look(self) -> None:
        """Set this clock by the database, and compare its time with this machine's."""
        before = self._steady()
        theirs, ours, after = self._ask(), self._wall(), self._steady()
        if after - before > _SLOW_SECONDS:
            return
        self._looked = theirs, after
        apart = ours - theirs
        way = "ahead of" if apart > timedelta() else "behind"
        said = f"{abs(apart.total_seconds()):.0f} s {way} the database's, set it by NTP"
        self.complaint = f"clock of {socket.gethostname()}: {said}" if abs(apart) > _MOST_APART else ""

    def _true(self) -> datetime:
        theirs, at = self._looked
        return theirs + timedelta(seconds=self._steady() - at)


def doubt_of(database: Path) -> Path:
    """Return the file beside an SQLite database that says why the clock may be wrong.

    The file is missing if the clock is right.
    """
    return database.with_name(f"{database.name}.clock")


class OwnClock(Clock):
    """The clock of the one machine that has the database.

    A jump ahead is doubted until other clocks confirm it.
    The doubt is kept in a file: all processes share it, and the next start knows of it.
    """

    def __init__(
        self,
        database: Path,
        ours: Collection[str],
        offset_file: Path | None = None,
        *,
        wall: Callable[[], datetime] = wall,
        steady: Callable[[], float] = steady,
    ) -> None:
        """Doubt the time at once if the database was written later.

        `ours` are the names of our own mail servers.
        """
        super().__init__(offset_file)
        self._doubt, self._wall, self._steady = doubt_of(database), wall, steady
        self._ours = {_domain(name) for name in (*ours, socket.getfqdn())}
        self._agreeing: set[str] = set()
        self._looked = wall(), steady()
        files = (database, database.with_name(f"{database.name}-wal"))
        written = datetime.fromtimestamp(max(file.stat().st_mtime for file in files if file.exists()), UTC)
        if written - self._looked[0] > _JUMP:
            self._begin_to_doubt(f"the database was written {_minutes(written - self._looked[0])} later than now")

    @property
    def complaint(self) -> str:  # type: ignore[override]  # noqa: D102 - as above
        try:
            return self._doubt.read_text("utf-8")
        except FileNotFoundError:
            return ""

    def look(self) -> None:
        """Compare the advance of this clock and of the steady one since the last look."""
        before, at = self._looked
        self._looked = wall, now = self._wall(), self._steady()
        jump = wall - before - timedelta(seconds=now - at)
        if jump > _JUMP:
            self._begin_to_doubt(f"it went ahead by {_minutes(jump)} at once")
        elif jump < -_JUMP:  # the clock was set right
            self.trust()

    def heed(self, mail: RawMail, *, is_stamped_elsewhere: bool) -> None:
        """End the doubt if the clocks of other servers agree.

        One mailbox elsewhere is enough, or servers in three domains.
        """
        if not self.complaint:
            return
        wall = self._wall()
        self._agreeing |= {_domain(host) for host, moment in stamps(mail) if abs(wall - moment) <= _JUMP} - self._ours
        if len(self._agreeing) >= _WITNESSES or (is_stamped_elsewhere and abs(wall - mail.received_at) <= _JUMP):
            self.trust()

    def trust(self) -> None:
        """End the doubt."""
        self._doubt.unlink(missing_ok=True)
        self._agreeing.clear()

    def _begin_to_doubt(self, why: str) -> None:
        said = f"clock of {socket.gethostname()}: {why}; set it, or run `judge doctor --clock-is-right`"
        with open(self._doubt, "w", encoding="utf-8", opener=as_private) as file:
            file.write(said)


def _domain(host: str) -> str:
    """Return the last two labels of a host's name."""
    return ".".join(host.lower().rpartition("@")[2].split(".")[-2:])


def _minutes(time: timedelta) -> str:
    return f"{time // timedelta(minutes=1)} minutes"

"""The only place that reads the time."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

_MOST_APART = timedelta(seconds=5)
"""The clocks of two machines that are set by NTP differ by milliseconds."""
_SLOW_SECONDS = 1.0
"""After so long on its way a time is too old to set a clock by."""
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that nobody sets; on Linux it goes on while the machine sleeps."""


def wall() -> datetime:
    """Return the time by the clock of this machine."""
    return datetime.now(UTC)


def steady() -> float:
    """Return the seconds since the machine was started, whatever its clock is set to."""
    return time.clock_gettime(_STEADY)


def set_ahead(offset_file: Path, seconds: float) -> None:
    """Set clocks that read the file ahead; written in one step, so readers get the old value or the new one."""
    written = offset_file.with_name(f"{offset_file.name}.new")
    written.write_text(str(seconds), "utf-8")
    written.replace(offset_file)


class Clock:
    """The current time in UTC; rehearsals set it ahead by `offset_file`."""

    def __init__(self, offset_file: Path | None = None) -> None:
        self.offset_file = offset_file

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
    """The time of the database that several machines share; between two looks it goes on by the steady clock."""

    def __init__(
        self,
        ask: Callable[[], datetime],
        offset_file: Path | None = None,
        *,
        wall: Callable[[], datetime] = wall,
        steady: Callable[[], float] = steady,
    ) -> None:
        """Ask for the time of the database at once, by `ask`."""
        super().__init__(offset_file)
        self._ask, self._wall, self._steady = ask, wall, steady
        self.complaint = ""
        """What is wrong with the clock of this machine; "" if it agrees with the database's."""
        self._looked = ask(), steady()
        self.look()

    def look(self) -> None:
        """Set ourselves by the database, and compare its time with this machine's."""
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

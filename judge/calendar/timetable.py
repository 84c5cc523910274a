"""Deadlines of the phases of one kind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import IntEnum
from itertools import count
from zoneinfo import ZoneInfo

from judge.calendar.clocks import Zone, first_moment

LONGEST = timedelta(days=366)
"""A longer time is a slip."""


class Weekday(IntEnum):
    """A day of the week, numbered as `date.weekday` does."""

    MONDAY = 0
    TUESDAY = 1
    WEDNESDAY = 2
    THURSDAY = 3
    FRIDAY = 4
    SATURDAY = 5
    SUNDAY = 6


@dataclass(frozen=True, slots=True)
class Timetable:
    """A rule that gives every phase of one kind its deadline."""

    length: timedelta = timedelta()
    """How long a phase is open.

    This is a minimum if weekdays or a time of day are set.
    """
    weekdays: frozenset[Weekday] = frozenset()
    """The weekdays on which it may close; empty for any day."""
    at: time | None = None
    """The time of day at which it closes, in the game's zone."""

    def __post_init__(self) -> None:
        assert timedelta() <= self.length <= LONGEST
        assert self.length or self.at is not None, "such a phase would close when it opens"

    @property
    def days(self) -> tuple[Weekday, ...]:
        """The weekdays from Monday on; empty if it closes on any day."""
        return tuple(sorted(self.weekdays))

    def allows(self, day: date) -> bool:
        """Whether a phase may close on that day."""
        return not self.weekdays or day.weekday() in self.weekdays


@dataclass(frozen=True, slots=True)
class ZonedTimetable:
    """`Tue Fri 21:00 Asia/Tokyo`: a timetable with the zone of its clocks."""

    timetable: Timetable
    zone: Zone


def deadline(timetable: Timetable, opened_at: datetime, zone: str) -> datetime:
    """Return when a phase closes, in UTC; always later than `opened_at`.

    * Without weekdays and time of day: `length` later to the second, independent of clock changes.
    * With a time of day: when the clocks first show it on an allowed day, at least `length` later.
    * With weekdays alone: `length` later. If that day is not allowed, at the same time of the next allowed day.
      A phase opened on Saturday evening may therefore close after one opened on Sunday morning;
      `judge.games.schedule.opened` mends that for phases that open early.

    A time that daylight saving skips gives the first moment after the gap. Of a repeated time the first counts.

    >>> tuesday = datetime(2026, 11, 24, 12, tzinfo=UTC)
    >>> deadline(Timetable(timedelta(days=2), at=time(21)), tuesday, "Asia/Tokyo").isoformat()
    '2026-11-26T12:00:00+00:00'
    """
    earliest = opened_at.astimezone(UTC) + timetable.length
    place = ZoneInfo(zone)
    local = earliest.astimezone(place)
    if timetable.at is not None:
        return _first_showing(timetable.at, timetable, earliest, opened_at, place)
    if timetable.allows(local.date()):
        return earliest
    days = (local.date() + timedelta(days=ahead) for ahead in count(1))
    return first_moment(datetime.combine(next(filter(timetable.allows, days)), local.time()), place)


def upcoming(timetable: Timetable, now: datetime, zone: str, number: int) -> tuple[datetime, ...]:
    """Return the next deadlines, if a phase opens now and each one follows the last.

    >>> now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    >>> table = Timetable(weekdays=frozenset({Weekday.TUESDAY, Weekday.FRIDAY}), at=time(21))
    >>> [f"{moment:%a %d %H:%M}" for moment in upcoming(table, now, "Asia/Tokyo", 3)]
    ['Fri 27 12:00', 'Tue 01 12:00', 'Fri 04 12:00']
    """
    moments: list[datetime] = []
    for _ in range(number):
        moments.append(deadline(timetable, moments[-1] if moments else now, zone))
    return tuple(moments)


def _first_showing(at: time, timetable: Timetable, earliest: datetime, opened_at: datetime, place: tzinfo) -> datetime:
    """Return the first allowed moment at which clocks show the time.

    The search starts a day early: a time skipped at the end of that day gives a moment on the day of `earliest`.
    """
    before = earliest.astimezone(place).date() - timedelta(days=1)
    days = (before + timedelta(days=ahead) for ahead in count())
    moments = (first_moment(datetime.combine(day, at), place) for day in days if timetable.allows(day))
    return next(moment for moment in moments if moment >= earliest and moment > opened_at)

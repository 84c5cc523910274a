"""Moments and periods as people name them, resolved from a day in a zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import TypeAlias
from zoneinfo import ZoneInfo

from judge.calendar.clocks import first_moment, is_skipped
from judge.calendar.timetable import Weekday


class MomentFault(StrEnum):
    """Why a text names no usable moment or period."""

    NOT_UNDERSTOOD = "not-understood"
    """The form is unknown, or can be read in two ways."""
    PAST = "past"
    SKIPPED = "skipped"
    """A wall-clock time that daylight saving skips on that day."""
    NO_SUCH_DATE = "no-such-date"
    """30 February, or a date that is not on the weekday written with it."""
    BACKWARDS = "backwards"
    """The period ends before it starts."""
    WHICH_YEAR = "which-year"
    """The day or period has just passed; the sender must name the year."""


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time of day as written; 24:00 is the end of the day."""

    hour: int
    minute: int = 0

    def on(self, day: date) -> datetime:
        """Return the wall-clock moment, without a zone."""
        return datetime.combine(day, time()) + timedelta(hours=self.hour, minutes=self.minute)


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date such as `27 Nov` or `31日`; year and month may be missing."""

    year: int | None
    month: int | None
    day: int


@dataclass(frozen=True, slots=True)
class DaysAhead:
    """`tomorrow`, `in 3 days`."""

    days: int


@dataclass(frozen=True, slots=True)
class DaysLater:
    """The end of a period such as `for ten days`.

    It is that many days after the first day.
    """

    days: int


@dataclass(frozen=True, slots=True)
class WeeksAhead:
    """`next week`, used with a weekday; weeks begin on Monday (ISO 8601)."""

    weeks: int


@dataclass(frozen=True, slots=True)
class Day:
    """A day as people name it; unnamed, it is today, or tomorrow if too late."""

    named: PartialDate | DaysAhead | DaysLater | WeeksAhead | None = None
    weekday: Weekday | None = None
    """A weekday alone, with weeks ahead, or beside a date that must fall on it."""

    @property
    def lacks_year(self) -> bool:
        """Whether it is a date without a year."""
        return isinstance(self.named, PartialDate) and self.named.year is None


@dataclass(frozen=True, slots=True)
class Ahead:
    """`+2 days`, `in 36 hours`: a length of time from now, independent of clock changes."""

    length: timedelta


@dataclass(frozen=True, slots=True)
class WallTime:
    """`Fri 21:00`: a time on a wall clock."""

    day: Day
    clock: TimeOfDay | None = None
    zone: tzinfo | None = None
    """The zone of that clock, if it is named."""


Moment: TypeAlias = Ahead | WallTime


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days such as `1 Dec to 10 Dec`; by default from today."""

    first: Day
    last: Day


_END_OF_DAY = TimeOfDay(23, 59)
_FARTHEST_YEARS = 10
"""A year further off is a slip, or `2100` meant as a time of day."""
FARTHEST = timedelta(days=365 * _FARTHEST_YEARS)
_LONGEST_WITHOUT_YEAR = timedelta(days=270)
"""A longer period without years has its ends in the wrong order."""


def moment_meant(moment: Moment, now: datetime, zone: str) -> datetime | MomentFault:
    """Return the moment meant, in UTC; the next one after `now` if ambiguous.

    * A zone that is named overrides `zone`. "Today" is today in that zone.
    * A weekday, or a time alone: the next such moment. Weeks ahead count from Monday.
    * A date without year: its next occurrence, today included, unless the last one is nearer. A date without time:
      23:59 of that day.
    * In the hour that daylight saving repeats, the first one.

    >>> now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    >>> moment_meant(WallTime(Day(weekday=Weekday.FRIDAY), TimeOfDay(21)), now, "Asia/Tokyo").isoformat()
    '2026-11-27T12:00:00+00:00'
    >>> moment_meant(WallTime(Day(PartialDate(None, 2, 30))), now, "Asia/Tokyo")
    <MomentFault.NO_SUCH_DATE: 'no-such-date'>
    """
    if isinstance(moment, Ahead):
        return now.astimezone(UTC) + moment.length
    place = moment.zone or ZoneInfo(zone)
    today = now.astimezone(place).date()
    days = _days(moment.day, today)
    if not isinstance(days, MomentFault) and _is_behind(Period(moment.day, moment.day), days[0], today):
        return MomentFault.WHICH_YEAR
    return days if isinstance(days, MomentFault) else _first_after(now, days, moment.clock, place)


def period_meant(period: Period, now: datetime, zone: str) -> tuple[datetime, datetime] | MomentFault:
    """Return the whole days meant as start and end in UTC.

    The end is the first moment after the last day. Without years it is the next such period, or a current one,
    unless the last one is nearer than that.

    >>> now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    >>> december = Period(Day(PartialDate(None, 12, 1)), Day(PartialDate(None, 12, 10)))
    >>> [str(end) for end in period_meant(december, now, "Asia/Tokyo")]
    ['2026-11-30 15:00:00+00:00', '2026-12-10 15:00:00+00:00']
    """
    place, today = ZoneInfo(zone), now.astimezone(ZoneInfo(zone)).date()
    days = _first_and_last(period, today)
    if isinstance(days, MomentFault):
        return days
    first, last = days
    if _is_behind(period, first, today):
        return MomentFault.WHICH_YEAR
    return first_moment(TimeOfDay(0).on(first), place), first_moment(TimeOfDay(24).on(last), place)


def next_period(period: Period, now: datetime, zone: str) -> tuple[date, date] | None:
    """Return the first and last day of the next such period, or None.

    It may be a year off.
    """
    days = _first_and_last(period, now.astimezone(ZoneInfo(zone)).date())
    return None if isinstance(days, MomentFault) else days


def _is_behind(period: Period, first: date, today: date) -> bool:
    """Whether a yearly period ended more recently than its next one begins."""
    written = period.first.named
    if not isinstance(written, PartialDate) or not period.first.lacks_year or written.month is None or first <= today:
        return False
    before = _occurrence(written, today, -1)
    ended = _days_from(before, period, before) if before is not None else MomentFault.PAST
    return not isinstance(ended, MomentFault) and today - ended[1] < first - today


def _days(described: Day, today: date, base: date | None = None) -> tuple[date, ...] | MomentFault:
    """Return the days that may be meant, best first.

    Weekdays and dates without a year count from `base`, by default today.
    """
    base, weekday = base or today, described.weekday
    match described.named:
        case PartialDate() as written:
            day = _date_meant(written, base)
            if isinstance(day, MomentFault):
                return day
        case DaysAhead(days):
            day = today + timedelta(days=days)
        case DaysLater(days):
            day = base + timedelta(days=days)
        case _ if weekday is None:
            return today, today + timedelta(days=1)
        case WeeksAhead(weeks):
            day = today + timedelta(days=weekday - today.weekday(), weeks=weeks)
        case None:
            day = base + timedelta(days=(weekday - base.weekday()) % 7)
            return day, day + timedelta(weeks=1)
    return (day,) if weekday in (None, day.weekday()) else MomentFault.NO_SUCH_DATE


def _date_meant(written: PartialDate, base: date) -> date | MomentFault:
    if written.year is None:
        return _occurrence(written, base) or MomentFault.NO_SUCH_DATE
    day = _calendar_day(written.year, written.month or base.month, written.day)
    if day is None:
        return MomentFault.NO_SUCH_DATE
    if abs(day.year - base.year) > _FARTHEST_YEARS:
        return MomentFault.PAST if day < base else MomentFault.NOT_UNDERSTOOD
    return day


def _occurrence(written: PartialDate, base: date, step: int = 1) -> date | None:
    """Return the first such day from `base` on.

    With step -1, return the last one before `base`. 29 February can be eight years off.
    """
    for months in range(12 * 8 + 1):
        year, month = divmod(base.year * 12 + base.month - 1 + step * months, 12)
        day = _calendar_day(year, month + 1, written.day) if written.month in (None, month + 1) else None
        if day and (day >= base if step > 0 else day < base):
            return day
    return None


def _calendar_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _first_after(now: datetime, days: Sequence[date], clock: TimeOfDay | None, zone: tzinfo) -> datetime | MomentFault:
    for day in days:
        wall = (clock or _END_OF_DAY).on(day)
        moment = first_moment(wall, zone)
        if moment > now:
            return MomentFault.SKIPPED if clock and is_skipped(wall, zone) else moment
    return MomentFault.PAST


def _first_and_last(period: Period, today: date) -> tuple[date, date] | MomentFault:
    """Return the current period, or else the next one."""
    faults: list[MomentFault] = []
    for base in _bases(period.first, today):
        days = _days_from(base, period, today)
        if not isinstance(days, MomentFault):
            return days
        faults.append(days)
    return MomentFault.PAST if MomentFault.PAST in faults else faults[-1]


def _bases(first: Day, today: date) -> tuple[date, ...]:
    """Return the days from which to look for the first day."""
    written = first.named
    before = _occurrence(written, today, -1) if isinstance(written, PartialDate) and first.lacks_year else None
    return (before, today) if before else (today,)


def _days_from(base: date, period: Period, today: date) -> tuple[date, date] | MomentFault:
    first, last = period.first, period.last
    starts = _days(first, today, base)
    if isinstance(starts, MomentFault):
        return starts
    ends = _days(last, today, starts[0])
    if isinstance(ends, MomentFault):
        return ends
    start, end = starts[0], ends[0]
    if end < start or ((first.lacks_year or last.lacks_year) and end - start > _LONGEST_WITHOUT_YEAR):
        return MomentFault.BACKWARDS if first != Day() else MomentFault.PAST
    return (start, end) if end >= today else MomentFault.PAST

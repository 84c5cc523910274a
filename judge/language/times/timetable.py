"""When phases of one kind close: so long after they opened, or on some weekdays at a time of day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from itertools import count
from typing import TypeAlias
from zoneinfo import ZoneInfo

from judge.language.times.data import any_of
from judge.language.times.durations import read_duration
from judge.language.times.moments import (
    Clock,
    Rule,
    Weekday,
    clock_rules,
    first_moment,
    fold,
    scan,
    weekday_named,
    weekday_pattern,
)


@dataclass(frozen=True, slots=True)
class Timetable:
    """A rule that gives every phase of one kind its deadline."""

    length: timedelta = timedelta()
    """A phase is open exactly so long; at least so long, where days or a time of day are set."""
    weekdays: frozenset[Weekday] = frozenset()
    """It closes on one of these; on any day, if empty."""
    at: time | None = None
    """It closes when the clocks of the game's zone show this."""

    def __post_init__(self) -> None:
        assert timedelta() <= self.length <= _LONGEST
        assert self.length or self.at is not None, "such a phase would close when it opens"

    @property
    def days(self) -> tuple[Weekday, ...]:
        """The weekdays from Monday on; none, if it closes on any day."""
        return tuple(sorted(self.weekdays))

    def allows(self, day: date) -> bool:
        """Whether a phase may close on that day."""
        return not self.weekdays or day.weekday() in self.weekdays


def deadline(timetable: Timetable, opened_at: datetime, zone: str) -> datetime:
    """When a phase that opened then closes, in UTC; always later than it opened.

    * Without weekdays and time of day: `length` later to the second, whatever the clocks do.
    * With a time of day: when the clocks first show it on an allowed day, at least `length` later.
    * With weekdays alone: `length` later; on a day that is not allowed, at the same time of the next that is. So
      what opens on Saturday evening may close after what opens on Sunday morning.

    A time that daylight saving skips gives the first moment after the gap; of a time that it repeats the first counts.

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
    """The next deadlines, if a phase opens now and each later one when the one before it closes.

    >>> now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    >>> [f"{moment:%a %d %H:%M}" for moment in upcoming(read_timetable("Tue Fri 21:00"), now, "Asia/Tokyo", 3)]
    ['Fri 27 12:00', 'Tue 01 12:00', 'Fri 04 12:00']
    """
    moments: list[datetime] = []
    for _ in range(number):
        moments.append(deadline(timetable, moments[-1] if moments else now, zone))
    return tuple(moments)


def read_timetable(text: str) -> Timetable | None:
    """Read `3 days`, `Tue and Fri 21:00`, `毎日21時`, `最低24時間、火金21時`; None if it is no timetable.

    >>> read_timetable("weekdays 18:00").days[-1].name
    'FRIDAY'
    """
    pieces = scan(fold(text), _rules(), _fillers())
    if pieces is None:
        return None
    clocks = [piece for piece in pieces if isinstance(piece, Clock)]
    lengths = [piece for piece in pieces if isinstance(piece, timedelta)]
    weekdays = frozenset[Weekday]().union(*(piece for piece in pieces if isinstance(piece, frozenset)))
    length = lengths[0] if lengths else timedelta()
    if len(clocks) > 1 or len(lengths) > 1 or length > _LONGEST or not (clocks or lengths):
        return None
    if not clocks:
        return Timetable(length, _normal(weekdays))
    return _at(clocks[0], length, weekdays)


def _first_showing(at: time, timetable: Timetable, earliest: datetime, opened_at: datetime, place: tzinfo) -> datetime:
    """From the day before on: a time skipped at its end is made up for on `earliest`'s day."""
    before = earliest.astimezone(place).date() - timedelta(days=1)
    days = (before + timedelta(days=ahead) for ahead in count())
    moments = (first_moment(datetime.combine(day, at), place) for day in days if timetable.allows(day))
    return next(moment for moment in moments if moment >= earliest and moment > opened_at)


_Piece: TypeAlias = Clock | timedelta | frozenset[Weekday]
_LONGEST = timedelta(days=366)
_EVERY_DAY = frozenset(Weekday)
_WEEKEND = frozenset({Weekday.SATURDAY, Weekday.SUNDAY})


def _length(match: re.Match[str]) -> timedelta | None:
    return read_duration(match[1].replace(" and ", " "))


def _from_to(match: re.Match[str]) -> frozenset[Weekday]:
    first, last = weekday_named(match[1]), weekday_named(match[2])
    return frozenset(Weekday((first + ahead) % 7) for ahead in range((last - first) % 7 + 1))


@cache
def _rules() -> tuple[Rule[_Piece], ...]:
    """What a timetable is told in."""

    def said(name: str) -> str:
        return any_of("timetables", name)

    number = rf"\d{{1,4}} ?{said('number')}"
    length = rf"{said('at_least')}?({number}(?:,? ?{said('and')}?{number})*){said('behind')}?"
    day = weekday_pattern()
    return (
        *clock_rules(),
        (re.compile(length), _length),
        (re.compile(said("every_day")), lambda _: _EVERY_DAY),
        (re.compile(said("weekdays")), lambda _: _EVERY_DAY - _WEEKEND),
        (re.compile(said("weekend")), lambda _: _WEEKEND),
        (re.compile(rf"({day}) ?(?:[-~]|{said('to')}) ?({day}){said('behind_the_last')}?"), _from_to),
        (re.compile(day), lambda match: frozenset({weekday_named(match[0])})),
    )


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile(rf"[ ,、・/&.。]|{any_of('timetables', 'fillers')}")


def _at(clock: Clock, length: timedelta, weekdays: frozenset[Weekday]) -> Timetable:
    """24:00 of a day is 0:00 of the next."""
    days_later, hour = divmod(clock.hour, 24)
    moved = frozenset(Weekday((weekday + days_later) % 7) for weekday in weekdays)
    return Timetable(length, _normal(moved), time(hour, clock.minute))


def _normal(weekdays: frozenset[Weekday]) -> frozenset[Weekday]:
    return frozenset() if weekdays == _EVERY_DAY else weekdays

"""Timetables of deadlines as people write them."""

from __future__ import annotations

import re
from datetime import time, timedelta
from functools import cache
from typing import TypeAlias

from judge.calendar import LONGEST, TimeOfDay, Timetable, Weekday
from judge.language.times.data import any_of
from judge.language.times.durations import read_duration
from judge.language.times.moments import (
    Rule,
    clock_rules,
    fold,
    scan,
    weekday_named,
    weekday_pattern,
)


def read_timetable(text: str) -> Timetable | None:
    """Read a timetable; None if the text is none.

    Examples: `3 days`, `Tue and Fri 21:00`, `毎日21時`, `最低24時間、火金21時`.

    >>> read_timetable("weekdays 18:00").days[-1].name
    'FRIDAY'
    """
    pieces = scan(fold(text), _rules(), _fillers())
    if pieces is None:
        return None
    clocks = [piece for piece in pieces if isinstance(piece, TimeOfDay)]
    lengths = [piece for piece in pieces if isinstance(piece, timedelta)]
    weekdays = frozenset[Weekday]().union(*(piece for piece in pieces if isinstance(piece, frozenset)))
    length = lengths[0] if lengths else timedelta()
    if len(clocks) > 1 or len(lengths) > 1 or length > LONGEST or not (clocks or lengths):
        return None
    if not clocks:
        return Timetable(length, _normal(weekdays))
    return _at(clocks[0], length, weekdays)


_Piece: TypeAlias = TimeOfDay | timedelta | frozenset[Weekday]
_EVERY_DAY = frozenset(Weekday)
_WEEKEND = frozenset({Weekday.SATURDAY, Weekday.SUNDAY})


def _length(match: re.Match[str]) -> timedelta | None:
    return read_duration(match[1].replace(" and ", " "))


def _from_to(match: re.Match[str]) -> frozenset[Weekday]:
    first, last = weekday_named(match[1]), weekday_named(match[2])
    return frozenset(Weekday((first + ahead) % 7) for ahead in range((last - first) % 7 + 1))


@cache
def _rules() -> tuple[Rule[_Piece], ...]:
    """Return rules for the pieces of a timetable."""

    def said(name: str) -> str:
        return any_of("timetables", name)

    number = rf"\d{{1,4}} ?{said('number')}"
    length = rf"{said('at_least')}?({number}(?:,? ?{said('and')}?{number})*){said('behind')}?"
    return (
        *clock_rules(),
        (re.compile(length), _length),
        *day_rules(),
        (re.compile(weekday_pattern()), lambda match: frozenset({weekday_named(match[0])})),
    )


def day_rules() -> tuple[Rule[frozenset[Weekday]], ...]:
    """Return rules for several days named at once: `weekdays`, `Mon-Fri`."""

    def said(name: str) -> str:
        return any_of("timetables", name)

    day = weekday_pattern()
    return (
        (re.compile(said("every_day")), lambda _: _EVERY_DAY),
        (re.compile(said("weekdays")), lambda _: _EVERY_DAY - _WEEKEND),
        (re.compile(said("weekend")), lambda _: _WEEKEND),
        (re.compile(rf"({day}) ?(?:[-~]|{said('to')}) ?({day}){said('behind_the_last')}?"), _from_to),
    )


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile(rf"[ ,、・/&.。]|{any_of('timetables', 'fillers')}")


def _at(clock: TimeOfDay, length: timedelta, weekdays: frozenset[Weekday]) -> Timetable:
    """Return a timetable; 24:00 of a day becomes 0:00 of the next."""
    days_later, hour = divmod(clock.hour, 24)
    moved = frozenset(Weekday((weekday + days_later) % 7) for weekday in weekdays)
    return Timetable(length, _normal(moved), time(hour, clock.minute))


def _normal(weekdays: frozenset[Weekday]) -> frozenset[Weekday]:
    return frozenset() if weekdays == _EVERY_DAY else weekdays

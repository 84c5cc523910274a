"""Hours of the week as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import time
from enum import Enum
from functools import cache
from typing import TypeAlias

from judge.calendar import Hours, Span, TimeOfDay, Weekday
from judge.language.times.data import any_of
from judge.language.times.moments import Rule, clock_rules, fold, scan, weekday_named, weekday_pattern
from judge.language.times.timetable import day_rules

_MOST = 14
"""The most spans."""


class _Mark(Enum):
    TO = "-"
    FROM = ">"
    NEXT = ","


_Piece: TypeAlias = TimeOfDay | frozenset[Weekday] | Weekday | _Mark
"""A weekday by itself may belong to what follows the comma: `Sat, Sun 10:00-22:00`."""


def read_hours(text: str) -> Hours | None:
    """Read the hours that suit a person; None if the text names none.

    Commas separate hours. Days beside hours are the days of these hours, and days alone count as a whole: `19:00-23:00,
    weekends` is every evening, and weekends from morning to night. Hours may end on the next day.

    >>> [str(span.start) for span in read_hours("19:00-23:00, weekends").spans]
    ['19:00:00', '00:00:00']
    """
    pieces: Sequence[_Piece] | None = scan(fold(text), _rules(), _fillers())
    if pieces is None:
        return None
    spans = [_span(part) for part in _parts(pieces)]
    found = tuple(span for span in spans if span is not None)
    return Hours(found) if found and len(found) == len(spans) and len(found) <= _MOST else None


def _parts(pieces: Sequence[_Piece]) -> Iterator[Sequence[_Piece]]:
    """Yield the pieces between commas; weekdays named one by one go with what follows."""
    part: list[_Piece] = []
    for place, piece in enumerate(pieces):
        if piece is not _Mark.NEXT:
            part.append(piece)
        elif part and not (_are_named(part) and isinstance(next(iter(pieces[place + 1 :]), None), Weekday)):
            yield part
            part = []
    if part:
        yield part


def _are_named(part: Sequence[_Piece]) -> bool:
    return all(isinstance(piece, Weekday) for piece in part)


def _span(part: Sequence[_Piece]) -> Span | None:
    """Return the span of days and hours; None if they make none."""
    days = [piece for piece in part if isinstance(piece, Weekday)]
    weekdays = frozenset(days).union(*(piece for piece in part if isinstance(piece, frozenset)))
    weekdays = frozenset() if weekdays == frozenset(Weekday) else weekdays
    match [piece for piece in part if isinstance(piece, TimeOfDay | _Mark)]:
        case []:
            return Span(weekdays)
        case [TimeOfDay() as start, _Mark.TO, TimeOfDay() as end] | [
            _Mark.FROM,
            TimeOfDay() as start,
            _Mark.TO,
            TimeOfDay() as end,
        ]:
            return Span(weekdays, _time(start), _time(end)) if start != end and start.hour < 24 else None
        case [_Mark.FROM, TimeOfDay() as start] | [TimeOfDay() as start, _Mark.FROM] if start.hour < 24:
            return Span(weekdays, _time(start))
        case _:
            return None


def _time(clock: TimeOfDay) -> time:
    return time(clock.hour % 24, clock.minute)


def _says(name: str, mark: _Mark) -> Rule[_Piece]:
    return re.compile(any_of("hours", name)), lambda _: mark


def _hour(match: re.Match[str]) -> TimeOfDay | None:
    return TimeOfDay(int(match[1])) if int(match[1]) <= 24 else None


@cache
def _rules() -> tuple[Rule[_Piece], ...]:
    """Return rules for the pieces of hours."""
    return (
        *_halves(),
        *clock_rules(),
        *day_rules(),
        (re.compile(weekday_pattern()), lambda match: weekday_named(match[0])),
        _says("to", _Mark.TO),
        _says("from", _Mark.FROM),
        _says("next", _Mark.NEXT),
        (re.compile(r"(\d{1,2})(?![\d:])"), _hour),
    )


def _halves() -> tuple[Rule[_Piece], ...]:
    """Return a rule for `7-11pm`: the first hour is of the same half."""

    def first(match: re.Match[str]) -> TimeOfDay | None:
        hour = int(match[1])
        return TimeOfDay(hour % 12 + (12 if match[3] == "p" else 0), int(match[2] or 0)) if 1 <= hour <= 12 else None

    return ((re.compile(r"(\d{1,2})(?::(\d\d))?(?= ?- ?(?:1[0-2]|[1-9])(?::\d\d)? ?([ap])\.?m)"), first),)


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile(rf"[ .。:]|{any_of('hours', 'fillers')}")

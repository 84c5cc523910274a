"""Read dates and times as people write them; see `read_moment` and `read_period`.

We do not use libraries such as dateparser: they guess when a text is unclear, and a guessed deadline is worse than
none. A text is split into pieces (a clock time, a date, a weekday …) in any order. If anything else is left over, the
whole text is not understood.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta, timezone, tzinfo
from enum import StrEnum
from functools import cache
from itertools import groupby
from typing import TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from judge.calendar import (
    FARTHEST,
    Ahead,
    Day,
    DaysAhead,
    DaysLater,
    Moment,
    PartialDate,
    Period,
    TimeOfDay,
    WallTime,
    Weekday,
    WeeksAhead,
)
from judge.calendar.zones import find_zone
from judge.language.times.data import all_of, any_of
from judge.language.times.durations import read_duration
from judge.language.words.tongue import is_typed_in_japanese

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Number:
    """A number that becomes a day of the other date's month.

    It is the `1` of `1-10 Dec` or the `10` of `Dec 1-10`.
    """

    day: int
    year: int | None


@dataclass(frozen=True, slots=True)
class _Zone:
    zone: tzinfo


class _Mark(StrEnum):
    """Words that mark the ends of a period."""

    FROM = "f"
    TO = "-"
    UNTIL = "u"


_Piece: TypeAlias = TimeOfDay | PartialDate | _Number | DaysAhead | DaysLater | WeeksAhead | Weekday | _Zone | _Mark
_Side: TypeAlias = Sequence[_Piece]
Rule: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str]], T | None]]
"""A pattern for a piece, and a function that reads a match.

The function returns None if the match is no valid piece.
"""

_LONGEST_TEXT = 200


def read_moment(text: str) -> Moment | None:
    """Return the moment named; None if its form is unknown or ambiguous.

    * `next week` is understood only with a weekday. `next Friday` is not understood: it means different days to
      different people.
    * `11/27` and `27/11` have one reading. `12/1` has two; it is understood only in a text with Japanese characters
      (1 December), as `2026/12/1`, or as `12-01`.
    * Midnight is written 0:00 or 24:00; 午後12時 is not understood.
    * `+2 days` is 48 hours; `+2 days 21:00` is a wall-clock time.

    >>> read_moment("Fri 21:00").clock
    TimeOfDay(hour=21, minute=0)
    >>> read_moment("11月27日 21時").day.named
    PartialDate(year=None, month=11, day=27)
    """
    folded = fold(text)
    ahead = _read_ahead(folded)
    if ahead is not None:
        return Ahead(ahead)
    pieces: _Side | None = scan(folded, _moment_rules(), _fillers("fillers_of_moments"))
    if pieces is None or not _fit_together(pieces) or all(isinstance(piece, _Zone) for piece in pieces):
        return None
    named = _find(pieces, _Zone)
    return WallTime(_day(pieces), _find(pieces, TimeOfDay), named.zone if named else None)


def read_period(text: str) -> Period | None:
    """Return the period named, from its first to its last day.

    * A single day is a period of one day; `until 10 Dec` leaves the first day open.
    * `next week` is Monday to Sunday, `this week` ends on its Sunday, a weekend is the next Saturday and Sunday.
    * `for 3 days` and `a week` begin today and end on the day that much later; `from Monday for 3 days` ends on
      Wednesday.

    >>> read_period("12/1〜12/10").last.named
    PartialDate(year=None, month=12, day=10)
    """
    folded = fold(text)
    sides = _sides(folded)
    return Period(*map(_day, sides)) if sides else _told_whole(folded) or _for_so_long(folded) or _back_in(folded)


def _told_whole(folded: str) -> Period | None:
    """Read a period named by a phrase: `next week`, 週末."""
    for name, period in _WHOLE.items():
        if any(form.fullmatch(folded) for form in _forms(name)):
            return period
    return None


_WHOLE = {
    "this_week": Period(Day(), Day(WeeksAhead(0), Weekday.SUNDAY)),
    "next_week": Period(Day(WeeksAhead(1), Weekday.MONDAY), Day(WeeksAhead(1), Weekday.SUNDAY)),
    "weekend": Period(Day(None, Weekday.SATURDAY), Day(None, Weekday.SUNDAY)),
}


def _for_so_long(folded: str) -> Period | None:
    """Read a period given by its length: `for 3 days`, 一週間."""
    days = _days_told("for_so_long", folded)
    return Period(Day(), Day(DaysAhead(days))) if days else None


def _back_in(folded: str) -> Period | None:
    """Read a period that ends on the day before the return: `back in ten days`."""
    days = _days_told("back_in", folded)
    return Period(Day(), Day(DaysAhead(days - 1))) if days else None


def _days_told(name: str, folded: str) -> int:
    """Return the number of whole days in a text of a form; otherwise 0.

    `name`: of the form in the table of moments.
    """
    for pattern in _forms(name):
        match = pattern.fullmatch(folded)
        if match and (days := _whole_days(match["length"])):
            return days
    return 0


@cache
def _forms(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns that the languages have under a name, in their order."""
    forms = (one for found in all_of("moments", name) for one in ([found] if isinstance(found, str) else found))
    return tuple(map(re.compile, forms))


def _whole_days(written: str) -> int:
    """Return the number of days of a length; 0 if it is not whole days."""
    length = read_duration(_in_figures(written))
    is_whole = length is not None and timedelta() < length <= FARTHEST and not length % timedelta(days=1)
    return length.days if length is not None and is_whole else 0


def _days_later(match: re.Match[str]) -> DaysLater | None:
    days = _whole_days(match["length"])
    return DaysLater(days - 1) if days else None


def _in_figures(text: str) -> str:
    """Return a length with its number in figures."""
    for words in all_of("moments", "numbers"):
        for word, number in words.items():
            if text.startswith(word):
                return f"{number} {text.removeprefix(word).strip()}"
    return text


# Reading text


def fold(text: str) -> str:
    """Normalize width, case, dashes and blanks; `11/27` in a Japanese text becomes 11月27日."""
    folded = " ".join(unicodedata.normalize("NFKC", text).lower().translate(_folds()).split())
    return with_plain_dates(folded) if is_typed_in_japanese(text) else folded


def with_plain_dates(text: str) -> str:
    """Return a Japanese text with 12/1 written as month and day."""
    return _SLASHED.sub(all_of("moments", "slashed")[0], text)


def scan(text: str, rules: Sequence[Rule[T]], fillers: re.Pattern[str]) -> list[T] | None:
    """Return the pieces of a text, in order.

    Each piece is read by the first rule that fits. None if anything but fillers is left over.
    """
    if len(text) > _LONGEST_TEXT:
        return None
    pieces: list[T] = []
    place = 0
    while place < len(text):
        for pattern, read in rules:
            match = pattern.match(text, place)
            piece = read(match) if match else None
            if match and piece is not None:
                pieces.append(piece)
                break
        else:
            match = fillers.match(text, place)
        if not match:
            return None
        place = match.end()
    return pieces


def _says(words: str, piece: T) -> Rule[T]:
    """Return a rule for words with a fixed meaning."""
    return re.compile(words), lambda _: piece


def weekday_named(word: str) -> Weekday:
    """Return the weekday of a word that matches the pattern of weekdays."""
    begins = ((day, name) for names in all_of("moments", "weekdays") for day, name in zip(Weekday, names, strict=True))
    return next(day for day, name in begins if word.startswith(name))


def _clock(match: re.Match[str]) -> TimeOfDay | None:
    groups = match.groupdict()
    minute = "30" if groups.get("half_past") else groups.get("minute")
    clock = TimeOfDay(_hour(groups.get("half"), int(match["hour"])), int(minute or 0))
    return clock if clock.minute < 60 and (clock.hour, clock.minute) <= (24, 0) else None


def _hour(half: str | None, written: int) -> int:
    """Return the hour of the day; 99 if that half has no such hour."""
    if half is None:
        return written
    return next((written + added for first, last, added in _halves()[half] if first <= written <= last), 99)


def _date(year: str | None, month: str | None, day: str) -> PartialDate:
    return PartialDate(int(year) if year else None, int(month) if month else None, int(day))


def _date_told(match: re.Match[str]) -> PartialDate:
    """Return a date from a match with named groups."""
    groups = match.groupdict()
    name = groups.get("month_name")
    return _date(groups.get("year"), _month_named(name) if name else groups.get("month"), match["day"])


def _month_named(name: str) -> str:
    begins = (month for months in all_of("moments", "months") for month in enumerate(months, 1))
    return next(str(number) for number, begin in begins if name.startswith(begin))


def _number(match: re.Match[str]) -> _Number:
    return _Number(int(match[1]), int(match[2]) if match[2] else None)


def _date_either_way(match: re.Match[str]) -> PartialDate | None:
    """Read `11/27` or `27/11/2026`; None if there are two readings or none."""
    first, second, year = match.groups()
    readings = {(month, day) for month, day in ((first, second), (second, first)) if 1 <= int(month) <= 12}
    days = {_date(year, month, day) for month, day in readings if int(day) <= 31}
    return days.pop() if len(days) == 1 else None


def _offset(match: re.Match[str]) -> _Zone | None:
    hours, minutes = int(match[2]), int(match[3] or 0)
    offset = timedelta(hours=hours, minutes=minutes)
    return _Zone(timezone(-offset if match[1] == "-" else offset)) if hours <= 14 and minutes < 60 else None


def _zone(match: re.Match[str]) -> _Zone | None:
    name = "UTC" if match[0] == "z" else find_zone(match["zone"])
    return _Zone(ZoneInfo(name)) if name else None


_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])")


@cache
def _folds() -> dict[int, str]:
    words = {letter: word for folds in all_of("moments", "folds") for letter, word in folds.items()}
    return str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("〜∼", "~") | words)


@cache
def _halves() -> Mapping[str, Sequence[tuple[int, int, int]]]:
    """Return half of the day → rows of first hour, last hour, hours to add.

    The hours are those of the text.
    """
    return {half: hours for halves in all_of("moments", "halves") for half, hours in halves.items()}


def weekday_pattern() -> str:
    """Return a pattern for a weekday in any language."""
    return any_of("moments", "weekday")


@cache
def _fillers(name: str) -> re.Pattern[str]:
    return re.compile(rf"[ ,、().。]|{any_of('moments', name)}")


def _rules(name: str, read: Callable[[re.Match[str]], T | None]) -> list[Rule[T]]:
    """Return a rule for each pattern that a language has under a name."""
    half, month = any_of("moments", "half"), any_of("moments", "month")
    patterns = [one for found in all_of("moments", name) for one in ([found] if isinstance(found, str) else found)]
    return [(re.compile(one.replace("HALF", half).replace("MONTH", month)), read) for one in patterns]


def _ahead_rules(name: str, piece: Callable[[int], T]) -> list[Rule[T]]:
    """Return rules for words that say how many days or weeks ahead: 明日."""
    return [_says(words, piece(int(ahead))) for table in all_of("moments", name) for ahead, words in table.items()]


@cache
def clock_rules() -> tuple[Rule[TimeOfDay], ...]:
    """Return rules for times of day."""
    return (
        *_rules("clock", _clock),
        _says(any_of("moments", "noon"), TimeOfDay(12)),
        _says(any_of("moments", "evening"), TimeOfDay(20)),
    )


def _weekday_rule() -> Rule[Weekday]:
    return re.compile(weekday_pattern()), lambda match: weekday_named(match[0])


@cache
def _date_rules() -> tuple[Rule[PartialDate], ...]:
    """Return rules for days of a month."""
    return (
        (re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)(?:t(?=\d))?"), lambda m: _date(m[1], m[3], m[4])),
        *_rules("date", _date_told),
        (re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.(?: ?(\d{4})(?![\d:]))?|(?= .*:))"), lambda m: _date(m[3], m[2], m[1])),
        (re.compile(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}))?(?![\d/])"), _date_either_way),
        (re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})(?!\d)"), _date_either_way),
    )


@cache
def _relative_rules() -> tuple[Rule[DaysAhead | WeeksAhead], ...]:
    """Return rules for days relative to today."""
    return (
        *_ahead_rules("days_ahead", DaysAhead),
        *_ahead_rules("weeks_ahead", WeeksAhead),
        *_rules("in_days", lambda m: DaysAhead(int(m["days"]))),
    )


_ZONE_WORD = r"[a-z][a-z_/-]*"


@cache
def _zone_rules() -> tuple[Rule[_Zone], ...]:
    """Return rules for UTC offsets and time zones."""
    return (
        # `find_zone` would not do: in IANA names Etc/GMT+9 is nine hours west of Greenwich.
        (re.compile(r"(?:utc|gmt) ?([+-])(\d{1,2})(?::?(\d\d))?(?!\d)"), _offset),
        (re.compile(r"(?:(?<=:\d\d)|(?<=:\d\d ))([+-])(\d\d):?(\d\d)(?!\d)"), _offset),
        *_rules("zone", _zone),
        *(
            (re.compile(rf"(?P<zone>{_ZONE_WORD}(?: {_ZONE_WORD}){{{more}}})(?![a-z_/+\d-])"), _zone)
            for more in (2, 1, 0)
        ),
    )


@cache
def _moment_rules() -> tuple[Rule[_Piece], ...]:
    """Return rules for the pieces of a moment."""
    return (
        *clock_rules(),
        *_date_rules(),
        (re.compile(r"(\d\d)-(\d\d)(?![-\d])"), lambda m: _date(None, m[1], m[2])),  # as in 2026-12-01
        *_relative_rules(),
        *_zone_rules(),
        _weekday_rule(),
    )


@cache
def _period_rules() -> tuple[Rule[_Piece], ...]:
    """Return rules for the pieces of a period."""
    return (
        *_rules("for_so_long", _days_later),
        *_date_rules(),
        *_relative_rules(),
        _weekday_rule(),
        (re.compile(rf"(\d{{1,2}})(?:, ?(\d{{4}}))?(?![\d:/.]| ?[{''.join(all_of('moments', 'counts'))}])"), _number),
        _says(any_of("moments", "from"), _Mark.FROM),
        _says(rf"[-~]|{any_of('moments', 'to')}", _Mark.TO),
        _says(any_of("moments", "until"), _Mark.UNTIL),
    )


def _read_ahead(folded: str) -> timedelta | None:
    """Read a time from now: `+2 days`, `in 36 hours`, `2日後`."""
    match = next(filter(None, (form.fullmatch(folded) for form in _forms("ahead"))), None)
    ahead = read_duration(match["length"].replace(" and ", " ")) if match else None
    return ahead if ahead and ahead <= FARTHEST else None


# Making sense of the pieces


def _find(pieces: _Side, kind: type[T]) -> T | None:
    return next((piece for piece in pieces if isinstance(piece, kind)), None)


def _fit_together(pieces: _Side) -> bool:
    """Whether the pieces name one day and no kind of piece occurs twice.

    A weekday may accompany a date. A week needs a weekday.
    """
    kinds = [type(piece) for piece in pieces]
    days = [kind for kind in kinds if kind in (PartialDate, DaysAhead, WeeksAhead)]
    return len(set(kinds)) == len(kinds) and len(days) <= 1 and (WeeksAhead not in days or Weekday in kinds)


def _day(pieces: _Side) -> Day:
    named = _find(pieces, PartialDate) or _find(pieces, DaysAhead) or _find(pieces, DaysLater)
    return Day(named or _find(pieces, WeeksAhead), _find(pieces, Weekday))


# Periods


def _sides(folded: str) -> tuple[_Side, _Side] | None:
    """Return the pieces of the first and of the last day.

    Those of the first day are empty if it is today. None if the text is not understood.
    """
    pieces: _Side | None = scan(folded, _period_rules(), _fillers("fillers_of_periods"))
    groups = [(mark, tuple(group)) for mark, group in groupby(pieces or (), lambda piece: isinstance(piece, _Mark))]
    ends: list[_Side] = [group for mark, group in groups if not mark]
    sides: tuple[_Side, _Side]
    match "".join("".join(map(str, group)) if mark else "d" for mark, group in groups):
        case "d" | "fd" if lasts := _find(ends[0], DaysLater):
            sides = tuple(one for one in ends[0] if one != lasts), (lasts,)
        case "dfd" if lasts := _find(ends[0], DaysLater):
            sides = ends[1], (lasts,)
        case "d":
            sides = ends[0], ends[0]
        case "du" | "ud":
            sides = (), ends[0]
        case "d-d" | "d-du" | "dud" | "fd-d" | "fd-du" | "fdud":
            sides = _with_months(ends[0], ends[1])
        case _:
            return None
    known = all(_find(side, _Number) is None and _fit_together(side) for side in sides)
    is_open = _find(sides[0], DaysLater) or (_find(sides[1], DaysLater) and not sides[0])
    return sides if known and not is_open else None


def _with_months(first: _Side, last: _Side) -> tuple[_Side, _Side]:
    """Give both ends the month that only one of them names.

    Examples: `1-10 Dec`, `Dec 1-10`, `12月1日から10日まで`.
    """
    return _borrowing(first, _find(last, PartialDate)), _borrowing(last, _find(first, PartialDate))


def _borrowing(side: _Side, lender: PartialDate | None) -> _Side:
    if lender is None or lender.month is None:
        return side
    return tuple(
        PartialDate(piece.year or lender.year, lender.month, piece.day)
        if isinstance(piece, _Number) or (isinstance(piece, PartialDate) and piece.month is None)
        else piece
        for piece in side
    )

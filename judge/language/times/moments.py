"""Dates as people write them, in English and Japanese; see `read_moment` and `read_period`.

The reader is our own: where a line is unclear, libraries such as dateparser guess, and a guessed deadline is worse
than none. A line is cut into pieces (a clock time, a date, a weekday …) in any order; what is no piece makes the
whole not understood.
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
    Moment,
    PartialDate,
    Period,
    TimeOfDay,
    WallTime,
    Weekday,
    WeeksAhead,
)
from judge.language.times.data import all_of, any_of
from judge.language.times.durations import read_duration
from judge.language.times.zones import find_zone
from judge.language.words.tongue import is_typed_in_japanese

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Number:
    """The `1` of `1-10 Dec` and the `10` of `Dec 1-10`: a day once the other end lends it a month."""

    day: int
    year: int | None


@dataclass(frozen=True, slots=True)
class _Zone:
    zone: tzinfo


class _Mark(StrEnum):
    """How the ends of a period are told."""

    FROM = "f"
    TO = "-"
    UNTIL = "u"


_Piece: TypeAlias = TimeOfDay | PartialDate | _Number | DaysAhead | WeeksAhead | Weekday | _Zone | _Mark
_Side: TypeAlias = Sequence[_Piece]
Rule: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str]], T | None]]
"""How a piece looks, and what it says; None if it only looks like one."""

_LONGEST_TEXT = 200


def read_moment(text: str) -> Moment | None:
    """The moment named; None if it is in no form we know, or in one that can be read in two ways.

    * `next week` is understood of a weekday; `next Friday` means different days to different people and is not.
    * `11/27` and `27/11` have one reading; `12/1` has two and is understood only in a text with Japanese
      characters (1 December), as `2026/12/1`, or as `12-01`. Midnight is written 0:00 or 24:00; 午後12時 is not
      understood.
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
    """The days named: one alone is a period of one day, and `until 10 Dec` says nothing of the first.

    * `next week` is Monday to Sunday of it, `this week` lasts to its Sunday, a weekend is the next Saturday and Sunday.
    * `for 3 days`, `a week` begin today and end on the day that comes so much later.

    >>> read_period("12/1〜12/10").last.named
    PartialDate(year=None, month=12, day=10)
    """
    folded = fold(text)
    sides = _sides(folded)
    return Period(*map(_day, sides)) if sides else _told_whole(folded) or _for_so_long(folded)


def _told_whole(folded: str) -> Period | None:
    """`next week`, 週末."""
    for name, period in _WHOLE.items():
        if re.fullmatch(any_of("moments", name), folded):
            return period
    return None


_WHOLE = {
    "this_week": Period(Day(), Day(WeeksAhead(0), Weekday.SUNDAY)),
    "next_week": Period(Day(WeeksAhead(1), Weekday.MONDAY), Day(WeeksAhead(1), Weekday.SUNDAY)),
    "weekend": Period(Day(None, Weekday.SATURDAY), Day(None, Weekday.SUNDAY)),
}


def _for_so_long(folded: str) -> Period | None:
    """`for 3 days`, 一週間."""
    for pattern in all_of("moments", "for_so_long"):
        match = re.fullmatch(pattern, folded)
        length = read_duration(_in_figures(match["length"])) if match else None
        if length is not None and timedelta() < length <= FARTHEST and not length % timedelta(days=1):
            return Period(Day(), Day(DaysAhead(length.days)))
    return None


def _in_figures(text: str) -> str:
    """A length whose number may be a word."""
    for words in all_of("moments", "numbers"):
        for word, number in words.items():
            if text.startswith(word):
                return f"{number} {text.removeprefix(word).strip()}"
    return text


# Reading text


def fold(text: str) -> str:
    """One form for every width, case, dash and blank; `11/27` in a Japanese text becomes 11月27日."""
    folded = " ".join(unicodedata.normalize("NFKC", text).lower().translate(_folds()).split())
    return with_plain_dates(folded) if is_typed_in_japanese(text) else folded


def with_plain_dates(text: str) -> str:
    """A Japanese text whose dates with a slash say which is the month."""
    return _SLASHED.sub(all_of("moments", "slashed")[0], text)


def scan(text: str, rules: Sequence[Rule[T]], fillers: re.Pattern[str]) -> list[T] | None:
    """The pieces of a text in order, by the first rule that fits; None if something is neither piece nor filler."""
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
    """A rule for words that always say the same."""
    return re.compile(words), lambda _: piece


def weekday_named(word: str) -> Weekday:
    """The weekday of a word that the pattern of weekdays fits."""
    begins = ((day, name) for names in all_of("moments", "weekdays") for day, name in zip(Weekday, names, strict=True))
    return next(day for day, name in begins if word.startswith(name))


def _clock(match: re.Match[str]) -> TimeOfDay | None:
    groups = match.groupdict()
    minute = "30" if groups.get("half_past") else groups.get("minute")
    clock = TimeOfDay(_hour(groups.get("half"), int(match["hour"])), int(minute or 0))
    return clock if clock.minute < 60 and (clock.hour, clock.minute) <= (24, 0) else None


def _hour(half: str | None, written: int) -> int:
    """The hour of the day; 99 if that half of the day has none such."""
    if half is None:
        return written
    return next((written + added for first, last, added in _halves()[half] if first <= written <= last), 99)


def _date(year: str | None, month: str | None, day: str) -> PartialDate:
    return PartialDate(int(year) if year else None, int(month) if month else None, int(day))


def _date_told(match: re.Match[str]) -> PartialDate:
    """A date whose parts are named by the groups of its pattern."""
    groups = match.groupdict()
    name = groups.get("month_name")
    return _date(groups.get("year"), _month_named(name) if name else groups.get("month"), match["day"])


def _month_named(name: str) -> str:
    begins = (month for months in all_of("moments", "months") for month in enumerate(months, 1))
    return next(str(number) for number, begin in begins if name.startswith(begin))


def _number(match: re.Match[str]) -> _Number:
    return _Number(int(match[1]), int(match[2]) if match[2] else None)


def _date_either_way(match: re.Match[str]) -> PartialDate | None:
    """`11/27`, `27/11/2026`; None where it can be read in two ways."""
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
    """Half of the day → the hours as written, from and to, and what is added to them."""
    return {half: hours for halves in all_of("moments", "halves") for half, hours in halves.items()}


def weekday_pattern() -> str:
    """A weekday in any tongue."""
    return any_of("moments", "weekday")


@cache
def _fillers(name: str) -> re.Pattern[str]:
    return re.compile(rf"[ ,、().。]|{any_of('moments', name)}")


def _rules(name: str, read: Callable[[re.Match[str]], T | None]) -> list[Rule[T]]:
    """A rule for each pattern that a tongue has under a name."""
    half, month = any_of("moments", "half"), any_of("moments", "month")
    patterns = [one for found in all_of("moments", name) for one in ([found] if isinstance(found, str) else found)]
    return [(re.compile(one.replace("HALF", half).replace("MONTH", month)), read) for one in patterns]


def _ahead_rules(name: str, piece: Callable[[int], T]) -> list[Rule[T]]:
    """Rules for words that tell how far ahead a day lies: 明日."""
    return [_says(words, piece(int(ahead))) for table in all_of("moments", name) for ahead, words in table.items()]


@cache
def clock_rules() -> tuple[Rule[TimeOfDay], ...]:
    """Times of day."""
    return (
        *_rules("clock", _clock),
        _says(any_of("moments", "noon"), TimeOfDay(12)),
        _says(any_of("moments", "evening"), TimeOfDay(20)),
    )


def _weekday_rule() -> Rule[Weekday]:
    return re.compile(weekday_pattern()), lambda match: weekday_named(match[0])


@cache
def _date_rules() -> tuple[Rule[PartialDate], ...]:
    """Days of a month."""
    return (
        (re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)(?:t(?=\d))?"), lambda m: _date(m[1], m[3], m[4])),
        *_rules("date", _date_told),
        (re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.(?: ?(\d{4})(?![\d:]))?|(?= .*:))"), lambda m: _date(m[3], m[2], m[1])),
        (re.compile(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}))?(?![\d/])"), _date_either_way),
        (re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})(?!\d)"), _date_either_way),
    )


@cache
def _relative_rules() -> tuple[Rule[DaysAhead | WeeksAhead], ...]:
    """Days told from today."""
    return (
        *_ahead_rules("days_ahead", DaysAhead),
        *_ahead_rules("weeks_ahead", WeeksAhead),
        *_rules("in_days", lambda m: DaysAhead(int(m["days"]))),
    )


_ZONE_WORD = r"[a-z][a-z_/-]*"


@cache
def _zone_rules() -> tuple[Rule[_Zone], ...]:
    """Offsets and time zones."""
    return (
        # Not by `find_zone`: in the IANA names Etc/GMT+9 is nine hours west of Greenwich.
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
    """What a moment is told in."""
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
    """What a period is told in."""
    return (
        *_date_rules(),
        *_relative_rules(),
        _weekday_rule(),
        (re.compile(rf"(\d{{1,2}})(?:, ?(\d{{4}}))?(?![\d:/.]| ?[{''.join(all_of('moments', 'counts'))}])"), _number),
        _says(any_of("moments", "from"), _Mark.FROM),
        _says(rf"[-~]|{any_of('moments', 'to')}", _Mark.TO),
        _says(any_of("moments", "until"), _Mark.UNTIL),
    )


def _read_ahead(folded: str) -> timedelta | None:
    """`+2 days`, `in 36 hours`, `2日後`."""
    patterns = (one for found in all_of("moments", "ahead") for one in found)
    match = next(filter(None, (re.fullmatch(one, folded) for one in patterns)), None)
    ahead = read_duration(match["length"].replace(" and ", " ")) if match else None
    return ahead if ahead and ahead <= FARTHEST else None


# Making sense of the pieces


def _find(pieces: _Side, kind: type[T]) -> T | None:
    return next((piece for piece in pieces if isinstance(piece, kind)), None)


def _fit_together(pieces: _Side) -> bool:
    """Whether there is one thing of each kind, and one way to name the day; a weekday may stand beside a date."""
    kinds = [type(piece) for piece in pieces]
    days = [kind for kind in kinds if kind in (PartialDate, DaysAhead, WeeksAhead)]
    return len(set(kinds)) == len(kinds) and len(days) <= 1 and (WeeksAhead not in days or Weekday in kinds)


def _day(pieces: _Side) -> Day:
    named = _find(pieces, PartialDate) or _find(pieces, DaysAhead) or _find(pieces, WeeksAhead)
    return Day(named, _find(pieces, Weekday))


# Periods


def _sides(folded: str) -> tuple[_Side, _Side] | None:
    """What is said of the first day and of the last; nothing of the first where it is today."""
    pieces: _Side | None = scan(folded, _period_rules(), _fillers("fillers_of_periods"))
    groups = [(mark, tuple(group)) for mark, group in groupby(pieces or (), lambda piece: isinstance(piece, _Mark))]
    ends: list[_Side] = [group for mark, group in groups if not mark]
    match "".join("".join(map(str, group)) if mark else "d" for mark, group in groups):
        case "d":
            sides = ends[0], ends[0]
        case "du" | "ud":
            sides = (), ends[0]
        case "d-d" | "d-du" | "dud" | "fd-d" | "fd-du" | "fdud":
            sides = _with_months(ends[0], ends[1])
        case _:
            return None
    known = all(_find(side, _Number) is None and _fit_together(side) for side in sides)
    return sides if known else None


def _with_months(first: _Side, last: _Side) -> tuple[_Side, _Side]:
    """`1-10 Dec`, `Dec 1-10`, `12月1日から10日まで`: one end lends its month to the other."""
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

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
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from enum import StrEnum
from functools import cache
from itertools import groupby
from typing import TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from judge.calendar import MomentFault, Weekday, first_moment, is_skipped
from judge.language.times.data import all_of, any_of
from judge.language.times.durations import read_duration
from judge.language.times.zones import find_zone
from judge.language.words.tongue import is_typed_in_japanese

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time of day as written; 24:00 is the end of the day."""

    hour: int
    minute: int = 0

    def on(self, day: date) -> datetime:
        """The wall-clock moment, without a zone."""
        return datetime.combine(day, time()) + timedelta(hours=self.hour, minutes=self.minute)


@dataclass(frozen=True, slots=True)
class _Date:
    year: int | None
    month: int | None
    day: int


@dataclass(frozen=True, slots=True)
class _Number:
    """The `1` of `1-10 Dec` and the `10` of `Dec 1-10`: a day once the other end lends it a month."""

    day: int
    year: int | None


@dataclass(frozen=True, slots=True)
class _DaysAhead:
    days: int


@dataclass(frozen=True, slots=True)
class _WeeksAhead:
    """`next week`, of a weekday; weeks begin on Monday (ISO 8601)."""

    weeks: int


@dataclass(frozen=True, slots=True)
class _Zone:
    zone: tzinfo


class _Mark(StrEnum):
    """How the ends of a period are told."""

    FROM = "f"
    TO = "-"
    UNTIL = "u"


_Piece: TypeAlias = TimeOfDay | _Date | _Number | _DaysAhead | _WeeksAhead | Weekday | _Zone | _Mark
_Side: TypeAlias = Sequence[_Piece]
Rule: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str]], T | None]]
"""How a piece looks, and what it says; None if it only looks like one."""

_END_OF_DAY = TimeOfDay(23, 59)
_LONGEST_TEXT = 200
_FARTHEST_YEARS = 10
"""A year further off is a slip of the pen, or the `2100` of a clock."""
_LONGEST_WITHOUT_YEAR = timedelta(days=270)
"""A longer period whose years are not written has its ends the wrong way round."""


def read_moment(text: str, now: datetime, zone: str) -> datetime | MomentFault:
    """The moment meant, in UTC; what is left out is filled in to give the next one after `now`.

    * A zone in the text goes before `zone`. What it calls today is today in that zone.
    * A weekday, or a time alone: the next such moment. `next week` counts from Monday; `next Friday` means
      different days to different people and is not understood.
    * A date without year: its next occurrence, today included. A date without time: 23:59 of that day.
    * `11/27` and `27/11` have one reading; `12/1` has two and is understood only in a text with Japanese
      characters (1 December) or as `2026/12/1`. Midnight is written 0:00 or 24:00; 午後12時 is not understood.
    * In the hour that daylight saving repeats, the first one.
    * `+2 days` is 48 hours; `+2 days 21:00` is a wall-clock time.

    >>> now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    >>> read_moment("Fri 21:00", now, "Asia/Tokyo").isoformat()
    '2026-11-27T12:00:00+00:00'
    >>> read_moment("11月27日 21時", now, "Asia/Tokyo").isoformat()
    '2026-11-27T12:00:00+00:00'
    >>> read_moment("30 Feb", now, "Asia/Tokyo")
    <MomentFault.NO_SUCH_DATE: 'no-such-date'>
    """
    folded = fold(text)
    ahead = _read_ahead(folded)
    if ahead is not None:
        return now.astimezone(UTC) + ahead
    pieces: _Side | None = scan(folded, _moment_rules(), _fillers("fillers_of_moments"))
    if pieces is None or not _fit_together(pieces) or all(isinstance(piece, _Zone) for piece in pieces):
        return MomentFault.NOT_UNDERSTOOD
    named = _find(pieces, _Zone)
    place = named.zone if named else ZoneInfo(zone)
    days = _days(pieces, now.astimezone(place).date())
    return days if isinstance(days, MomentFault) else _first_after(now, days, _find(pieces, TimeOfDay), place)


def read_period(text: str, now: datetime, zone: str) -> tuple[datetime, datetime] | MomentFault:
    """The whole days meant, in UTC: from the first moment of the first to the first moment after the last.

    One day alone is a period of one day; `until 10 Dec` starts today. Without years it is the next such
    period, or the one going on.

    >>> now = datetime(2026, 11, 24, 12, tzinfo=UTC)
    >>> [str(end) for end in read_period("12/1〜12/10", now, "Asia/Tokyo")]
    ['2026-11-30 15:00:00+00:00', '2026-12-10 15:00:00+00:00']
    """
    sides = _sides(fold(text))
    if sides is None:
        return MomentFault.NOT_UNDERSTOOD
    place = ZoneInfo(zone)
    days = _first_and_last(*sides, now.astimezone(place).date())
    if isinstance(days, MomentFault):
        return days
    first, last = days
    return first_moment(TimeOfDay(0).on(first), place), first_moment(TimeOfDay(24).on(last), place)


# Reading text


def fold(text: str) -> str:
    """One form for every width, case, dash and blank; `11/27` in a Japanese text becomes 11月27日."""
    folded = " ".join(unicodedata.normalize("NFKC", text).lower().translate(_folds()).split())
    return _SLASHED.sub(all_of("moments", "slashed")[0], folded) if is_typed_in_japanese(text) else folded


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


def _date(year: str | None, month: str | None, day: str) -> _Date:
    return _Date(int(year) if year else None, int(month) if month else None, int(day))


def _date_told(match: re.Match[str]) -> _Date:
    """A date whose parts are named by the groups of its pattern."""
    groups = match.groupdict()
    name = groups.get("month_name")
    return _date(groups.get("year"), _month_named(name) if name else groups.get("month"), match["day"])


def _month_named(name: str) -> str:
    begins = (month for months in all_of("moments", "months") for month in enumerate(months, 1))
    return next(str(number) for number, begin in begins if name.startswith(begin))


def _number(match: re.Match[str]) -> _Number:
    return _Number(int(match[1]), int(match[2]) if match[2] else None)


def _date_either_way(match: re.Match[str]) -> _Date | None:
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
    )


def _weekday_rule() -> Rule[Weekday]:
    return re.compile(weekday_pattern()), lambda match: weekday_named(match[0])


@cache
def _date_rules() -> tuple[Rule[_Date], ...]:
    """Days of a month."""
    return (
        (re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)(?:t(?=\d))?"), lambda m: _date(m[1], m[3], m[4])),
        *_rules("date", _date_told),
        (re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.(?: ?(\d{4})(?![\d:]))?|(?= .*:))"), lambda m: _date(m[3], m[2], m[1])),
        (re.compile(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}))?(?![\d/])"), _date_either_way),
        (re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})(?!\d)"), _date_either_way),
    )


@cache
def _relative_rules() -> tuple[Rule[_DaysAhead | _WeeksAhead], ...]:
    """Days told from today."""
    return (
        *_ahead_rules("days_ahead", _DaysAhead),
        *_ahead_rules("weeks_ahead", _WeeksAhead),
        *_rules("in_days", lambda m: _DaysAhead(int(m["days"]))),
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
    return ahead if ahead and ahead <= timedelta(days=365 * _FARTHEST_YEARS) else None


# Making sense of the pieces


def _find(pieces: _Side, kind: type[T]) -> T | None:
    return next((piece for piece in pieces if isinstance(piece, kind)), None)


def _fit_together(pieces: _Side) -> bool:
    """Whether there is one thing of each kind, and one way to name the day; a weekday may stand beside a date."""
    kinds = [type(piece) for piece in pieces]
    days = [kind for kind in kinds if kind in (_Date, _DaysAhead, _WeeksAhead)]
    return len(set(kinds)) == len(kinds) and len(days) <= 1 and (_WeeksAhead not in days or Weekday in kinds)


def _days(pieces: _Side, today: date, base: date | None = None) -> tuple[date, ...] | MomentFault:
    """The days that may be meant, best first; dates without year and weekdays count from `base`, or today."""
    base = base or today
    written, ahead, weeks = _find(pieces, _Date), _find(pieces, _DaysAhead), _find(pieces, _WeeksAhead)
    weekday = _find(pieces, Weekday)
    if written:
        day = _date_meant(written, base)
        if isinstance(day, MomentFault):
            return day
    elif ahead:
        day = today + timedelta(days=ahead.days)
    elif weekday is None:
        return today, today + timedelta(days=1)
    elif weeks:
        day = today + timedelta(days=weekday - today.weekday(), weeks=weeks.weeks)
    else:
        day = base + timedelta(days=(weekday - base.weekday()) % 7)
        return day, day + timedelta(weeks=1)
    return (day,) if weekday in (None, day.weekday()) else MomentFault.NO_SUCH_DATE


def _date_meant(written: _Date, base: date) -> date | MomentFault:
    if written.year is None:
        return _occurrence(written, base) or MomentFault.NO_SUCH_DATE
    day = _calendar_day(written.year, written.month or base.month, written.day)
    if day is None:
        return MomentFault.NO_SUCH_DATE
    if abs(day.year - base.year) > _FARTHEST_YEARS:
        return MomentFault.PAST if day < base else MomentFault.NOT_UNDERSTOOD
    return day


def _occurrence(written: _Date, base: date, step: int = 1) -> date | None:
    """The first such day from `base` on, or with step -1 the last one before it; 29 February can be eight years off."""
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
    return _borrowing(first, _find(last, _Date)), _borrowing(last, _find(first, _Date))


def _borrowing(side: _Side, lender: _Date | None) -> _Side:
    if lender is None or lender.month is None:
        return side
    return tuple(
        _Date(piece.year or lender.year, lender.month, piece.day)
        if isinstance(piece, _Number) or (isinstance(piece, _Date) and piece.month is None)
        else piece
        for piece in side
    )


def _first_and_last(first: _Side, last: _Side, today: date) -> tuple[date, date] | MomentFault:
    """The period that is going on, or else the one that comes next."""
    faults: list[MomentFault] = []
    for base in _bases(first, today):
        days = _days_from(base, first, last, today)
        if not isinstance(days, MomentFault):
            return days
        faults.append(days)
    return MomentFault.PAST if MomentFault.PAST in faults else faults[-1]


def _bases(first: _Side, today: date) -> tuple[date, ...]:
    """From which days on to look for the first day."""
    written = _find(first, _Date)
    before = _occurrence(written, today, -1) if written and written.year is None else None
    return (before, today) if before else (today,)


def _days_from(base: date, first: _Side, last: _Side, today: date) -> tuple[date, date] | MomentFault:
    starts = _days(first, today, base)
    if isinstance(starts, MomentFault):
        return starts
    ends = _days(last, today, starts[0])
    if isinstance(ends, MomentFault):
        return ends
    start, end = starts[0], ends[0]
    lacks_year = any(isinstance(piece, _Date) and piece.year is None for piece in (*first, *last))
    if end < start or (lacks_year and end - start > _LONGEST_WITHOUT_YEAR):
        return MomentFault.BACKWARDS if first else MomentFault.PAST
    return (start, end) if end >= today else MomentFault.PAST

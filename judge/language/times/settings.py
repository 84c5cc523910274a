"""Values of settings that are times."""

from __future__ import annotations

from datetime import timedelta
from typing import assert_never

from judge.calendar import ZonedTimetable
from judge.calendar.zones import find_zone
from judge.commands import AsWritten, SettingTime, SettingValue
from judge.language.times.durations import read_duration
from judge.language.times.timetable import read_timetable
from judge.settings import TIMES, TimeKind, parts_of, setting_named, without_year


def read_setting(name: str, written: str) -> SettingValue:
    """Return the value of a setting, given under any of its names.

    >>> read_setting("grace", "12 hours").meant
    datetime.timedelta(seconds=43200)
    """
    text, kind = written.strip(), TIMES.get(setting_named(name) or "")
    return AsWritten(text, _time(text, kind) if kind else None)


def _time(text: str, kind: TimeKind) -> SettingTime | None:
    match kind:
        case TimeKind.TIMETABLE:
            return read_timetable(text) or _zoned(text)
        case TimeKind.ZONE:
            return find_zone(text)
        case TimeKind.LENGTH:
            return read_duration(without_year(text))
        case TimeKind.LENGTHS:
            return _lengths(text)
        case _:
            assert_never(kind)


def _zoned(text: str) -> ZonedTimetable | None:
    """Read a timetable that names its time zone: `Tue Fri 21:00 Asia/Tokyo`."""
    rest, _, last = text.rpartition(" ")
    zone, timetable = find_zone(last), read_timetable(rest)
    return ZonedTimetable(timetable, zone) if zone and timetable else None


def _lengths(text: str) -> tuple[timedelta, ...] | None:
    lengths = [read_duration(part) for part in parts_of(text)]
    found = tuple(length for length in lengths if length is not None)
    return found if len(found) == len(lengths) else None

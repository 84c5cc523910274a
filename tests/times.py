"""Texts of times, their meaning, and every change of clocks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import strategies as st

from judge.calendar import MomentFault, moment_meant, period_meant
from judge.commands import SettingValue
from judge.language.times import read_moment, read_period, read_setting

WORDS = """
    1 2 9 10 12 27 31 99 2026 0000 9999 21:00 24:00 9pm 12am noon 正午 21時 9時半 30分 午後 夜 27日 11月27日 2026年 30
    Feb 29 Nov 1 Dec Nov 27, 27.11. 27.11.2026 11/27 12/1 2026-11-27T21:00 Z Fri Tuesdays 金曜 (火) 月 日 today tomorrow
    明日
    next week 来週 this UTC UTC+9 GMT-14 JST Asia/Tokyo new york + +2 days in 36 hours 2日後 from to until - 〜 から
    まで の , 、 at least 最低 24時間 以上 every 毎 と ・
    """
TEXTS = st.text(max_size=30) | st.lists(st.sampled_from(WORDS.split()), max_size=8).flatmap(
    lambda words: st.sampled_from(["", " "]).map(lambda blank: blank.join(words))
)


def moment_of(text: str, now: datetime, zone: str) -> datetime | MomentFault:
    """Return the moment that a text means."""
    moment = read_moment(text)
    return moment_meant(moment, now, zone) if moment else MomentFault.NOT_UNDERSTOOD


def period_of(text: str, now: datetime, zone: str) -> tuple[datetime, datetime] | MomentFault:
    """Return the period that a text means."""
    period = read_period(text)
    return period_meant(period, now, zone) if period else MomentFault.NOT_UNDERSTOOD


def as_read(settings: Mapping[str, str]) -> dict[str, SettingValue]:
    """Return settings as a game gets them from the lines of a mail."""
    return {name: read_setting(name, value) for name, value in settings.items()}


@dataclass(frozen=True)
class Change:
    """A change of a zone's clocks, forward or back."""

    at: datetime
    before: timedelta
    after: timedelta
    """Offsets from UTC."""
    zone: str

    @property
    def wall(self) -> datetime:
        """Return the wall-clock time in the middle of the skipped or repeated time."""
        return (self.at + (self.before + self.after) / 2).replace(tzinfo=None)


@cache
def changes() -> tuple[Change, ...]:
    """Return every change of clocks from 2020 to 2040, with one zone each."""
    weeks = [datetime(2020, 1, 1, tzinfo=UTC) + timedelta(weeks=week) for week in range(21 * 52)]
    found = [change_within_a_week(week, ZoneInfo(zone)) for zone in sorted(available_timezones()) for week in weeks]
    return tuple({(change.at, change.before, change.after): change for change in found if change}.values())


def change_within_a_week(week: datetime, zone: ZoneInfo) -> Change | None:
    before, after = offset_at(week, zone), offset_at(week + timedelta(weeks=1), zone)
    if before == after:
        return None
    minutes = range(7 * 24 * 60)
    first = bisect_left(minutes, x=True, key=lambda n: offset_at(week + timedelta(minutes=n), zone) != before)
    return Change(week + timedelta(minutes=first), before, after, zone.key)


def offset_at(moment: datetime, zone: ZoneInfo) -> timedelta:
    offset = moment.astimezone(zone).utcoffset()
    assert offset is not None
    return offset

"""When phases close: timetables as people write them, and their deadlines in every zone."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.calendar import Timetable, Weekday, deadline, is_skipped, upcoming
from judge.language.times import read_timetable
from tests.times import TEXTS, changes

MON, TUE, WED, THU, FRI, SAT, SUN = Weekday
WORKDAYS = frozenset({MON, TUE, WED, THU, FRI})
DAY = timedelta(days=1)

ZONES = st.sampled_from(sorted(available_timezones()))
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 12, 31), timezones=st.just(UTC))
LENGTHS = st.timedeltas(timedelta(), timedelta(days=30))
WEEKDAYS = st.frozensets(st.sampled_from(Weekday))
TIMES = st.times().map(lambda at: at.replace(second=0, microsecond=0))
AT_A_TIME = st.builds(Timetable, LENGTHS, WEEKDAYS, TIMES)
SO_LONG = st.builds(Timetable, LENGTHS.filter(bool), WEEKDAYS)
many = settings(max_examples=300, deadline=None)


def on(*weekdays: Weekday, at: time | None = time(21), length: timedelta = timedelta()) -> Timetable:
    return Timetable(length, frozenset(weekdays), at)


# As people write them


@pytest.mark.parametrize(
    ("text", "timetable"),
    [
        # odd ones
        ("３日", Timetable(3 * DAY)),
        ("Fri-Mon 9pm", on(FRI, SAT, SUN, MON)),
        ("Mon-Sun 21:00", on()),
        ("Fri 24:00", on(SAT, at=time(0))),
        ("土日 24時", on(SUN, MON, at=time(0))),
        ("毎日曜21時", on(SUN)),
        ("24 hours 9pm", on(length=DAY)),
        ("noon", on(at=time(12))),
        ("evening", on(at=time(20))),
        # a length
        ("3 days", Timetable(3 * DAY)),
        ("1 day and 12 hours", Timetable(1.5 * DAY)),
        ("every 2 days", Timetable(2 * DAY)),
        ("3日", Timetable(3 * DAY)),
        ("2日ごと", Timetable(2 * DAY)),
        # days and a time
        ("Tue Fri 21:00", on(TUE, FRI)),
        ("Tuesday and Friday 21:00", on(TUE, FRI)),
        ("Tuesdays & Fridays at 9 p.m.", on(TUE, FRI)),
        ("21:00 every Friday", on(FRI)),
        ("daily 21:00", on()),
        ("every day at 21:00", on()),
        ("21:00", on()),
        ("weekdays 18:00", on(*WORKDAYS, at=time(18))),
        ("weekends 18:00", on(SAT, SUN, at=time(18))),
        ("火曜と金曜の21時", on(TUE, FRI)),
        ("火・金 21:00", on(TUE, FRI)),
        ("毎週火曜日、金曜日の午後9時半", on(TUE, FRI, at=time(21, 30))),
        ("月〜金 21時", on(*WORKDAYS)),
        ("月曜から金曜まで21時", on(*WORKDAYS)),
        ("毎日21時", on()),
        ("平日18時", on(*WORKDAYS, at=time(18))),
        # days, a time and a length
        ("Tue, Fri at 9pm, at least 24 hours", on(TUE, FRI, length=DAY)),
        ("Mon-Fri 18:00, at least 2 days", on(*WORKDAYS, at=time(18), length=2 * DAY)),
        ("最低24時間、火金21時", on(TUE, FRI, length=DAY)),
        ("火・金の午後9時、48時間以上", on(TUE, FRI, length=2 * DAY)),
        ("2日 21時", on(length=2 * DAY)),
        # days and a length
        ("24 hours, weekdays", on(*WORKDAYS, at=None, length=DAY)),
        ("平日 3日", on(*WORKDAYS, at=None, length=3 * DAY)),
    ],
)
def test_timetables(text: str, timetable: Timetable) -> None:
    assert read_timetable(text) == timetable


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "daily",
        "Tue Fri",
        "平日",
        "0 days",
        "0 days 21:00",
        "-3 days",
        "at most 2 days",
        "3 months",
        "9999 weeks",
        "9999 weeks " * 20_000,
        "Tue 21:00, Fri 18:00",
        "2 days, Tue 21:00, 3 days",
        "every other day 21:00",
        "隔週火曜21時",
        "second Tuesday 21:00",
        "Tue 25:00",
        "27 Nov 21:00",
        "Tue Fri 21:00 Asia/Tokyo",
    ],
)
def test_what_is_no_timetable(text: str) -> None:
    assert read_timetable(text) is None


def test_days_are_listed_from_monday_on() -> None:
    assert on(SUN, FRI, MON).days == (MON, FRI, SUN)


@pytest.mark.parametrize(("length", "at"), [(timedelta(), None), (-DAY, None), (-DAY, time(21)), (400 * DAY, None)])
def test_a_timetable_without_sense_cannot_be_made(length: timedelta, at: time | None) -> None:
    with pytest.raises(AssertionError):
        Timetable(length, at=at)


# Deadlines


@pytest.mark.parametrize(
    ("timetable", "zone", "opened", "closes"),
    [
        # A skipped time gives the first moment after the gap; a repeated one counts once.
        (on(at=time(2, 30)), "Europe/Paris", "2027-03-27 12:00", "2027-03-28 01:00"),
        (on(at=time(2, 30)), "Europe/Paris", "2027-03-28 01:00", "2027-03-29 00:30"),
        (on(at=time(2, 30)), "Europe/Paris", "2027-10-30 12:00", "2027-10-31 00:30"),
        (on(at=time(2, 30)), "Europe/Paris", "2027-10-31 00:30", "2027-11-01 01:30"),
        (on(SAT, at=time(23, 30)), "America/Nuuk", "2027-03-28 00:59", "2027-03-28 01:00"),
        (on(SAT, at=time(23, 30), length=DAY), "America/Nuuk", "2027-03-27 01:00", "2027-03-28 01:00"),
        # 21:00 stays 21:00.
        (on(), "Europe/Paris", "2027-03-27 12:00", "2027-03-27 20:00"),
        (on(), "Europe/Paris", "2027-03-28 12:00", "2027-03-28 19:00"),
        # A phase that opens at the very time waits for the next.
        (on(), "UTC", "2026-11-24 21:00", "2026-11-25 21:00"),
        (on(TUE, FRI), "Asia/Tokyo", "2026-11-24 11:59", "2026-11-24 12:00"),
        (on(TUE, FRI), "Asia/Tokyo", "2026-11-24 12:00", "2026-11-27 12:00"),
        (on(TUE, FRI, length=3 * DAY), "Asia/Tokyo", "2026-11-24 12:00", "2026-11-27 12:00"),
        (on(TUE, FRI, length=3 * DAY), "Asia/Tokyo", "2026-11-24 12:01", "2026-12-01 12:00"),
        # Length alone is absolute.
        (Timetable(3 * DAY), "Europe/Paris", "2027-03-27 12:00", "2027-03-30 12:00"),
        # Weekdays without a time: the same time of the next allowed day.
        (on(*WORKDAYS, at=None, length=DAY), "Europe/Paris", "2027-03-25 12:00", "2027-03-26 12:00"),
        (on(*WORKDAYS, at=None, length=DAY), "Europe/Paris", "2027-03-26 12:00", "2027-03-29 11:00"),
        (on(SUN, at=None, length=DAY), "Europe/Paris", "2027-03-22 01:30", "2027-03-28 01:00"),
        (on(SAT, at=None, length=DAY), "Asia/Tokyo", "2026-11-26 15:00", "2026-11-27 15:00"),
    ],
)
def test_deadlines(timetable: Timetable, zone: str, opened: str, closes: str) -> None:
    assert deadline(timetable, datetime.fromisoformat(opened + "Z"), zone) == datetime.fromisoformat(closes + "Z")


def test_the_next_deadlines() -> None:
    moments = upcoming(on(TUE, FRI, length=DAY), datetime(2026, 11, 24, 12, 30, tzinfo=UTC), "Asia/Tokyo", 3)
    assert [f"{moment:%a %d %b %H:%M}" for moment in moments] == [
        "Fri 27 Nov 12:00",
        "Tue 01 Dec 12:00",
        "Fri 04 Dec 12:00",
    ]
    assert upcoming(on(), moments[0], "UTC", 0) == ()


# Every zone, every year


@many
@given(AT_A_TIME, MOMENTS, ZONES)
def test_a_deadline_at_a_time_is_the_first_that_fits(timetable: Timetable, opened: datetime, zone: str) -> None:
    check_deadline_at_a_time(timetable, opened, zone)


@many
@given(AT_A_TIME, MOMENTS, st.timedeltas(timedelta(), 10 * DAY), ZONES)
def test_a_phase_that_opens_early_closes_no_later(
    timetable: Timetable, opened: datetime, earlier: timedelta, zone: str
) -> None:
    assert deadline(timetable, opened - earlier, zone) <= deadline(timetable, opened, zone)


def test_deadlines_at_every_change_of_clocks() -> None:
    for change in changes():
        weekday, at = Weekday(change.wall.weekday()), change.wall.time()
        for timetable in (on(at=at), on(weekday, at=at), on(weekday, at=at, length=DAY)):
            for hours in (-60, -24, -2, 0, 1):
                check_deadline_at_a_time(timetable, change.at + timedelta(hours=hours), change.zone)


def check_deadline_at_a_time(timetable: Timetable, opened: datetime, zone: str) -> None:
    closes, place = deadline(timetable, opened, zone), ZoneInfo(zone)
    assert closes >= opened + timetable.length
    assert opened < closes <= opened + timetable.length + 8.1 * DAY
    local = closes.astimezone(place)
    if timetable.allows(local.date()) and local.time() == timetable.at:
        assert local.fold == 0
    else:
        just_before = (closes - timedelta(seconds=1)).astimezone(place).replace(tzinfo=None)
        walls = [datetime.combine(day, timetable.at or time()) for day in (local.date() - DAY, local.date())]
        assert any(timetable.allows(wall) and is_skipped(wall, place) and just_before < wall for wall in walls)


@many
@given(SO_LONG, MOMENTS, ZONES)
def test_a_deadline_without_a_time_keeps_the_hour(timetable: Timetable, opened: datetime, zone: str) -> None:
    closes, place = deadline(timetable, opened, zone), ZoneInfo(zone)
    earliest = (opened + timetable.length).astimezone(place)
    local = closes.astimezone(place)
    assert closes >= earliest
    assert (closes == earliest) == timetable.allows(earliest.date())
    wall = datetime.combine(local.date(), earliest.time())
    assert timetable.allows(local.date())
    assert local.time() == earliest.time() or is_skipped(wall, place)


@many
@given(AT_A_TIME | LENGTHS.filter(bool).map(Timetable), MOMENTS, LENGTHS, ZONES)
def test_what_opens_later_closes_no_earlier(
    timetable: Timetable, opened: datetime, later: timedelta, zone: str
) -> None:
    assert deadline(timetable, opened, zone) <= deadline(timetable, opened + later, zone)


@many
@given(AT_A_TIME | SO_LONG, MOMENTS, ZONES, ZONES)
def test_a_deadline_depends_on_the_moment_not_on_how_it_is_written(
    timetable: Timetable, opened: datetime, zone: str, other: str
) -> None:
    closes = deadline(timetable, opened, zone)
    assert closes.tzinfo is UTC
    assert closes == deadline(timetable, opened.astimezone(ZoneInfo(other)), zone)
    assert closes == closes.astimezone(ZoneInfo(zone)).astimezone(UTC)


@many
@given(AT_A_TIME | SO_LONG, MOMENTS, ZONES)
def test_deadlines_go_on(timetable: Timetable, now: datetime, zone: str) -> None:
    moments = upcoming(timetable, now, zone, 5)
    assert len(moments) == 5
    assert list(moments) == sorted({now, *moments})[1:]


@many
@given(TEXTS)
def test_no_text_is_too_strange(text: str) -> None:
    timetable = read_timetable(text)
    assert timetable is None or deadline(timetable, datetime(2026, 11, 24, tzinfo=UTC), "Europe/Paris")

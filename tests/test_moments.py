"""Dates as people write them: what is understood, what is not, and why."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.calendar import MomentFault, TimeOfDay, first_moment, is_skipped
from tests.times import TEXTS, changes, moment_of, period_of

NOW = datetime(2026, 11, 24, 12, 30, tzinfo=UTC)  # Tuesday, 21:30 in Tokyo
TOKYO = "Asia/Tokyo"
ZONES = st.sampled_from(sorted(available_timezones()))
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 12, 31), timezones=st.just(UTC))
WALLS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 12, 31)).map(lambda wall: wall.replace(microsecond=0))
many = settings(max_examples=300, deadline=None)


def shown(moment: datetime | MomentFault, zone: str = TOKYO) -> str:
    """Return a moment in the time of a zone, or the value of a fault."""
    if isinstance(moment, MomentFault):
        return moment.value
    assert moment.utcoffset() == timedelta(0)
    return f"{moment.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"


# Moments


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        # odd ones
        ("１１／２７（金）　２１：００", "Fri 2026-11-27 21:00"),
        ("FRI. 9 P.M.", "Fri 2026-11-27 21:00"),
        ("Wednesday 9.30pm", "Wed 2026-11-25 21:30"),
        ("by Friday the 27th, at 9pm", "Fri 2026-11-27 21:00"),
        ("11月27日（金）の午後9時までに。", "Fri 2026-11-27 21:00"),
        ("21:00 金曜", "Fri 2026-11-27 21:00"),
        ("2026-11-27 金 21時", "Fri 2026-11-27 21:00"),
        ("金21時", "Fri 2026-11-27 21:00"),
        ("9pm tomorrow", "Wed 2026-11-25 21:00"),
        ("Fri 24:00", "Sat 2026-11-28 00:00"),
        ("29 Feb", "Tue 2028-02-29 23:59"),
        ("31日", "Thu 2026-12-31 23:59"),
        # weekdays: the next such moment
        ("Fri 21:00", "Fri 2026-11-27 21:00"),
        ("Friday 9pm", "Fri 2026-11-27 21:00"),
        ("金曜21時", "Fri 2026-11-27 21:00"),
        ("金曜日の午後9時", "Fri 2026-11-27 21:00"),
        ("Tue 21:30", "Tue 2026-12-01 21:30"),
        ("Tue 21:31", "Tue 2026-11-24 21:31"),
        ("Tuesday", "Tue 2026-11-24 23:59"),
        ("来週火曜", "Tue 2026-12-01 23:59"),
        ("来週の日曜 21時", "Sun 2026-12-06 21:00"),
        ("再来週月曜", "Mon 2026-12-07 23:59"),
        ("Friday next week 18:00", "Fri 2026-12-04 18:00"),
        ("this Friday", "Fri 2026-11-27 23:59"),
        # days
        ("today", "Tue 2026-11-24 23:59"),
        ("tomorrow 18:00", "Wed 2026-11-25 18:00"),
        ("明日21時", "Wed 2026-11-25 21:00"),
        ("the day after tomorrow", "Thu 2026-11-26 23:59"),
        ("あさって正午", "Thu 2026-11-26 12:00"),
        ("今夜11時", "Tue 2026-11-24 23:00"),
        # dates
        ("27 Nov 2026", "Fri 2026-11-27 23:59"),
        ("27 November", "Fri 2026-11-27 23:59"),
        ("23 November 2027", "Tue 2027-11-23 23:59"),
        ("12-01", "Tue 2026-12-01 23:59"),
        ("12-01 21:00", "Tue 2026-12-01 21:00"),
        ("1 May", "Sat 2027-05-01 23:59"),
        ("24 Nov", "Tue 2026-11-24 23:59"),
        ("27th of Nov.", "Fri 2026-11-27 23:59"),
        ("27-Nov-2026", "Fri 2026-11-27 23:59"),
        ("Nov 27, 2026 21:00", "Fri 2026-11-27 21:00"),
        ("November 27th 9am", "Fri 2026-11-27 09:00"),
        ("2026-11-27 21:00", "Fri 2026-11-27 21:00"),
        ("2026-11-27", "Fri 2026-11-27 23:59"),
        ("27.11.2026", "Fri 2026-11-27 23:59"),
        ("27.11. 21:00", "Fri 2026-11-27 21:00"),
        ("27.11 21:00", "Fri 2026-11-27 21:00"),
        ("11月27日 21時", "Fri 2026-11-27 21:00"),
        ("11月27日21時30分", "Fri 2026-11-27 21:30"),
        ("2026年11月27日", "Fri 2026-11-27 23:59"),
        ("27日 9時半", "Fri 2026-11-27 09:30"),
        # with a slash
        ("11/27 21:00", "Fri 2026-11-27 21:00"),
        ("27/11 21:00", "Fri 2026-11-27 21:00"),
        ("12/12", "Sat 2026-12-12 23:59"),
        ("12/1 21時", "Tue 2026-12-01 21:00"),
        ("2026/12/1", "Tue 2026-12-01 23:59"),
        ("11/27/2026", "Fri 2026-11-27 23:59"),
        # times of day
        ("21:30", "Wed 2026-11-25 21:30"),
        ("21:31:00", "Tue 2026-11-24 21:31"),
        ("24:00", "Wed 2026-11-25 00:00"),
        ("12am", "Wed 2026-11-25 00:00"),
        ("12:30pm", "Wed 2026-11-25 12:30"),
        ("午前0時", "Wed 2026-11-25 00:00"),
        ("午後21時", "Wed 2026-11-25 21:00"),
        ("朝9時", "Wed 2026-11-25 09:00"),
        # from now
        ("+2 days", "Thu 2026-11-26 21:30"),
        ("in 36 hours", "Thu 2026-11-26 09:30"),
        ("in 1 day and 12 hours", "Thu 2026-11-26 09:30"),
        ("2日後", "Thu 2026-11-26 21:30"),
        ("1時間30分後", "Tue 2026-11-24 23:00"),
        ("2 days from now", "Thu 2026-11-26 21:30"),
        ("+2 days 18:00", "Thu 2026-11-26 18:00"),
        ("2日後の18時", "Thu 2026-11-26 18:00"),
        # with a zone
        ("21:00 UTC", "Wed 2026-11-25 06:00"),
        ("21:00 Europe/Paris", "Wed 2026-11-25 05:00"),
        ("Fri 21:00 (New York)", "Sat 2026-11-28 11:00"),
        ("21時 JST", "Wed 2026-11-25 21:00"),
        ("日本時間 11月27日 21時", "Fri 2026-11-27 21:00"),
        ("21:00 UTC+9", "Wed 2026-11-25 21:00"),
        ("2026-11-27T21:00Z", "Sat 2026-11-28 06:00"),
        ("Fri, 27 Nov 2026 21:00:00 +0900", "Fri 2026-11-27 21:00"),
        # as long as it may be
        ("Fri 21:00".ljust(200, "."), "Fri 2026-11-27 21:00"),
    ],
)
def test_moments(text: str, moment: str) -> None:
    assert shown(moment_of(text, NOW, TOKYO)) == moment


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not-understood"),
        ("soon", "not-understood"),
        ("12/1 21:00", "not-understood"),
        ("12-01-2026", "not-understood"),
        ("12-32", "no-such-date"),
        ("23 November", "which-year"),
        ("1 July 21:00", "which-year"),
        ("11月20日", "which-year"),
        ("next Tuesday", "not-understood"),
        ("next week", "not-understood"),
        ("来月", "not-understood"),
        ("明日曜", "not-understood"),
        ("21", "not-understood"),
        ("21.30", "not-understood"),
        ("27.11.26", "not-understood"),
        ("27 Nov 2100", "not-understood"),
        ("25:00", "not-understood"),
        ("24:01", "not-understood"),
        ("21:60", "not-understood"),
        ("13pm", "not-understood"),
        ("午後12時", "not-understood"),
        ("midnight", "not-understood"),
        ("21:00 18:00", "not-understood"),
        ("Fri or Sat", "not-understood"),
        ("tomorrow 27 Nov", "not-understood"),
        ("21:00 - 22:00", "not-understood"),
        ("21:00 Atlantis", "not-understood"),
        ("21:00 UTC+15", "not-understood"),
        ("UTC", "not-understood"),
        ("-2 days", "not-understood"),
        ("+0 days", "not-understood"),
        ("+9999 weeks", "not-understood"),
        ("9999-12-31", "not-understood"),
        ("9999 weeks " * 20_000 + "後", "not-understood"),
        ("Fri 21:00".ljust(201, "."), "not-understood"),
        ("30 Feb", "no-such-date"),
        ("2月30日", "no-such-date"),
        ("31.11. 21:00", "no-such-date"),
        ("29 Feb 2027", "no-such-date"),
        ("2026-13-01", "no-such-date"),
        ("0000-00-00", "no-such-date"),
        ("Thu 27 Nov", "no-such-date"),
        ("11月27日（木）", "no-such-date"),
        ("23 Nov 2026", "past"),
        ("24 Nov 21:00", "past"),
        ("today 21:30", "past"),
        ("今夜9時", "past"),
        ("今週月曜", "past"),
        ("0001-01-01", "past"),
    ],
)
def test_what_is_no_moment(text: str, fault: str) -> None:
    assert shown(moment_of(text, NOW, TOKYO)) == fault


@pytest.mark.parametrize(
    ("text", "zone", "moment"),
    [
        ("28 March 2027 2:30", "Europe/Paris", "skipped"),
        ("28 March 2027 2:30 Paris", "Asia/Tokyo", "skipped"),
        ("28 March 2027 3:00", "Europe/Paris", "2027-03-28 01:00"),
        ("28 March 2027", "Europe/Paris", "2027-03-28 21:59"),
        ("27 March 2027 23:30", "America/Nuuk", "skipped"),
        ("27 March 2027", "America/Nuuk", "2027-03-28 01:00"),  # clocks skip 23:59 there, which was not written
        ("31 Oct 2027 2:30", "Europe/Paris", "2027-10-31 00:30"),
        ("31 Oct 2027 2:30 UTC+1", "Europe/Paris", "2027-10-31 01:30"),
        ("21:00", "Pacific/Kiritimati", "2026-11-25 07:00"),
        ("today", "Pacific/Kiritimati", "2026-11-25 09:59"),
    ],
)
def test_clocks_that_change(text: str, zone: str, moment: str) -> None:
    read = moment_of(text, NOW, zone)
    assert (read.value if isinstance(read, MomentFault) else f"{read:%Y-%m-%d %H:%M}") == moment


@pytest.mark.parametrize(
    ("now", "moment"),
    [
        ("2027-03-28 00:30", "skipped"),
        ("2027-03-28 01:30", "Mon 2027-03-29 02:30"),
        ("2027-10-31 00:29", "Sun 2027-10-31 02:30"),
        ("2027-10-31 00:31", "Mon 2027-11-01 02:30"),
    ],
)
def test_half_past_two_in_paris_while_clocks_change(now: str, moment: str) -> None:
    assert shown(moment_of("2:30", datetime.fromisoformat(now + "Z"), "Europe/Paris"), "Europe/Paris") == moment


# Periods


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("１２／１～１２／１０", "2026-12-01", "2026-12-10"),
        ("1–10 Dec", "2026-12-01", "2026-12-10"),
        ("Dec 1-10, 2026", "2026-12-01", "2026-12-10"),
        ("20 Nov to 26 Nov", "2026-11-20", "2026-11-26"),
        ("20 Dec to 5 Jan", "2026-12-20", "2027-01-05"),
        ("from 1 Dec to 10 Dec", "2026-12-01", "2026-12-10"),
        ("1 Dec - 10 Dec", "2026-12-01", "2026-12-10"),
        ("1 Dec 2026 - 10 Dec 2027", "2026-12-01", "2027-12-10"),
        ("2026-12-01 - 2026-12-10", "2026-12-01", "2026-12-10"),
        ("27.11.-30.11.", "2026-11-27", "2026-11-30"),
        ("Tue 1 Dec through Thu 10 Dec", "2026-12-01", "2026-12-10"),
        ("until 10 Dec", "2026-11-24", "2026-12-10"),
        ("from today until 10 Dec", "2026-11-24", "2026-12-10"),
        ("from tomorrow to Monday", "2026-11-25", "2026-11-30"),
        ("5 Dec", "2026-12-05", "2026-12-05"),
        ("12月1日から12月10日まで", "2026-12-01", "2026-12-10"),
        ("12月1日から10日まで", "2026-12-01", "2026-12-10"),
        ("12/1（火）〜12/10（木）", "2026-12-01", "2026-12-10"),
        ("5日から10日まで", "2026-12-05", "2026-12-10"),
        ("12月10日まで", "2026-11-24", "2026-12-10"),
        ("明日から日曜まで", "2026-11-25", "2026-11-29"),
        ("来週月曜から来週金曜まで", "2026-11-30", "2026-12-04"),
        ("明日", "2026-11-25", "2026-11-25"),
        ("this week", "2026-11-24", "2026-11-29"),
        ("next week", "2026-11-30", "2026-12-06"),
        ("all of next week", "2026-11-30", "2026-12-06"),
        ("this weekend", "2026-11-28", "2026-11-29"),
        ("for a week", "2026-11-24", "2026-12-01"),
        ("for the next 3 days", "2026-11-24", "2026-11-27"),
        ("two weeks", "2026-11-24", "2026-12-08"),
        ("between 1 Dec and 10 Dec", "2026-12-01", "2026-12-10"),
        ("来週", "2026-11-30", "2026-12-06"),
        ("今週いっぱい", "2026-11-24", "2026-11-29"),
        ("週末", "2026-11-28", "2026-11-29"),
        ("一週間", "2026-11-24", "2026-12-01"),
        ("3日間", "2026-11-24", "2026-11-27"),
        ("1 May to 10 May", "2027-05-01", "2027-05-10"),
        ("1 Nov 2027 to 10 Nov 2027", "2027-11-01", "2027-11-10"),
    ],
)
def test_periods(text: str, first: str, last: str) -> None:
    period = period_of(text, NOW, TOKYO)
    assert not isinstance(period, MomentFault)
    after = date.fromisoformat(last) + timedelta(days=1)
    assert [shown(end)[4:] for end in period] == [f"{first} 00:00", f"{after} 00:00"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not-understood"),
        ("until", "not-understood"),
        ("from 1 Dec", "not-understood"),
        ("12月1日から", "not-understood"),
        ("5-10", "not-understood"),
        ("12/1 - 12/10", "not-understood"),
        ("12月〜1月5日", "not-understood"),
        ("1 Dec 10 Dec", "not-understood"),
        ("1 Dec 9pm to 10 Dec", "not-understood"),
        ("9999-12-01 to 9999-12-31", "not-understood"),
        ("10 Dec to 1 Dec", "backwards"),
        ("12月10日から12月1日まで", "backwards"),
        ("10 Dec 2026 to 1 Dec 2026", "backwards"),
        ("from Friday to tomorrow", "backwards"),
        ("1 Dec 2025 to 10 Dec 2025", "past"),
        ("0001-01-01 to 10 Dec", "past"),
        ("until 10 Nov", "past"),
        ("1 Nov to 10 Nov", "which-year"),
        ("20 Nov to 23 Nov", "which-year"),
        ("11月1日から10日まで", "which-year"),
        ("1 June to 10 June", "which-year"),
        ("30 Feb to 1 March", "no-such-date"),
        ("1 Dec to Fri 10 Dec", "no-such-date"),
    ],
)
def test_what_is_no_period(text: str, fault: str) -> None:
    assert period_of(text, NOW, TOKYO) == MomentFault(fault)


def test_a_day_whose_midnight_is_skipped_starts_after_the_gap() -> None:
    period = period_of("2027-03-28", NOW, "Asia/Beirut")
    assert not isinstance(period, MomentFault)
    assert period[1] - period[0] == timedelta(hours=23)
    assert shown(period[0], "Asia/Beirut") == "Sun 2027-03-28 01:00"


# Every zone, every year


def test_every_change_of_clocks() -> None:
    assert len(changes()) > 100
    for change in changes():
        is_gap, place, minute = change.after > change.before, ZoneInfo(change.zone), timedelta(minutes=1)
        earliest = (change.wall - change.before).replace(tzinfo=UTC)
        assert is_skipped(change.wall, place) == is_gap
        assert first_moment(change.wall, place) == (change.at if is_gap else earliest)
        read = moment_of(f"{change.wall:%Y-%m-%d %H:%M}", change.at - timedelta(days=3), change.zone)
        assert read == (MomentFault.SKIPPED if is_gap else earliest.replace(second=0))
        for seam in ((change.at + offset).replace(tzinfo=None) for offset in (change.before, change.after)):
            assert first_moment(seam - minute, place) < first_moment(seam + minute, place)


@many
@given(WALLS, ZONES)
def test_a_wall_clock_time_is_the_first_that_clocks_show(wall: datetime, zone: str) -> None:
    place = ZoneInfo(zone)
    moment = first_moment(wall, place)
    local = moment.astimezone(place)
    assert local.fold == 0
    if is_skipped(wall, place):
        just_before = (moment - timedelta(seconds=1)).astimezone(place).replace(tzinfo=None)
        assert just_before < wall < local.replace(tzinfo=None)
    else:
        assert local.replace(tzinfo=None) == wall


@many
@given(MOMENTS, ZONES, st.times().map(lambda at: at.replace(second=0, microsecond=0)))
def test_a_written_moment_is_read_back(now: datetime, zone: str, at: time) -> None:
    wall = datetime.combine(now.date() + timedelta(days=40), at)
    read = moment_of(f"{wall:%Y-%m-%d %H:%M}", now, zone)
    assert read == (MomentFault.SKIPPED if is_skipped(wall, ZoneInfo(zone)) else first_moment(wall, ZoneInfo(zone)))
    assert read == moment_of(f"{wall.year}年{wall.month}月{wall.day}日 {at:%H}時{at:%M}分", now, zone)
    assert read == moment_of(f"{wall:%d %b, %I:%M%p}", now, zone)
    if not isinstance(read, MomentFault):
        assert read == moment_of(f"{read:%Y-%m-%d %H:%M} UTC", now, zone) or read.second


@many
@given(MOMENTS, ZONES)
def test_clocks_go_round(now: datetime, zone: str) -> None:
    for text, most in (("2:30", timedelta(days=2)), ("Fri 2:30", timedelta(days=8))):
        read = moment_of(text, now, zone)
        assert read is MomentFault.SKIPPED or now < read <= now + most  # type: ignore[operator]


@many
@given(TEXTS, MOMENTS, ZONES)
def test_no_text_is_too_strange(text: str, now: datetime, zone: str) -> None:
    moment, period = moment_of(text, now, zone), period_of(text, now, zone)
    assert isinstance(moment, MomentFault) or (moment > now and moment.tzinfo is UTC)
    assert isinstance(period, MomentFault) or (period[0] < period[1] and period[1] > now)


def test_the_end_of_a_day_is_the_start_of_the_next() -> None:
    assert TimeOfDay(24).on(date(2026, 12, 31)) == TimeOfDay(0).on(date(2027, 1, 1))

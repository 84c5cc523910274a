"""Hours as people write them, and the deadlines that suit the players."""

from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from judge.calendar import Hours, Timetable, Weekday
from judge.games.hours import Player, deadlines_for
from judge.language.times import read_hours, read_timetable

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)  # a Tuesday


def written(hours: Hours | None) -> str:
    """Return hours as `5-6 10:00-22:00, 19:00-23:00`; weekdays by number, from Monday as 0."""
    spans = hours.spans if hours is not None else ()
    days = ["".join(str(int(day)) for day in one.days) for one in spans]
    return ", ".join(f"{on} {one.start:%H:%M}-{one.end:%H:%M}".strip() for on, one in zip(days, spans, strict=True))


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("19:00-23:00, weekends", "19:00-23:00, 56 00:00-00:00"),
        ("19-23", "19:00-23:00"),
        ("7-11pm", "19:00-23:00"),
        ("7pm-11pm, Sat 10:00-23:00", "19:00-23:00, 5 10:00-23:00"),
        ("weekdays 19:00 to 23:00, weekends 9-24", "01234 19:00-23:00, 56 09:00-00:00"),
        ("Mon-Fri 18:30-22:30", "01234 18:30-22:30"),
        ("18:30-22:30 on weekdays", "01234 18:30-22:30"),
        # Weekdays named one by one go with the hours behind them.
        ("Sat, Sun 10-22", "56 10:00-22:00"),
        ("Mon, Wed and Fri 19-23", "024 19:00-23:00"),
        ("weekends, Wed 19-23", "56 00:00-00:00, 2 19:00-23:00"),
        ("after 19:00", "19:00-00:00"),
        ("22:00-02:00", "22:00-02:00"),
        ("daily", "00:00-00:00"),
        ("noon-6pm", "12:00-18:00"),
        ("19時から23時まで、週末", "19:00-23:00, 56 00:00-00:00"),
        ("19〜23時、土日", "19:00-23:00, 56 00:00-00:00"),
        ("平日 19:00〜23:00、週末 10時〜22時", "01234 19:00-23:00, 56 10:00-22:00"),
        ("毎日20時以降", "20:00-00:00"),
        ("19-23 Uhr, Wochenende", "19:00-23:00, 56 00:00-00:00"),
        ("werktags 19 bis 23 Uhr und am Wochenende", "01234 19:00-23:00, 56 00:00-00:00"),
        ("ab 19 Uhr", "19:00-00:00"),
        # no hours
        *(
            (text, "")
            for text in ("", "later", "evenings", "25-27", "19:00", "in 3 hours", "3 hours", "19-19", "23-25")
        ),
        ("Mon 1-2, " * 15, ""),
        ("19-23, " * 20_000, ""),
    ],
)
def test_hours_as_people_write_them(text: str, hours: str) -> None:
    assert written(read_hours(text)) == hours


@pytest.mark.parametrize(
    ("hours", "moment", "suits"),
    [
        ("19-23", "2026-11-24 19:00", False),  # nothing is left of the hours
        ("19-23", "2026-11-24 19:01", True),
        ("19-23", "2026-11-24 23:00", True),
        ("19-23", "2026-11-24 23:01", False),
        ("22:00-02:00", "2026-11-25 02:00", True),
        ("22:00-02:00", "2026-11-25 02:01", False),
        ("Sat 22:00-02:00", "2026-11-29 01:00", True),
        ("Sat 22:00-02:00", "2026-11-28 01:00", False),
        ("weekends", "2026-11-28 00:00", False),  # the end of Friday
        ("weekends", "2026-11-30 00:00", True),  # the end of Sunday
    ],
)
def test_a_deadline_lies_in_hours(hours: str, moment: str, suits: bool) -> None:  # noqa: FBT001
    found = read_hours(hours)
    assert found is not None
    assert found.suit(datetime.fromisoformat(moment + "Z"), "UTC") is suits


BERLIN, LONDON = ("Ada", "19-23, weekends", "Europe/Berlin"), ("Ben", "18-22", "Europe/London")
SILENT, TOKYO = ("Cho", "", "America/New_York"), ("Dan", "19-23", "Asia/Tokyo")
SATURDAYS = ("Eva", "Sat 10-23", "Europe/Paris")


@pytest.mark.parametrize(
    ("timetable", "players", "offers"),
    [
        # A length gets a time of day; half a day less lets phases close at that time.
        ("3 days", (BERLIN, LONDON, SILENT), ["daily 21:00, at least 60 hours", "daily 23:00, at least 60 hours"]),
        ("Tue Fri 9:00", (BERLIN, LONDON), ["Tue Fri 20:00", "Tue Fri 22:00"]),
        (
            "Tue Fri 9:00, at least 2 days",
            (BERLIN,),
            ["Tue Fri 20:00, at least 48 hours", "Tue Fri 22:00, at least 48 hours"],
        ),
        # Other days only if no hour suits on these.
        ("Tue 20:00", (BERLIN, SATURDAYS), ["Sat 20:00", "Sat 18:00", "Sat 22:00"]),
        # Nobody sleeps at a deadline, though it does not suit everybody.
        ("daily 22:00", (BERLIN, LONDON, TOKYO), ["daily 15:00: Ada, Ben", "daily 13:00: Ada, Ben"]),
        # no better one, no hours, or no time to sleep between deadlines
        ("daily 21:00", (BERLIN, LONDON, SILENT), []),
        ("daily 21:30", (BERLIN, LONDON, SILENT), []),
        ("3 days", (SILENT,), []),
        ("3 days", (), []),
        ("12 hours", (BERLIN,), []),
    ],
)
def test_deadlines_that_suit_the_players(
    timetable: str, players: tuple[tuple[str, str, str], ...], offers: list[str]
) -> None:
    table = read_timetable(timetable)
    assert table is not None
    people = [Player(read_hours(hours), zone, name) for name, hours, zone in players]
    found = deadlines_for(table, "Europe/Berlin", people, "Europe/Berlin", NOON)
    assert [": ".join(filter(None, (one.setting, ", ".join(one.names)))) for one in found] == offers
    assert all(one.here is None for one in found)
    assert all(read_timetable(one.setting) == one.timetable for one in found)


def test_a_reader_elsewhere_sees_days_and_time_of_their_own_clocks() -> None:
    table = Timetable(weekdays=frozenset({Weekday.TUESDAY}), at=time(9))
    players = [Player(read_hours("20-21"), "Europe/Berlin")]
    (offer, *_) = deadlines_for(table, "Europe/Berlin", players, "Asia/Tokyo", NOON)
    assert offer.setting == "Tue 21:00"
    assert offer.here == read_timetable("Wed 5:00")


def test_names_that_the_reader_may_not_know_are_counted() -> None:
    players = [Player(read_hours("19-23"), "Europe/Berlin"), Player(read_hours("8-9"), "Europe/Berlin")]
    (offer, *_) = deadlines_for(Timetable(at=time(3)), "Europe/Berlin", players, "Europe/Berlin", NOON)
    assert (offer.names, offer.others) == ((), 1)

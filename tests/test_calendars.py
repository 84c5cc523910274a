"""The deadline as a calendar file, read by two parsers.

One is a second library; the other checks each line as RFC 5545 defines it.
"""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest
import vobject

from judge.commands import Language
from judge.games import Person
from judge.mail.appointments import Appointment, calendar_file
from judge.service.post.calendars import deadline_file
from tests.office import JUDGE, NAMES, NOON, TITLES, World, address, begun, text

_LINE = re.compile(rb"(?P<name>[A-Z-]+)(?:;[A-Z-]+=(?:\"[^\"]*\"|[^\";:,]*))*:(?P<value>.*)")
_ONCE = ("UID", "DTSTAMP", "DTSTART", "SEQUENCE", "SUMMARY", "STATUS", "ORGANIZER")


def files(letter: Message) -> list[bytes]:
    """Return the calendar files of a mail; they never replace its text."""
    found = []
    for part in letter.walk():
        if part.get_content_type() == "text/calendar":
            assert part.get_content_disposition() == "attachment"
            assert part.get_filename() == "ardennes.ics"
            assert part.get_param("method") == "PUBLISH"
            found.append(part.get_payload(decode=True))
        if part.get_content_type() == "multipart/alternative":
            kinds = [one.get_content_type() for one in part.get_payload()]  # type: ignore[union-attr]
            assert kinds == ["text/plain", "text/html"]
    return found  # type: ignore[return-value]


def strict(content: bytes) -> list[tuple[str, str]]:
    """Return name and value of each line, checked by RFC 5545 §3.1, §3.4 and §3.6.

    Raises AssertionError where they are not kept.
    """
    assert content.endswith(b"\r\n")
    lines = content[:-2].split(b"\r\n")
    assert all(len(line) <= 75 and b"\n" not in line and b"\r" not in line for line in lines), "folded at 75 octets"
    whole = b"\r\n".join(lines).replace(b"\r\n ", b"").replace(b"\r\n\t", b"").split(b"\r\n")
    matches = [_LINE.fullmatch(line) for line in whole]
    found = [(match["name"].decode(), match["value"].decode()) for match in matches if match]
    assert len(found) == len(whole)
    open_: list[str] = []
    for name, value in found:
        if name == "BEGIN":
            open_.append(value)
        elif name == "END":
            assert open_.pop() == value
        else:
            assert open_, name
    assert not open_
    names = [name for name, _ in found]
    assert all(names.count(name) == 1 for name in _ONCE), names
    assert found[0] == ("BEGIN", "VCALENDAR")
    assert names.index("VERSION") < names.index("BEGIN", 1)
    assert {"PRODID", "METHOD"} <= set(names[: names.index("BEGIN", 1)])
    return found


def event(content: bytes) -> Any:
    """Return the appointment as an independent parser reads it."""
    values = dict(strict(content))
    parsed = vobject.readOne(content.decode()).vevent
    assert parsed.uid.value == values["UID"] == "deadline.ardennes@localhost"
    return parsed


def appointment(world: World, name: str) -> Any:
    """Return the newest appointment in a person's mails."""
    found = [content for to, letter in world.box.kept if to == address(name) for content in files(letter)]
    return event(found[-1])


@pytest.fixture
def playing() -> World:
    return begun(World())


def test_it_moves_with_the_deadline_and_is_cancelled_at_the_end(playing: World) -> None:
    seen = [appointment(playing, "cho")]

    def next_one() -> Any:
        seen.append(appointment(playing, "cho"))
        assert int(seen[-1].sequence.value) > int(seen[-2].sequence.value)
        assert seen[-1].status.value == "CONFIRMED"
        assert seen[-1].dtstart.value == playing.game().clock.deadline

    playing.now += timedelta(hours=1)
    playing.reply("gil", "EXTEND 1 day because of the snow")
    next_one()
    assert appointment(playing, "gil").dtstart.value == playing.game().clock.deadline, (
        "who moved it has it in his receipt"
    )
    playing.pass_deadline()
    next_one()
    playing.now += timedelta(hours=1)
    playing.collect_reports()
    playing.reply("gil", "PAUSE because of the flood")
    assert appointment(playing, "cho").status.value == "CANCELLED"
    playing.now += timedelta(hours=1)
    playing.reply("gil", "RESUME")
    next_one()
    playing.now += timedelta(hours=1)
    playing.collect_reports()
    playing.proved("gil", "END ardennes because of the test")
    seen.append(appointment(playing, "cho"))
    assert int(seen[-1].sequence.value) > int(seen[-2].sequence.value)
    assert seen[-1].status.value == "CANCELLED"
    assert not hasattr(seen[-1], "valarm")


def test_who_leaves_is_not_reminded_of_it(playing: World) -> None:
    playing.now += timedelta(hours=1)
    playing.proved("cho", "GAME ardennes\nRESIGN ardennes")
    assert appointment(playing, "cho").status.value == "CANCELLED"
    playing.reply("gil", "EJECT Germany because he is rude")
    assert appointment(playing, "dan").status.value == "CANCELLED"
    assert appointment(playing, "eva").status.value == "CONFIRMED"


def test_it_rings_when_the_game_reminds(playing: World) -> None:
    rings = [alarm.trigger.value for alarm in appointment(playing, "cho").valarm_list]
    assert rings == [-before for before in playing.game().settings.reminders]


def test_it_holds_nothing_that_is_secret(playing: World) -> None:
    (content,) = files(playing.reports["cho"])
    secret = str(playing.reports["cho"]["Reply-To"]).partition("+")[2].partition("@")[0].partition(".")[2]
    assert secret not in content.decode().replace("\r\n ", "")
    assert JUDGE in content.decode()


def test_it_can_be_stopped_and_asked_for(playing: World) -> None:
    receipt = playing.reply("cho", "SET CALENDAR no")
    assert "without the deadline" in " ".join(text(receipt).split())
    playing.pass_deadline()
    playing.collect_reports()
    assert files(playing.reports["cho"]) == []
    assert len(files(playing.reports["dan"])) == 1
    (content,) = files(playing.reply("cho", "CALENDAR"))
    assert event(content).dtstart.value == playing.game().clock.deadline
    playing.reply("cho", "カレンダー あり")
    playing.pass_deadline()
    playing.collect_reports()
    assert len(files(playing.reports["cho"])) == 1


def test_where_nothing_closes_by_time_there_is_none() -> None:
    world = World()
    world.proved("gil", "CREATE ardennes\nupdate: manual")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.proved(name, f"JOIN ardennes AS {power}")
    world.collect_reports()
    assert files(world.reports["cho"]) == []
    world.reply("gil", "SET listed: no BECAUSE of the neighbors")
    world.settle()
    assert not any(files(letter) for _, letter in world.box.kept)
    receipt = world.reply("cho", "CALENDAR")
    assert "has no deadline for a calendar" in " ".join(text(receipt).split())
    assert files(receipt) == []


@pytest.mark.parametrize("language", Language)
def test_every_language_is_within_the_rules(playing: World, language: Language) -> None:
    holder = playing.game().seats[0].holder
    assert holder is not None
    made = deadline_file(playing.game(), JUDGE, Person(holder, "x@y", "", language), playing.now)
    values = dict(strict(made.content))
    assert values["METHOD"] == "PUBLISH"
    spring = {"en": "Spring 1901", "de": "Frühjahr 1901", "ja": "1901年春"}[language]
    assert spring in event(made.content).summary.value


@pytest.mark.parametrize("name", ["x" * 200, "命令の締切" * 40, 'a;b,c:d\\n"e\nBEGIN:VALARM', "👩‍👩‍👧 \u202e"])
def test_a_long_or_wild_text_stays_in_its_line(name: str) -> None:
    made = calendar_file("ardennes", Appointment("u@h", JUDGE, NOON, name, name, (timedelta(hours=1),)), NOON)
    strict(made.content)
    assert vobject.readOne(made.content.decode()).vevent.summary.value == name

"""Mail that arrives in a later phase than it was written in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from email.utils import format_datetime

import pytest

from tests.database import store_in_memory
from tests.office import JUDGE, World, address, begun, text

HOUR = timedelta(hours=1)


def stamp(world: World, ago: timedelta, zone: str = "+0000") -> str:
    return format_datetime(world.now - ago).replace("+0000", zone)


@pytest.fixture(scope="module")
def opened() -> World:
    """Return a game that has just started."""
    return begun(World(store_in_memory()))


@pytest.fixture
def playing(opened: World) -> World:
    """Return a copy of it for one test."""
    return opened.apart()


@pytest.fixture
def fall(playing: World) -> World:
    """Return a game whose fall phase opened two hours ago.

    By then, mail is no longer assigned to the phase before because of its time of arrival alone.
    """
    playing.pass_deadline()
    playing.collect_reports()
    playing.now += 2 * HOUR
    return playing


# Hours ago: by Date, by the Received lines from the newest to the oldest; whether the mail is asked about.
@pytest.mark.parametrize(
    ("date", "received", "is_asked"),
    [
        (3, (), True),
        (1, (), False),
        (None, (), False),
        (None, (0, 3), True),
        (None, (0, 1), False),
        (3, (0, 2.9), True),  # a mail that its host tried to deliver for hours
        (3, (0, 1), False),  # the clock of the sender is slow, or the mail lay in an outbox
        (1, (0, 3), True),  # the clock of the sender is fast
        (3, (0,), False),
        (-30, (0, 3), True),
    ],
)
def test_a_mail_written_before_the_phase_opened_is_asked_about(
    fall: World, date: float | None, received: Sequence[float], *, is_asked: bool
) -> None:
    headers = [f"Received: from a by b with ESMTP; {stamp(fall, hours * HOUR)} (UTC)" for hours in received]
    headers += [f"Date: {stamp(fall, date * HOUR)}"] if date is not None else []
    answer = arrives(fall, headers)
    assert ("was written before Fall 1901 opened" in answer) is is_asked, answer
    assert fall.orders("FRANCE") == ([] if is_asked else ["A PAR - GAS"])


def test_a_late_mail_counts_if_it_names_the_phase_or_answers_its_report(fall: World) -> None:
    old = f"Date: {stamp(fall, 3 * HOUR)}"
    arrives(fall, [old], "PHASE F1901M\nA PAR - GAS")
    assert fall.orders("FRANCE") == ["A PAR - GAS"]
    arrives(fall, [old, f"In-Reply-To: {fall.reports['cho']['Message-ID']}"], "A PAR - BUR")
    assert fall.orders("FRANCE") == ["A PAR - BUR"]


def test_the_first_phase_has_none_before_it(playing: World) -> None:
    playing.now += 2 * HOUR
    arrives(playing, [f"Date: {stamp(playing, 30 * HOUR)}"])
    assert playing.orders("FRANCE") == ["A PAR - GAS"]


@pytest.mark.parametrize("date", ["Fri, 31 Dec 9999 23:59:59 -1400", "yesterday", ""])
def test_a_date_that_is_none_tells_nothing(fall: World, date: str) -> None:
    arrives(fall, [f"Date: {date}", f"Received: by x; {date}"])
    assert fall.orders("FRANCE") == ["A PAR - GAS"]


def test_the_question_is_asked_in_each_language(fall: World) -> None:
    for language, words in (("ja", "始まる前に書かれて"), ("de", "wurde geschrieben, bevor diese Phase begann")):
        fall.reply("cho", f"SET LANGUAGE {language}")
        assert words in "".join(arrives(fall, [f"Date: {stamp(fall, 3 * HOUR)}"]).split("\n"))


def arrives(world: World, headers: Sequence[str], body: str = "A PAR - GAS") -> str:
    """Send a mail of cho's to cho's seat, with these headers; return the answer.

    It is "" if the answer is about a spring phase.
    """
    world.number += 1
    world.box.take("cho")
    head = "".join(f"{line}\r\n" for line in headers)
    head += f"From: {address('cho')}\r\nTo: {JUDGE}\r\nSubject: orders\r\nMessage-ID: <{world.number}@players.test>\r\n"
    world.arrive(f"{head}\r\n{body}\r\n".encode(), str(world.reports["cho"]["Reply-To"]), address("cho"))
    (answer,) = world.box.take("cho")
    return " ".join(text(answer).split()) if "Spring" not in str(answer["Subject"]) else ""

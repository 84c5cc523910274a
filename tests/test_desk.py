"""The morning letter: it comes in the morning, and its links answer.

It shows a playing master no secret.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import unquote

import pytest

from judge.commands import Language
from judge.mail.letters import Outgoing
from judge.service.desk import last_morning
from judge.service.engine.desk import Desks
from tests.office import NAMES, TITLES, World, address
from tests.openings import once

DAY = timedelta(days=1)


def world_with(*settings: str, joined: int = 7, master: str = "gil") -> World:
    """Return a game; its master plays Austria if the master is ada."""
    world = World()

    def play() -> None:
        world.signed(master, "\n".join(("CREATE ardennes", *settings)))
        for name, power in list(zip(NAMES, TITLES, strict=True))[:joined]:
            world.signed(name, f"JOIN ardennes AS {power}")
        world.box.letters.clear()

    once(world, f"desk {settings} {joined} {master}", play, world.box)
    return world


def in_the_morning(world: World, to: str = "gil", hour: int = 8) -> Outgoing | None:
    """Return the letter at this hour of the next day, or None."""
    day = world.now + timedelta(hours=24 - hour)
    return at(world, day.replace(hour=hour, minute=0, second=0), to)


def at(world: World, moment: datetime, to: str = "gil") -> Outgoing | None:
    world.now = moment
    last = world.last_letter()
    world.parts.desks.write_in_the_morning()
    found = [one for one in world.letters(last) if one.recipient == address(to)]
    world.parts.delivery.deliver_due()
    assert len(found) <= 1
    return found[0] if found else None


def links(letter: Outgoing) -> Mapping[str, tuple[str, str]]:
    """Map the label of each link to the address and the words of its mail."""
    assert letter.html is not None
    link = r'<a class="button" href="mailto:([^?]+)\?subject=[^&]*&amp;body=([^"]*)"[^>]*>(.*?)</a>'
    found = re.findall(link, letter.html)
    return {unescape(label): (unquote(to), unquote(body).replace("\r\n", "\n")) for to, body, label in found}


def tap(world: World, link: tuple[str, str], more: str = "", name: str = "gil") -> str:
    """Tap a link in a mail program without proof; return the answer."""
    to, words = link
    last = world.last_letter()
    world.mail(name, words + more, to=to)
    return "\n".join(one.text for one in world.letters(last) if one.recipient == address(name))


# The links answer


def test_a_tap_lets_somebody_in() -> None:
    world = world_with("access: approval")
    letter = in_the_morning(world)
    assert letter is not None
    tap(world, links(letter)["ALLOW ada@players.test"])
    tap(world, links(letter)["DENY ben@players.test"])
    game = world.game()
    assert len(game.applicants) == 1
    assert [one.is_denied for one in game.petitions].count(True) == 1


def test_a_tap_decides_an_objection_with_a_reason_that_is_written_behind_it() -> None:
    world = world_with("objection: 3 days", "update: on-completion")
    world.signed("gil", "PROCESS S1901M")
    world.signed("cho", "OBJECTION the support was not counted")
    letter = in_the_morning(world)
    assert letter is not None
    link = links(letter)["DISMISS 1 BECAUSE …"]
    assert "Just reply with the reason" in tap(world, link)
    assert world.game().open_objections
    tap(world, link, "it was cut")
    assert not world.game().open_objections


def test_a_reply_names_the_game() -> None:
    world = world_with("access: approval", joined=1)
    assert in_the_morning(world) is not None
    (letter,) = world.box.take("gil")
    world.mail("gil", "GAME ardennes\nALLOW ada@players.test", answers=letter)
    assert len(world.game().applicants) == 1


def test_nobody_else_can_tap() -> None:
    world = world_with("access: approval")
    letter = in_the_morning(world)
    assert letter is not None
    tap(world, links(letter)["ALLOW ada@players.test"], name="ada")
    assert not world.game().applicants


@pytest.mark.parametrize("mails", [1, 2])
def test_a_tap_says_yes_to_a_mail_in_ones_name(mails: int) -> None:
    world = world_with("deadline: 9 days")
    for number in range(1, mails + 1):
        world.mail("gil", f"GAME ardennes\nEXTEND {number} days BECAUSE I am away")
        world.now += timedelta(minutes=20)
    before = world.game().clock.deadline
    letter = in_the_morning(world)
    assert letter is not None
    assert f"{mails} thing" in letter.subject
    assert "EXTEND" in letter.text
    tap(world, links(letter)["YES" if mails == 1 else "YES 1"])
    after = world.game().clock.deadline
    assert before is not None
    assert after == before + DAY
    again = in_the_morning(world)
    assert (again is not None) == (mails > 1)


def test_a_second_tap_changes_nothing() -> None:
    world = world_with("access: approval", joined=2)
    letter = in_the_morning(world)
    assert letter is not None
    for _ in range(2):
        tap(world, links(letter)["ALLOW ada@players.test"])
    assert len(world.game().applicants) == 1


def test_a_tap_after_the_end_is_refused() -> None:
    world = world_with("deadline: 9 days", "extend majority: all")
    world.signed("cho", "PROPOSE PAUSE")
    letter = in_the_morning(world)
    assert letter is not None
    world.signed("gil", "END ardennes BECAUSE of the test")
    assert "over" in tap(world, links(letter)["PAUSE BECAUSE …"], "of this")


# When it comes


@pytest.mark.parametrize(
    ("zone", "now", "morning"),
    [
        ("UTC", "2026-11-25 08:00", "2026-11-25 08:00"),
        ("UTC", "2026-11-25 07:59", "2026-11-24 08:00"),
        ("Asia/Tokyo", "2026-11-25 01:00", "2026-11-24 23:00"),
        ("Asia/Kathmandu", "2026-11-25 03:00", "2026-11-25 02:15"),
        ("America/New_York", "2026-11-25 12:30", "2026-11-24 13:00"),
        ("Europe/Berlin", "2026-10-25 12:00", "2026-10-25 07:00"),
        ("Europe/Berlin", "2026-10-24 12:00", "2026-10-24 06:00"),
    ],
)
def test_it_is_eight_where_the_master_lives(zone: str, now: str, morning: str) -> None:
    when, then = (datetime.fromisoformat(one).replace(tzinfo=UTC) for one in (now, morning))
    assert last_morning(zone, when) == then


def test_the_letter_comes_once_a_day_in_the_zone_of_the_master() -> None:
    world = world_with("access: approval", joined=1)
    world.signed("gil", "SET ZONE Asia/Tokyo")
    assert in_the_morning(world) is None
    assert in_the_morning(world, hour=23) is not None
    for minutes in (1, 16, 31, 600):
        assert at(world, world.now + timedelta(minutes=minutes)) is None
    assert in_the_morning(world, hour=23) is not None


@pytest.mark.parametrize(("late", "comes"), [(0, True), (100, True), (121, False)])
def test_after_the_judge_was_down_the_letter_comes_late_or_not_at_all(late: int, comes: bool) -> None:  # noqa: FBT001
    world = world_with("access: approval", joined=1)
    parts = world.parts
    parts.desks = Desks(parts.store, "UTC", parts.clock, parts.intake.writer, parts.intake.turn)
    letter = at(world, datetime(2026, 11, 26, 8, tzinfo=UTC) + timedelta(minutes=late))
    assert (letter is not None) == comes
    parts.desks = Desks(parts.store, "UTC", parts.clock, parts.intake.writer, parts.intake.turn)
    assert at(world, world.now + timedelta(minutes=1)) is None


def test_there_is_none_without_anything_to_decide() -> None:
    world = world_with("deadline: 9 days")
    assert [in_the_morning(world) for _ in range(3)] == [None] * 3


def test_that_they_joined_themselves_is_no_news() -> None:
    assert in_the_morning(world_with(joined=1, master="ada"), "ada") is None


def test_a_co_master_gets_one_and_players_and_observers_none() -> None:
    world = world_with("deadline: 9 days", "extend majority: all")
    world.signed("obs", "OBSERVE ardennes")
    world.signed("gil", "PROMOTE obs@players.test")
    world.signed("obs", "ACCEPT ardennes")
    world.signed("ivy", "OBSERVE ardennes")
    world.signed("cho", "PROPOSE EXTEND 1 day")
    world.now = datetime(2026, 11, 25, 8, tzinfo=UTC)
    last = world.last_letter()
    world.parts.desks.write_in_the_morning()
    assert {one.recipient for one in world.letters(last)} == {address("gil"), address("obs")}


def test_an_erased_master_and_a_private_board_have_no_desk() -> None:
    world = World()
    world.signed("gil", "SANDBOX\nA PAR - BUR")
    world.now += 4 * DAY
    assert in_the_morning(world) is None


# No secrets


def playing(*settings: str) -> World:
    world = world_with("objection: 3 days", "missing: hold", *settings, master="ada")
    world.signed("ada", "PROCESS S1901M BECAUSE we try it")
    return world


OTHERS: tuple[tuple[str, ...], ...] = (
    (),
    ("ben> A LVP - YOR", "ben> READY"),
    ("cho> A PAR - BUR\nA MAR - SPA\nF BRE - MAO\nREADY", "dan> DRAW", "eva> WAIT"),
    ("cho> If Italy agrees: A MAR - PIE", "gus> ORDERS", "fay> F STP - NWY\nNOT READY", "dan> CONCEDE TO Italy"),
)


@pytest.mark.parametrize(
    "setting", ["readiness: count", "readiness: names", "readiness: none", "anonymous: yes", "fog: own"]
)
def test_a_master_who_plays_reads_nothing_that_others_filed(setting: str) -> None:
    """The letter depends only on what every player was told."""
    seen = set()
    for mails in OTHERS:
        world = playing(setting)
        world.signed("cho", "PROPOSE PAUSE")
        for mail in mails:
            name, words = mail.split("> ")
            world.signed(name, words)
        letter = in_the_morning(world, "ada")
        assert letter is not None
        assert "PROPOSE" not in letter.text
        seen.add(re.sub(r"%2Bardennes\.[a-z2-7]{20}", "", f"{letter.subject}\n{letter.text}\n{letter.html}"))
    assert len(seen) == 1


def test_a_master_who_plays_is_not_told_who_sent_nothing() -> None:
    letters = {}
    for master in ("ada", "gil"):
        world = world_with("deadline: 2 days", "reminders: none", master=master)
        world.pass_deadline()
        world.signed("cho", "PROPOSE PAUSE")
        letters[master] = in_the_morning(world, master)
    assert letters["gil"] is not None
    assert "England (1 phase)" in letters["gil"].text
    assert "orders of 7 powers" in letters["gil"].text
    assert letters["ada"] is not None
    assert "England" not in letters["ada"].text
    assert "EJECT" not in letters["ada"].text
    assert "powers" not in letters["ada"].text.replace("powers for it", "")


def test_in_gunboat_a_master_who_plays_learns_no_name() -> None:
    world = world_with("anonymous: yes", "access: approval", "assignment: registration-order", joined=0, master="ada")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.signed(name, f"JOIN ardennes AS {power}")
        world.signed("ada", f"GAME ardennes\nALLOW {name}@players.test")
    assert world.game().is_running
    world.signed("ada", "EJECT France BECAUSE of the test")
    world.signed("ivy", "JOIN ardennes AS France")
    world.signed("ben", "PROPOSE PAUSE")
    letter = in_the_morning(world, "ada")
    assert letter is not None
    assert "VOTE YES 1" in letter.text
    for name in (*NAMES[1:], "ivy"):
        assert not re.search(rf"\b{name}\b(?!@)", letter.text, re.IGNORECASE), name


# Fewer letters


def test_opening_five_games_causes_five_letters() -> None:
    world = World()
    names = [f"game{number}" for number in "abcde"]
    world.signed("gil", "\n".join(f"CREATE {name}" for name in names))
    last = world.last_letter()
    for name in names:
        for player, power in zip(NAMES, TITLES, strict=True):
            world.signed(player, f"JOIN {name} AS {power}")
    mine = [one for one in world.letters(last) if one.recipient == address("gil")]
    assert len(mine) == 5
    assert in_the_morning(world) is None


@pytest.mark.parametrize("language", Language)
def test_its_first_line_says_how_much_there_is(language: Language) -> None:
    world = world_with("access: approval")
    world.signed("gil", f"SET LANGUAGE {language}")
    letter = in_the_morning(world)
    assert letter is not None
    assert "7" in letter.subject
    assert len(links(letter)) == 14

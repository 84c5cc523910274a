"""Receipts about one game that come close together are sent as one letter.

Some people want none.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path

import pytest

from judge.service.post.gathering import gather_due
from judge.storage.states import OutboxState
from tests import busy
from tests.office import NAMES, PASS, TITLES, World, text
from tests.openings import once
from tests.ordinary import Got, letters_to, phase

TABLE = tomllib.loads(Path(__file__).with_name("meter.toml").read_text("utf-8"))["phase"]
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


@pytest.mark.parametrize("receipts", TABLE)
def test_an_ordinary_phase_costs_a_player_so_many_letters(receipts: str) -> None:
    world = phase(receipts)
    assert {name: Got.of(letters_to(world, name)) for name in NAMES} == dict.fromkeys(NAMES, Got(**TABLE[receipts]))


def game(*settings: str, started: bool = True, draws: bool = False) -> World:
    """Return a game minutes after its start, in which receipts wait for each other."""
    world = World(draws=draws)
    world.gathers = True

    def play() -> None:
        world.signed("gil", "\n".join(("CREATE ardennes", *(settings or ("deadline: 3 days",)))))
        for name, power in zip(NAMES, TITLES, strict=True):
            if name != "gus" or started:
                world.signed(name, f"JOIN ardennes AS {power}\nSET ZONE Europe/Paris")
        world.now += 5 * MINUTE
        world.settle()
        world.collect_reports()
        world.box.letters.clear()

    once(world, f"gathers {settings} {started}", play, world.box)
    return world


def write(world: World, words: str, name: str = "cho") -> list[Message]:
    """Send a mail with proof; return the letters its sender gets at once."""
    world.mail(name, words, Authentication_Results=PASS)
    return world.box.take(name)


def after(world: World, time: timedelta, name: str = "cho") -> list[Message]:
    """Pass time; return the letters that a person then gets."""
    world.now += time
    world.settle()
    return world.box.take(name)


def subject(letter: Message) -> str:
    return str(make_header(decode_header(str(letter["Subject"]))))


def words(letters: Sequence[Message]) -> str:
    (letter,) = letters
    return " ".join(text(letter).split())


def test_the_first_receipt_leaves_at_once_and_the_next_ones_together() -> None:
    world = game()
    assert "A PAR - BUR is on file" in words(write(world, "A PAR - BUR"))
    assert write(world, "A MAR - SPA") == []
    world.now += MINUTE
    assert write(world, "F BRE - MAO") == []
    (gathered,) = after(world, MINUTE)
    said = words([gathered])
    assert said.index("A MAR - SPA is on file") < said.index("F BRE - MAO is on file") < said.index("On file now")
    assert said.count("On file now") == said.count("Deadline") == 1
    assert subject(gathered) == "Re: game (1 order on file), and 1 more"
    numbers = [f"<{number}@players.test>" for number in (world.number - 1, world.number)]
    assert (gathered["In-Reply-To"], str(gathered["References"]).split()) == (numbers[-1], numbers)
    assert after(world, HOUR) == []


def test_a_receipt_waits_no_longer_than_two_minutes_and_then_the_next_one_waits() -> None:
    world = game()
    came = [len(write(world, f"A PAR - {place}")) + len(after(world, MINUTE)) for place in ("BUR", "PIC", "GAS") * 2]
    assert came == [1, 1, 0, 1, 0, 1]


def test_a_receipt_alone_is_as_it_would_have_been_at_once() -> None:
    world = game()
    write(world, "A PAR - BUR")
    write(world, "A MAR - SPA")
    (late,) = after(world, 2 * MINUTE)
    (at_once,) = after(world, HOUR) or write(world, "A MAR - SPA")
    assert subject(late) == subject(at_once)
    assert "On file now" in text(late)


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        ("A PAR - MOS", "A PAR - MOS"),
        ("F MAR - SPA", "F MAR"),
        ("A PAR - XYZ", "XYZ"),
        ("If Italy agrees: A MAR - PIE", "YES 1"),
        ("STATUS", "On file now"),
        ("HELP", "STATUS"),
    ],
)
def test_news_leaves_at_once_and_takes_along_what_waits(problem: str, told: str) -> None:
    world = game()
    write(world, "A PAR - BUR")
    assert write(world, "F BRE - MAO") == []
    said = words(write(world, problem))
    assert "F BRE - MAO is on file" in said
    assert told in said
    assert after(world, HOUR) == []


def test_a_question_in_a_gathered_receipt_is_answered_by_a_reply() -> None:
    world = game()
    write(world, "A PAR - BUR")
    write(world, "F BRE - MAO")
    (asked,) = write(world, "If Italy agrees: A MAR - PIE")
    world.mail("cho", "YES", answers=asked, to=str(asked["Reply-To"]), Authentication_Results=PASS)
    assert sorted(world.orders("FRANCE")) == ["A MAR - PIE", "A PAR - BUR", "F BRE - MAO"]


def test_two_questions_in_mails_that_come_together_are_two_letters() -> None:
    world = game()
    write(world, "A PAR - BUR")
    for line in ("F BRE - MAO", "If Italy agrees: A MAR - PIE", "If England agrees: F BRE - ENG"):
        busy.write(world, "cho", line)
    world.settle()
    first, second = world.box.take("cho")
    assert ("Italy agrees" in text(first), "F BRE - MAO is on file" in text(first)) == (True, True)
    assert ("England agrees" in text(second), "F BRE - MAO is on file" in text(second)) == (True, False)
    world.mail("cho", "YES", answers=first, to=str(first["Reply-To"]), Authentication_Results=PASS)
    assert sorted(world.orders("FRANCE")) == ["A MAR - PIE", "A PAR - BUR", "F BRE - MAO"]


def test_the_reply_to_a_gathered_receipt_proves_its_sender() -> None:
    world = game()
    for line in ("A PAR - BUR", "A MAR - SPA", "F BRE - MAO"):
        write(world, line)
    (gathered,) = after(world, 2 * MINUTE)
    world.mail("cho", "A PAR H", answers=gathered, to=str(gathered["Reply-To"]))
    assert "A PAR H" in world.orders("FRANCE")


def test_undo_takes_back_the_last_mail_of_a_gathered_receipt() -> None:
    world = game()
    for line in ("A PAR - BUR", "A MAR - SPA", "F BRE - MAO", "UNDO"):
        write(world, line)
    said = words(after(world, 2 * MINUTE))
    assert "F BRE - MAO is on file" in said
    assert "No longer on file: F BRE - MAO" in said
    assert "Still without an order F BRE" in said


def test_a_gathered_receipt_has_one_map_and_one_file_of_what_is_on_file_now() -> None:
    world = game(draws=True)
    write(world, "SET RECEIPTS map")
    world.now += 5 * MINUTE
    before = world.last_letter()
    for line in ("A PAR - BUR", "A MAR - SPA", "F BRE - MAO"):
        busy.write(world, "cho", line)
    world.now += 2 * MINUTE
    with world.parts.store.work() as work:
        gather_due(work, world.now)
        work.commit()
    first, _, gathered = world.letters(before)
    assert [len(one.pictures) for one in (first, gathered)] == [1, 1]
    assert first.pictures != gathered.pictures
    assert [file.filename for file in gathered.attachments] == [file.filename for file in first.attachments]


def test_several_changes_of_ready_are_told_once() -> None:
    world = game("deadline: 3 days", "ready with missing orders: yes")
    for line in ("A PAR - BUR\nA MAR - SPA\nF BRE - MAO", "READY", "NOT READY", "READY", "NOT READY"):
        write(world, line)
    said = words(after(world, 2 * MINUTE))
    assert said.count("ready any more") + said.count("You are ready") == 1
    assert "NOT READY = You are not ready any more" in said


@pytest.mark.parametrize(
    ("settings", "before"),
    [
        (("deadline: 3 days",), HOUR),
        (("deadline: 3 days",), SECOND),
        (("deadline: 23 hours",), 12 * HOUR),
        (("update: manual",), None),
    ],
)
def test_nothing_waits_shortly_before_a_deadline_or_in_phases_that_are_short_or_without_one(
    settings: Sequence[str], before: timedelta | None
) -> None:
    world = game(*settings)
    deadline = world.game().clock.deadline
    assert (deadline is None) == (before is None)
    world.now = deadline - before if deadline is not None and before is not None else world.now
    world.settle()
    world.box.letters.clear()
    assert [len(write(world, line)) for line in ("A PAR - BUR", "A MAR - SPA", "F BRE - MAO")] == [1, 1, 1]


def test_what_waits_leaves_before_the_report_of_a_phase_that_closes_early() -> None:
    world = game("deadline: 3 days", "ready with missing orders: yes")
    for name in NAMES[1:]:
        write(world, "READY", name)
    write(world, "A VIE - GAL", "ada")
    receipt, report = write(world, "READY", "ada")
    assert (receipt["Auto-Submitted"], report["Auto-Submitted"]) == ("auto-replied", "auto-generated")
    assert world.phase() == "F1901M"


def test_what_waits_survives_the_end_of_the_process() -> None:
    world = game()
    write(world, "A PAR - BUR")
    write(world, "A MAR - SPA")
    again = World(world.parts.store)
    again.gathers, again.now = True, world.now
    assert after(again, MINUTE) == []
    assert "A MAR - SPA is on file" in words(after(again, MINUTE))
    assert after(again, HOUR) == []


def test_people_games_and_addresses_are_apart() -> None:
    world = game()
    world.signed("gil", "CREATE verdun\ndeadline: 3 days")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.signed(name, f"JOIN verdun AS {power}")
    world.now += 5 * MINUTE
    world.settle()
    world.box.letters.clear()
    assert len(write(world, "GAME ardennes\nA PAR - BUR")) == len(write(world, "GAME verdun\nA PAR - PIC")) == 1
    assert len(write(world, "GAME ardennes\nA MUN - RUH", "dan")) == 1
    assert write(world, "GAME ardennes\nA MAR - SPA") == write(world, "GAME verdun\nA MAR - SPA") == []
    letters = after(world, 2 * MINUTE)
    assert sorted(" ".join(text(one).split()).count("verdun: Spring 1901") for one in letters) == [0, 1]


def test_each_receipt_is_in_the_language_of_its_time() -> None:
    world = game()
    write(world, "A PAR - BUR")
    write(world, "A MAR - SPA")
    write(world, "LANGUAGE de")
    assert len(world.box.kept) > 2
    world.now += SECOND
    write(world, "F BRE - MAO")
    letters = [text(one) for one in after(world, HOUR)]
    assert not any("On file now" in one and "Jetzt notiert" in one for one in letters)


def test_the_operator_sees_what_waits_and_why() -> None:
    world = game()
    write(world, "A PAR - BUR")
    write(world, "A MAR - SPA")
    with world.parts.store.look() as work:
        (waiting,) = work.outbox.latest(5, OutboxState.GATHERING)
    assert "other answers" in str(waiting["reason"])
    assert after(world, 2 * MINUTE)
    with world.parts.store.look() as work:
        assert work.outbox.latest(5, OutboxState.GATHERING) == ()


# No receipts


def silent(*settings: str) -> World:
    world = game(*settings)
    write(world, "SET RECEIPTS none")
    world.collect_reports()
    world.now += 5 * MINUTE
    return world


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("A PAR - BUR", ""),
        ("A PAR - BUR\nA MAR - SPA\nF BRE - MAO\nREADY", ""),
        ("PRESS TO Germany\nHello.\nEND PRESS", ""),
        ("SET ZONE Europe/Berlin", ""),
        ("UNDO", "1 line needs your attention"),
        ("Thank you!", ""),
        ("A PAR - BUR\nREADY", "Your READY is noted"),
        ("A PAR - MOS", "A PAR - MOS"),
        ("A PAR - XYZ", "XYZ"),
        ("If Italy agrees: A MAR - PIE", "YES 1"),
        ("STATUS", "SET RECEIPTS full brings them back"),
        ("HELP orders", "orders"),
        ("SET RECEIPTS full", "My answers tell everything"),
        ("NEW SECRET", "secret"),
    ],
)
def test_who_wants_no_receipts_hears_only_of_what_needs_them(line: str, told: str) -> None:
    letters = write(silent(), line)
    assert len(letters) == bool(told)
    assert told in (words(letters) if told else "")


def test_what_only_the_secret_address_proves_is_told() -> None:
    world = silent()
    assert write(world, "A PAR - BUR") == []
    world.mail("cho", "A PAR - PIC", to=str(world.reports["cho"]["Reply-To"]))
    assert "A PAR - PIC is on file" in words(world.box.take("cho"))


def test_a_doubt_that_the_next_mail_settles_is_not_told() -> None:
    world = silent()
    assert write(world, "A MAR S A PAR - BUR") == []
    assert write(world, "A PAR - BUR") == []
    assert after(world, HOUR) == []


def test_a_doubt_that_stays_is_told_within_two_minutes() -> None:
    world = silent()
    assert write(world, "A MAR S A PAR - BUR") == []
    assert write(world, "A PAR - PIC") == []
    assert "A MAR S A PAR - BUR" in words(after(world, 2 * MINUTE))
    assert after(world, HOUR) == []


# Joining


def test_the_last_to_join_gets_one_letter_and_then_the_answer() -> None:
    world = game(started=False)
    (asked,) = write(world, "JOIN ardennes AS Turkey", "gus")
    assert "+confirm." in str(asked["Reply-To"])
    assert "ardennes" in text(asked)
    world.mail("gus", "YES", to=str(asked["Reply-To"]))
    assert world.game().is_running


@pytest.mark.parametrize("changed", [False, True])
def test_who_joins_by_a_yes_reads_the_terms_once_unless_they_changed(changed: bool) -> None:  # noqa: FBT001
    world = World()
    world.signed("gil", "CREATE ardennes\ndeadline: 3 days")
    world.now += MINUTE
    world.mail("cho", "JOIN ardennes AS France")
    (asked,) = world.box.take("cho")
    terms = "3 days"
    assert terms in text(asked)
    world.now += MINUTE
    if changed:
        world.signed("gil", "GAME ardennes\nSET deadline 4 days")
    world.mail("cho", "YES", to=str(asked["Reply-To"]))
    (joined,) = world.box.take("cho")
    assert "France" in text(joined)
    assert ("4 days" in text(joined)) == changed
    assert terms not in text(joined)

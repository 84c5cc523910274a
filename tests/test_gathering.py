"""Unproved mails in a person's name: each is asked about, in few letters.

No forger can silence the person.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from email.message import Message
from random import Random

import pytest

from tests.office import NAMES, TITLES, World, address, text
from tests.openings import once
from tests.soak import long_but

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
FORGED = ("A PAR - PIC", "A MAR - SPA", "F BRE - ENG", "A PAR - GAS", "RESIGN", "READY")


def begun(*settings: str) -> World:
    world = World()

    def play() -> None:
        world.signed("gil", "\n".join(["CREATE ardennes", *settings]))
        for name, power in zip(NAMES, TITLES, strict=True):
            world.signed(name, f"JOIN ardennes AS {power}")
        world.settle()
        world.collect_reports()
        world.now += 15 * DAY if "update: manual" in settings else timedelta()
        world.box.letters.clear()

    once(world, f"waits {settings}", play, world.box)
    return world


@pytest.fixture
def game() -> World:
    """Return a game without a deadline, days after its start."""
    return begun("update: manual")


def questions(world: World, name: str) -> list[Message]:
    world.parts.intake.ask_what_waits()
    world.parts.delivery.deliver_due()
    return [letter for letter in world.box.take(name) if "+confirm." in str(letter["Reply-To"])]


def answer(world: World, name: str, letter: Message, said: str) -> None:
    world.mail(name, said, to=str(letter["Reply-To"]), answers=letter)


def words(letter: Message) -> str:
    return " ".join(text(letter).split())


def listed(letter: Message) -> list[str]:
    """Return the orders and commands that a letter asks about."""
    return [line.strip() for line in text(letter).splitlines() if line.strip() in FORGED]


def test_where_no_mail_waits_there_is_only_a_look(game: World, monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[object] = []
    monkeypatch.setattr(game.parts.store, "work", began.append)
    assert game.parts.intake.ask_what_waits() == 0
    assert not began


def test_the_first_mail_is_asked_about_at_once_and_the_next_ones_together(game: World) -> None:
    game.mail("cho", FORGED[0])
    (first,) = questions(game, "cho")
    assert "Please confirm: A PAR - PIC" in str(first["Subject"])
    assert "Reply to one of my reports: such replies are known to be yours" in words(first)
    for line in FORGED[1:]:
        game.mail("cho", line)
    assert not questions(game, "cho")
    game.now += 11 * MINUTE
    (second,) = questions(game, "cho")
    assert "6 mails in your name" in str(second["Subject"])
    assert listed(second) == list(FORGED)
    assert "In “ardennes” you give up France" in words(second)
    assert not questions(game, "cho")


def test_there_are_three_questions_a_day(game: World) -> None:
    asked = []
    for number in range(48):
        game.mail("cho", f"A PAR - {('PIC', 'GAS', 'BUR')[number % 3]}")
        asked.append(len(questions(game, "cho")))
        game.now += HOUR
    assert [sum(asked[:24]), sum(asked[24:])] == [3, 3]


def test_a_mail_that_was_confirmed_gives_its_question_back(game: World) -> None:
    for number in range(6):
        game.mail("cho", f"A PAR - {('PIC', 'GAS', 'BUR')[number % 3]}")
        (asked,) = questions(game, "cho")
        answer(game, "cho", asked, "YES")
        game.box.letters.clear()
        game.now += MINUTE
    assert game.orders("FRANCE") == ["A PAR - BUR"]


def test_the_last_question_of_the_day_is_kept_for_the_hour_before_the_deadline() -> None:
    world = begun("deadline: 12 hours")
    deadline = world.game().clock.deadline
    assert deadline is not None
    asked: list[tuple[datetime, Message]] = []
    own = "A MAR - SPA"
    while world.now < deadline:
        world.mail("cho", "A PAR - PIC")
        if world.now > deadline - 3 * HOUR and own:
            world.mail("cho", own)
            own = ""
        asked += [(world.now, letter) for letter in questions(world, "cho")]
        world.now += 10 * MINUTE
    assert len(asked) == 3
    at, last = asked[-1]
    assert deadline - HOUR <= at <= deadline - 50 * MINUTE
    number = re.findall(r"^(\d+)\. ", text(last).partition("A MAR - SPA")[0], re.MULTILINE)[-1]
    answer(world, "cho", last, f"YES {number}")
    assert world.orders("FRANCE") == ["A MAR - SPA"]


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("YES 1", ["F EDI - YOR"]),
        ("はい 2", ["A LVP - WAL"]),
        ("YES 1 3", ["F EDI - YOR", "A LVP - YOR"]),
        ("YES 1, 2", ["F EDI - YOR", "A LVP - WAL"]),
        ("2 yes\nNO 3", ["A LVP - WAL"]),
        ("YES 1\nNO 1", []),
        ("YES", []),
        ("NO", []),
        ("いいえ", []),
        ("YES 1\nbut that was not me", []),
        ("YES 7", []),
        ("", []),
        ("NO 1", []),
        ("YES 1\nNO", ["F EDI - YOR"]),
    ],
)
def test_an_answer_names_the_mails_it_is_about(game: World, said: str, done: list[str]) -> None:
    game.reply("ben", "CLEAR")
    for line in ("F EDI - YOR", "A LVP - WAL", "A LVP - YOR"):
        game.mail("ben", line)
    questions(game, "ben")
    game.now += 11 * MINUTE
    (gathered,) = questions(game, "ben")
    game.mail("ben", said, to=str(gathered["Reply-To"]), answers=gathered)
    assert game.orders("ENGLAND") == done


def test_a_bare_yes_is_asked_again_while_another_mail_waits(game: World) -> None:
    game.mail("dan", "A MUN - RUH")
    (first,) = questions(game, "dan")
    game.mail("dan", "A BER - KIE")
    answer(game, "dan", first, "YES")
    (again,) = questions(game, "dan")
    assert game.orders("GERMANY") == []
    assert "Several mails wait for your word" in words(again)
    answer(game, "dan", again, "YES 1")
    assert game.orders("GERMANY") == ["A MUN - RUH"]


def test_numbers_stay_what_they_were_in_a_letter(game: World) -> None:
    game.reply("dan", "CLEAR")
    for line in ("A MUN - RUH", "A BER - KIE", "F KIE - DEN"):
        game.mail("dan", line)
    questions(game, "dan")
    game.now += 11 * MINUTE
    (letter,) = questions(game, "dan")
    answer(game, "dan", letter, "NO 1")
    answer(game, "dan", letter, "hm")  # the waiting mail is listed again, under the same secret address
    questions(game, "dan")
    answer(game, "dan", letter, "YES 2")
    assert game.orders("GERMANY") == ["A BER - KIE"]


def test_an_unclear_answer_is_asked_about_once(game: World) -> None:
    for line in ("A VEN - TYR", "A VEN - PIE", "A VEN - TRI", "A ROM - APU", "A ROM - VEN"):
        game.mail("eva", line)
    questions(game, "eva")
    game.now += 11 * MINUTE
    (gathered,) = questions(game, "eva")
    for _ in range(3):
        answer(game, "eva", gathered, "I do not know what you mean")
    again = questions(game, "eva")
    assert [one["Reply-To"] for one in again] == [gathered["Reply-To"]]
    assert "I cannot tell which of them you mean" in words(again[0])


def test_no_mail_out_of_many_is_left_unshown(game: World) -> None:
    for number in range(40):
        game.mail("fay", f"A MOS - {('UKR', 'LVN', 'STP', 'SEV')[number % 4]}")
    questions(game, "fay")
    game.now += 11 * MINUTE
    (gathered,) = questions(game, "fay")
    assert words(gathered).count("A MOS -") == 40


@pytest.mark.parametrize(
    "line", ["PRESS TO ITALY: you are a fool", "ANNOUNCE pay me at evil.test", "SET NAME evil.test"]
)
def test_a_question_holds_no_word_that_the_sender_chose(game: World, line: str) -> None:
    game.mail("gus", line)
    (asked,) = questions(game, "gus")
    told = f"{asked['Subject']} {words(asked)}"
    assert not re.search("fool|evil|pay me", told)
    assert line.split(maxsplit=1)[0] in told


def test_a_newcomer_who_missed_the_question_is_asked_again_a_day_later_and_three_times_at_most() -> None:
    world = begun("update: manual")
    world.proved("gil", "CREATE verdun")
    asked = []
    for day in range(35):
        for _ in range(3):
            world.mail("hanako", "JOIN verdun")
            asked += [(day, letter) for letter in questions(world, "hanako")]
            world.now += 8 * HOUR
    assert [day for day, _ in asked] == [0, 1, 2, 32, 33, 34]
    said = [words(letter) for _, letter in asked]
    assert ["nothing more will come from me for 30 days" in one for one in said] == [False, False, True] * 2
    assert ["at most once a day" in one for one in said] == [True, True, False] * 2
    world.now -= DAY  # the last letter is answered in time
    answer(world, "hanako", asked[-1][1], "YES 1" if "1." in text(asked[-1][1]) else "YES")
    assert "You are in “verdun”" in " ".join(words(letter) for letter in world.box.take("hanako"))


def test_a_newcomer_who_wrote_twice_says_yes_once() -> None:
    world = begun("update: manual")
    world.proved("gil", "CREATE verdun")
    world.mail("hanako", "JOIN verdun")
    (asked,) = questions(world, "hanako")
    world.mail("hanako", "JOIN verdun")
    answer(world, "hanako", asked, "YES")
    assert "You are in “verdun”" in " ".join(words(letter) for letter in world.box.take("hanako"))
    world.now += DAY
    assert not questions(world, "hanako")


WRITERS = ("hanako", "cho", "dan", "eva")
"""A stranger, and players with forged mail, with NO as an answer, and with bounces."""


@pytest.mark.parametrize("seed", long_but((), range(4)))
def test_in_a_month_every_mail_is_answered_within_a_day_or_covered_by_a_letter(seed: int) -> None:
    world, lot = begun("deadline: 4 days"), Random(seed)
    wrote: list[tuple[str, datetime]] = []
    came: dict[str, list[tuple[datetime, str]]] = {name: [] for name in WRITERS}
    with world.parts.store.work() as work:
        for day in range(3):
            work.outbox.count_bounce(address("eva"), (world.now - day * DAY).date())
        work.commit()
    end = world.now + 30 * DAY
    while world.now < end:
        name = lot.choice(WRITERS)
        if world.now < end - 2 * DAY:
            body = lot.choice(["JOIN ardennes", "CREATE verdun", "SET LANGUAGE en"] if name == "hanako" else FORGED[:4])
            for _ in range(lot.choice((1, 1, 1, 6))):
                world.mail(name, body)
            wrote.append((name, world.now))
        for one in WRITERS:
            letters = questions_and_answers(world, one)
            came[one] += [(world.now, words(letter)) for letter in letters]
            if one == "dan" and letters and "+confirm." in str(letters[-1]["Reply-To"]):
                answer(world, one, letters[-1], "NO")
        world.now += lot.choice((20 * MINUTE, HOUR, 5 * HOUR))
        world.settle()
    assert {name for name, _ in wrote} == set(WRITERS)
    for name, at in wrote:
        is_answered = any(at <= when <= at + DAY + 5 * HOUR for when, _ in came[name])
        last = "nothing more will come from me for 30 days"
        is_covered = any(at - 30 * DAY <= when <= at and last in said for when, said in came[name])
        assert is_answered or is_covered, (name, at, came[name])
    asked = [when for when, said in came["cho"] if "in your name" in said]
    assert max(sum(at <= when < at + DAY for when in asked) for at in asked) <= 3


def questions_and_answers(world: World, name: str) -> list[Message]:
    """Return what an address received because mail came from it."""
    world.parts.intake.ask_what_waits()
    world.parts.delivery.deliver_due()
    letters = world.box.take(name)
    return [one for one in letters if one["Auto-Submitted"] == "auto-replied" or "+confirm." in str(one["Reply-To"])]

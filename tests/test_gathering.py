"""Mails in somebody's name: he is asked, seldom, about every one of them; a forger cannot silence him."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message

import pytest

from tests.office import NAMES, TITLES, World, text

DAY = timedelta(days=1)
FORGED = ("A PAR - PIC", "A MAR - SPA", "F BRE - ENG", "A PAR - GAS", "RESIGN", "READY")


@pytest.fixture(scope="module")
def started() -> World:
    world = World()
    world.proved("gil", "CREATE ardennes\nupdate: manual")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.proved(name, f"JOIN ardennes AS {power}")
    world.settle()
    world.collect_reports()
    return world


@pytest.fixture
def game(started: World) -> World:
    """The same game for each, with another player, a week later: nothing of before is asked about any more."""
    started.now += timedelta(days=15)
    started.box.letters.clear()
    return started


def questions(world: World, name: str) -> list[Message]:
    world.parts.intake.ask_what_waits()
    world.parts.delivery.deliver_due()
    return [letter for letter in world.box.take(name) if "+confirm." in str(letter["Reply-To"])]


def answer(world: World, name: str, letter: Message, said: str) -> None:
    world.mail(name, said, to=str(letter["Reply-To"]), answers=letter)


def words(letter: Message) -> str:
    return " ".join(text(letter).split())


def test_where_no_mail_waits_there_is_only_a_look(game: World, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(game.parts.store, "work", begun.append)
    assert game.parts.intake.ask_what_waits() == 0
    assert not begun


def test_three_questions_a_day_and_the_others_together(game: World) -> None:
    for line in FORGED:
        game.mail("cho", line)
    assert [words(one).count("A mail in your name") for one in questions(game, "cho")] == [1, 1, 1]
    assert not questions(game, "cho")
    game.now += DAY + timedelta(minutes=1)
    (gathered,) = questions(game, "cho")
    assert "3 mails in your name" in words(gathered)
    assert [line for line in FORGED if line in text(gathered)] == list(FORGED[3:])
    assert "In “ardennes” you give up France" in words(gathered)
    game.now += DAY
    assert not questions(game, "cho")


def test_after_a_no_one_letter_a_day_for_a_week_shows_all(game: World) -> None:
    game.mail("dan", "A MUN - RUH")
    (asked,) = questions(game, "dan")
    answer(game, "dan", asked, "NO")
    game.mail("dan", "A MUN - TYR")
    (first,) = questions(game, "dan")
    for line in ("A BER - KIE", "A MUN - BUR", "F KIE - DEN"):
        game.mail("dan", line)
        assert not questions(game, "dan")
    game.now += DAY + timedelta(minutes=1)
    (second,) = questions(game, "dan")
    assert "1 mail in your name" in str(first["Subject"])
    assert "3 mails in your name" in str(second["Subject"])
    answer(game, "dan", second, "YES 2\nNO 1")
    assert game.orders("GERMANY") == ["A MUN - BUR"]
    assert "A MUN - BUR is on file" in words(game.box.take("dan")[0])
    answer(game, "dan", second, "NO")
    assert game.orders("GERMANY") == ["A MUN - BUR"]
    game.now += timedelta(days=8)
    game.mail("dan", "A MUN - SIL")
    assert "A mail in your name" in words(questions(game, "dan")[0])


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("YES 1", ["A LVP - WAL"]),
        ("はい 2", ["A LVP - YOR"]),
        ("1 yes\nNO 2", ["A LVP - WAL"]),
        ("YES 1\nNO 1", []),
        ("YES", []),
        ("NO", []),
        ("いいえ", []),
        ("YES 1\nbut that was not me", []),
        ("YES 7", []),
        ("", []),
        ("NO 1", []),
        ("YES 1\nNO", ["A LVP - WAL"]),
    ],
)
def test_an_answer_names_the_mails_it_is_about(game: World, said: str, done: list[str]) -> None:
    game.reply("ben", "CLEAR")
    game.mail("ben", "F EDI - NWG")
    answer(game, "ben", questions(game, "ben")[0], "NO")
    for line in ("F EDI - YOR", "A LVP - WAL", "A LVP - YOR"):
        game.mail("ben", line)
    game.box.letters.clear()
    game.now += DAY + timedelta(minutes=1)
    (gathered,) = questions(game, "ben")
    game.mail("ben", said, to=str(gathered["Reply-To"]), answers=gathered)
    assert game.orders("ENGLAND") == done


def test_an_unclear_answer_is_asked_about_once(game: World) -> None:
    for line in ("A VEN - TYR", "A VEN - PIE", "A VEN - TRI", "A ROM - APU", "A ROM - VEN"):
        game.mail("eva", line)
    questions(game, "eva")
    game.now += DAY + timedelta(minutes=1)
    (gathered,) = questions(game, "eva")
    for _ in range(3):
        answer(game, "eva", gathered, "I do not know what you mean")
    again = questions(game, "eva")
    assert [one["Reply-To"] for one in again] == [gathered["Reply-To"]]
    assert "I cannot tell which of these you mean" in words(again[0])


def test_no_mail_out_of_many_is_left_unshown(game: World) -> None:
    for number in range(40):
        game.mail("fay", f"A MOS - {('UKR', 'LVN', 'STP', 'SEV')[number % 4]}")
    shown = [words(one) for one in questions(game, "fay")]
    game.now += DAY + timedelta(minutes=1)
    shown += [words(one) for one in questions(game, "fay")]
    assert len(shown) == 4
    assert sum(one.count("A MOS -") for one in shown) == 40

"""COACH: what a coach is shown, and what no other person gets by it."""

from __future__ import annotations

from dataclasses import replace
from email.message import Message

import pytest

from judge.games.game import Coaching, CoachOffer, Game
from judge.games.person import PersonId
from judge.rules.position import Power
from judge.storage.fields import CONDUCT, COURSE
from judge.storage.moving import read_game, write_game
from tests.database import store_in_memory
from tests.office import JUDGE, PASS, World, address, begun, text

FRANCE, ITALY = Power("FRANCE"), Power("ITALY")


@pytest.fixture(scope="module")
def opened() -> World:
    return begun(World(store_in_memory()))


@pytest.fixture
def asked(opened: World) -> World:
    """Return a game whose player of France has asked Hal to be their coach."""
    world = opened.apart()
    world.reply("cho", "COACH hal@players.test WITH PRESS")
    return world


@pytest.fixture
def coached(asked: World) -> World:
    """Return a game whose player of France has a coach."""
    (letter,) = asked.box.take("hal")
    accept(asked, letter)
    asked.box.letters.clear()
    return asked


def accept(world: World, letter: Message, sender: str = "hal") -> bytes:
    return world.mail(sender, "Yes, gladly!", to=str(letter["Reply-To"]), answers=letter)


def coach_in(game: Game, power: Power = FRANCE) -> PersonId | None:
    coach = game.coach_of(game.seat(power))
    return coach.person if coach is not None else None


def letters_to(world: World, name: str) -> str:
    return "\n".join(" ".join(text(letter).split()) for letter in world.box.take(name))


def test_a_yes_that_comes_twice_is_told_once(asked: World) -> None:
    (letter,) = asked.box.take("hal")
    yes = accept(asked, letter)
    assert coach_in(asked.game()) is not None
    assert "France has a coach" in letters_to(asked, "ben")
    asked.arrive(yes, str(letter["Reply-To"]), address("hal"))
    assert letters_to(asked, "ben") == ""


def test_a_request_that_comes_twice_is_one_letter(opened: World) -> None:
    world = opened.apart()
    report = world.reports["cho"]
    mail = world.mail("cho", "COACH hal@players.test", to=str(report["Reply-To"]), answers=report)
    assert len(world.box.take("hal")) == 1
    world.arrive(mail, str(report["Reply-To"]), address("cho"))
    assert world.box.take("hal") == []
    assert len(world.game().coach_offers) == 1


def test_a_forged_yes_makes_no_coach(asked: World) -> None:
    asked.box.take("hal")
    asked.mail("hal", "ACCEPT COACHING ardennes FRANCE")
    assert coach_in(asked.game()) is None
    assert "France has a coach" not in letters_to(asked, "cho")


@pytest.mark.parametrize("thief", ["ben", "gil", "mal"])
def test_a_yes_of_another_person_makes_no_coach(asked: World, thief: str) -> None:
    """The letter was passed on to a player, a master or a stranger."""
    (letter,) = asked.box.take("hal")
    accept(asked, letter, thief)
    asked.mail(thief, "ACCEPT COACHING ardennes FRANCE", Authentication_Results=PASS)
    assert coach_in(asked.game()) is None


def test_orders_on_file_are_shown_to_the_coach_alone(coached: World) -> None:
    coached.reply("cho", "A Par - Bur\nPRESS TO MASTER: I am late.\nNOTE: Dan lies.\nEND NOTE")
    shown = letters_to(coached, "hal")
    assert "A PAR - BUR" in shown
    assert "late" not in shown
    assert "lies" not in shown
    for other in ("ben", "dan", "eva"):
        assert coached.box.take(other) == []
    assert "A PAR" not in letters_to(coached, "gil")


def test_the_letters_of_a_coach_hold_no_key_to_the_seat(coached: World) -> None:
    """No address or link of the player stands in them, and theirs give no orders."""
    report = coached.reports["cho"]
    coached.reply("cho", "A Par - Bur")
    coached.mail("dan", "PRESS TO France: Hello.", Authentication_Results=PASS)
    letters = coached.box.take("hal")
    assert len(letters) == 2
    for letter in letters:
        assert str(report["Reply-To"]) not in letter.as_string()
        assert "--to-" not in letter.as_string()
        assert "mailto:" not in text(letter)
    shown = letters[0]
    coached.mail("hal", "A Par H\nREADY", to=str(shown["Reply-To"]), answers=shown)
    assert coached.orders("FRANCE") == ["A PAR - BUR"]
    assert "You coach France" in letters_to(coached, "hal")


def test_a_forged_mail_of_a_coach_says_nothing_to_the_player(coached: World) -> None:
    coached.mail("hal", "PRESS TO France: Trust Dan.")
    assert coached.box.take("cho") == []
    coached.mail("mal", "PRESS TO France: Trust Dan.", Authentication_Results=PASS)
    assert coached.box.take("cho") == []


def test_a_coach_who_is_forgotten_leaves_the_seat_and_what_they_know_counts(coached: World) -> None:
    coached.reply("cho", "A Par - Bur")
    coached.box.letters.clear()
    coached.signed("hal", "ERASE ME")
    assert coach_in(coached.game()) is None
    (note,) = coached.game().saw
    assert note.marks
    coached.box.letters.clear()
    coached.reply("cho", "A Par H")
    assert coached.box.take("hal") == []


def test_another_address_of_a_player_may_not_coach(coached: World) -> None:
    coached.reply("eva", "COACH ivy@players.test")
    (letter,) = coached.box.take("ivy")
    coached.mail("ben", "SET SECOND ADDRESS ivy@players.test", Authentication_Results=PASS)
    (question,) = coached.box.take("ivy")
    coached.mail("ivy", "YES", to=str(question["Reply-To"]))
    coached.mail("ivy", "ACCEPT ardennes", to=str(letter["Reply-To"]), answers=letter, Authentication_Results=PASS)
    assert "You cannot coach" in letters_to(coached, "ivy")
    assert coach_in(coached.game(), ITALY) is None


def test_a_coach_is_stored_and_stays_here(coached: World) -> None:
    game = coached.game()
    seat = game.seat(FRANCE)
    assert seat.coach == Coaching(game.observers[0], reads_press=True)
    assert CONDUCT.put(replace(seat, coach=None), CONDUCT.take(seat)).coach == seat.coach
    offer = CoachOffer("ivy@players.test", (FRANCE,), PersonId(3), coached.now)
    asking = replace(game, coach_offers=(offer,))
    assert COURSE.put(replace(game, coach_offers=()), COURSE.take(asking)).coach_offers == (offer,)
    with coached.parts.store.work() as work:
        written = write_game(asking, work.records, coached.now)
    assert b"players.test" not in written
    elsewhere, _ = read_game(written, "elsewhere", PersonId(1))
    assert elsewhere.coach_offers == ()
    assert all(one.coach is None for one in elsewhere.seats)


def test_the_judge_alone_is_written_to(coached: World) -> None:
    """A coach gets a report, and no private addresses of the powers."""
    coached.mail("hal", "ADDRESSES ardennes", to=JUDGE, Authentication_Results=PASS)
    assert "--to-" not in letters_to(coached, "hal")

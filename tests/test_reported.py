"""REPORT: who reads a reported letter of press, and what they read of it."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage, Message
from io import BytesIO

import pytest
from PIL import Image

from judge.service.talk import reporting
from tests.database import store_in_memory
from tests.office import JUDGE, PASS, World, address, begun, text


@pytest.fixture(scope="module")
def opened() -> World:
    return begun(World(store_in_memory()))


@pytest.fixture
def playing(opened: World) -> World:
    """Return a game that has just started."""
    return opened.apart()


def press(world: World, sender: str, words: str, reader: str) -> Message:
    """Send words of a sender; return the letter to their reader."""
    world.mail(sender, words, Authentication_Results=PASS)
    world.box.take(sender)
    return world.box.take(reader)[-1]


def reported(world: World, reporter: str, letter: Message, words: str = "REPORT") -> str:
    """Report a letter; return the answer."""
    world.mail(reporter, words, to=str(letter["Reply-To"]), answers=letter)
    (answer,) = world.box.take(reporter)
    return " ".join(text(answer).split())


def read_by(world: World, name: str) -> list[str]:
    """Return the new letters of a reader; `op` is the operator."""
    found = [letter for to, letter in world.box.letters if to.startswith(f"{name}@")]
    world.box.letters = [one for one in world.box.letters if not one[0].startswith(f"{name}@")]
    return [" ".join(text(letter).split()) for letter in found]


def test_a_report_is_refused_if_nobody_may_judge_it(playing: World) -> None:
    letter = press(playing, "gil", "PRESS TO France: You are a fool.", "cho")
    intake = playing.parts.intake
    unnamed = intake.config.judge.model_copy(update={"operator": ""})
    config = intake.config.model_copy(update={"judge": unnamed})
    intake.correspondence = replace(intake.correspondence, config=config)
    assert "no master without a part in it" in reported(playing, "cho", letter)
    assert read_by(playing, "gil") == []


def test_a_second_master_judges_what_the_first_one_wrote(playing: World) -> None:
    playing.mail("hal", "OBSERVE ardennes", Authentication_Results=PASS)
    playing.signed("gil", f"PROMOTE {address('hal')}")
    playing.mail("hal", "ACCEPT ardennes", Authentication_Results=PASS)
    letter = press(playing, "gil", "PRESS TO France: You are a fool.", "cho")
    playing.box.letters.clear()
    assert "a master who doesn't play" in reported(playing, "cho", letter)
    (told,) = read_by(playing, "hal")
    assert "You are a fool." in told
    assert read_by(playing, "gil") == read_by(playing, "op") == []


def test_a_master_with_a_seat_judges_nothing(playing: World) -> None:
    playing.signed("gil", f"PROMOTE {address('ada')}")
    playing.mail("ada", "ACCEPT ardennes", Authentication_Results=PASS)
    letter = press(playing, "gil", "PRESS TO France: You are a fool.", "cho")
    playing.box.letters.clear()
    assert "the people who run this judge" in reported(playing, "cho", letter)
    assert read_by(playing, "ada") == []
    assert len(read_by(playing, "op")) == 1


def test_letters_that_left_as_one_are_reported_as_one(playing: World) -> None:
    playing.signed("cho", "SET MAIL DIGEST 20:00")
    for words in ("first insult", "second insult"):
        playing.mail("dan", f"PRESS TO France: {words}", Authentication_Results=PASS)
    playing.now = playing.now.replace(hour=19, minute=1)  # 20:01 in Paris
    playing.settle()
    (letter,) = [one for one in playing.box.take("cho") if "--press." in str(one["Reply-To"])]
    assert "Reported" in reported(playing, "cho", letter)
    (told,) = read_by(playing, "gil")
    assert "first insult" in told
    assert "second insult" in told


def test_only_who_was_sent_a_letter_reports_it(playing: World) -> None:
    letter = press(playing, "dan", "PRESS TO France: You are a fool.", "cho")
    playing.box.letters.clear()
    assert "Nothing has been done yet" in reported(playing, "eva", letter)
    playing.mail("eva", "REPORT", to=str(letter["Reply-To"]), answers=letter, Authentication_Results=PASS)
    (refused,) = read_by(playing, "eva")
    assert "Nothing is reported yet" in refused
    playing.mail("mal", "REPORT", to=str(letter["Reply-To"]), answers=letter)
    assert read_by(playing, "gil") == []
    (asked,) = read_by(playing, "cho")
    assert "REPORT" in asked


def test_an_old_letter_whose_words_are_gone_is_not_reported(playing: World) -> None:
    letter = press(playing, "dan", "PRESS TO France: You are a fool.", "cho")
    playing.box.letters.clear()
    with playing.parts.store.work() as work:
        sent = work.people.by_address(address("cho"))
        assert sent is not None
        work.outbox.redact(sent.id, "nobody@players.test")
        work.commit()
    assert "no longer have the words" in reported(playing, "cho", letter)
    assert read_by(playing, "gil") == []


def test_reports_of_a_day_are_limited(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "_MOST_A_DAY", 2)
    answers = [
        reported(playing, "cho", press(playing, "dan", f"PRESS TO France: insult {number}", "cho"))
        for number in range(3)
    ]
    assert ["Reported" in answer for answer in answers] == [True, True, False]
    assert "2 letters within a day" in answers[-1]


def test_pictures_of_a_letter_are_passed_on(playing: World) -> None:
    drawn, mail = BytesIO(), EmailMessage()
    Image.new("RGB", (64, 32), "navy").save(drawn, "PNG")
    mail["From"], mail["To"], mail["Subject"] = address("dan"), JUDGE, "Re: game"
    mail["Message-ID"], mail["Authentication-Results"] = "<picture@players.test>", PASS
    mail.set_content("PRESS TO France: look")
    mail.add_attachment(drawn.getvalue(), maintype="image", subtype="png", filename="map.png")
    playing.arrive(mail.as_bytes(), JUDGE, address("dan"))
    (letter,) = playing.box.take("cho")
    playing.box.letters.clear()
    reported(playing, "cho", letter)
    (told,) = playing.box.take("gil")
    names = [part.get_filename() for part in told.walk() if part.get_content_type().startswith("image/")]
    assert names == [part.get_filename() for part in letter.walk() if part.get_content_type().startswith("image/")]
    assert names

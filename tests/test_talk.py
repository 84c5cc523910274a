"""The judge's answers and actions, mail by mail, on a database in memory."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import FrameType

import pytest

import judge
from judge.errors import DeliveryError
from judge.games import Game, GameState
from judge.mail.composing import compose
from judge.mail.large_files import MAX_SIZE
from judge.mail.letters import LetterKind, Outgoing
from judge.rules.notation import write_order
from judge.rules.position import Power
from judge.service.phases import close_phase
from judge.service.post.delivery import NotTaken, hand_over, lease_letters, put_off
from judge.storage import LetterTags
from tests.database import store_in_memory
from tests.office import JUDGE, NAMES, PASS, TITLES, World, address, begun, text

MOST_FILES = 126
"""The number of files today, with those of the database.

Another file for every order mail needs a reason.
"""


@pytest.fixture
def world() -> World:
    """Return a judge with an empty database."""
    return World(store_in_memory())


@pytest.fixture(scope="module")
def opened() -> World:
    """Return a game that has just started, to be copied."""
    return begun(World(store_in_memory()))


@pytest.fixture
def playing(opened: World) -> World:
    """Return a copy of a game that has just started."""
    world = opened.apart()
    world.box.letters = list(opened.box.letters)
    return world


def test_from_proves_nothing(world: World) -> None:
    world.mail("gil", "CREATE ardennes")
    assert world.find_game() is None
    (asked,) = world.box.take("gil")
    assert "CREATE" in text(asked)
    for answer in ("", "YES"):
        world.mail("mal", answer, to=str(asked["Reply-To"]))
        assert world.find_game() is None


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I did not send this",
        "承認しません",
        "確認しましたが、私は送っていません",
        "OK but this was not me",
        "Confirm: NO",
        "Yes, this is an automatic answer: I am away",
        "YES\nI will be back on Monday and read my mail then.",
    ],
)
def test_a_forged_end_is_not_done_by_a_refusal(playing: World, answer: str) -> None:
    playing.mail("gil", "END ardennes BECAUSE of me")
    (asked,) = playing.box.take("gil")
    playing.mail("gil", answer, to=str(asked["Reply-To"]), answers=asked)
    letters = playing.box.take("gil")
    # The second question says what would be done.
    assert not letters or any("“ardennes” is over for everybody" in text(letter) for letter in letters)
    assert playing.game().state is GameState.ACTIVE


def test_a_question_is_forgotten_after_seven_days(playing: World) -> None:
    playing.mail("cho", "A Mar - Spa")
    (asked,) = playing.box.take("cho")
    playing.mail("gil", "GAME ardennes\nPAUSE because of the snow")
    playing.now += timedelta(days=7, seconds=1)
    playing.mail("cho", "YES", to=str(asked["Reply-To"]), answers=asked)
    assert playing.orders("FRANCE") == []
    assert "it is too old" in " ".join(text(playing.box.take("cho")[0]).split())


def test_everybody_gets_the_opening_report(playing: World) -> None:
    assert set(playing.reports) == {"gil", *NAMES}
    assert "A PAR -" in text(playing.reports["cho"])
    subject = " ".join(str(playing.reports["cho"]["Subject"]).split())
    assert subject == "[ardennes] Orders by Thu 26 Nov 13:00: France, Spring 1901 (the game begins)"


def test_a_reply_to_the_report_is_enough(playing: World) -> None:
    receipt = playing.reply("cho", "A Par - Bur\nF Bre - Xyz\nA Mun - Ber\nパリ陸軍をブルゴーニュへ移動")
    said = text(receipt)
    assert "^^^" in said
    assert "not yours" in said
    assert "F BRE" in said.split("Still without an order")[1]
    assert playing.orders("FRANCE") == ["A PAR - BUR"]
    assert receipt["In-Reply-To"]
    assert re.search(r"13:00 CET \(12:00 UTC\)", said)


def test_an_order_mail_enters_few_files(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the files of `judge` that run while a reply with three orders is worked.

    Grammars are loaded before.
    """
    playing.reply("dan", "A Ber - Kie\nF Kie - Den\nA Mun S A Ber - Kie")
    product, work_all = str(Path(judge.__file__).parent), playing.parts.intake.work_all
    entered = set()

    def note(frame: FrameType, _event: str, _arg: object) -> None:
        if frame.f_code.co_filename.startswith(product):
            entered.add(frame.f_code.co_filename.removeprefix(product))

    def watched() -> int:
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            return work_all()
        finally:
            sys.setprofile(before)

    monkeypatch.setattr(playing.parts.intake, "work_all", watched)
    playing.reply("cho", "A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO")
    assert playing.orders("FRANCE") == ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"]
    assert len(entered) <= MOST_FILES, "\n".join(sorted(entered))


def test_the_message_id_of_a_report_is_proof_as_well(playing: World) -> None:
    playing.mail("cho", "A Mar H", answers=playing.reports["cho"])
    assert playing.orders("FRANCE") == ["A MAR H"]


def test_another_seats_token_is_no_proof(playing: World) -> None:
    playing.mail("dan", "A Par H\nA Mun H", to=str(playing.reports["cho"]["Reply-To"]))
    assert playing.orders("FRANCE") == []
    assert playing.orders("GERMANY") == []


def test_a_later_mail_replaces_only_what_it_names(playing: World) -> None:
    playing.reply("cho", "A Par - Bur\nA Mar S A Par - Bur")
    receipt = playing.reply("cho", "A Mar - Spa")
    assert playing.orders("FRANCE") == ["A PAR - BUR", "A MAR - SPA"]
    assert "replaces A MAR S A PAR - BUR" in " ".join(text(receipt).split())


def test_the_phase_closes_after_the_deadline_and_the_settling_time(playing: World) -> None:
    playing.now += timedelta(days=2, seconds=10)
    playing.settle()
    assert str(playing.game().position.phase) == "S1901M"
    playing.now += timedelta(seconds=30)
    playing.settle()
    assert str(playing.game().position.phase) == "F1901M"


def test_a_phase_is_closed_in_a_unit_of_work_that_whoever_asked_commits(playing: World) -> None:
    """It runs without the loop of the engine: another loop may do the same."""
    store, writer, before = playing.parts.store, playing.parts.closing.writer, playing.game()
    assert before.clock.deadline is not None
    for commits in (False, True):
        with store.work() as work:
            closed = close_phase(work, writer, before, before.clock.deadline, seed=1)
            assert closed is not None
            assert work.census().outbox["queued"] == len(NAMES) + 1
            if commits:
                work.commit()
        assert str(playing.game().position.phase) == ("F1901M" if commits else "S1901M")


def test_a_letter_that_is_not_taken_is_put_off_in_a_unit_of_work(playing: World) -> None:
    store, delivery = playing.parts.store, playing.parts.delivery
    playing.box.refuse = DeliveryError("450 busy")
    with store.work() as work:
        letter = Outgoing(
            LetterKind.NOTICE, address("cho"), "<1@localhost>", playing.now, JUDGE, None, "Hello", "Hello"
        )
        work.outbox.queue(letter, LetterTags("one more"), playing.now)
        (queued,) = lease_letters(work, playing.now)
        fault = hand_over(queued, lambda: compose(queued.letter), delivery.writer, playing.box)
        assert fault == NotTaken("450 busy")
        put_off(work, delivery.bounces, queued, fault, playing.now)
        assert lease_letters(work, playing.now) == ()
        (again,) = lease_letters(work, playing.now + timedelta(minutes=5))
    assert (again.id, again.attempts) == (queued.id, 1)


def test_a_late_mail_is_not_taken_for_the_next_phase(playing: World) -> None:
    report = playing.reports["cho"]
    playing.pass_deadline()
    playing.box.take("cho")
    playing.mail("cho", "A Par - Bur", to=str(report["Reply-To"]), answers=report)
    assert playing.orders("FRANCE") == []
    assert "Spring 1901" in text(playing.box.take("cho")[0])


def test_a_fresh_phase_must_be_named(playing: World) -> None:
    report = playing.reports["cho"]
    playing.pass_deadline()
    playing.mail("cho", "A Par - Bur", to=str(report["Reply-To"]))
    assert playing.orders("FRANCE") == []
    playing.mail("cho", "PHASE F1901M\nA Par - Bur", to=str(report["Reply-To"]))
    assert playing.orders("FRANCE") == ["A PAR - BUR"]


def test_the_master_processes_once(playing: World) -> None:
    playing.reply("gil", "PROCESS S1901M")
    assert str(playing.game().position.phase) == "F1901M"
    playing.reply("gil", "PROCESS S1901M")
    assert str(playing.game().position.phase) == "F1901M"


def test_the_master_who_names_no_phase_is_asked_once_and_never_closes_the_next_one(playing: World) -> None:
    playing.box.letters = []
    asked = []
    for words in ("PROCESS", "Close the phase now, please"):
        playing.mail("gil", words, Authentication_Results=PASS)
        asked += playing.box.take("gil")
    first, second = asked
    playing.now += timedelta(minutes=1)
    assert "Shall I close Spring 1901 now" in text(first)
    assert "Shall I close Spring 1901 now" in text(second)
    assert str(playing.game().position.phase) == "S1901M"
    playing.mail("gil", "YES", to=str(first["Reply-To"]), answers=first)
    assert str(playing.game().position.phase) == "F1901M"
    playing.box.letters = []
    playing.mail("gil", "YES", to=str(second["Reply-To"]), answers=second)
    assert str(playing.game().position.phase) == "F1901M"
    (told,) = playing.box.take("gil")
    assert "Spring 1901 was closed already" in text(told)


def test_a_mail_that_names_no_phase_closes_none_that_opened_before_it_was_confirmed(playing: World) -> None:
    playing.box.letters = []
    playing.mail("gil", "PROCESS")
    (asked,) = playing.box.take("gil")
    playing.pass_deadline()
    assert str(playing.game().position.phase) == "F1901M"
    playing.box.letters = []
    playing.mail("gil", "YES", to=str(asked["Reply-To"]), answers=asked)
    assert str(playing.game().position.phase) == "F1901M"
    (told,) = playing.box.take("gil")
    assert "A phase was closed since you wrote that" in " ".join(text(told).split())


def test_a_player_cannot_process(playing: World) -> None:
    assert "Only the master" in text(playing.reply("cho", "PROCESS S1901M"))
    assert str(playing.game().position.phase) == "S1901M"


def test_a_question_shows_the_line_and_its_game(world: World) -> None:
    world.proved("gil", "CREATE ardennes")
    for name, line in {"cho": "JOIN ardennes AS FRANCE", "dan": "参加 ardennes フランス"}.items():
        world.mail(name, line)
        (asked,) = world.box.take(name)
        assert line in text(asked)
        assert "+confirm." in str(asked["Reply-To"])
    world.proved("eva", "JOIN ardennes")
    world.mail("eva", "NOTE: x")
    (asked,) = world.box.take("eva")
    assert "In “ardennes”:" in text(asked)
    assert "NOTE" in text(asked)


@pytest.mark.parametrize("body", ["JOIN nosuch", "TAKE OVER ardennes France", "OBSERVE nosuch"])
def test_what_can_only_be_refused_is_not_asked_about(world: World, body: str) -> None:
    world.proved("gil", "CREATE ardennes")
    world.proved("cho", "REGISTER")
    world.box.letters.clear()
    world.mail("cho", body)
    (refused,) = world.box.take("cho")
    assert "Nothing was changed" in text(refused)
    assert "+confirm." not in str(refused["Reply-To"])
    for _ in range(3):  # a stranger is refused too, or asked without the name another person chose; once
        world.mail("dan", f"{body}\nBuy pills at pills.test")
    (answered,) = world.box.take("dan")
    assert not [word for word in ("pills", "nosuch") if word in text(answered) + str(answered["Subject"])]


def test_who_makes_the_game_begin_reads_first_what_it_is_like(world: World) -> None:
    world.proved("gil", "CREATE ardennes\nrules: shirikyu\nanonymous: yes")
    for name in NAMES:
        world.proved(name, "REGISTER")
    for name in NAMES[:-1]:
        world.mail(name, "JOIN ardennes", Authentication_Results="mx.test; dmarc=pass header.from=players.test")
    world.box.letters.clear()
    world.mail(NAMES[-1], "JOIN ardennes", Authentication_Results="mx.test; dmarc=pass header.from=players.test")
    assert world.game().state is GameState.FORMING
    (asked,) = world.box.take(NAMES[-1])
    told = text(asked)
    assert told.count("  • ") <= 10
    assert told.index("reply to this mail with YES") < told.index("Before you play")
    assert not [
        part for part in ("by lot", "Press: ", "Nobody learns", "Missing orders", "How it ends") if part not in told
    ]
    world.mail(NAMES[-1], "YES", to=str(asked["Reply-To"]))
    assert world.game().state is GameState.ACTIVE


def test_a_second_address_hears_that_it_is_one(playing: World) -> None:
    receipt = playing.reply("cho", "SET SECOND ADDRESS phone@players.test")
    assert "from there" in text(receipt)
    (asked,) = playing.box.take("phone")
    assert "cannot be undone" not in text(asked)
    playing.mail("phone", "YES", to=str(asked["Reply-To"]))
    assert [len(playing.box.take(name)) for name in ("cho", "phone")] == [1, 1]


@pytest.mark.parametrize(("body", "step"), [("bla bla", "waits for 7 more players"), ("", "waits for 7 more players")])
def test_what_is_not_understood_is_answered_with_the_next_step(world: World, body: str, step: str) -> None:
    world.proved("gil", "CREATE ardennes")
    world.mail("gil", body)
    (letter,) = world.box.take("gil")
    assert step in " ".join(text(letter).split())


def test_robots_are_not_answered(playing: World) -> None:
    playing.mail("cho", "I am away", to=str(playing.reports["cho"]["Reply-To"]), Auto_Submitted="auto-replied")
    assert playing.box.take("cho") == []


def test_a_stranger_hears_how_it_works_and_then_nothing(world: World) -> None:
    for _ in range(30):
        world.mail("mal", "Who are you?")
    letters = world.box.take("mal")
    assert len(letters) == 21
    assert "within an hour" in text(letters[-1])


def test_reports_and_receipts_do_not_use_up_the_answers_to_unproved_mail(playing: World) -> None:
    for _ in range(25):
        playing.reply("cho", "A Par H")
    playing.mail("cho", "A Mar H")
    (asked,) = playing.box.take("cho")
    assert "+confirm." in str(asked["Reply-To"])


def test_orders_count_beyond_the_answers_an_hour(playing: World) -> None:
    report = playing.reports["cho"]
    playing.mail("cho", "A Par - Bur", to=str(report["Reply-To"]), answers=report)
    receipt = playing.letters()[-1]
    with playing.parts.store.work() as work:
        for number in range(190):  # this many more answers, to mails of this hour
            work.outbox.queue(
                replace(receipt, message_id=f"<{number}@localhost>"), LetterTags(f"answer {number}"), playing.now
            )
        work.commit()
    playing.settle()
    playing.box.take("cho")
    for order in (*["A Par - Bur"] * 14, "A Par - Pic"):
        playing.mail("cho", order, to=str(report["Reply-To"]), answers=report)
    assert playing.orders("FRANCE") == ["A PAR - PIC"]
    *receipts, notice = playing.box.take("cho")
    assert len(receipts) < 14
    assert "still worked and on file" in text(notice).replace("\n", " ")


@pytest.mark.parametrize(
    ("answer", "done", "told"),
    [
        ("Yes please", True, None),
        ("OK", True, None),
        ("承認します。", True, None),
        ("はい。\nCho", True, None),
        ("Yes\n\nThanks, Cho", True, None),
        ("はい\nよろしくお願いします。\nチョウより", False, "is a yes"),
        ("", False, "is a yes"),
        ("承認しません", False, None),
        ("確認しましたが、私は送っていません", False, None),
        ("了解できません", False, None),
        ("OK but this was not me", False, None),
        ("Confirm: NO", False, None),
        ("Yes, this is an automatic answer: I am away", False, "is a yes"),
        ("Yes.\n\nI am on holiday until Monday. Please write to Bob.", False, "is a yes"),
        ("yes and no", False, "is a yes"),
        ("Yes\nNo", False, "is a yes"),
        ("Okay, who is this?", False, "is a yes"),
        ("Yes, but make it Burgundy", False, "is a yes"),
        ("Yes\nA Pra - Xyz", False, "is a yes"),
        ("確認しました", False, "is a yes"),
        ("I do not approve", False, None),
        ("違います。", False, None),
        ("No thanks", False, None),
        ("はい、お願いします", True, None),
        ("お世話になっております。\n\nはい。", True, None),
        ("Hello judge,\n\nyes", True, None),
        ("NO, that was not me!", False, None),
        ("This was not me! Do NOT do this.", False, None),
        ("What a lovely day.", False, "is a yes"),
    ],
)
def test_what_confirms_a_mail(playing: World, answer: str, *, done: bool, told: str | None) -> None:
    playing.mail("cho", "A Mar - Spa")
    (asked,) = playing.box.take("cho")
    for _ in range(2):
        playing.mail("cho", answer, to=str(asked["Reply-To"]))
    assert (playing.orders("FRANCE") == ["A MAR - SPA"]) is done
    letters = playing.box.take("cho")
    assert [told in text(letter) for letter in letters if told] == ([True] if told else [])


def test_orders_in_a_confirming_mail_count_and_are_the_last_word(playing: World) -> None:
    playing.mail("cho", "A Mar - Spa\nA Par - Pic")
    (asked,) = playing.box.take("cho")
    playing.mail("cho", "Yes, but make it Burgundy\nA Mar - Bur", to=str(asked["Reply-To"]))
    assert playing.orders("FRANCE") == ["A MAR - BUR"]  # not a bare yes: the question is repeated
    assert any("A MAR - SPA" in text(letter) for letter in playing.box.take("cho"))
    playing.mail("cho", "Yes\nA Mar - Bur", to=str(asked["Reply-To"]))
    assert sorted(playing.orders("FRANCE")) == ["A MAR - BUR", "A PAR - PIC"]
    told = " ".join(" ".join(text(letter).split()) for letter in playing.box.take("cho"))
    assert "A later mail of yours ordered the unit in Marseilles already: A MAR - BUR stands." in told


def test_an_order_for_the_other_kind_of_unit_leaves_the_good_one_alone(playing: World) -> None:
    playing.reply("cho", "A Par - Bur")
    assert "The unit in Paris is A PAR" in text(playing.reply("cho", "F Par - Pic"))
    assert playing.orders("FRANCE") == ["A PAR - BUR"]


def test_an_empty_mail_gets_one_clear_answer(playing: World) -> None:
    assert "no text of its own" in text(playing.reply("cho", "\n"))


def test_a_game_that_does_not_exist(playing: World) -> None:
    assert "There is no game “verdun”" in text(playing.reply("cho", "STATUS verdun\nA Par H"))
    assert playing.orders("FRANCE") == ["A PAR H"]


def test_nobody_sees_anothers_orders(playing: World) -> None:
    playing.reply("cho", "A Par - Pic")
    for name in ("dan", "gil"):
        assert "PIC" not in text(playing.reply(name, "STATUS"))


def test_a_mail_about_two_games(playing: World) -> None:
    playing.reply("ada", "CREATE second")
    for name, power in zip(NAMES, TITLES, strict=True):
        playing.proved(name, f"JOIN second AS {power}")
    told = text(playing.reply("cho", "A Par - Bur\nGAME second\nA Mar - Spa\nGAME ardennes\nF Bre H"))
    assert playing.orders("FRANCE") == ["A PAR - BUR", "F BRE H"]
    with playing.parts.store.work() as work:
        second = work.games.get("second")
    assert second is not None
    assert [write_order(filed.order) for filed in second.seat(Power("FRANCE")).filed.orders] == ["A MAR - SPA"]
    assert "ardennes: Spring 1901" in told
    assert "second: Spring 1901" in told
    assert told.count("On file now – France") == 2


def test_a_heading_of_a_power_he_does_not_hold_orders_nothing(playing: World) -> None:
    assert "You do not play Austria" in text(playing.reply("cho", "Austria: A Par - Bur"))
    assert playing.orders("FRANCE") == []


def test_a_corrected_line_in_one_mail_replaces_nothing_on_file(playing: World) -> None:
    playing.reply("cho", "A Par - Bur\nF Bre H")
    told = text(playing.reply("cho", "A Par - Pic\nA Par - Bur\nF Bre H"))
    assert told.startswith("2 orders taken.")
    assert "It replaces A PAR - BUR" not in told


def test_who_sends_too_much_is_told_and_a_robot_is_not(playing: World) -> None:
    to = str(playing.reports["cho"]["Reply-To"])
    head = f"From: {address('cho')}\r\nTo: {to}\r\nSubject: photos\r\nMessage-ID: <big@players.test>\r\n"
    playing.arrive(f"{head}\r\nA Par H\r\n{'x' * MAX_SIZE}".encode(), to, address("cho"))
    (told,) = playing.box.take("cho")
    assert "it is too large" in " ".join(text(told).split())
    assert playing.orders("FRANCE") == []
    robot = head.replace("<big", "<bigger") + "Auto-Submitted: auto-replied\r\n"
    playing.arrive(f"{robot}\r\n{'x' * MAX_SIZE}".encode(), to, address("cho"))
    assert playing.box.take("cho") == []


def test_what_may_be_meant_is_done_with_a_yes_to_the_receipt(playing: World) -> None:
    playing.mail("cho", "Can I vote for a draw?", to=str(playing.reports["cho"]["Reply-To"]))
    (question,) = [letter for letter in playing.box.take("cho") if "+confirm." in str(letter["Reply-To"])]
    assert "you vote for a draw shared by Austria, England, France" in " ".join(text(question).split())
    playing.mail("cho", "YES", to=str(question["Reply-To"]), answers=question)
    playing.box.take("cho")
    assert game_of(playing).seat(Power("FRANCE")).ballots.draws
    playing.reply("cho", "NO DRAW")
    # Only a player's first one is confirmed in a mail of its own.
    asked = playing.reply("cho", "Can I vote for a draw?")
    assert "Did you mean: you vote for a draw?" in text(asked)
    assert not game_of(playing).seat(Power("FRANCE")).ballots.draws
    playing.mail("cho", "YES", to=str(playing.reports["cho"]["Reply-To"]), answers=asked)
    assert game_of(playing).seat(Power("FRANCE")).ballots.draws
    assert len(playing.box.take("cho")) == 1


def test_what_is_not_said_yes_to_does_not_keep_other_words_from_being_read(playing: World) -> None:
    asked = playing.reply("cho", "Can I vote for a draw?")
    playing.mail("cho", "A Par - Bur", to=str(playing.reports["cho"]["Reply-To"]), answers=asked)
    assert playing.orders("FRANCE") == ["A PAR - BUR"]
    assert len(playing.box.take("cho")) == 1
    assert not game_of(playing).seat(Power("FRANCE")).ballots.draws


def test_what_cannot_be_is_refused_before_it_is_asked_about(playing: World) -> None:
    told = text(playing.reply("cho", "Let a robot play Turkey, please"))
    assert "Only the master of the game can use ROBOT" in " ".join(told.split())


def game_of(playing: World) -> Game:
    game = playing.find_game()
    assert game is not None
    return game


def test_lines_that_were_not_used_are_named(playing: World) -> None:
    told = text(
        playing.reply("cho", "A Par - Bur\nPlease tell me whether Bur will hold.\nGood luck to all!\n\nBest,\nCho")
    )
    below = told.partition("I did not use these lines")[2].partition("\n\n")[0]
    assert "Please tell me whether Bur will hold." in below
    assert "luck" not in below
    assert "Cho" not in below


def test_everybody_known_is_answered_each_time(playing: World) -> None:
    for words in ("Nobody has told me anything.", "And now something else.", "Well."):
        assert playing.reply("cho", words)


def test_the_subject_says_what_became_of_the_orders_and_not_what_did_before(playing: World) -> None:
    first = playing.reply("cho", "A Par - Bur\nA Mar - Xyz\nCan I vote for a draw?")
    assert " ".join(str(first["Subject"]).split()).endswith(" (1 of 2 orders on file)")
    playing.mail("cho", "F Bre - MAO\nA Mar - Spa", answers=first, to=str(playing.reports["cho"]["Reply-To"]))
    (second,) = playing.box.take("cho")
    subject = " ".join(str(second["Subject"]).split())
    assert subject.endswith(" (2 orders on file)")
    assert subject.count("on file") == 1


def test_words_for_somebody_are_sent_with_a_yes(playing: World) -> None:
    asked = playing.reply("cho", "To Germany: Shall we leave Burgundy empty, my friend?")
    assert "Shall I send this to Germany?" in " ".join(text(asked).split())
    assert playing.box.take("dan") == []
    playing.mail("cho", "Yes", to=str(playing.reports["cho"]["Reply-To"]), answers=asked)
    (letter,) = playing.box.take("dan")
    assert "Shall we leave Burgundy empty, my friend?" in " ".join(text(letter).split())


@pytest.mark.parametrize(
    ("language", "terms", "name"),
    [
        ("de", "Es gewinnt die Macht, die so viele Versorgungszentren besitzt", "Die anderen sehen dich als Frieda"),
        ("ja", "盤で決められた数の補給都市を占有した国の優勝です", "ほかの方には「Frieda」と表示されます"),
    ],
)
def test_a_mail_that_sets_the_language_last_is_answered_in_it_alone(
    world: World, language: str, terms: str, name: str
) -> None:
    world.signed("gil", "CREATE ardennes\nfog: own")
    world.box.letters = []
    body = f"JOIN ardennes\nRULES ardennes\nSET NAME Frieda\nSET LANGUAGE {language}"
    world.mail("ada", body, Authentication_Results=PASS)
    told = "".join(text(world.box.take("ada")[-1]).split())
    assert all("".join(words.split()) in told for words in (terms, name))
    assert not any("".join(words.split()) in told for words in ("supply centers", "The rules as most", "Fog: a power"))

"""A judge in memory: mails in, letters out; the clock is ours."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage, Message

import pytest

from judge.config import Config, DatabaseSettings, GamesSettings, JudgeSettings, ListenerSettings
from judge.errors import DeliveryError, SourceError
from judge.games import Game, GameState
from judge.mail.letters import RawMail
from judge.mail.reading import MAX_SIZE
from judge.rules.notation import write_order
from judge.rules.position import Power
from judge.service import Parts, assemble
from judge.service.talk import conversation
from judge.service.talk.mail import MailInWork

JUDGE = "judge@localhost"
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
NAMES = ("ada", "ben", "cho", "dan", "eva", "fay", "gus")
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


@dataclass
class Letterbox:
    """Takes what the judge sends; can be told to refuse."""

    letters: list[tuple[str, Message]] = field(default_factory=list)
    refuse: DeliveryError | None = None

    def send(self, content: bytes, *, envelope_from: str, recipient: str) -> None:
        assert envelope_from
        if self.refuse is not None:
            raise self.refuse
        self.letters.append((recipient, message_from_bytes(content)))

    def check(self) -> str:
        return "a list"

    def close(self) -> None:
        pass

    def take(self, name: str) -> list[Message]:
        """The letters to somebody, taken out."""
        mine = [letter for to, letter in self.letters if to == address(name)]
        self.letters = [(to, letter) for to, letter in self.letters if to != address(name)]
        return mine


class World:
    """A judge and the people who write to it."""

    def __init__(self) -> None:
        self.now = NOON
        self.box = Letterbox()
        config = Config(
            judge=JudgeSettings(operator="op@localhost"),
            database=DatabaseSettings(url="sqlite://"),
            sources=(ListenerSettings(kind="listener", port=0),),
            games=GamesSettings(settling_seconds=30),
        )
        self.parts: Parts = assemble(config, clock=lambda: self.now, sender=self.box)
        self.reports: dict[str, Message] = {}
        self.number = 0

    def mail(self, name: str, body: str, *, to: str = JUDGE, answers: Message | None = None, **headers: str) -> bytes:
        """A mail arrives and is worked; the letters it causes are delivered."""
        self.number += 1
        message = EmailMessage()
        message["From"] = f"{name.title()} <{address(name)}>"
        message["To"] = to
        message["Subject"] = "Re: game"
        message["Message-ID"] = f"<{self.number}@players.test>"
        if answers is not None:
            message["In-Reply-To"] = str(answers["Message-ID"])
        for header, value in headers.items():
            message[header.replace("_", "-")] = value
        message.set_content(body)
        self.arrive(message.as_bytes(), to, address(name))
        return message.as_bytes()

    def arrive(self, content: bytes, to: str, envelope_from: str = "x@players.test") -> None:
        self.parts.intake.keep(RawMail(content, "test", self.now, envelope_from, (to,)))
        self.settle()

    def settle(self) -> None:
        self.parts.intake.work_all()
        self.parts.closing.close_due()
        self.parts.delivery.deliver_due()

    def pass_deadline(self) -> None:
        """The deadline of the open phase is over, and the settling time too."""
        deadline = self.game().deadline
        assert deadline is not None
        self.now = deadline + timedelta(minutes=1)
        self.settle()

    def proved(self, name: str, body: str) -> Message:
        """A mail, its confirmation, and the answer to it."""
        self.mail(name, body)
        (asked,) = self.box.take(name)
        assert "+confirm." in str(asked["Reply-To"])
        self.mail(name, "YES", to=str(asked["Reply-To"]))
        self.collect_reports(name)
        return self.box.take(name)[0]

    def reply(self, name: str, body: str) -> Message:
        """An answer to the latest report; returns the receipt."""
        report = self.reports[name]
        self.mail(name, body, to=str(report["Reply-To"]), answers=report)
        receipts = [letter for letter in self.box.take(name) if letter["Auto-Submitted"] == "auto-replied"]
        return receipts[0]

    def collect_reports(self, *names: str) -> None:
        for name in names or ("gil", *NAMES):
            for letter in self.box.take(name):
                if letter["Auto-Submitted"] == "auto-replied":
                    self.box.letters.append((address(name), letter))
                elif "joined" not in str(letter["Subject"]):
                    self.reports[name] = letter

    def find_game(self) -> Game | None:
        with self.parts.store.work() as work:
            return work.games.get("ardennes")

    def game(self) -> Game:
        game = self.find_game()
        assert game is not None
        return game

    def orders(self, power: str) -> list[str]:
        return [write_order(filed.order) for filed in self.game().seat(Power(power)).orders]


def address(name: str) -> str:
    return f"{name}@players.test"


def text(letter: Message) -> str:
    for part in letter.walk():
        if part.get_content_type() == "text/plain":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload.decode()
    raise AssertionError("no text")


@pytest.fixture
def world() -> World:
    """A judge with nothing on it."""
    return World()


@pytest.fixture
def playing(world: World) -> World:
    """A game that has just started."""
    world.proved("gil", "CREATE ardennes\ndeadline: 2 days")
    for name, power in zip(NAMES, POWERS, strict=True):
        receipt = world.proved(name, f"JOIN ardennes AS {power}\nSET ZONE Europe/Paris")
        assert power in text(receipt)
    world.settle()
    world.collect_reports()
    assert world.game().state is GameState.ACTIVE
    return world


def test_from_proves_nothing(world: World) -> None:
    world.mail("gil", "CREATE ardennes")
    assert world.find_game() is None
    (asked,) = world.box.take("gil")
    assert "CREATE ardennes" in text(asked)
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
    for letter in playing.box.take("gil"):
        assert "END ardennes BECAUSE of me" in text(letter)  # whoever is asked once more is told what would be done
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
    assert str(playing.reports["cho"]["Subject"]) == "[ardennes] Spring 1901"


def test_a_reply_to_the_report_is_enough(playing: World) -> None:
    receipt = playing.reply("cho", "A Par - Bur\nF Bre - Enf\nA Mun - Ber\nパリ陸軍をブルゴーニュへ移動")
    said = text(receipt)
    assert "^^^" in said
    assert "not yours" in said
    assert "F BRE" in said.split("Still without an order")[1]
    assert playing.orders("FRANCE") == ["A PAR - BUR"]
    assert receipt["In-Reply-To"]
    assert re.search(r"13:00 CET \(12:00 UTC\)", said)


def test_the_message_id_of_a_report_is_proof_as_well(playing: World) -> None:
    playing.mail("cho", "A Mar H", answers=playing.reports["cho"])
    assert playing.orders("FRANCE") == ["A MAR H"]


def test_another_seats_token_is_no_proof(playing: World) -> None:
    playing.mail("dan", "A Par H\nA Mun H", to=str(playing.reports["cho"]["Reply-To"]))
    assert playing.orders("FRANCE") == []
    assert playing.orders("GERMANY") == []


def test_the_same_mail_twice_acts_once_and_is_answered_again(playing: World) -> None:
    report = playing.reports["cho"]
    content = playing.mail("cho", "A Mar H", to=str(report["Reply-To"]))
    first = playing.box.take("cho")
    playing.arrive(b"Received: from somewhere else\n" + content, str(report["Reply-To"]))
    again = playing.box.take("cho")
    assert [letter["Message-ID"] for letter in first] == [letter["Message-ID"] for letter in again]


def test_a_later_mail_replaces_only_what_it_names(playing: World) -> None:
    playing.reply("cho", "A Par - Bur\nA Mar S A Par - Bur")
    receipt = playing.reply("cho", "A Mar - Spa")
    assert playing.orders("FRANCE") == ["A PAR - BUR", "A MAR - SPA"]
    assert "replaces A MAR S A PAR - BUR" in " ".join(text(receipt).split())


def test_the_phase_closes_when_all_are_ready(playing: World) -> None:
    for name in NAMES:
        playing.reply(name, "READY")
    assert str(playing.game().position.phase) == "S1901M"  # nobody has ordered anything
    for name in NAMES:
        playing.reply(name, "READY")
    assert str(playing.game().position.phase) == "F1901M"
    playing.collect_reports()
    assert "The results of Spring 1901" in text(playing.reports["gil"])


def test_the_phase_closes_after_the_deadline_and_the_settling_time(playing: World) -> None:
    playing.now += timedelta(days=2, seconds=10)
    playing.settle()
    assert str(playing.game().position.phase) == "S1901M"
    playing.now += timedelta(seconds=30)
    playing.settle()
    assert str(playing.game().position.phase) == "F1901M"


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


def test_a_player_cannot_process(playing: World) -> None:
    assert "Only the master" in text(playing.reply("cho", "PROCESS S1901M"))
    assert str(playing.game().position.phase) == "S1901M"


def test_a_source_that_cannot_be_read_holds_the_closing(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise SourceError("the mailbox is away")

    monkeypatch.setattr(playing.parts.closing.sources[0], "drain", broken)
    deadline = playing.game().deadline
    assert deadline is not None
    playing.now = deadline + timedelta(minutes=5)
    playing.box.letters.clear()
    playing.settle()
    assert playing.box.letters == []
    for _ in range(3):
        playing.now += timedelta(minutes=20)
        playing.settle()
    assert str(playing.game().position.phase) == "S1901M"
    (told,) = playing.box.take("gil")
    assert "one of my mailboxes cannot be read" in " ".join(text(told).split())
    assert playing.box.letters == []
    monkeypatch.undo()
    playing.settle()
    assert str(playing.game().position.phase) == "S1901M"
    assert "stays open a while longer" in " ".join(text(playing.box.take("cho")[0]).split())
    playing.pass_deadline()
    assert str(playing.game().position.phase) == "F1901M"


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
    for order in (*["A Par - Bur"] * 205, "A Par - Pic"):
        playing.mail("cho", order, to=str(report["Reply-To"]), answers=report)
    assert playing.orders("FRANCE") == ["A PAR - PIC"]
    *receipts, notice = playing.box.take("cho")
    assert len(receipts) < 205
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
        ("I am away until Monday.", False, "is a yes"),
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
    assert playing.orders("FRANCE") == ["A MAR - BUR"]  # no bare yes: it is asked once more
    assert any("A Mar - Spa" in text(letter) for letter in playing.box.take("cho"))
    playing.mail("cho", "Yes\nA Mar - Bur", to=str(asked["Reply-To"]))
    assert sorted(playing.orders("FRANCE")) == ["A MAR - BUR", "A PAR - PIC"]
    told = " ".join(" ".join(text(letter).split()) for letter in playing.box.take("cho"))
    assert "A later mail of yours ordered the unit in Marseilles already: A MAR - BUR stands." in told


def test_an_order_for_the_other_kind_of_unit_leaves_the_good_one_alone(playing: World) -> None:
    playing.reply("cho", "A Par - Bur")
    assert "The unit in Paris is A PAR" in text(playing.reply("cho", "F Par - Pic"))
    assert playing.orders("FRANCE") == ["A PAR - BUR"]


def test_an_empty_mail_gets_one_clear_answer(playing: World) -> None:
    assert "no words of its own" in text(playing.reply("cho", "\n"))


def test_a_game_that_does_not_exist(playing: World) -> None:
    assert "There is no game “verdun”" in text(playing.reply("cho", "STATUS verdun\nA Par H"))
    assert playing.orders("FRANCE") == ["A PAR H"]


def test_a_mail_that_breaks_the_judge_is_set_aside_and_the_next_goes_on(
    playing: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = conversation.answer

    def fragile(mail: MailInWork) -> None:
        if "poison" in mail.letter.own_text:
            raise RuntimeError("bitten")
        answer(mail)

    monkeypatch.setattr("judge.service.talk.conversation.answer", fragile)
    playing.mail("cho", "poison", to=str(playing.reports["cho"]["Reply-To"]))
    assert "set aside" in text(playing.box.take("cho")[0])
    playing.reply("cho", "A Par H")
    assert playing.orders("FRANCE") == ["A PAR H"]
    with playing.parts.store.work() as work:
        assert work.inbox.counts()["set-aside"] == 1


def test_mail_that_cannot_leave_is_tried_again_with_the_same_message_id(playing: World) -> None:
    playing.box.refuse = DeliveryError("450 busy", permanent=False)
    playing.mail("cho", "STATUS", to=str(playing.reports["cho"]["Reply-To"]))
    assert playing.box.take("cho") == []
    playing.box.refuse = None
    playing.settle()
    assert playing.box.take("cho") == []
    playing.now += timedelta(minutes=2)
    playing.settle()
    assert len(playing.box.take("cho")) == 1


def test_the_part_for_machines_gives_the_same_result_again(playing: World) -> None:
    import json

    from judge.reports import why
    from judge.rules.exchange import adjudicate_line

    playing.reply("cho", "A Par - Bur\nA Mar S A Par - Bur")
    playing.reply("dan", "A Mun - Bur")
    playing.reply("gil", "PROCESS S1901M")
    playing.collect_reports()
    (attached,) = [p for p in playing.reports["cho"].walk() if p.get_content_type() == "application/json"]
    assert attached.get_filename() == "ardennes-S1901M.json"
    payload = attached.get_payload(decode=True)
    assert isinstance(payload, bytes)
    record = json.loads(payload)
    again, good = adjudicate_line(json.dumps(record["input"]), why)
    assert good
    assert json.loads(again) == record["output"]
    assert record["next"] == "F1901M"


def test_nobody_sees_anothers_orders(playing: World) -> None:
    playing.reply("cho", "A Par - Pic")
    for name in ("dan", "gil"):
        assert "PIC" not in text(playing.reply(name, "STATUS"))


def test_a_mail_about_two_games(playing: World) -> None:
    playing.reply("ada", "CREATE second")
    for name, power in zip(NAMES, POWERS, strict=True):
        playing.reply(name, f"JOIN second AS {power}")
    told = text(playing.reply("cho", "A Par - Bur\nGAME second\nA Mar - Spa\nGAME ardennes\nF Bre H"))
    assert playing.orders("FRANCE") == ["A PAR - BUR", "F BRE H"]
    with playing.parts.store.work() as work:
        second = work.games.get("second")
    assert second is not None
    assert [write_order(filed.order) for filed in second.seat(Power("FRANCE")).orders] == ["A MAR - SPA"]
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

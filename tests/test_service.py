"""The whole service on a database in memory, with a clock that the test sets."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.errors import DeliveryError, SourceError
from judge.service.talk import conversation
from judge.service.talk.mail import MailInWork
from tests.office import NAMES, World, playing, text, world

__all__ = ["playing", "world"]


def test_the_same_mail_twice_acts_once_and_is_answered_again(playing: World) -> None:
    report = playing.reports["cho"]
    content = playing.mail("cho", "A Mar H", to=str(report["Reply-To"]))
    first = playing.box.take("cho")
    playing.arrive(b"Received: from somewhere else\n" + content, str(report["Reply-To"]))
    again = playing.box.take("cho")
    assert [letter["Message-ID"] for letter in first] == [letter["Message-ID"] for letter in again]


def test_the_phase_closes_when_all_are_ready(playing: World) -> None:
    for name in NAMES:
        playing.reply(name, "READY")
    assert str(playing.game().position.phase) == "S1901M"  # no orders came
    for name in NAMES:
        playing.reply(name, "READY")
    assert str(playing.game().position.phase) == "F1901M"
    playing.collect_reports()
    assert "The results of Spring 1901" in text(playing.reports["gil"])


def test_a_source_that_cannot_be_read_holds_the_closing(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise SourceError("the mailbox is away")

    monkeypatch.setattr(playing.parts.closing.sources[0], "drain", broken)
    deadline = playing.game().clock.deadline
    assert deadline is not None
    playing.now = deadline + timedelta(minutes=5)
    playing.box.letters.clear()
    playing.settle()
    assert playing.box.letters == []
    for _ in range(3):
        playing.now += timedelta(minutes=20)
        playing.settle()
    assert str(playing.game().position.phase) == "S1901M"
    (letters,) = playing.box.take("gil")
    assert "one of my mailboxes cannot be read" in " ".join(text(letters).split())
    assert playing.box.letters == []
    monkeypatch.undo()
    playing.settle()
    assert str(playing.game().position.phase) == "S1901M"
    assert "stays open a while longer" in " ".join(text(playing.box.take("cho")[0]).split())
    playing.pass_deadline()
    assert str(playing.game().position.phase) == "F1901M"


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
    playing.box.refuse = DeliveryError("450 busy")
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

    from judge.reports.clauses import reasons_on
    from judge.rules.exchange import adjudicate_line

    playing.reply("cho", "A Par - Bur\nA Mar S A Par - Bur")
    playing.reply("dan", "A Mun - Bur")
    playing.reply("gil", "PROCESS S1901M")
    playing.collect_reports()
    attached, _signature = [p for p in playing.reports["cho"].walk() if p.get_content_type() == "application/json"]
    assert attached.get_filename() == "ardennes-S1901M.json"
    payload = attached.get_payload(decode=True)
    assert isinstance(payload, bytes)
    record = json.loads(payload)
    again, good = adjudicate_line(json.dumps(record["input"]), reasons_on)
    assert good
    assert json.loads(again) == record["output"]
    assert record["next"] == "F1901M"

"""Bounces: which of them count, who is told, and when an address is suspended."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message

import pytest

from judge.commands import Language
from judge.errors import Against, DeliveryError
from judge.mail.bounces import permanent_failure, without_address
from judge.mail.letters import RawMail
from judge.mail.proof import bounce_address
from judge.mail.sending import Meanwhile, nothing
from judge.storage import OutboxState
from tests.office import JUDGE, World, address, playing, text, world

__all__ = ["playing", "world"]

REFUSED = "550 5.1.1 <cho@players.test>: Recipient address rejected: User unknown"
SAID = "550 5.1.1 <…>: Recipient address rejected: User unknown"


def report(
    *fields: str, returned: str = "Subject: [ardennes] Spring 1901", kind: str = "message/delivery-status"
) -> str:
    """Return a bounce in the form of RFC 3464."""
    lines = (
        "From: Mail Delivery System <MAILER-DAEMON@mx.test>",
        "Subject: Undelivered Mail Returned to Sender",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
        "--b",
        "",
        "I'm sorry to have to inform you that your message could not be delivered.",
        "",
        "--b",
        f"Content-Type: {kind}",
        "",
        "Reporting-MTA: dns; mx.test",
        "",
        *fields,
        "",
        "--b",
        "Content-Type: message/rfc822",
        "",
        returned,
        "",
        "--b--",
        "",
    )
    return "\n".join(lines)


def failed(status: str = "5.1.1", action: str = "failed", said: str = REFUSED) -> tuple[str, ...]:
    return (
        "Final-Recipient: rfc822; cho@players.test",
        f"Action: {action}",
        f"Status: {status}",
        f"Diagnostic-Code: smtp; {said}",
    )


QMAIL = """From: MAILER-DAEMON@mx.test
Subject: failure notice

Hi. This is the qmail-send program at mx.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<cho@players.test>:
192.0.2.1 does not like recipient.
Remote host said: 550 5.1.1 User unknown

--- Below this line is a copy of the message.

Subject: [ardennes] Spring 1901
"""
NESTED = "Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nAction: failed\nStatus: 5.1.1\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (report(*failed()), REFUSED),
        (report(*failed(said="550 no such user")), "5.1.1 550 no such user"),
        (report(*failed("5.1.1 (bad mailbox)", "Failed (really)")), REFUSED),
        (report(*failed(), kind="message/global-delivery-status"), REFUSED),
        (report("Final-Recipient: rfc822; x@y.test", "Action: failed", "Status: 5.2.2"), "5.2.2"),
        (report("Final-Recipient: rfc822; x@y.test", "Action: failed"), "failed"),
        (report(*failed("4.4.1", "delayed"), "", *failed()), REFUSED),
        (QMAIL, "Remote host said: 550 5.1.1 User unknown"),
        (report(*failed("4.2.2", "delayed")), None),
        (report(*failed("4.4.1", "failed", "connect to mx: Connection timed out")), None),
        (report(*failed("2.0.0", "delivered", "250 fine")), None),
        (report(*failed("5.1.1", "relayed")), None),
        (report(*failed("2.1.5", "delivered", "250"), returned=NESTED), None),
        (QMAIL.replace("550 5.1.1", "452 4.2.2"), None),
        ("From: cho@players.test\nSubject: On vacation\n\nI am away until 5.1.2027.\n", None),
        (report("Action", "", ":", "\x00"), None),
        ("", None),
    ],
)
def test_what_a_bounce_says(content: str, said: str | None) -> None:
    failure = permanent_failure(content.encode())
    assert (failure.said if failure else None) == said


@pytest.mark.parametrize("hostile", [b"\xff\x00\n\n\xfe", b"Content-Type: multipart/report\n\n--", b"a" * 5000])
def test_hostile_bounces_say_nothing(hostile: bytes) -> None:
    for head in (b"", b"Content-Type: message/delivery-status\n\n", b"Content-Type: text/plain; charset=nosuch\n\n"):
        assert permanent_failure(head + hostile) is None


@pytest.mark.parametrize(
    "said",
    [
        REFUSED,
        "550 CHO@Players.Test unknown",
        "unknown user: cho",
        "name=players.test type=MX: Host not found",
        "SRS0=x=y=players.test=cho@relay.test bounced",
    ],
)
def test_the_address_is_taken_out(said: str) -> None:
    hidden = without_address(said, "cho@players.test").lower()
    assert "cho" not in hidden.replace("…", " ").split()
    assert "players.test" not in hidden
    assert "@" not in hidden


# The judge


def letter_to(world: World, message: Message) -> tuple[int, OutboxState, str | None]:
    """Return number, state and reason of a letter."""
    with world.parts.store.work() as work:
        for row in work.outbox.latest(1000):
            if row["message_id"] == str(message["Message-ID"]):
                return row["id"], OutboxState(row["state"]), row["reason"]
    raise AssertionError("no such letter")


def verp(world: World, message: Message) -> str:
    writer = world.parts.intake.writer
    return bounce_address(writer.address, writer.secret, letter_to(world, message)[0])


def bounce(world: World, message: Message, content: str = "", *, to: str = "", envelope_from: str = "") -> None:
    """Let a mail bounce."""
    world.number += 1
    body = f"Message-ID: <bounce{world.number}@mx.test>\n{content or report(*failed())}"
    world.arrive(body.encode(), to or verp(world, message), envelope_from)


def take(world: World, name: str) -> list[Message]:
    return [letter for letter in world.box.take(name) if "Spring 1901" not in str(letter["Subject"])]


def operator(world: World) -> list[Message]:
    mine = [letter for to, letter in world.box.letters if to == "op@localhost"]
    world.box.letters = [(to, letter) for to, letter in world.box.letters if to != "op@localhost"]
    return mine


def test_a_bounced_report_is_told_the_master_at_once(playing: World) -> None:
    lost = playing.reports["cho"]
    bounce(playing, lost)
    assert letter_to(playing, lost)[1:] == (OutboxState.BOUNCED, REFUSED)
    (warning,) = take(playing, "gil")
    assert str(warning["Subject"]) == "[ardennes] A mail to Cho did not arrive"
    said = " ".join(text(warning).split())
    begins = "[ardennes] Orders by Thu 26 Nov 13:00: France, Spring 1901 (the game begins)"
    assert f"The mail “{begins}” did not reach Cho (France)." in said
    assert SAID in said
    assert "players.test" not in said
    assert playing.box.letters == []


def test_the_master_is_told_in_his_language(playing: World) -> None:
    playing.reply("gil", "SET LANGUAGE ja")
    with playing.parts.store.work() as work:
        master = work.people.by_address(address("gil"))
    assert master is not None
    assert master.language is Language("ja")
    bounce(playing, playing.reports["cho"])
    assert "Choさん(フランス)に届きませんでした" in "".join(text(take(playing, "gil")[0]).split())


def test_a_master_who_plays_is_not_told_who_plays_what() -> None:
    world = World()
    world.proved("gil", "CREATE ardennes\nanonymous: yes\nplayers: 2")
    world.proved("gil", "JOIN ardennes AS England")
    world.proved("cho", "JOIN ardennes AS Turkey")
    world.collect_reports()
    bounce(world, world.reports["cho"])
    said = [
        " ".join(text(warning).split())
        for warning in world.box.take("gil")
        if "did not arrive" in str(warning["Subject"])
    ]
    assert len(said) == 1
    assert "The answer to a mail did not reach Cho." in said[0]
    assert not any("Turkey" in line for line in said)


def test_press_that_came_back_does_not_tell_the_master_who_writes_to_whom(playing: World) -> None:
    playing.mail("cho", "PRESS TO Italy: psst", to=str(playing.reports["cho"]["Reply-To"]))
    (press,) = (letter for letter in playing.box.take("eva") if "Press" in str(letter["Subject"]))
    bounce(playing, press)
    (warning,) = take(playing, "gil")
    assert "did not reach Eva (Italy)" in " ".join(text(warning).split())
    assert "France" not in text(warning)


def test_an_answer_is_not_told_by_its_subject(playing: World) -> None:
    playing.mail("cho", "STATUS", to=str(playing.reports["cho"]["Reply-To"]), Comments="x")
    (receipt,) = playing.box.take("cho")
    bounce(playing, receipt)
    (warning,) = take(playing, "gil")
    assert str(receipt["Subject"]) not in text(warning)
    assert "answer to a mail" in text(warning)


def test_the_same_delivery_bounces_once(playing: World) -> None:
    for _ in range(5):
        bounce(playing, playing.reports["cho"])
        playing.now += timedelta(days=0.3)
    assert len([warning for warning in take(playing, "gil") if "did not arrive" in str(warning["Subject"])]) == 1


@pytest.mark.parametrize("content", [report(*failed("4.2.2", "delayed")), report(*failed("4.4.1"))])
def test_a_delivery_that_may_still_succeed_does_not_count(playing: World, content: str) -> None:
    bounce(playing, playing.reports["cho"], content)
    assert letter_to(playing, playing.reports["cho"])[1] is OutboxState.SENT
    assert playing.box.letters == []


def test_a_bounce_that_is_no_report_is_understood_too(playing: World) -> None:
    bounce(playing, playing.reports["cho"], QMAIL, envelope_from="MAILER-DAEMON@mx.test")
    assert letter_to(playing, playing.reports["cho"])[1] is OutboxState.BOUNCED


def test_a_mailbox_without_envelopes_takes_bounces_too(playing: World) -> None:
    to = verp(playing, playing.reports["cho"])
    content = f"Return-Path: <>\nDelivered-To: {to}\nMessage-ID: <b@mx.test>\n{report(*failed())}"
    playing.parts.intake.keep(RawMail(content.encode(), "imap", playing.now, None, ()))
    playing.settle()
    assert letter_to(playing, playing.reports["cho"])[1] is OutboxState.BOUNCED


def forged(world: World) -> dict[str, str]:
    right = verp(world, world.reports["cho"])
    other = verp(world, world.reports["dan"])
    number = right.split("-")[1].split(".")[0]
    return {
        "no token": JUDGE,
        "a token made up": right.split(".")[0] + ".aaaaaaaaaaaaaaaaaaaa@localhost",
        "the token of another letter": other.replace(other.split("-")[1].split(".")[0], number, 1),
        "a seat's token": str(world.reports["cho"]["Reply-To"]),
    }


def test_a_forged_bounce_does_nothing(playing: World) -> None:
    playing.box.letters.clear()
    for why, to in forged(playing).items():
        for number, sender in enumerate(("", address("mal"))):
            bounce(playing, playing.reports["cho"], f"X: {number}\n{report(*failed())}", to=to, envelope_from=sender)
        assert letter_to(playing, playing.reports["cho"])[1] is OutboxState.SENT, why
        assert playing.box.letters == [], why


def test_a_vacation_robot_that_answers_the_envelope_is_no_bounce(playing: World) -> None:
    content = "From: cho@players.test\nAuto-Submitted: auto-replied\nSubject: Away\n\nI am away.\nA Par H\n"
    bounce(playing, playing.reports["cho"], content)
    assert letter_to(playing, playing.reports["cho"])[1] is OutboxState.SENT
    assert playing.box.letters == []
    assert playing.orders("FRANCE") == []


def test_orders_stand_whatever_bounces(playing: World) -> None:
    receipt = playing.reply("cho", "A Par - Bur")
    bounce(playing, receipt)
    bounce(playing, playing.reports["cho"])
    assert playing.orders("FRANCE") == ["A PAR - BUR"]


def test_a_bounce_quicker_than_our_own_books_is_kept(playing: World) -> None:
    lost = playing.reports["cho"]
    with playing.parts.store.work() as work:
        id_ = letter_to(playing, lost)[0]
        assert work.outbox.bounced(id_, "gone") is not None
        work.outbox.sent([id_])
        letter = work.outbox.get(id_)
    assert letter is not None
    assert letter.state is OutboxState.BOUNCED


def test_a_bounce_of_the_masters_mail_is_told_the_operator(playing: World) -> None:
    operator(playing)
    bounce(playing, playing.reports["gil"])
    (warning,) = operator(playing)
    assert address("gil") in text(warning)
    assert playing.box.letters == []


def test_a_notice_to_the_operator_that_bounces_is_told_nobody(playing: World) -> None:
    bounce(playing, playing.reports["gil"])
    (warning,) = operator(playing)
    bounce(playing, warning)
    assert letter_to(playing, warning)[1] is OutboxState.BOUNCED
    assert playing.box.letters == []


# Suspension


def phase_after_phase(world: World, *, bounces: int, names: tuple[str, ...] = ("cho",)) -> None:
    """Let the report bounce in this many phases."""
    for _ in range(bounces):
        for name in names:
            bounce(world, world.reports[name])
        world.pass_deadline()
        world.collect_reports()


def test_three_days_suspend_an_address_and_two_do_not(playing: World) -> None:
    phase_after_phase(playing, bounces=2)
    assert "1902" in str(playing.reports["cho"]["Subject"])
    before = playing.reports["cho"]
    operator(playing)
    bounce(playing, before)
    (warning,) = operator(playing)
    assert address("cho") in text(warning)
    (master,) = [letter for letter in playing.box.take("gil") if "no more mail" in str(letter["Subject"])]
    assert "three different days" in text(master)
    assert "players.test" not in text(master)
    playing.pass_deadline()
    assert playing.box.take("cho") == []
    assert len(playing.box.take("dan")) == 1
    with playing.parts.store.work() as work:
        assert work.outbox.counts()["held"] == 1


def test_bounces_of_one_day_count_once(playing: World) -> None:
    receipts = [playing.reply("cho", "A Par H") for _ in range(5)]
    for receipt in receipts:
        bounce(playing, receipt)
    with playing.parts.store.work() as work:
        assert not work.outbox.is_suspended(address("cho"))


def suspended(world: World) -> Message:
    """Suspend cho's address; return the last report that reached it."""
    phase_after_phase(world, bounces=3)
    world.box.letters.clear()
    with world.parts.store.work() as work:
        assert work.outbox.is_suspended(address("cho"))
    return world.reports["cho"]


def test_a_proved_mail_lifts_the_suspension_and_brings_what_was_held(playing: World) -> None:
    last = suspended(playing)
    playing.mail("cho", "STATUS", to=str(last["Reply-To"]))
    letters = playing.box.take("cho")
    assert len(letters) == 2
    assert {str(letter["Auto-Submitted"]) for letter in letters} == {"auto-replied", "auto-generated"}
    phase_after_phase(playing, bounces=1, names=())
    with playing.parts.store.work() as work:
        assert not work.outbox.is_suspended(address("cho"))
        assert "held" not in work.outbox.counts()


def test_an_unproved_mail_lifts_nothing_but_is_asked_to_confirm(playing: World) -> None:
    suspended(playing)
    playing.mail("cho", "A Par H")
    (asked,) = playing.box.take("cho")
    assert "+confirm." in str(asked["Reply-To"])
    with playing.parts.store.work() as work:
        assert work.outbox.is_suspended(address("cho"))
    playing.mail("cho", "YES", to=str(asked["Reply-To"]))
    with playing.parts.store.work() as work:
        assert not work.outbox.is_suspended(address("cho"))


def test_a_proved_mail_in_between_starts_the_count_anew(playing: World) -> None:
    phase_after_phase(playing, bounces=2)
    playing.reply("cho", "STATUS")
    phase_after_phase(playing, bounces=2)
    with playing.parts.store.work() as work:
        assert not work.outbox.is_suspended(address("cho"))


def test_the_others_are_not_held_up_by_a_suspended_address(playing: World) -> None:
    suspended(playing)
    for name in ("ada", "ben"):
        playing.mail(name, "A Vie H\nF Lon H", to=str(playing.reports[name]["Reply-To"]))
        assert playing.box.take(name)


# Refused at the door


def test_a_mail_that_no_server_takes_is_told_the_master(playing: World) -> None:
    real = playing.box.send

    def send(content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        if recipient == address("cho"):
            raise DeliveryError(f"{REFUSED}", Against.RECIPIENT)
        real(content, envelope_from=envelope_from, recipient=recipient, meanwhile=meanwhile)

    playing.box.send = send  # type: ignore[method-assign]
    playing.mail("cho", "STATUS", to=str(playing.reports["cho"]["Reply-To"]))
    playing.settle()
    (warning,) = take(playing, "gil")
    assert SAID in " ".join(text(warning).split())
    with playing.parts.store.work() as work:
        assert not work.outbox.is_suspended(address("cho"))

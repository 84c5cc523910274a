"""Automatic programs that answer our mail: every exchange ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.policy import SMTP
from pathlib import Path

import pytest

from judge.errors import Against, DeliveryError
from judge.mail.letters import RawMail
from judge.mail.sending import Meanwhile, nothing
from tests.office import JUDGE, Office

FRANCE = "france@players.test"
OTHER = "judge@elsewhere.test"


@dataclass
class Post:
    """Takes an office's mail, and passes it on one by one."""

    waiting: list[tuple[str, str, bytes]] = field(default_factory=list)
    """Envelope sender, recipient and content of each mail."""
    count: int = 0

    def send(self, content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        meanwhile()
        if "gone" in recipient:
            raise DeliveryError("550 no such user", Against.RECIPIENT)
        self.count += 1
        self.waiting.append((envelope_from, recipient, content))

    def check(self) -> str:
        return "a list"

    def close(self) -> None:
        pass

    def taken(self) -> Iterator[tuple[str, str, Message]]:
        """Yield the waiting mails, and remove them."""
        while self.waiting:
            envelope_from, recipient, content = self.waiting.pop(0)
            yield envelope_from, recipient, message_from_bytes(content, policy=SMTP)


def opened(folder: Path, address: str = JUDGE) -> tuple[Office, Post]:
    folder.mkdir(exist_ok=True)
    office, post = Office(folder, address=address), Post()
    office.parts.delivery.sender = post
    return office, post


def arrive(office: Office, content: bytes, to: str, envelope_from: str) -> None:
    office.parts.intake.keep(RawMail(content, "test", office.now, envelope_from, (to,)))
    office.settle()


@pytest.mark.parametrize("pause", [timedelta(seconds=1), timedelta(minutes=1), timedelta(minutes=10)], ids=str)
@pytest.mark.parametrize("word", ["HELP", "hello", "JOIN ardennes", "LIST"])
def test_two_judges_pointed_at_each_other_fall_silent(tmp_path: Path, pause: timedelta, word: str) -> None:
    offices = {
        address: opened(tmp_path / address.partition("@")[2], address) for address in (JUDGE, OTHER)
    }  # fmt: skip
    first = EmailMessage()
    first["From"], first["To"], first["Message-ID"] = OTHER, JUDGE, "<1@elsewhere.test>"
    first.set_content(word)
    arrive(offices[JUDGE][0], first.as_bytes(), JUDGE, OTHER)
    for _ in range(400):
        for address, (office, post) in offices.items():
            office.now += pause
            for envelope_from, recipient, mail in list(post.taken()):
                if (other := recipient.replace("+", "@").rpartition("@")[2]) and address.rpartition("@")[2] != other:
                    arrive(offices[OTHER if address == JUDGE else JUDGE][0], mail.as_bytes(), recipient, envelope_from)
    assert sum(post.count for _, post in offices.values()) <= 4


Answer = Callable[[Message], EmailMessage]


def robot(mail: Message) -> EmailMessage:
    """Answer as a badly behaved vacation robot.

    It sets no header and no null sender, and answers every mail, to its Reply-To.
    """
    answer = EmailMessage()
    answer["From"] = FRANCE
    answer["To"] = str(mail["Reply-To"] or mail["From"])
    answer["Subject"] = f"Re: {mail['Subject']}"
    answer["In-Reply-To"] = str(mail["Message-ID"])
    answer.set_content("I am at the sea until Monday. In urgent cases please call my sister.")
    return answer


def polite(mail: Message) -> EmailMessage:
    answer = robot(mail)
    answer["Auto-Submitted"] = "auto-replied"
    return answer


def quoting(mail: Message) -> EmailMessage:
    answer = robot(mail)
    quoted = "\n".join(f"> {line}" for line in str(mail.get_payload(0)).splitlines()[:40])
    answer.set_content(f"I am at the sea.\n\n{quoted}\n")
    return answer


@pytest.mark.parametrize("pause", [timedelta(seconds=1), timedelta(minutes=1), timedelta(minutes=20)], ids=str)
@pytest.mark.parametrize("answer", [robot, polite, quoting])
def test_a_vacation_robot_is_left_alone(tmp_path: Path, answer: Answer, pause: timedelta) -> None:
    office, post = opened(tmp_path)
    office.open_game("40 days")
    before = post.count
    office.keep("france", "STATUS")
    office.settle()
    for number in range(300):
        office.now += pause
        for _, recipient, mail in list(post.taken()):
            if recipient == FRANCE:
                written = answer(mail)
                written["Message-ID"] = f"<robot-{number}@players.test>"
                arrive(office, written.as_bytes(), str(written["To"]), FRANCE)
    days = 1 + 300 * pause // timedelta(days=1)
    assert post.count - before <= 1 + 3 * days
    assert office.orders("FRANCE") == []


def test_a_mailing_list_as_an_address_brings_nothing_back(tmp_path: Path) -> None:
    office, post = opened(tmp_path)
    office.open_game("40 days")
    before = post.count
    office.keep("france", "STATUS")
    office.settle()
    for _ in range(20):
        office.now += timedelta(minutes=1)
        for _, recipient, mail in list(post.taken()):
            if recipient == FRANCE:  # the list sends it on to its members, of whom the judge is one
                mail["Sender"], mail["Errors-To"] = "list-bounces@players.test", "list-bounces@players.test"
                mail.replace_header("Subject", f"[list] {mail['Subject']}")
                for to in (JUDGE, str(mail["Reply-To"])):
                    arrive(office, mail.as_bytes(), to, "list-bounces@players.test")
    assert post.count - before == 1

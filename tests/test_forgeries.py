"""Mail that may be forged: a table says what it causes (`forgeries.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from judge.games import GameState, PersonId
from judge.language.times import read_duration
from judge.mail.letters import RawMail
from tests.database import store_in_memory
from tests.office import JUDGE, World, address, begun

TABLE = tomllib.loads(Path(__file__).with_name("forgeries.toml").read_text("utf-8"))
QUESTIONS = [
    pytest.param(one["who"], one["held"], said, then, id=f"{one['title']}: {said}")
    for one in TABLE["question"]
    for said, then in one["answers"].items()
]
MAILS = [pytest.param(one["mails"], one["then"], one.get("hears", "cho"), id=one["title"]) for one in TABLE["mail"]]
ORDER = "A PAR - PIC"
PASSED = (
    "Authentication-Results: mx.test; dkim=pass header.d=players.test header.s=k header.b=AbCdEfGh; "
    "spf=softfail smtp.mailfrom=relay.test; dmarc=pass header.from=players.test"
)
SIGNATURE = "v=1; a=rsa-sha256; d=players.test; s=k; h={}; bh=abc=; b=AbCdEfGhIjKl"


@dataclass
class Trial:
    """A game to try mail on, with all letters that were written."""

    world: World
    letters: dict[str, list[Message]] = field(default_factory=dict)
    """Address → its letters, the oldest first."""
    sent: list[tuple[bytes, str, str]] = field(default_factory=list)
    """Content, recipient and envelope sender of each mail of the case."""

    def send(self, mail: Mapping[str, Any]) -> str:
        """Let one mail arrive; return what it caused."""
        pause = read_duration(mail.get("wait", "5 minutes"))
        assert pause is not None
        self.world.now += pause
        self.world.settle()
        self.take_letters()
        before, known = self.things(), {str(one["Message-ID"]) for ones in self.letters.values() for one in ones}
        self.arrive(mail)
        letters = self.take_letters()
        if self.things() != before:
            return "done"
        if any("+confirm." in str(letter["Reply-To"]) for letter in letters):
            return "asked"
        if any(str(letter["Message-ID"]) in known for letter in letters):
            return "again"
        return "refused" if letters else "nothing"

    def arrive(self, mail: Mapping[str, Any]) -> None:
        head = "".join(f"{self.filled(line)}\r\n" for line in mail.get("head", ()))
        if "signs" in mail:
            head = f"{PASSED}\r\nDKIM-Signature: {SIGNATURE.format(mail['signs'])}\r\n{head}"
        if "again" in mail:
            content, to, envelope_from = self.sent[mail["again"] - 1]
            content = head.encode() + content
        else:
            sender = mail.get("from", "cho@players.test")
            self.world.number += 1
            number = mail.get("id", f"<{self.world.number}@players.test>")
            body = mail.get("body", ORDER).replace("\n", "\r\n")
            subject = "" if "Subject:" in head else "Subject: game\r\n"
            named = self.filled(mail.get("named", mail.get("to", JUDGE)))
            named = f"To: {named}\r\n" if named and "\nTo:" not in f"\n{head}" else ""
            number = f"Message-ID: {number}\r\n" if number else ""
            content = f"{head}From: {sender}\r\n{named}{subject}{number}\r\n{body}\r\n".encode()
            to, envelope_from = JUDGE, mail.get("envelope_from", sender)
        to = self.filled(mail["to"]) if "to" in mail else to
        self.sent.append((content, to, envelope_from))
        self.world.parts.intake.keep(RawMail(content, "test", self.world.now, envelope_from, (to,)))
        self.world.settle()

    def take_letters(self) -> list[Message]:
        """Take and return the letters since the last look."""
        taken, self.world.box.letters = self.world.box.letters, []
        for to, letter in taken:
            self.letters.setdefault(to, []).append(letter)
        return [letter for _, letter in taken]

    def things(self) -> object:
        """Return all that a mail can change.

        Left out are the mails themselves and the record of which proofs mails carry.
        """
        with self.world.parts.store.work() as work:
            people = work.people.many(map(PersonId, range(1, 100))).values()
            known = [replace(one, preferences=replace(one.preferences, proofs=())) for one in people]
            return work.games.many(work.games.names(GameState)), known

    def filled(self, text: str) -> str:
        """Fill in addresses and Message-IDs for their names; `!` makes a letter wrong."""
        return re.sub(r"\{(\w+)(?::([\w@.]+)(!?))?\}", self._meant, text)

    def _meant(self, match: re.Match[str]) -> str:
        kind, whom, wrong = match.groups()
        if kind == "judge":
            return JUDGE
        found = self._found(kind, whom)
        return re.sub(r"[a-z2-7](?=@)", lambda last: "b" if last[0] == "a" else "a", found) if wrong else found

    def _found(self, kind: str, whom: str) -> str:
        to = whom if "@" in whom else address(whom)
        mine = self.letters.get(to, [])
        questions = [letter for letter in mine if "+confirm." in str(letter["Reply-To"])]
        match kind:
            case "seat":
                return str(self.world.reports[whom]["Reply-To"])
            case "report":
                return str(self.world.reports[whom]["Message-ID"])
            case "tap":
                html = next(part for part in self.world.reports[whom].walk() if part.get_content_type() == "text/html")
                payload = html.get_payload(decode=True)
                assert isinstance(payload, bytes)
                found = re.search(r"mailto:([^?\"]*)", payload.decode())
                assert found is not None
                return found[1].replace("%2B", "+").replace("%40", "@")
            case "question":
                return str(questions[-1]["Reply-To"])
            case "asked":
                return str(questions[-1]["Message-ID"])
            case _:
                header = {"receipt": "Message-ID", "new": "Reply-To"}[kind]
                return str(next(one for one in reversed(mine) if one not in questions)[header])


@pytest.fixture(scope="module")
def opened() -> World:
    """Return a game that has just started, whose Russia writes Japanese."""
    world = begun(World(store_in_memory()), deadline="60 days")
    world.reply("fay", "SET LANGUAGE ja")
    world.proved("out", "REGISTER")
    with world.parts.store.work() as work:
        cho = work.people.by_address(address("cho"))
        assert cho is not None
        work.people.save(replace(cho, second="pocket@players.test"))
        work.commit()
    world.box.letters.clear()
    return world


@pytest.fixture
def trial(opened: World) -> Trial:
    world = opened.apart()
    world.now += timedelta(hours=2)
    return Trial(world)


@pytest.mark.parametrize(("who", "held", "said", "then"), QUESTIONS)
def test_what_an_answer_does(trial: Trial, who: str, held: str, said: str, then: str) -> None:
    sender = address(who)
    assert trial.send({"from": sender, "body": held}) == "asked"
    assert trial.send({"from": sender, "to": f"{{question:{who}}}", "body": said}) == then
    if then != "done":
        assert set(trial.letters) == {sender}


@pytest.mark.parametrize(("mails", "then", "hears"), MAILS)
def test_what_a_mail_does(trial: Trial, mails: Sequence[Mapping[str, Any]], then: str, hears: str) -> None:
    for mail in mails[:-1]:
        trial.send(mail)
    told = {to: len(letters) for to, letters in trial.letters.items()}
    assert trial.send(mails[-1]) == then
    if then != "done":
        told_now = {to for to, letters in trial.letters.items() if len(letters) > told.get(to, 0)}
        assert told_now <= {one if "@" in one else address(one) for one in hears.split(", ")}


def test_the_table_is_long_and_speaks_both_languages() -> None:
    said = [one for scene in TABLE["question"] for one in scene["answers"]]
    assert len(QUESTIONS) + len(MAILS) >= 120
    assert min(sum(one.isascii() for one in said), sum(not one.isascii() for one in said)) >= 30

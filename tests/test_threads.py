"""Mail programs show related mails together.

Answers are below the answered mails, reports below the opening, and press apart.
"""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from urllib.parse import parse_qs, urlsplit

import pytest

from judge.mail.headers import thread_of
from tests.office import World, address, playing, text, world
from tests.threads import RULES

__all__ = ["playing", "world"]


def mails_to(world: World, name: str) -> list[Message]:
    """Return all new mails of a person, the oldest first."""
    return [*world.box.take(name)]


def id_of(mail: Message) -> str:
    return str(mail["Message-ID"])


@pytest.fixture
def cho(playing: World) -> list[Message]:
    """Return what France got in a year: reports, a reminder, a new deadline, a rollback."""
    mails = [playing.reports["cho"]]
    gil = playing.reports["gil"]

    def happens(body: str = "") -> None:
        if body:
            playing.mail("gil", body, to=str(gil["Reply-To"]), answers=gil)
        mails.extend(playing.box.take("cho"))

    playing.now += timedelta(hours=25)
    playing.settle()
    happens()
    happens("EXTEND 2 days BECAUSE of the holidays")
    for _ in range(2):
        playing.pass_deadline()
        happens()
    happens("EXTEND 2 days BECAUSE of the holidays")
    happens("ROLLBACK S1901M BECAUSE of a mistake")
    happens("EXTEND 1 day BECAUSE of the mistake")
    return mails


@pytest.mark.parametrize("rule", RULES)
def test_reports_hang_from_the_opening_and_notices_from_their_report(cho: list[Message], rule: str) -> None:
    above = RULES[rule](cho)
    subjects = {id_of(mail): " ".join(str(mail["Subject"]).split()) for mail in cho}
    opening, *later = cho
    assert above[id_of(opening)] is None
    found = [(subjects[id_of(mail)], subjects[str(above[id_of(mail)])]) for mail in later]
    begins = "[ardennes] Orders by Thu 26 Nov 13:00: France, Spring 1901 (the game begins)"
    fall = "[ardennes] Orders by Mon 30 Nov 13:01: France, Fall 1901"
    second = "[ardennes] Orders by Wed 2 Dec 13:02: France, Spring 1902"
    assert found == [
        ("[ardennes] Orders due Thu 26 Nov 13:00 are missing: France, Spring 1901", begins),
        ("[ardennes] deadline now Sat 28 Nov 13:00", begins),
        (fall, begins),
        (second, begins),
        ("[ardennes] deadline now Fri 4 Dec 13:02", second),
        ("[ardennes] Spring 1901 is open again, deadline Wed 2 Dec 13:02", begins),
        ("[ardennes] deadline now Thu 3 Dec 13:02", begins),
    ]


def test_a_chain_of_references_names_what_is_there(cho: list[Message]) -> None:
    """The answered mail is the last reference; none refers to itself (RFC 5322 3.6.4)."""
    known = {id_of(mail) for mail in cho}
    for mail in cho[1:]:
        references = str(mail["References"]).split()
        assert mail["In-Reply-To"] == references[-1]
        assert set(references) < known
        assert id_of(mail) not in references
        assert len(references) <= 2


@pytest.mark.parametrize("rule", RULES)
def test_press_of_one_set_of_people_is_one_thread(playing: World, rule: str) -> None:
    """The thread is the same for all writers, even with other press in between."""
    report = playing.reports["eva"]
    playing.box.letters.clear()

    def says(name: str, body: str) -> None:
        playing.mail(name, f"{body}\nEND PRESS", to=str(playing.reports[name]["Reply-To"]))

    says("cho", "PRESS TO Italy, Germany: one")
    says("dan", "PRESS TO Italy, France: two")
    says("cho", "PRESS TO Italy: three")
    says("eva", "PRESS TO France, Germany: four")
    says("cho", "PRESS TO Germany, Italy: five")
    says("ada", "BROADCAST: six")
    says("dan", "BROADCAST: seven")
    got = [report, *(mail for mail in playing.box.take("eva") if mail["Auto-Submitted"] == "auto-generated")]
    above = RULES[rule](got)
    words = {id_of(mail): text(mail).splitlines()[4] if mail is not report else "report" for mail in got}
    heads = {words[id_]: words.get(str(head)) for id_, head in above.items()}
    assert heads == {
        "report": None, "one": None, "two": "one", "three": None, "five": "one", "six": None, "seven": "six",
    }  # fmt: skip


def test_an_answer_refers_to_the_whole_chain(playing: World) -> None:
    report = playing.reports["cho"]
    playing.mail("cho", "HELP", to=str(report["Reply-To"]), References=f"<a@x.test> <b@x.test> {id_of(report)}")
    (receipt,) = playing.box.take("cho")
    mine = f"<{playing.number}@players.test>"
    assert str(receipt["References"]).split() == ["<a@x.test>", "<b@x.test>", id_of(report), mine]
    assert receipt["In-Reply-To"] == mine


@pytest.mark.parametrize(
    ("headers", "chain"),
    [
        ({}, ()),
        ({"References": "<a@x> <b@x>", "In-Reply-To": "<c@x>"}, ("<a@x>", "<b@x>")),
        ({"In-Reply-To": "<c@x>"}, ("<c@x>",)),
        ({"In-Reply-To": "Your mail <c@x> of <d@x>"}, ()),
        ({"References": "<a@x>\n <a@x> nonsense <b c@x> <=?utf-8?q?x?=@x>"}, ("<a@x>",)),
        ({"References": " ".join(f"<{n}@x>" for n in range(100))}, ("<0@x>", *(f"<{n}@x>" for n in range(81, 100)))),
    ],
    ids=["none", "references", "answered", "two-answered", "strange", "endless"],
)
def test_the_chain_of_a_mail(headers: dict[str, str], chain: tuple[str, ...]) -> None:
    mail = Message()
    for name, value in headers.items():
        mail[name] = value
    assert thread_of(mail) == chain


def test_who_only_watches_leaves_by_one_touch(playing: World) -> None:
    playing.proved("hal", "OBSERVE ardennes")
    playing.pass_deadline()
    (report,) = playing.box.take("hal")
    way = urlsplit(str(report["List-Unsubscribe"]).strip("\r\n <>"))
    assert way.scheme == "mailto"
    assert way.path == report["Reply-To"]
    body = parse_qs(way.query)["body"][0]
    playing.mail("hal", body, to=way.path)
    (receipt,) = playing.box.take("hal")
    assert "You are out." in text(receipt)
    playing.pass_deadline()
    assert playing.box.take("hal") == []


def test_who_plays_has_no_such_button(playing: World) -> None:
    playing.pass_deadline()
    assert [mail["List-Unsubscribe"] for to, mail in playing.box.letters if to == address("cho")] == [None]

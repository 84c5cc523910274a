"""Press: complete answers to press, whatever they say, and letters with PRESS TO."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.message import Message
from pathlib import Path

import pytest

from judge.commands import Command, Press, PressOrOrders
from judge.language import ReadLine, read
from judge.language.writing import command_line
from judge.rules.position import Power
from judge.service.talk.reading import answer_to_press
from tests.database import store_in_memory
from tests.office import World, begun, text
from tests.tables import board_of

FOLDER = Path(__file__).parent / "press"
START = board_of("S1901M FRANCE: A PAR, A MAR, F BRE; GERMANY: A MUN, A BER, F KIE; ITALY: A VEN, F NAP, A ROM")
FRANCE = replace(START, powers=(Power("FRANCE"),), names=("Cho",))


def rows(table: str) -> list[str]:
    """Return the lines of a table without its remarks."""
    return [one for one in (FOLDER / f"{table}.txt").read_text("utf-8").splitlines() if not one.startswith("#")]


def replies() -> list[str]:
    """Return the replies that are press."""
    found = [one.strip("\n") for one in "\n".join(rows("replies")).split("\n....\n")]
    assert len(found) >= 60
    return found


@dataclass(frozen=True)
class Case:
    """A mail and its reading."""

    mail: str
    meant: str


def cases(table: str) -> Iterator[Case]:
    """Yield the mails of a table; each ends with a line `=> …`."""
    mail: list[str] = []
    for line in rows(table):
        if line.startswith("=>"):
            yield Case("\n".join(mail), line[2:].strip())
            mail = []
        else:
            mail.append(line)


@dataclass
class Answering:
    """France, which has received a letter from Germany."""

    world: World
    letter: Message

    def answer(self, words: str, *, by_address: bool) -> tuple[Message, list[Message]]:
        """Answer as France; return the letter to France and those to other players."""
        if by_address:
            self.world.mail("cho", words, to=str(self.letter["Reply-To"]))
        else:
            self.world.mail("cho", words, to=str(self.world.reports["cho"]["Reply-To"]), answers=self.letter)
        (told,) = self.world.box.take("cho")
        others = [letter for _, letter in self.world.box.letters]
        self.world.box.letters = []
        return told, others


@pytest.fixture(scope="module")
def opened() -> tuple[World, Message]:
    """Return a game in which Germany has written to France, and its letter.

    A question about an order of France's is open.
    """
    world = begun(World(store_in_memory()))
    world.reply("cho", "Not these:\nF Bre - ENG")
    world.reply("dan", "PRESS TO France: shall we?")
    (letter,) = world.box.take("cho")
    world.box.letters = []
    return world, letter


@pytest.fixture
def answering(opened: tuple[World, Message]) -> Answering:
    """Return a copy of that game, with the letter to be answered."""
    before, letter = opened
    return Answering(before.apart(), letter)


def _own(mail: str) -> str:
    """Return a mail without its signature."""
    return mail.partition("\n--\n")[0]


def _words(mail: str) -> str:
    return "\n".join(line for line in mail.split("\n") if not line.startswith(">")).strip()


@pytest.mark.parametrize("by_address", [False, True], ids=["In-Reply-To", "address"])
@pytest.mark.parametrize("reply", replies())
def test_a_reply_to_press_is_press_whatever_it_says(answering: Answering, reply: str, *, by_address: bool) -> None:
    before = answering.world.game()
    told, others = answering.answer(reply, by_address=by_address)
    assert "Sent to Germany." in text(told), text(told)
    (letter,) = others
    said = text(letter)
    for line in filter(None, _words(reply).split("\n")):
        if line != "Sent from my iPhone":
            assert "".join(line.split()) in "".join(said.split())
    assert answering.world.game().seats == before.seats


@pytest.mark.parametrize("by_address", [False, True], ids=["In-Reply-To", "address"])
@pytest.mark.parametrize("case", list(cases("asked")), ids=lambda case: case.mail.replace("\n", " / "))
def test_of_a_reply_that_may_be_orders_it_is_asked_which(answering: Answering, case: Case, *, by_address: bool) -> None:
    before = answering.world.game()
    told, others = answering.answer(case.mail, by_address=by_address)
    assert "may be for me" in " ".join(text(told).split()), text(told)
    assert "".join(_own(case.mail).split()) in "".join(text(told).split())  # the whole letter comes back
    assert not others
    assert answering.world.game().seats == before.seats
    found = read_as_reply(case.mail)
    assert said_to_the_judge(found) == case.meant


@pytest.mark.parametrize("case", list(cases("asked")), ids=lambda case: case.mail.replace("\n", " / "))
def test_what_was_asked_about_is_sent_as_press(answering: Answering, case: Case) -> None:
    before = answering.world.game()
    told, _ = answering.answer(case.mail, by_address=True)
    answering.world.mail("cho", "YES PRESS", to=str(told["Reply-To"]), answers=told)
    ((_, letter),) = [one for one in answering.world.box.letters if one[0].startswith("dan")]
    assert "".join(_own(case.mail).split()) in "".join(text(letter).split())
    assert answering.world.game().seats == before.seats


@pytest.mark.parametrize("bare", ["YES", "はい", "Ja."])
def test_a_bare_yes_settles_no_other_question_either(answering: Answering, bare: str) -> None:
    world, before = answering.world, answering.world.game()
    told, _ = answering.answer("Fine.\n\nA Par - Bur", by_address=True)
    world.mail("cho", bare, to=str(told["Reply-To"]), answers=told)
    (asked,) = world.box.take("cho")
    assert "A bare YES does not tell me which of the two you mean" in " ".join(text(asked).split())
    assert not world.box.letters
    assert world.game().seats == before.seats


@pytest.mark.parametrize(
    "chosen", ["Yes, as press please", "はい、密書としてお願いします", "Bitte als Nachricht schicken"]
)
def test_press_is_chosen_in_ordinary_words(answering: Answering, chosen: str) -> None:
    told, _ = answering.answer("Fine.\n\nA Par - Bur", by_address=True)
    answering.world.mail("cho", chosen, to=str(told["Reply-To"]), answers=told)
    assert [to for to, _ in answering.world.box.letters if to.startswith("dan")]


def read_as_reply(mail: str) -> PressOrOrders:
    """Return the request of a mail that is read as a reply to press."""
    (request,) = answer_to_press(_own(mail), Press(()), FRANCE).requests
    assert isinstance(request, PressOrOrders), mail
    return request


def said_to_the_judge(found: PressOrOrders) -> str:
    return " | ".join(map(command_line, found.commands)) if found.commands else "! fault"


def _shown(request: Command) -> str:
    if isinstance(request, PressOrOrders):
        return f"? {_shown(request.letter)} ? {' | '.join(map(command_line, request.commands))}"
    if (said := getattr(request, "text", None)) is not None:
        return f"{', '.join(getattr(request, 'to', ())) or 'all'}: {said.replace(chr(10), ' / ')}"
    return command_line(request)


def made_of(lines: tuple[ReadLine, ...]) -> str:
    return " | ".join(_shown(request) for line in lines for request in line.requests)


@pytest.mark.parametrize("case", list(cases("letters")), ids=lambda case: case.mail.replace("\n", " / "))
def test_a_letter_runs_to_its_end(case: Case) -> None:
    assert made_of(read(case.mail, FRANCE)) == case.meant

"""Mails of several lines: text above, below and among orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from judge.commands import Doubted, Give, Perhaps, SetReady, Wait
from judge.language import Context, ReadLine, read, unused
from judge.language.faults import FaultKind
from judge.language.writing import command_line
from judge.mail.own_words import own_words as own_words_of
from judge.reports.readers import Rendered
from judge.rules import adjudicate, load_map
from judge.rules.options import STANDARD
from judge.rules.outcomes import Illegal
from judge.service.talk.vocabulary import VOCABULARY
from tests.clients import PROGRAMS, Answered, Composer, own_words
from tests.nasty import random_orders
from tests.tables import board_of
from tests.writers import WRITERS

FOLDER = Path(__file__).parent / "blocks"
BOARD = board_of(
    "S1902M GERMANY: A MUN, A BER, F KIE, A RUH, F DEN; FRANCE: A BUR, A PAR; RUSSIA: A WAR, F SWE; "
    "ENGLAND: F NTH, F HEL; AUSTRIA: A BOH, A TYR"
)
ANSWERED = Answered(Rendered("[ardennes] Spring 1901", "", ""), "<1@localhost>", ())
ORDERS = {"en": "A Mun - Sil\nA Ber - Pru", "ja": "ミュンヘン陸軍をシレジアへ移動\nベルリン陸軍をプロイセンへ移動"}


def said(lines: tuple[ReadLine, ...]) -> str:
    """Return a mail's reading: `A MUN H | ? A BER H | ! negated`."""
    parts = []
    for line in lines:
        parts += [("? " if isinstance(one, Doubted) else "") + command_line(one) for one in line.requests]
        parts += [f"! {fault.kind}" for fault in line.faults]
    return " | ".join(parts)


def headings(table: str) -> list[str]:
    """Return the lines of a table without its remarks; fail if there are none."""
    lines = (FOLDER / f"{table}.txt").read_text("utf-8").splitlines()
    found = [line for line in lines if line and not line.startswith("#")]
    assert found, table
    return found


def _orders_below(heading: str) -> str:
    return ORDERS["en" if heading.isascii() else "ja"]


@pytest.mark.parametrize("heading", headings("asked"))
def test_orders_below_a_doubtful_heading_are_asked_about(heading: str) -> None:
    lines = read(f"{heading}\n{_orders_below(heading)}", BOARD)
    assert said(lines) == "? A MUN - SIL | ? A BER - PRU"
    groups = {request.group for line in lines for request in line.requests if isinstance(request, Doubted)}
    assert groups == {1}


@pytest.mark.parametrize("heading", headings("plain"))
def test_orders_below_an_ordinary_line_are_filed(heading: str) -> None:
    lines = read(f"{heading}\n{_orders_below(heading)}", BOARD)
    made = [part for part in said(lines).split(" | ") if part not in ("GERMANY:", "PHASE S1902M", "STATUS")]
    assert made == ["A MUN - SIL", "A BER - PRU"]


def test_the_next_phase_is_the_open_one_for_who_answers_a_report() -> None:
    mail = f"Next turn:\n{ORDERS['en']}"
    assert said(read(mail, BOARD)) == "? A MUN - SIL | ? A BER - PRU"
    assert said(read(mail, replace(BOARD, answers_report=True))) == "A MUN - SIL | A BER - PRU"
    below_others = replace(BOARD, answers_report=True)
    assert said(read(f"F Kie H\n{mail}", below_others)) == "F KIE H | ? A MUN - SIL | ? A BER - PRU"


def _filed(lines: tuple[ReadLine, ...]) -> list[str]:
    return [command_line(one) for line in lines for one in line.requests if isinstance(one, Give)]


@pytest.mark.parametrize("line", headings("lines-asked"))
def test_an_order_with_words_that_may_make_it_doubtful_is_not_filed(line: str) -> None:
    lines = read(line, BOARD)
    assert not _filed(lines)
    assert said(lines)  # and the answer says something about it


@pytest.mark.parametrize("line", headings("lines-plain"))
def test_an_order_with_harmless_words_is_filed(line: str) -> None:
    lines = read(line, BOARD)
    assert (_filed(lines), "?" in said(lines), "!" in said(lines)) == (["A MUN - TYR"], False, False)


@pytest.mark.parametrize("line", headings("lines-cleared"))
def test_an_order_is_taken_back_by_its_unit(line: str) -> None:
    assert said(read(line, BOARD)) == "CLEAR A MUN"


@pytest.mark.parametrize("line", headings("denied"))
def test_a_line_that_denies_withholds_the_order_above_it_and_no_other(line: str) -> None:
    first, second = _orders_below(line).splitlines()
    for mail, meant in (
        (f"{first}\n{line}\n{second}", ["? A MUN - SIL", "A BER - PRU"]),
        (f"{first}\n{second}\n{line}", ["A MUN - SIL", "? A BER - PRU"]),
        (f"{first}\n{second}\n\n{line}\n", ["A MUN - SIL", "? A BER - PRU"]),
        (f"{line}\n{first}\n{second}", ["A MUN - SIL", "A BER - PRU"]),
    ):
        lines = read(mail, BOARD)
        made = [part for part in said(lines).split(" | ") if not part.startswith("!") and part not in BY_ITSELF]
        assert made == meant
        assert not [one for one in unused(lines, BOARD) if mail != f"{line}\n{first}\n{second}"]


@pytest.mark.parametrize("line", headings("denied-directly"))
def test_a_line_that_points_at_the_order_above_withholds_it_and_no_other(line: str) -> None:
    first, second = _orders_below(line).splitlines()
    assert said(read(f"{first}\n{line}\n{second}", BOARD)) == "? A MUN - SIL | A BER - PRU"
    assert said(read(f"{first}\n{second}\n{line}", BOARD)) == "A MUN - SIL | ? A BER - PRU"


BY_ITSELF = ("CLEAR", "UNDO", "WAIT", "NO DRAW")
"""What a negated line may ask for if nothing stands above it."""


@pytest.mark.parametrize("line", headings("not-denied"))
def test_talk_below_an_order_takes_nothing_back(line: str) -> None:
    first, second = _orders_below(line).splitlines()
    for mail in (f"{first}\n{line}\n{second}", f"{first}\n{second}\n{line}"):
        made = [part for part in said(read(mail, BOARD)).split(" | ") if part != "READY"]  # which is offered
        assert made == ["A MUN - SIL", "A BER - PRU"]


@pytest.mark.parametrize("line", headings("wait-offered"))
def test_a_wish_that_nothing_be_played_yet_is_offered_and_not_done(line: str) -> None:
    first, second = _orders_below(line).splitlines()
    for mail in (line, f"{line}\n{first}\n{second}", f"{first}\n{line}\n{second}", f"{first}\n{second}\n{line}"):
        requests = [request for one in read(mail, BOARD) for request in one.requests]
        (offered,) = [request for request in requests if not isinstance(request, Give)]
        assert isinstance(offered, Perhaps)
        assert offered.command in (Wait(), SetReady(ready=False))
        assert len(requests) == (1 if mail == line else 3)


@pytest.mark.parametrize("line", headings("wait-talk"))
def test_talk_that_begins_with_a_wait_asks_for_nothing(line: str) -> None:
    first, second = _orders_below(line).splitlines()
    for mail in (f"{line}\n{first}\n{second}", f"{first}\n{line}\n{second}", f"{first}\n{second}\n{line}"):
        assert said(read(mail, BOARD)) == "A MUN - SIL | A BER - PRU"


@pytest.mark.parametrize("line", headings("wait-done"))
def test_wait_as_a_command_is_done(line: str) -> None:
    assert [one for line in read(line, BOARD) for one in line.requests if not isinstance(one, Give)] == [Wait()]


MAP = load_map()


def _ordinary_mails(seed: int) -> Iterator[tuple[str, Context]]:
    """Yield a game's orders as people write them.

    They are in a writer's words, with lines above and below and a signature.
    """
    chance = Random(seed)
    above = headings("plain")
    position = MAP.start()
    while True:
        orders = random_orders(MAP, position, STANDARD, chance)
        for power in MAP.powers:
            context = Context(MAP, position, (power,))
            meant = [context.referee.meaning(power, order) for order in orders.get(power, ())]
            for language in WRITERS:
                writer = chance.choice(WRITERS[language])(chance)
                written = [writer.write(order) for order in meant if not isinstance(order, Illegal)]
                own = own_words(chance, language, written)
                line = chance.choice([one for one in above if one.isascii() == (language == "en")])
                own = replace(own, greeting=own.greeting if chance.random() < 0.5 else line)
                if "Spring" not in own.greeting and "Germany" not in own.greeting and written:
                    yield Composer(PROGRAMS[0], language, own, ANSWERED, "anna@players.test", "alone").text(), context
        resolution = adjudicate(MAP, position, orders)
        position = MAP.start() if resolution.over else resolution.position


def test_at_most_one_of_two_hundred_ordinary_mails_is_asked_about_without_need() -> None:
    asked = []
    for text, context in islice(_ordinary_mails(7), 600):
        lines = read(own_words_of(text, VOCABULARY).text, context)
        asked += [text for line in lines if line.faults or any(isinstance(one, Doubted) for one in line.requests)][:1]
    assert len(asked) <= 3, f"{len(asked)} unneeded questions in 600 ordinary mails: {asked}"


IN_A_ROOM = replace(BOARD, hears_sentences=False)


@pytest.mark.parametrize("line", headings("press-refused"))
def test_a_heading_of_press_that_cannot_be_read_begins_no_talk(line: str) -> None:
    for mail in (line, f"Hello all,\n\n{line}"):
        made = read(mail, IN_A_ROOM)
        assert said(made) in ("! unknown-command", "! malformed-command", "! unknown-addressee")


@pytest.mark.parametrize("line", headings("press-talk"))
def test_talk_about_press_is_no_heading(line: str) -> None:
    faults = {fault.kind for one in read(line, IN_A_ROOM) for fault in one.faults}
    assert not faults.intersection(
        (FaultKind.UNKNOWN_COMMAND, FaultKind.MALFORMED_COMMAND, FaultKind.UNKNOWN_ADDRESSEE)
    )


@dataclass(frozen=True)
class Case:
    """A mail and its reading."""

    board: Context
    mail: str
    meant: str


def cases() -> Iterator[Case]:
    """Yield the cases of `mails.txt`: each mail ends with a line `=> …`.

    A line `@ …` states the board of the mails below it.
    """
    board = BOARD
    mail: list[str] = []
    for line in (FOLDER / "mails.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            continue
        if line.startswith("@ "):
            board = board_of(line[2:])
        elif line.startswith("=>"):
            yield Case(board, "\n".join(mail).strip("\n"), line[2:].strip())
            mail = []
        else:
            mail.append(line)


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.mail.replace("\n", " / "))
def test_a_mail_means_what_a_careful_master_takes_it_for(case: Case) -> None:
    assert said(read(case.mail, case.board)) == case.meant

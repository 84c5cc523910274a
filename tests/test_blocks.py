"""Mails of several lines: what stands above orders, below them and among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from judge.commands import Doubted
from judge.language import Context, ReadLine, read
from judge.language.writing import command_line
from tests.tables import board_of

FOLDER = Path(__file__).parent / "blocks"
BOARD = board_of(
    "S1902M GERMANY: A MUN, A BER, F KIE, A RUH, F DEN; FRANCE: A BUR, A PAR; RUSSIA: A WAR, F SWE; "
    "ENGLAND: F NTH, F HEL; AUSTRIA: A BOH, A TYR"
)
ORDERS = {"en": "A Mun - Sil\nA Ber - Pru", "ja": "ミュンヘン陸軍をシレジアへ移動\nベルリン陸軍をプロイセンへ移動"}


def said(lines: tuple[ReadLine, ...]) -> str:
    """All that is made of a mail: `A MUN H | ? A BER H | ! negated`."""
    parts = []
    for line in lines:
        parts += [("? " if isinstance(one, Doubted) else "") + command_line(one) for one in line.requests]
        parts += [f"! {fault.kind}" for fault in line.faults]
    return " | ".join(parts)


def headings(table: str) -> list[str]:
    """The lines of a table."""
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
    made = [part for part in said(lines).split(" | ") if part not in ("GERMANY:", "PHASE S1902M")]
    assert made == ["A MUN - SIL", "A BER - PRU"]


@dataclass(frozen=True)
class Case:
    """A mail, and what is made of it."""

    board: Context
    mail: str
    meant: str


def cases() -> Iterator[Case]:
    """`mails.txt`: mails that end with a line `=> …`; a line `@ …` tells the board of those below."""
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

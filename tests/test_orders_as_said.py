"""Whole mails with orders in players' words: what is filed, and what is asked about.

`tests/said/<language>.txt` has mails between lines `--`, below the board they are about. `=>` names the orders that are
filed, `??` those that the sender is asked about.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from judge.commands import Clear, Doubted, Give
from judge.language import Context, read
from judge.mail.own_words import own_words
from judge.rules import write_order
from judge.rules.orders import Waive
from judge.service.talk.vocabulary import VOCABULARY
from tests.tables import board_of


@dataclass
class Mail:
    """A mail and its expected effect."""

    language: str
    text: str
    filed: list[str]
    asked: list[str]
    context: Context


def _mails() -> list[Mail]:
    found: list[Mail] = []
    for table in sorted((Path(__file__).parent / "said").glob("*.txt")):
        _, *boards = table.read_text("utf-8").split("=== ")
        for board in boards:
            head, _, mails = board.partition("\n")
            found += [_mail(table.stem, mail, board_of(head)) for mail in mails.split("\n--\n")]
    return found


def _mail(language: str, written: str, context: Context) -> Mail:
    text, _, told = written.strip().partition("\n=>")
    filed, _, asked = told.partition("\n??")
    return Mail(language, text, _orders(filed), _orders(asked), context)


def _orders(codes: str) -> list[str]:
    return sorted(code.strip() for code in codes.split(" | ") if code.strip())


@pytest.mark.parametrize("mail", _mails(), ids=lambda mail: f"{mail.language}: {mail.text.splitlines()[0]}")
def test_a_mail_is_read_as_a_human_reads_it(mail: Mail) -> None:
    requests = [one for line in read(own_words(mail.text, VOCABULARY).text, mail.context) for one in line.requests]
    filed: dict[object, str] = {}
    for number, request in enumerate(requests):
        if isinstance(request, Give):
            subject = number if isinstance(request.order, Waive) else request.order.unit.province
            filed[subject] = write_order(request.order)
        elif isinstance(request, Clear) and request.unit is not None:
            filed.pop(request.unit.province, None)
    assert sorted(filed.values()) == mail.filed
    assert sorted(write_order(one.order) for one in requests if isinstance(one, Doubted)) == mail.asked

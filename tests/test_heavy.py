"""Costly mails: each is charged at most its budget, and answered honestly."""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.budget import OF_A_MAIL, Budget
from judge.language import Context, read
from judge.mail.letters import Letter, MailKind, RawMail
from judge.mail.reading import MailReader
from judge.mail.stretches import common_stretches
from judge.rules import Power, load_map
from judge.service.talk.vocabulary import VOCABULARY
from tests.costs import Breed, built, changed, first
from tests.heavy import FRANCE, HEAVY, Heavy, random_words
from tests.mail_reader import NOON
from tests.office import JUDGE, Office
from tests.soak import Soak

MAP = load_map()
READER = MailReader(frozenset((JUDGE,)), VOCABULARY)
MOST_BEYOND = 80_000
"""Units of work beyond the budget.

The line or part that is being read when the budget is spent is read to its end.
"""
PROVED = b"Authentication-Results: mx.test; dmarc=pass header.from=players.test\r\n"


def charged(heavy: Heavy) -> tuple[int, Letter, bool]:
    """Return the cost of reading a mail, the letter, and whether it was read completely."""
    budget = Budget()
    letter = READER.read(RawMail(heavy.content, "test", NOON, None, ()), lambda _: heavy.sent, budget)
    lines = read(letter.own_text, Context(MAP, MAP.start(), (Power("FRANCE"),), budget=budget))
    return OF_A_MAIL - budget.left, letter, not letter.first_unread and not any(line.is_unread for line in lines)


@pytest.mark.parametrize("name", HEAVY)
def test_no_mail_is_charged_more_than_its_budget(name: str) -> None:
    heavy = HEAVY[name]()
    units, letter, is_whole = charged(heavy)
    assert units <= OF_A_MAIL + MOST_BEYOND
    assert letter.kind is MailKind.PERSON or letter.defect in ("too-big", "too-long")
    assert is_whole or units >= OF_A_MAIL
    assert charged(heavy)[0] == units  # the same with and without caches


ORDINARY: dict[str, Sequence[str]] = {
    "200 orders": ["A Par - Bur", "F Bre - Mao", "A Mar S A Par - Bur", "パリ陸軍をブルゴーニュへ移動"] * 50,
    "195 lines of a letter, with orders": [
        *(random_words(random.Random(place), 9) for place in range(190)),
        *("A Par - Bur", "F Bre - Mao", "A Mar - Spa", "READY"),
    ],
    "34 orders, half of them misspelled": ["A Par - Brugundy", "F Bre - Mao"] * 17,
}


@pytest.mark.parametrize("name", ORDINARY)
@pytest.mark.parametrize("has_quotation", [False, True])
def test_an_ordinary_long_mail_never_meets_the_budget(name: str, *, has_quotation: bool) -> None:
    quoted = ["", "On Mon, 1 Jan 2024, judge wrote:", *(f"> {line}" for line in ORDINARY["200 orders"])]
    mail = EmailMessage()
    mail["From"], mail["To"] = FRANCE, JUDGE
    mail.set_content("\n".join([*ORDINARY[name], *(quoted if has_quotation else ())]))
    _, letter, is_whole = charged(Heavy(mail.as_bytes()))
    assert is_whole
    assert letter.kind is MailKind.PERSON


DEAR = [f"A Ank S A Con - Bul the F Sev S A Con - A Bul F Kie xyz{place:02}" for place in range(100)]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    office.open_game("40 days")
    office.now += timedelta(hours=2)
    yield office
    office.stop()


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("english", "Your mail takes too much work to read in full: I stopped before the line shown below."),
        ("japanese", "メールの読み取りに手間がかかりすぎるため、次に示す行の手前で読むのをやめました。"),
    ],
)
def test_of_a_mail_not_read_to_its_end_orders_count_but_nothing_final(office: Office, language: str, says: str) -> None:
    office.keep("france", f"SET LANGUAGE {language}")
    office.settle()
    office.keep("france", "A PAR - BUR", "READY", "DRAW", "SET NAME Bob", *DEAR, "F BRE - MAO")
    office.settle()
    assert office.orders("FRANCE") == ["A PAR - BUR"]
    seat = office.game().seat(Power("FRANCE"))
    assert not seat.filed.ready
    with office.parts.store.work() as work:
        person = work.people.by_address(FRANCE)
    assert person is not None
    assert person.name != "Bob"
    assert not seat.ballots.draws
    letter = office.letters(FRANCE)[-1]
    first, _, below = letter.text.partition("\n\n")
    assert "".join(says.split()) in "".join(first.split())
    unread = [line for line in DEAR if line in first]
    assert len(unread) == 1
    assert unread[0] not in below
    assert all(line in below for line in DEAR[: DEAR.index(unread[0])])
    assert letter.html is not None
    assert letter.html.index(unread[0].split()[-1]) < letter.html.index(DEAR[0].split()[-1])


def test_a_yes_in_a_mail_not_read_to_its_end_confirms_nothing(office: Office) -> None:
    office.keep("france", "RESIGN")
    office.settle()
    question = office.letters(FRANCE)[-1]
    assert question.reply_to
    office.keep("france", "YES", *DEAR, to=question.reply_to)
    office.settle()
    assert office.game().seat(Power("FRANCE")).holder is not None


def test_press_not_read_to_its_end_is_not_sent(office: Office) -> None:
    office.keep("france", "PRESS TO ITALY", *DEAR)
    office.settle()
    assert not [letter for letter in office.letters("italy@players.test") if "xyz00" in letter.text]


def test_stretches_are_all_that_two_texts_have_in_common() -> None:
    for seed in range(2_000):
        chance = random.Random(seed)
        letters = chance.choice(("ab", "abc", "abcdef"))
        lines, ours = (chance.choices(letters, k=chance.randint(0, 12)) for _ in range(2))
        stretches = {
            (begin, end)
            for begin in range(len(lines))
            for end in range(begin + 2, len(lines) + 1)
            if any(ours[place : place + end - begin] == lines[begin:end] for place in range(len(ours)))
        }
        longest = {
            (begin, end)
            for begin, end in stretches
            if (begin - 1, end) not in stretches and (begin, end + 1) not in stretches
        }
        assert {(one.start, one.stop) for one in common_stretches(lines, ours, 2)} == longest


MOST_ORDINARY_MAILS = 100
TOLERANCE = 1.3
"""A tolerance for busy machines, as in the short form of the benchmarks."""
SMALL = 4_000
"""Bytes added to a mail's size in the ranking, as small mails matter less."""
BRED = 24
"""The number of mails to breed from: the costliest for each byte."""


class Scale:
    """Weighs mails against ordinary ones."""

    def __init__(self, office: Office) -> None:
        self.office = office
        for _ in range(10):
            self.ordinary()

    def cost(self, content: bytes) -> float:
        """Return processor seconds for one mail, from stored to answered."""
        self.office.now += timedelta(hours=1)
        self.office.parts.intake.keep(RawMail(content, "test", self.office.now, FRANCE, (JUDGE,)))
        begun = time.process_time()
        self.office.parts.intake.work_all()
        return time.process_time() - begun

    def ordinary(self) -> float:
        """Return the cost of three orders by mail."""
        self.office.number += 1
        head = f"From: {FRANCE}\r\nTo: {JUDGE}\r\nMessage-ID: <ordinary{self.office.number}@players.test>\r\n\r\n"
        return self.cost(PROVED + head.encode() + b"A PAR - BUR\r\nF BRE - MAO\r\nA MAR - SPA\r\n")

    def weigh(self, content: bytes) -> float:
        """Return the cost of a mail, in ordinary mails.

        If it is high the least of a few measurements counts, as the machine may be busy.
        """
        ratio = 0.0
        for again in range(5):
            self.office.number += 1
            mail = re.sub(
                rb"(?m)^Message-ID: <", b"Message-ID: <again%d.%d." % (self.office.number, again), content, count=1
            )
            taken = self.cost(mail) / statistics.median(self.ordinary() for _ in range(5))
            ratio = min(ratio, taken) if again else taken
            if ratio <= MOST_ORDINARY_MAILS:
                break
        return ratio


@pytest.mark.soak
def test_no_heavy_mail_costs_more_than_a_hundred_ordinary_ones(office: Office) -> None:
    scale = Scale(office)
    for name, build in HEAVY.items():
        ratio = scale.weigh(PROVED + build().content)
        assert ratio <= MOST_ORDINARY_MAILS * TOLERANCE, f"{name}: {ratio:.0f} ordinary mails"


@pytest.mark.soak
def test_no_mail_bred_to_cost_much_costs_more_than_a_hundred_ordinary_ones(office: Office, soak: Soak) -> None:
    scale = Scale(office)
    report = next(letter for letter in reversed(office.letters(FRANCE)) if len(letter.text) > 500)
    ours = [line for line in report.text.splitlines() if line.strip()]
    best: list[tuple[float, Breed]] = []
    for seed in soak.seeds(3_000):
        chance = random.Random(seed)
        if len(best) < BRED or chance.random() < 0.1:
            bred = first(chance, ours)
        else:
            bred = changed(chance, chance.choice(best)[1], chance.choice(best)[1], ours)
        content = built(bred, seed, FRANCE, report.message_id)
        ratio = scale.weigh(content)
        assert ratio <= MOST_ORDINARY_MAILS * TOLERANCE, f"seed {seed}: {ratio:.0f} ordinary mails for {bred}"
        best = sorted([*best, (ratio / (len(content) + SMALL), bred)], key=lambda one: -one[0])[:BRED]

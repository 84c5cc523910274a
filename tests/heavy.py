"""Small mails that were once slow to read; the judge has to bound their cost.

Each is built by code.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage

FRANCE = "france@players.test"
MARKS = "\u0301\u0323\u0327\u0330"
OURS = "<report@localhost>"
"""The Message-ID of our mail that a heavy reply answers."""


@dataclass(frozen=True, slots=True)
class Heavy:
    """A mail that is costly to read, and our mail that it answers."""

    content: bytes
    sent: Sequence[str] = ()
    """The lines of our mail."""


def _mail(body: str, *, kind: str = "plain", is_reply: bool = False, transfer: str = "8bit") -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = FRANCE, "judge@localhost", "orders"
    mail["Message-ID"] = "<heavy@players.test>"
    if is_reply:
        mail["In-Reply-To"] = OURS
    mail.set_content(body, subtype=kind, cte=transfer)
    return mail.as_bytes()


def plain(body: str) -> Heavy:
    """Return a mail of plain text."""
    return Heavy(_mail(body))


def rich(body: str) -> Heavy:
    """Return a mail of HTML alone."""
    return Heavy(_mail(body, kind="html"))


def reply(body: str, sent: Sequence[str]) -> Heavy:
    """Return a reply to a mail of ours."""
    return Heavy(_mail(body, is_reply=True), sent)


def random_words(chance: random.Random, number: int) -> str:
    """Return words that mean nothing."""
    return " ".join("".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 9))) for _ in range(number))


def _receipt_with_carets(faults: int) -> list[str]:
    """Return a receipt of faults, with a line of carets below each faulty line."""
    return [
        line for place in range(faults) for line in (f"    A Xyz - Pic{place}", "      ^^^", "I know no place Xyz.")
    ]


def _lines_of_random_words(number: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [random_words(chance, 5) for _ in range(number)]


def both(plain_text: str, html: str) -> Heavy:
    """Return a mail with a plain text and an HTML part."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = FRANCE, "judge@localhost", "orders"
    mail["Message-ID"] = "<heavy@players.test>"
    mail.set_content(plain_text)
    mail.add_alternative(html, subtype="html")
    return Heavy(mail.as_bytes())


def _shows(pictures: int) -> Heavy:
    """Return a mail whose HTML shows this many pictures, of which it contains one."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = FRANCE, "judge@localhost", "orders"
    mail["Message-ID"] = "<heavy@players.test>"
    mail.set_content("".join(f'<img src="cid:{number}@x">' for number in range(pictures)), subtype="html")
    mail.add_attachment(b"x", maintype="image", subtype="png", filename="x.png")
    return Heavy(mail.as_bytes())


def _misread(number: int) -> list[str]:
    """Return lines that may be orders and are costly to check."""
    chance = random.Random(2)
    places = ("Brgundy", "Picrady", "Marsielles", "Gascnoy", "Portgual", "ブルゴニュー", "マルセーユ")
    verbs = ("-", "S A Par -", "を", "to the", "supprots", "支援")
    return [
        f"A {chance.choice(places)}{place} {chance.choice(verbs)} {chance.choice(places)} {chance.choice(places)}"
        for place in range(number)
    ]


HEAVY: dict[str, Callable[[], Heavy]] = {
    "15,800 equal lines that stand in our receipt": lambda: reply("^^^\n" * 15_800, _receipt_with_carets(150)),
    "two lines of our receipt in turn": lambda: reply(
        "I know no place Xyz.\n^^^\n" * 1_800, _receipt_with_carets(450)
    ),
    "our report over and over without marks": lambda: reply(
        "\n".join([*_lines_of_random_words(60, 3), ""] * 30), _lines_of_random_words(60, 3)
    ),
    "quoted lines of ours over and over": lambda: reply(
        "> A PAR -\n> A MAR -\n" * 3_000, ["A PAR -", "A MAR -", *(f"A {chr(65 + n)}AA -" for n in range(26))]
    ),
    "26,000 lines of random words in HTML": lambda: rich("<br>".join(_lines_of_random_words(26_000, 1))),
    "26,000 lines of random words in HTML, beside plain text": lambda: both(
        "A Par - Bur\n", "<br>".join(_lines_of_random_words(26_000, 1))
    ),
    "230,000 line breaks in HTML": lambda: rich("<br>" * 230_000),
    "table cells": lambda: rich("<table><tr>" + "<td>x" * 90_000 + "</table>"),
    "table rows": lambda: rich("<table>" + "<tr><td>x" * 60_000 + "</table>"),
    "thousands of margins": lambda: rich('<div style="margin-top:9em">x' * 30_000),
    "margins of 99,999 lines": lambda: rich('<div style="margin-top:99999em">x</div>' * 2_000),
    "900,000 empty lines": lambda: plain("\n" * 900_000),
    "32,000 empty lines, a signature, then a stop word over and over": lambda: plain(
        "\n" * 32_000 + "-- \n" + "end\n" * 7_990
    ),
    "29,000 lines, empty or a stop word": lambda: plain("\n" * 20_000 + "-- \n" + "end\n" * 9_000),
    "empty lines, then a Japanese stop word over and over": lambda: plain(
        "\n" * 19_000 + "-- \n" + "以上\n" * 10_600
    ),
    "64 kB of attributions": lambda: plain("On Mon, 1 Jan 2024 at 10:00, A wrote:\n" * 1_650),
    "attributions, each with an order above it": lambda: plain(
        "A Par - Bur\nOn Mon, 1 Jan 2024, A wrote:\n> x\n" * 1_400
    ),
    "45 kB that may begin an attribution": lambda: plain("On Monday 1\n" * 3_700),
    "64 kB of old mails without marks": lambda: plain(
        "A Par - Bur\nFrom: A\nTo: B\n" + "A Brgundy - Picrady\n" * 3_100
    ),
    "190 lines that are dear to read": lambda: plain("\n".join(_misread(190))),
    "190 long lines that are dear to read": lambda: plain("\n".join(line * 7 for line in _misread(190))),
    "100 lines of HTML written out, below each the name of a game": lambda: both(
        "GAME ardennes\n<div style='margin-top:9em'>" * 100 + "GAME ardennes\nOn Monday 1\nYES\nI meant Bur\n" * 16, "x"
    ),
    "190 lines that lead to another game": lambda: plain("GAME ardennes\n" * 190),
    "64 kB of orders": lambda: plain("\n".join([", ".join(["A Par - Bur, A Mar - Spa, F Bre - MAO"] * 10)] * 160)),
    "30,000 pictures shown": lambda: _shows(30_000),
    "marks on one letter, out of order": lambda: plain("a" + "".join(random.Random(5).choices(MARKS, k=30_000))),
    "marks on one letter, between what nobody sees": lambda: plain(
        "a" + "\u200b".join("".join(random.Random(5).choices(MARKS, k=30)) for _ in range(900))
    ),
    "marks on one letter in HTML": lambda: rich("a" + "&#769;&#803;" * 15_000),
    "lines of tildes": lambda: plain("\n".join("~" * (2_000 - place) for place in range(32))),
    "lines of dots that become three each": lambda: plain(
        "\n".join("…" * (2_000 - place) + str(place) for place in range(10))
    ),
    "190 wishes for more time": lambda: plain(
        "\n".join(
            f"Could you please be so kind as to extend the deadline by {place} days because I am on holiday until next "
            "Friday?"
            for place in range(190)
        )
    ),
    "190 lines of hiragana": lambda: plain(
        "\n".join("".join(random.Random(n).choices("あいうえおかきくけこさしすせそ", k=100)) for n in range(190))
    ),
    "190 lines of small talk": lambda: plain("\n".join(_lines_of_random_words(190, 4))),
    "a setting of 30,000 words": lambda: plain("CREATE verdun\n" + "= " * 30_000),
    "a position whose every line goes on": lambda: plain(
        "ADOPT verdun\nFall 1902\n" + f"{'A BUR - MUN, A PAR - BUR, ' * 60}\n" * 300 + "END ADOPT"
    ),
}  # fmt: skip
"""What a mail is made of → how it is built."""

"""Breed mails that cost much for each of their bytes.

Pieces are repeated and mixed; the costliest mails so far are bred from.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email.message import EmailMessage
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["plain", "html", "both", "parts"]
KINDS: tuple[Kind, ...] = ("plain", "html", "both", "parts")
MOST_LETTERS = 200_000
MOST_PIECES = 8
WRITTEN = (
    *("\n", " ", "> ", ">> ", "| ", "-- \n", "-----\n", "end\n", "以上\n", "^^^\n", "* ", "\u3000", "~", "(", "\u0301"),
    *("A Par - Bur\n", "A Brgundy - Picrady xyz\n", "F Bre S A Par - Bur, ", "A Par S A Mar - Bur the F Bre xyz\n"),
    *("パリ陸軍をブルゴーニュへ移動\n", "マルセイユ陸軍はパリ陸軍のブルゴーニュへの移動を支援 ", "ブルゴニューへ "),
    *("On Monday 1\n", "On Mon, 1 Jan 2024 at 10:00, A wrote:\n", "2024年1月1日 10:00 A:\n", "Am 1.1. schrieb A:\n"),
    *("From: A\nTo: B\n", "差出人: A\n宛先: B\n", "-----Original Message-----\n", "Sent from my iPhone\n", "wrote "),
    *("READY\n", "GAME ardennes\n", "STATUS\n", "HELP ORDERS\n", "PRESS TO ITALY: hello\n", "SET NAME Bob\n", "YES\n"),
    *("please extend the deadline by two days\n", "I will be away until Friday\n", "締切を2日延ばしてください\n"),
    *("Spring 1901: ", "1901年春 ", "ORDER FOR FRANCE\n", "not ", "unless ", "I meant Bur\n", "forget that\n"),
    *("CREATE verdun\n", "REGISTER\n", "ADOPT verdun\nFall 1902\n", "HOUSE RULES\n", "STATEMENT\n", "NOTE\n"),
    *("= ", ", ", ". ", ": ", "- ", "deadline 2 days ", "A BUR - MUN,\n", "France: A PAR, "),
    *("{", '"phase":'),
    *("<br>", "<td>x", "<tr><td>", "<table>", "<li>", "<p>", "<div>", "</div>", "<blockquote>", "</blockquote>"),
    *("<s>", "</s>", "<b>", "</b>", "<pre>", "<a href=x>", "&amp;"),
    *("<div style='margin-top:9em'>", "<span style='text-decoration:line-through'>"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Breed:
    """The recipe of a mail: its kind, its pieces, and how often each is repeated."""

    kind: Kind
    is_reply: bool
    pieces: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        """Return all pieces, one behind the other."""
        return "".join(piece * times for piece, times in self.pieces)[:MOST_LETTERS]


def first(chance: random.Random, ours: Sequence[str]) -> Breed:
    """Return a random mail; `ours` are lines of our mail that it may answer."""
    pieces = tuple(_piece(chance, ours) for _ in range(chance.randint(1, 4)))
    return Breed(chance.choice(KINDS), chance.random() < 0.5, pieces)


def changed(chance: random.Random, breed: Breed, other: Breed, ours: Sequence[str]) -> Breed:
    """Return a mail that differs a little from another."""
    pieces = list(breed.pieces)
    place = chance.randrange(len(pieces))
    piece, times = pieces[place]
    match chance.randrange(6):
        case 0:
            pieces[place] = (piece, max(1, int(times * chance.choice((0.25, 0.5, 2, 4)))))
        case 1:
            pieces[place] = _piece(chance, ours)
        case 2:
            pieces.insert(place, _piece(chance, ours))
        case 3:
            pieces[place:] = other.pieces[-2:]
        case 4:  # repeated as one
            pieces = [
                ("".join(piece * min(times, 3) for piece, times in pieces)[:2_000], chance.choice((20, 200, 2_000)))
            ]
        case _:
            return replace(breed, kind=chance.choice(KINDS), is_reply=chance.random() < 0.5)
    return replace(breed, pieces=tuple(pieces[:MOST_PIECES]))


def _piece(chance: random.Random, ours: Sequence[str]) -> tuple[str, int]:
    written = "".join(chance.choice((*WRITTEN, f"{chance.choice(ours)}\n")) for _ in range(chance.choice((1, 1, 2, 4))))
    return written, chance.choice((1, 10, 100, 1_000, 10_000))


def built(breed: Breed, number: int, sender: str, answered: str) -> bytes:
    """Return the bytes of such a mail."""
    mail = EmailMessage()
    mail["Authentication-Results"] = "mx.test; dmarc=pass header.from=players.test"
    mail["From"], mail["To"], mail["Message-ID"] = sender, "judge@localhost", f"<bred{number}@players.test>"
    if breed.is_reply:
        mail["In-Reply-To"] = answered
    match breed.kind:
        case "plain" | "html":
            mail.set_content(breed.text, subtype=breed.kind)
        case "both":
            mail.set_content(breed.text)
            mail.add_alternative(breed.text, subtype="html")
        case "parts":
            mail.make_mixed()
            for piece, times in breed.pieces:
                part = EmailMessage()
                part.set_content((piece * times)[:MOST_LETTERS], subtype="html" if "<" in piece else "plain")
                mail.attach(part)
    return mail.as_bytes()

"""A private board from a report's file, attached or pasted, and from other files."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from judge.mail.pasted import without_pasted
from tests.office import JUDGE, World, address, text

START = b'{"input": {"phase": "F1901M", "units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR"]}}}'
PLAYED = b'{"output": {"phase": "S1901M", "units": {"ITALY": ["F NAP"]}, "centers": {}}, "next": "F1901M"}'
FILES = [
    (START, "A BUR"),
    (PLAYED, "F NAP"),
    (PLAYED, "Fall 1901"),
    (b"{broken", "holds no board"),
    (b'{"a": 1}', "holds no board"),
    (b"[1, 2]", "holds no board"),
    (b'{"input": {"phase": "F1901M", "units": {"FRANCE": ["A XXX"]}}}', "holds no board"),
    (b'{"a": "' + b"x" * 70_000 + b'"}', "larger than 64 KB"),
]
PLAYED_TEXT = PLAYED.decode()
NO_BOARD = "seems to show a board"
PASTED = [
    (f"SANDBOX\n\nOn Monday the judge wrote:\n> {PLAYED_TEXT}\n> Thank you", "F NAP"),
    ("SANDBOX\n> France: A Par, F Bre", NO_BOARD),
    ("SANDBOX\n\nFrench army Paris, fleet Brest", NO_BOARD),
    ('SANDBOX\n{"pieces": []}', NO_BOARD),
    ("検討盤\n> パリ陸軍", "局面が書かれているようです"),
    ("Hello!\nSANDBOX\nThank you, Hal", "A PAR"),
    (f"SANDBOX\n{PLAYED_TEXT}\nThank you!", "F NAP"),
    (f"SANDBOX\n{PLAYED_TEXT[:60]}\n\nWho moves first?", "cut off"),
]
IN_TEXTS = [
    (f"SANDBOX\n{PLAYED_TEXT}", "SANDBOX\n", PLAYED_TEXT),
    (f"SANDBOX\n\n  {PLAYED_TEXT}\nThank you!", "SANDBOX\n\n\nThank you!", PLAYED_TEXT),
    ("SANDBOX\n" + PLAYED_TEXT.replace(" ", " \n"), "SANDBOX\n", PLAYED_TEXT),
    ("検討盤\n" + PLAYED_TEXT.replace(": {", ": {\n\t"), "検討盤\n", PLAYED_TEXT.replace(": {", ": { ")),
    (f"{PLAYED_TEXT[:60]}\n\nWho is it?", "\n\nWho is it?", PLAYED_TEXT[:60]),
    ("SANDBOX\n{as I said}", "SANDBOX\n{as I said}", None),
    (f"SANDBOX\n> {PLAYED_TEXT}\n> A Par - Bur", "SANDBOX\n\n> A Par - Bur", PLAYED_TEXT),
    ("検討盤\n＞ " + PLAYED_TEXT.replace(" ", "\n＞＞ ") + "\n＞", "検討盤\n\n＞", PLAYED_TEXT),
    ("SANDBOX\n> {as I said}", "SANDBOX\n> {as I said}", None),
    ("A Par - Bur { sure\n", "A Par - Bur { sure\n", None),
]


@pytest.mark.parametrize(("words", "rest", "file"), IN_TEXTS)
def test_a_machine_part_is_cut_out_of_a_text(words: str, rest: str, file: str | None) -> None:
    left, found = without_pasted(words)
    assert left == rest
    assert (found.content.decode() if found is not None else None) == file


@pytest.mark.parametrize(("content", "said"), FILES, ids=[said for _, said in FILES])
def test_a_file_is_a_board_or_is_refused(content: bytes, said: str) -> None:
    mail = from_hal("SANDBOX")
    mail.add_attachment(content, maintype="application", subtype="json", filename="board.json")
    assert any(said in letter for letter in answered(mail))


@pytest.mark.parametrize(("words", "said"), PASTED)
def test_the_machine_part_of_a_report_may_stand_in_the_text(words: str, said: str) -> None:
    letters = answered(from_hal(words))
    assert any(said in letter for letter in letters)
    assert not any('"phase"' in letter for letter in letters)


def from_hal(words: str) -> EmailMessage:
    mail = EmailMessage()
    mail["Authentication-Results"] = "mx.test; dmarc=pass header.from=players.test"
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = address("hal"), JUDGE, "try", "<1@players.test>"
    mail.set_content(words)
    return mail


def answered(mail: EmailMessage) -> list[str]:
    world = World()
    world.arrive(mail.as_bytes(), JUDGE, address("hal"))
    return [" ".join(text(letter).split()) for letter in world.box.take("hal")]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("SANDBOX hundred", "SANDBOX hundred"),
        ("検討盤 ancient-mediterranean", "検討盤 ancient-mediterranean"),
        ("SANDBOX pills", "SANDBOX"),
    ],
)
def test_a_stranger_is_asked_with_the_board_that_the_mail_names(asked: str, shown: str) -> None:
    world = World()
    world.mail("gil", asked)
    (question,) = world.box.take("gil")
    assert shown in [line.strip() for line in text(question).splitlines()]

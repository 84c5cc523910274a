"""The size of a letter is bounded, whatever one mail asks for.

Each thing is sent once, files go to proved senders only, and a letter has 2 MB at most.
"""

from __future__ import annotations

import json
from dataclasses import replace
from email.message import Message

import pytest

from judge.mail.composing import compose
from judge.mail.letters import Attachment, LetterKind, Outgoing, Picture
from judge.service.post.illustrating import within_bounds
from tests.database import store_in_memory
from tests.office import NOON, World, address, begun, text

CEILING = 2_000_000


@pytest.fixture(scope="module")
def opened() -> World:
    """Return a game whose first year is over, and whose letters contain maps."""
    world = begun(World(store_in_memory(), draws=True), deadline="2 days")
    for _ in range(4):
        world.pass_deadline()
    world.collect_reports()
    world.reply("fay", "SET LANGUAGE ja")
    world.box.letters.clear()
    return world


@pytest.fixture
def drawing(opened: World) -> World:
    return opened.apart(draws=True)


def pictures(letter: Message) -> list[str]:
    return [part.get_content_type() for part in letter.walk() if part.get_content_maintype() == "image"]


def files(letter: Message) -> list[str]:
    return [
        str(part.get_filename())
        for part in letter.walk()
        if part.get_filename() and "image" not in part["Content-Type"]
    ]


def told(letter: Message) -> str:
    return " ".join(text(letter).split())


@pytest.mark.parametrize(
    ("lines", "most"),
    [
        ("MAP\n" * 190, 1),
        ("map\nMap of ardennes\nMAP ardennes\n地図\n" * 40, 1),
        ("REPLAY\n" * 190, 2),
        ("MAP S1901M\nMAP S1901M\nMAP F1901M\n" * 30, 2),
        ("WHATIF\nA PAR - BUR\nEND WHATIF\n" * 40, 1),
        ("".join(f"GAME ardennes\nMAP {phase}\n" for phase in ("S1901M", "F1901M", "S1902M")) * 10, 3),
        ("MAP SVG\n" * 100, 1),
    ],
    ids=["map", "map in other words", "replay", "phases", "whatif", "by game", "svg"],
)
def test_what_is_asked_for_again_and_again_is_sent_once(drawing: World, lines: str, most: int) -> None:
    letter = drawing.reply("cho", lines)
    assert 1 <= len(pictures(letter)) <= most
    assert len(letter.as_bytes()) < CEILING
    assert "Answered once, further down in this letter." in told(letter)


def test_in_japanese_too(drawing: World) -> None:
    letter = drawing.reply("fay", "地図\n" * 150)
    assert len(pictures(letter)) == 1
    assert "そこで一度だけお答えします" in told(letter)


def test_the_last_of_equal_questions_is_answered(drawing: World) -> None:
    said = told(drawing.reply("cho", "STATUS\nF BRE - MAO\nSTATUS"))
    assert said.index("Answered once") < said.rindex("F BRE - MAO")


def test_questions_that_differ_are_answered_each(drawing: World) -> None:
    letter = drawing.reply("cho", "STATUS\nMAP\nHISTORY\nWHO")
    assert "Answered once" not in told(letter)


def test_what_does_not_fit_is_named(drawing: World) -> None:
    blocks = [
        f"WHATIF\nA PAR - {to}\nA MAR - {other}\nEND WHATIF\n"
        for to in ("BUR", "PIC", "GAS")
        for other in ("BUR", "GAS", "PIE", "SPA", "H")
    ]
    letter = drawing.reply("cho", "".join(blocks))
    assert len(pictures(letter)) == 10
    assert "A mail holds 2 MB at most, so the answers to these lines are left out" in told(letter)
    assert len(letter.as_bytes()) < CEILING


@pytest.mark.parametrize("asked", ["MAP", "REPLAY", "CALENDAR", "MAP SVG", "MAP\n" * 190])
def test_a_forged_question_sends_no_picture_and_no_file(drawing: World, asked: str) -> None:
    drawing.mail("cho", asked)
    (letter,) = drawing.box.take("cho")
    assert not pictures(letter)
    assert not files(letter)
    assert "Maps and files go only to senders I know for sure" in told(letter)
    assert len(letter.as_bytes()) < 100_000


def test_a_forged_question_in_japanese(drawing: World) -> None:
    drawing.mail("fay", "地図")
    (letter,) = drawing.box.take("fay")
    assert not pictures(letter)
    assert "レポートへの返信でお求めください" in told(letter)


@pytest.mark.parametrize(("language", "said"), [("en", "2 MB at most: x-played."), ("ja", "x-played は載せて")])
def test_pictures_too_large_for_a_letter_are_left_out_and_named(language: str, said: str) -> None:
    source = json.dumps({"language": language, "shows": "chart", "theme": "light", "game": "x"})
    sizes = {"x-chart-1@pictures": bytes(10), "x-after-2@pictures": bytes(300_000)}
    sizes |= {"x-played-3@pictures": bytes(900_000), "x-replay-4@pictures": bytes(600_000)}
    shown = tuple(Picture(cid, source) for cid in sizes)
    files = (Attachment("a.json", "application/json", b"x" * 300_000),)
    whole = Outgoing(LetterKind.REPORT, address("cho"), "<1@x>", NOON, "judge@localhost", None, "x", "text")
    whole = replace(whole, html="<body>x</body>", attachments=files, pictures=shown)
    letter, kept = within_bounds(whole, sizes)
    assert [cid.partition("@")[0] for cid in kept] == ["x-chart-1", "x-after-2", "x-replay-4"]
    assert said in letter.text
    assert said in (letter.html or "")
    assert len(compose(letter, kept)) < CEILING
    assert within_bounds(letter, kept) == (letter, kept)

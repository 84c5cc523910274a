"""People's own sentences for commands: tables of what is done, asked about, or answered with a line to send.

`python -m tests.test_asking` prints how many fresh sentences are done, asked about, or passed over.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.commands import Object, Override, Perhaps, Talk
from judge.language import Context, read
from judge.language.asking.phrases import load_phrases
from judge.language.writing import command_line, line_in_japanese
from judge.resources import shipped
from judge.rules import load_map
from judge.rules.position import Power

TABLES = Path(__file__).parent / "asking"
MAP = load_map()
BOARD = Context(MAP, MAP.start(), (Power("FRANCE"),))


def rows(table: str) -> list[tuple[str, str]]:
    """Sentences, and what each asks for: a command, with `?` one that has to be confirmed, `!` a line to send."""
    lines = (TABLES / f"{table}.txt").read_text("utf-8").splitlines()
    pairs = [line.split("=>") for line in lines if line.strip() and not line.startswith("#")]
    assert pairs, f"{table}.txt is empty"
    return [(said.strip(), asked.strip()) for said, asked in pairs]


def asked(sentence: str) -> Iterator[str]:
    """What a sentence is taken to ask for."""
    for line in read(sentence, BOARD):
        for request in line.requests:
            yield f"{'? ' if isinstance(request, Perhaps) else ''}{command_line(request)}"
        for fault in line.faults:
            yield f"! {fault.candidates[0] if fault.candidates else fault.kind}"


@pytest.mark.parametrize(("sentence", "meant"), rows("requests"), ids=[said for said, _ in rows("requests")])
def test_a_sentence_asks_for_its_command(sentence: str, meant: str) -> None:
    assert " | ".join(asked(sentence)) == meant


@pytest.mark.parametrize(("sentence", "meant"), rows("fresh"), ids=[said for said, _ in rows("fresh")])
def test_a_fresh_sentence_is_never_taken_against_its_meaning(sentence: str, meant: str) -> None:
    assert verdict(sentence, meant) != "against the meaning"


def test_most_fresh_sentences_are_heard() -> None:
    heard = Counter(verdict(said, meant) for said, meant in rows("fresh"))
    assert heard["against the meaning"] == 0
    assert heard["done"] + heard["asked about"] >= 9 * heard.total() // 10


def test_the_examples_of_a_hint_can_be_sent() -> None:
    for said, meant in rows("requests"):
        if meant.startswith("! ") and " " in meant[2:].strip():
            (line,) = read(meant[2:], BOARD)
            assert line.requests, said
            assert not line.faults, said


def test_every_sentence_of_the_data_is_a_pattern() -> None:
    assert sum(len(entry.said) for entry in load_phrases().entries) > 200
    for line in ("x " * 80, "を" * 150, "please " * 30, "可能" * 60):
        assert not list(asked(line))


def test_every_idea_speaks_of_a_command_in_both_tongues() -> None:
    data = tomllib.loads((shipped("grammar") / "words" / "commands" / "about.toml").read_text("utf-8"))
    spoken = {word.removeprefix("-") for rows in data["about"].values() for row in rows for word in row.split()}
    ideas = {word for word in spoken if not word.startswith("<")}
    assert len(ideas) > 50
    assert set(data["ideas"]["en"]) == set(data["ideas"]["ja"]) == ideas
    assert set(data["about"]) <= {entry.key for entry in load_phrases().entries}


@pytest.mark.parametrize(
    "reason", ["結果が間違いです", "ミュンヘンは空いていました。確認をお願いします", "That is wrong, please"]
)
def test_an_objection_is_passed_on_whole(reason: str) -> None:
    (line,) = read(f"{'異議' if not reason.isascii() else 'OBJECTION'}: {reason}", BOARD)
    (request,) = line.requests
    assert isinstance(request, Object)
    assert request.reason == reason


@pytest.mark.parametrize("meant", sorted({meant for _, meant in rows("requests") if meant[:1].isalpha()}))
def test_the_line_in_japanese_asks_for_the_same(meant: str) -> None:
    requests = [request for part in meant.split(" | ") for line in read(part, BOARD) for request in line.requests]
    assert requests
    for request in requests:
        if not isinstance(request, Override | Talk):
            assert read(line_in_japanese(request), BOARD)[0].requests == (request,)


def verdict(said: str, meant: str) -> str:
    """How well a sentence is heard."""
    found = " | ".join(asked(said))
    if found == meant:
        return "asked about" if meant.startswith(("!", "?")) else "done"
    if found.startswith(("!", "?")):
        return "asked about"
    return "against the meaning" if found else "not used"


if __name__ == "__main__":
    for language, chosen in (("English", str.isascii), ("Japanese", lambda said: not said.isascii())):
        print(language, dict(Counter(verdict(*row) for row in rows("fresh") if chosen(row[0]))))  # noqa: T201
    for said, meant in rows("fresh"):
        if verdict(said, meant) not in ("done", "asked about"):
            print(f"{verdict(said, meant)}: {said} => {' | '.join(asked(said))} and not {meant}")  # noqa: T201

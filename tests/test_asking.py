"""People's own sentences for commands, in tables.

Each sentence is done, asked about, or answered with a line to send.

`python -m tests.test_asking` prints how many fresh sentences are done, asked about, or passed over. Given names of
files, it does the same for theirs: a sentence a line, a tab, and the command that was meant.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from judge.commands import Object, Override, Perhaps, Talk, UseGame
from judge.language import Context, read
from judge.language.asking.intent import NOTHING, SCALE, Weights
from judge.language.asking.phrases import load_phrases
from judge.language.asking.slots import ORDER, lines_that_stand_for
from judge.language.context import Role
from judge.language.faults import Fault, FaultKind
from judge.language.unused import unused
from judge.language.words import normal_form
from judge.language.writing import command_line, line_in
from judge.languages import Language
from judge.rules import load_map
from judge.rules.position import Power
from tests.learning import FOLDER, digest, sentences

TABLES = Path(__file__).parent / "asking"
MAP = load_map()
BOARD = Context(MAP, MAP.start(), (Power("FRANCE"),))


def rows(table: str) -> list[tuple[str, str]]:
    """Return the sentences of a table, each with the command it asks for.

    `?` marks a command that has to be confirmed, `!` a line to send.
    """
    lines = (TABLES / f"{table}.txt").read_text("utf-8").splitlines()
    pairs = [line.split("=>") for line in lines if line.strip() and not line.startswith("#")]
    assert pairs, f"{table}.txt is empty"
    return [(said.strip(), asked.strip()) for said, asked in pairs]


def asked(sentence: str) -> Iterator[str]:
    """Yield what a sentence is read to ask for."""
    for line in read(sentence, BOARD):
        for request in line.requests:
            yield f"{'? ' if isinstance(request, Perhaps) else ''}{command_line(request)}"
        for fault in line.faults:
            yield f"! {' or '.join(lines_to_send(fault)) or fault.kind}"


WRITERS = {
    "player": Context(MAP, MAP.start(), (Power("ENGLAND"),), role=Role.PLAYER),
    "master": Context(MAP, MAP.start(), (), role=Role.MASTER),
    "stranger": Context(
        MAP,
        role=Role.STRANGER,
        open_games={"ardennes": frozenset(map(Power, ("FRANCE", "GERMANY", "ITALY"))), "verdun": frozenset()},
    ),
}


def asked_by(who: str, sentence: str) -> Iterator[str]:
    """Yield what a sentence of this writer asks for, with left-out parts in brackets."""
    for line in read(sentence, WRITERS[who]):
        for request in line.requests:
            left_out = f" ({', '.join(request.left_out)})" if isinstance(request, Perhaps) and request.left_out else ""
            yield f"{'? ' if isinstance(request, Perhaps) else ''}{command_line(request)}{left_out}"
        for fault in line.faults:
            yield f"! {' or '.join(lines_to_send(fault)) or fault.kind}"


def test_who_asks_decides_what_is_meant() -> None:
    table = rows("roles")
    assert len(table) > 120
    assert {row: " | ".join(asked_by(*row.split(": ", 1))) for row, _ in table} == dict(table)


def test_prose_asks_for_its_gist() -> None:
    table = rows("prose")
    assert len(table) > 100
    assert {row: " | ".join(asked_by(*row.split(": ", 1))) for row, _ in table} == dict(table)


def lines_to_send(fault: Fault) -> tuple[str, ...]:
    """Return the lines that an answer offers for a sentence."""
    return fault.candidates if fault.kind is FaultKind.UNSURE else fault.candidates[:1]


@pytest.mark.parametrize(("sentence", "meant"), rows("requests"), ids=[said for said, _ in rows("requests")])
def test_a_sentence_asks_for_its_command(sentence: str, meant: str) -> None:
    assert " | ".join(asked(sentence)) == meant


@pytest.mark.parametrize(("sentence", "meant"), rows("fresh"), ids=[said for said, _ in rows("fresh")])
def test_a_fresh_sentence_is_never_taken_against_its_meaning(sentence: str, meant: str) -> None:
    assert verdict(sentence, meant) != "against the meaning"


def test_a_sentence_is_heard_by_what_it_speaks_of() -> None:
    table = rows("spoken")
    assert len(table) > 900
    assert {said: " | ".join(asked(said)) for said, _ in table} == dict(table)


def test_most_fresh_sentences_are_heard() -> None:
    heard = Counter(verdict(said, meant) for said, meant in rows("fresh"))
    assert heard["against the meaning"] == 0
    assert heard["done"] + heard["asked about"] >= 9 * heard.total() // 10


@pytest.mark.long
def test_the_weights_are_learned_from_the_sentences() -> None:
    for language in Language:
        assert digest() in (FOLDER / f"{language}.txt").read_text("utf-8")[:400], "python -m tests.learning"
    known = {entry.key for entry in load_phrases().entries} | {NOTHING, ORDER, *lines_that_stand_for()}
    assert {one.key for one in sentences()} <= known


@pytest.mark.parametrize("is_english", [True, False], ids=["en", "ja"])
def test_who_chats_beside_his_orders_is_hardly_ever_asked(*, is_english: bool) -> None:
    said = [line for line in chat() if line.isascii() == is_english]
    beside = [read(f"A Par - Bur\n\n{one}", BOARD)[1:] for one in said]
    assert len(said) > 95
    assert sum(any(line.requests or line.faults for line in lines) for lines in beside) <= 3


def test_from_chat_nothing_was_learned() -> None:
    assert {one.text for one in sentences()}.isdisjoint(normal_form(said).text.strip() for said in chat())


def test_what_may_mean_two_things_is_answered_with_a_line_for_each() -> None:
    (fault,) = read("もうメールを送らないでください", BOARD)[0].faults
    assert (fault.kind, fault.candidates) == (FaultKind.UNSURE, ("メール設定 まとめて", "図 なし", "辞退"))


def chat() -> list[str]:
    """Return lines of chat that people write beside their orders."""
    lines = (TABLES / "chat.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


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


@pytest.mark.parametrize(
    "reason", ["結果が間違いです", "ミュンヘンは空いていました。確認をお願いします", "That is wrong, please"]
)
def test_an_objection_is_passed_on_whole(reason: str) -> None:
    (line,) = read(f"{'異議' if not reason.isascii() else 'OBJECTION'}: {reason}", BOARD)
    (request,) = line.requests
    assert isinstance(request, Object)
    assert request.reason == reason


@pytest.mark.parametrize("meant", sorted({meant for _, meant in rows("requests") if meant[:1].isalpha()}))
def test_the_line_in_any_language_asks_for_the_same(meant: str) -> None:
    requests = [request for part in meant.split(" | ") for line in read(part, BOARD) for request in line.requests]
    assert requests
    for request in requests:
        if not isinstance(request, Override | Talk):
            for language in Language:
                assert read(line_in(language, request), BOARD)[0].requests == (request,)


def verdict(said: str, meant: str) -> str:
    """Return how well a sentence is read."""
    found = " | ".join(asked(said))
    if found == meant:
        return "asked about" if meant.startswith(("!", "?")) else "done"
    if found.startswith(("!", "?")):
        return "asked about"
    return "against the meaning" if found else "not used"


def measured(said: str, meant: str) -> str:
    """Return the outcome of a sentence whose writer has not seen the grammar."""
    # Answers are read as such only where a question was asked.
    lines = read(said, replace(BOARD, has_questions=meant.startswith(("YES", "NO ")) or meant == "NO"))
    requests = [request for line in lines for request in line.requests if not isinstance(request, UseGame)]
    hints = [one for line in lines for fault in line.faults for one in lines_to_send(fault)]
    found = {_word_of(command_line(request)) for request in requests} | {
        _word_of(command_line(request)) for hint in hints for line in read(hint, BOARD) for request in line.requests
    }
    if meant in ("NONE", "NOTHING"):
        return "asked though nothing is to be done" if requests or hints else "left alone"
    is_asked = bool(hints) or any(isinstance(one, Perhaps) or one.card.is_final for one in requests)
    if _word_of(meant) in found:
        return "asked about" if is_asked else "done"
    if requests or any(line.faults for line in lines):
        return "something else asked" if is_asked or not requests else "against the meaning"
    return "named" if unused(lines, BOARD) else "in silence"


ALIKE = {
    "EXTEND": "DEADLINE",
    "SET DEADLINE": "DEADLINE",
    "ARMISTICE": "DRAW",
    "MY ORDERS": "ORDERS",
    "TAKE": "JOIN",
    "ASK": "HELP",
}
"""Commands that count as the same; a question about a command gets its help."""


def _word_of(line: str) -> str:
    """Return the distinctive words of a command; more time until Friday is a deadline."""
    first, *others = line.upper().replace(":", " ").split()
    word = f"{first} {others[0]}" if first in ("NO", "NOT", "MY", "SET") and others else first
    return ALIKE.get(word, word)


def _report(title: str, verdicts: Mapping[tuple[str, str], str]) -> None:
    print(title, dict(Counter(verdicts.values())))  # noqa: T201
    for (said, meant), found in verdicts.items():
        if found not in ("done", "asked about"):
            print(f"{found}: {said} => {' | '.join(asked(said))} and not {meant}")  # noqa: T201


def test_the_weights_of_all_features_are_added() -> None:
    weights = Weights(("map", "draw", "nothing"), (0, 6, -6), {"x": "-29:0|3:1", "y": "2:0 1", "z": "-1:2"})
    found = frozenset(("x", "y", "z", "unknown"))
    assert weights.scores(found) == [(total / 2 + bias) / SCALE for total, bias in ((-27, 0), (5, 6), (-1, -6))]
    assert weights.scores(frozenset()) == [0, 1, -1]


def test_press_and_notes_begin_with_their_own_words() -> None:
    talk = [entry for entry in load_phrases().entries if issubclass(entry.makes, Talk)]
    begins = {phrase.split()[0] for entry in talk for phrase in entry.phrases}
    assert begins <= {"~", *(entry.key for entry in talk)}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        pairs = [tuple(line.split("\t")[:2]) for line in Path(name).read_text("utf-8").splitlines() if "\t" in line]
        _report(name, {(said, meant): measured(said, meant) for said, meant in pairs})
    if len(sys.argv) == 1:
        for language, chosen in (("English", str.isascii), ("Japanese", lambda said: not said.isascii())):
            _report(language, {row: verdict(*row) for row in rows("fresh") if chosen(row[0])})

"""Any text: no exception, and no order that the words do not support."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.commands import Give
from judge.language import Context, ReadLine, read
from judge.language.orders.structures import slow_structures, usual, usual_grammar
from judge.language.words import Terminal, load_lexicon
from judge.language.words.normal import normal_form
from judge.language.words.tongue import is_japanese
from judge.resources import shipped
from judge.rules import adjudicate, load_map, read_order, write_order
from judge.rules.options import STANDARD
from judge.rules.orders import Build, Convoy, Disband, Hold, Retreat, Support, Waive
from judge.rules.position import PhaseKind, Power
from tests.nasty import random_orders
from tests.soak import Soak
from tests.writers import in_codes, in_english, in_japanese, plain_writer

MAP = load_map()


def _names_of_places() -> dict[str, list[str]]:
    """Map each province to its names, from the map's file and not from the lexicon."""
    data = tomllib.loads((shipped("maps") / "standard" / "names.toml").read_text("utf-8"))
    called = {code: [name for names in words.values() for name in names] for code, words in data["provinces"].items()}
    for word, meant in (*data["ambiguous"].items(), *data["slips"].items()):
        for code in [meant] if isinstance(meant, str) else meant:
            called[code].append(word)
    for words in called.values():
        words += [word[:4] for word in words if not is_japanese(word[0]) and len(word) > 4]
        words += [word.replace("ー", "") for word in words if len(word.replace("ー", "")) > 2]
    return {code: [normal_form(word).text.translate(LARGE_KANA) for word in words] for code, words in called.items()}


LARGE_KANA = str.maketrans("ァィゥェォッャュョヮ", "アイウエオツヤユヨワ")
KATAKANA = {letter: letter + ord("ァ") - ord("ぁ") for letter in range(ord("ぁ"), ord("ゖ") + 1)}
CALLED = _names_of_places()
TELLING: dict[type, tuple[set[str], PhaseKind | None]] = {
    Hold: ({"HOLD"}, None),
    Support: ({"SUPPORT", "WITH_SUPPORT"}, None),
    Convoy: ({"CONVOY"}, None),
    Retreat: ({"RETREAT"}, PhaseKind.RETREAT),
    Disband: ({"DISBAND"}, None),
    Build: ({"BUILD"}, PhaseKind.ADJUSTMENT),
    Waive: ({"WAIVE", "BUILD", "IDLE"}, None),
}
"""Order → the kinds of words that express it, and the phase that needs none."""


def check_line(line: str, context: Context) -> int:
    """Read a line; check that its words support each order; return their number."""
    (read_line,) = read(line, context) or (ReadLine(1, line),)
    assert read_line.text == line
    kinds = {word.kind for word in load_lexicon("standard").words(normal_form(line).text)}
    text = normal_form(line).text.translate(LARGE_KANA)
    text += normal_form(line).text.translate(KATAKANA).translate(LARGE_KANA)
    text += re.sub("(?<=[ァ-ヺー])-", "ー", text)  # typed instead of the long vowel of a name
    orders = [request.order for request in read_line.requests if isinstance(request, Give)]
    for order in orders:
        assert read_order(write_order(order)) == order
        places = set(re.findall(r"\b[A-Z]{3}\b", write_order(order)))
        assert all(any(name in text for name in CALLED[place]) for place in places - {"VIA"}) or "ALL" in kinds, order
        telling, phase = TELLING.get(type(order), (kinds, None))
        assert telling & kinds or phase is context.board.phase.kind, order
        assert "NOT" not in kinds, order
    for fault in read_line.faults:
        assert 0 <= fault.start <= fault.end <= len(line)
    return len(orders)


def fuzzed(chance: random.Random) -> tuple[str, Context]:
    """Return a random line and its board.

    It has random words, an order with slips, or several of both.
    """
    context = chance.choice(_boards())
    pieces = [_random_words(chance) if chance.random() < 0.3 else _mutated(chance, context) for _ in range(2)]
    return chance.choice(
        [pieces[0], pieces[0], pieces[0], chance.choice([" ", ", ", "; ", "、", "。"]).join(pieces)]
    ), context


@cache
def _boards() -> list[Context]:
    chance = random.Random(1)
    boards = []
    position = MAP.start()
    for _ in range(60):
        boards += [Context(MAP, position, (power,)) for power in chance.sample(MAP.powers, 2)]
        resolution = adjudicate(MAP, position, random_orders(MAP, position, STANDARD, chance))
        position = MAP.start() if resolution.over else resolution.position
    return boards


@cache
def _vocabulary() -> list[str]:
    signs = ["-", "->", ",", ";", ".", "(", ")", "/", ":", "。", "、", "ー", "→", "※", "#", "1.", "・", "\u200b", "Ａ"]
    return [
        *load_lexicon("standard").terminals,
        *signs * 4,
        *"afhsc" * 4,
        "ready",
        "set",
        "1901年春",
        "x",
        "ミュンヘソ",
    ]


def _random_words(chance: random.Random) -> str:
    words = chance.choices(_vocabulary(), k=chance.randint(1, 12))
    return chance.choice(["", " ", " "]).join(words).strip()


def _mutated(chance: random.Random, context: Context) -> str:
    position = context.board
    orders = random_orders(MAP, position, STANDARD, chance)
    order = chance.choice([order for given in orders.values() for order in given] or [Waive()])
    text = chance.choice([in_codes, in_english, in_japanese])(chance, fickle=True).write(order)
    for _ in range(chance.choice([0, 1, 1, 2, 4])):
        at = chance.randrange(len(text) + 1)
        text = chance.choice(
            [
                text[:at] + text[at + 1 :],
                text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
                text[:at] + chance.choice(text or "x") + text[at:],
                text[:at] + chance.choice(_vocabulary()) + text[at:],
                text[at:] + text[:at],
                text.replace(" ", chance.choice(["", "  ", "\u3000"])),
                text.upper(),
            ]
        )
    return text.replace("\n", " ").strip() or "x"


@given(st.integers(0, 2**40))
@settings(max_examples=300, deadline=None)
def test_no_order_is_invented(seed: int) -> None:
    check_line(*fuzzed(random.Random(seed)))


@pytest.mark.parametrize(("language", "unknown"), [("en", "qwerty"), ("ja", "ほげ")])
def test_an_unknown_word_does_not_make_an_order_vanish(language: str, unknown: str) -> None:
    chance = random.Random(1)
    for context in _boards()[::10]:
        for order in [
            order for given_ in random_orders(MAP, context.board, STANDARD, chance).values() for order in given_
        ]:
            first, *rest = plain_writer(language).write(order).split(" ")
            for line in (" ".join([first, *rest, unknown]), " ".join([unknown, first, *rest])):
                (answered,) = read(line, context)
                assert answered.requests or answered.faults, line


@given(st.text(max_size=80))
def test_no_text_raises(text: str) -> None:
    read(text, Context(MAP, MAP.start(), (Power("FRANCE"),)))


@pytest.mark.soak
def test_no_order_is_invented_in_a_hundred_thousand_lines(soak: Soak) -> None:
    found = sum(check_line(*fuzzed(random.Random(seed))) > 0 for seed in soak.seeds(100_000))
    assert found > soak.begun // 10  # otherwise these are no lines that may be orders


# The two grammars of sentences


def usual_sentences() -> list[tuple[Terminal, ...]]:
    """Return every sequence of words that particles.lark accepts; it has no loops."""
    return sorted(set(_rows_of("start")))


def _rows_of(symbol: str) -> Iterator[tuple[Terminal, ...]]:
    for rule in (rule for rule in usual_grammar().rules if rule.origin.name == symbol):
        parts = [
            [(cast("Terminal", part.name),)] if part.is_term else list(_rows_of(part.name)) for part in rule.expansion
        ]
        for row in product(*parts):
            yield tuple(word for part in row for word in part)


def test_the_quick_grammar_reads_a_sentence_as_the_slow_one_does() -> None:
    rows = usual_sentences()
    assert len(rows) > 1000
    for row in rows[:: len(rows) // 100]:
        assert usual(row) == slow_structures(row), row


@pytest.mark.soak
def test_the_quick_grammar_reads_every_sentence_as_the_slow_one_does(soak: Soak) -> None:
    rows = usual_sentences()
    random.Random(soak.first).shuffle(rows)
    for seed in soak.seeds(len(rows)):
        row = rows[seed % len(rows)]
        assert usual(row) == slow_structures(row), row

"""Long random runs, by `make soak`."""

from __future__ import annotations

import random

import pytest

from judge.language import Context, read
from judge.rules import PROFILES, Power, load_map
from tests.test_properties import check_movement, nasty, play

MAP = load_map()


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_nasty_phases(part: int) -> None:
    for seed in range(part * 10_000, (part + 1) * 10_000):
        check_movement(*nasty(seed))


@pytest.mark.soak
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_many_random_games_stay_legal(profile: str) -> None:
    for seed in range(30):
        play(seed, PROFILES[profile], phases=150)


@pytest.mark.soak
def test_random_lines_never_raise() -> None:
    chance = random.Random(7)
    words = [
        "A",
        "F",
        "Par",
        "Mun",
        "Nth",
        "-",
        "->",
        "S",
        "C",
        "to",
        "パリ",
        "陸軍",
        "を",
        "へ",
        "移動",
        "支援",
        "R",
        "H",
        "/nc",
        ",",
        ";",
        "B",
        "D",
        "(",
        ")",
        "VIA",
        "READY",
        "SET",
        "x",
        "。",
        "ー",
        "完了",
        "1901年春",
    ]
    context = Context(MAP, MAP.start(), (Power("FRANCE"),))
    for _ in range(20_000):
        line = chance.choice(["", " "]).join(chance.choices(words, k=chance.randint(1, 14)))
        for read_line in read(line, context):
            assert read_line.text == line

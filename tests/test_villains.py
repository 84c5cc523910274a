"""A dishonest ally, a peeking master and a forger play along and achieve nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.office import World
from tests.soak import Soak
from tests.stage import opened
from tests.villains import Villainy


@pytest.fixture(scope="module")
def begun() -> World:
    return opened()


@pytest.mark.parametrize("seed", range(2))
def test_villains_get_nothing_in_a_phase(begun: World, seed: int) -> None:
    villainy = Villainy(begun.apart(), seed)
    villainy.play(phases=2, attacks=2)
    assert sum(villainy.tried.values()) > 10


@pytest.mark.soak
def test_villains_get_nothing_in_random_games(begun: World, soak: Soak) -> None:
    tried: Counter[str] = Counter()
    for seed in soak.seeds(100):
        villainy = Villainy(begun.apart(), seed)
        villainy.play(phases=3, attacks=3)
        tried += villainy.tried
    assert len(tried) >= 8, tried

"""Receipts of one person about one game that come close together are one letter, and some want none."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.office import NAMES
from tests.ordinary import Got, letters_to, phase

TABLE = tomllib.loads(Path(__file__).with_name("meter.toml").read_text("utf-8"))["phase"]


@pytest.mark.parametrize("receipts", TABLE)
def test_an_ordinary_phase_costs_a_player_so_many_letters(receipts: str) -> None:
    world = phase(receipts)
    assert {name: Got.of(letters_to(world, name)) for name in NAMES} == dict.fromkeys(NAMES, Got(**TABLE[receipts]))

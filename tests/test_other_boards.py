"""The standard board is data: no code outside `judge.rules` loads it by default, or names what is on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge.games.person import PersonId
from judge.games.refusals import WrongSetting
from judge.games.settings import read_settings
from judge.games.setup import set_out
from judge.games.terms import Settings
from judge.rules import load_map
from judge.rules.map import USUAL_BOARD
from tests.times import as_read

JUDGE = Path(__file__).parent.parent / "judge"
MAP = load_map(USUAL_BOARD)
CODE = [path for path in JUDGE.rglob("*.py") if path.parent != JUDGE / "rules"]
_SAYINGS = re.compile(r'"""[\s\S]*?"""|#.*')


@pytest.mark.parametrize("path", CODE, ids=[str(path.relative_to(JUDGE)) for path in CODE])
def test_no_code_names_what_is_on_the_usual_board(path: Path) -> None:
    code = _SAYINGS.sub("", path.read_text("utf-8"))
    assert "load_map()" not in code
    assert not re.findall(rf'"(?:{"|".join(MAP.powers)})"', code)
    assert not re.findall(rf'"[^"]*\b[AF] (?:{"|".join(MAP.provinces)})\b[^"]*"', code)


def test_a_board_brings_its_players() -> None:
    settings = read_settings(as_read({"board": "lagoon"}))
    assert isinstance(settings, Settings)
    assert settings.rules.players == "3"
    assert [seat.power for seat in set_out("cove", settings, PersonId(1)).seats] == ["RED", "BLUE", "GREEN"]
    back = read_settings(as_read({"board": USUAL_BOARD}), settings)
    assert isinstance(back, Settings)
    assert (back.map, back.rules.players) == (USUAL_BOARD, Settings().rules.players)


@pytest.mark.parametrize(
    ("name", "value", "may_be"),
    [
        ("players", "5", "3 | 2"),
        ("seats per person", "4", "1 … 3"),
        ("board", "atlantis", USUAL_BOARD),
    ],
)
def test_what_the_board_does_not_have_is_refused(name: str, value: str, may_be: str) -> None:
    wrong = read_settings(as_read({"board": "lagoon"} | {name: value}))
    assert not isinstance(wrong, Settings)
    assert all(isinstance(one, WrongSetting) for one in wrong)
    assert may_be in wrong[0].example

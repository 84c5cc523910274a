"""The standard board is data: code outside `judge.rules` does not depend on it.

No such code loads it by default, or names what is on it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from judge.games.person import PersonId
from judge.games.refusals import WrongSetting
from judge.games.settings import read_settings
from judge.games.setup import set_out
from judge.games.terms import Settings
from judge.language.asking.data import example_of, hint_of
from judge.languages import Language
from judge.reports.places import powers_on
from judge.reports.wording import wording_in
from judge.resources import boards, shipped_data
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


@pytest.mark.parametrize(("written", "year"), [("3", 3), ("0003", 3), ("3年", 3), ("0", None), ("none", None)])
def test_the_last_year_may_have_few_digits_where_years_have(written: str, year: int | None) -> None:
    settings = read_settings(as_read({"short game": written, "board": "lagoon"}))
    assert isinstance(settings, Settings)
    assert settings.rules.short_game == year


@pytest.mark.parametrize(
    ("board", "language", "told"),
    [
        (USUAL_BOARD, Language.ENGLISH, "Standard, 7 powers; 18 of 34 centers win"),
        (
            "hundred",
            Language("ja"),
            "百年戦争、3国。補給都市17か所のうち9か所で優勝。1425年の次は1435年。自国が持つどの補給都市にも増設可",
        ),
        (
            "ancient-mediterranean",
            Language("de"),
            "Antikes Mittelmeer, 5 Mächte; 18 von 34 Zentren gewinnen; Flotten geleiten auch von BAL aus",
        ),
        (
            "delta",
            Language.ENGLISH,
            (
                "Delta, 2 powers; 5 of 6 centers win; 1200 is followed by 1205; units are built in every center that a "
                "power owns; South builds in ISLE, S2; fleets also convoy from CANAL, ISLE; neutral: Hermits"
            ),
        ),
    ],
)
def test_rules_and_terms_say_what_is_particular_on_a_board(board: str, language: Language, told: str) -> None:
    assert wording_in(language).say("board_and_win", replace(Settings(), map=board)) == told


@pytest.mark.parametrize(
    ("name", "value", "may_be"),
    [
        ("players", "5", "2 | 3"),
        ("seats per person", "4", "1 … 3"),
        ("board", "atlantis", USUAL_BOARD),
        ("short game", "later", "10 | none"),
    ],
)
def test_what_the_board_does_not_have_is_refused(name: str, value: str, may_be: str) -> None:
    wrong = read_settings(as_read({"board": "lagoon"} | {name: value}))
    assert not isinstance(wrong, Settings)
    assert all(isinstance(one, WrongSetting) for one in wrong)
    assert may_be in wrong[0].example


@pytest.mark.long
def test_the_usual_board_may_have_another_name(tmp_path: Path) -> None:
    """Play whole games by mail, the warm-up and the sample report with a renamed board.

    Its folder has another name.
    """
    root = JUDGE.parent
    for folder in ("judge", "grammar", "templates", "migrations", "docs", "tests"):
        shutil.copytree(root / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "databases"))
    shutil.copy(root / "pyproject.toml", tmp_path)
    maps = tmp_path / "judge" / "maps"
    for board in maps.iterdir():
        if board.name != USUAL_BOARD:
            shutil.rmtree(board)
    (maps / USUAL_BOARD).rename(maps / "europe")
    for file, before, after in (
        (maps / "europe" / "board.toml", f'name = "{USUAL_BOARD}"', 'name = "europe"'),
        (tmp_path / "judge" / "rules" / "map.py", f'USUAL_BOARD = "{USUAL_BOARD}"', 'USUAL_BOARD = "europe"'),
    ):
        text = file.read_text("utf-8")
        assert before in text
        file.write_text(text.replace(before, after), "utf-8")
    scripts = "test_script[two] or test_script[japanese] or test_script[sandbox] or test_script[short]"
    tests = [*("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_games_by_mail.py"), "-k", scripts]
    warm = ["-c", "from judge.service.engine.run import _warm_up; _warm_up()"]
    for arguments in (tests, warm):
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


@pytest.mark.parametrize("board", boards())
def test_lines_to_send_name_no_power_of_another_board(board: str) -> None:
    """No line names a power that only the usual board has.

    Its names are the ones that may have been written by hand.
    """
    lines = shipped_data("grammar/words/commands/lines.toml")
    for language in Language:
        there, usual = (set(powers_on(name, language)) for name in (board, USUAL_BOARD))
        examples = [example_of(command, board, "S1901M") for command in lines["examples"][language]]
        hints = [hint_of(key, language, board) for key in lines["hints"][language]]
        assert len(examples) > 20
        assert len(hints) > 10
        for line in filter(None, [*examples, *hints]):
            assert "{" not in line
            assert not any(power in line for power in usual - there), line

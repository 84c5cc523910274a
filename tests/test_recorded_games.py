"""Games recorded elsewhere, on other boards: the same orders give the same positions.

`tests/recorded/<board>.jsonl`: a phase a line, with its orders and what stood where after it; `*` is behind a dislodged
unit. The facts are those of games of vDiplomacy, as godip keeps them, in our notation and with the codes of our boards;
that of Pure is a made-up example. Phases without anything to decide are left out.
"""

from __future__ import annotations

import json
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from judge.reports.clauses import reasons_on
from judge.rules import load_map
from judge.rules.exchange import adjudicate_line

RECORDED = Path(__file__).parent / "recorded"
GAMES = [
    pytest.param(file.stem, list(phases), id=f"{file.stem}: {name}")
    for file in sorted(RECORDED.iterdir())
    for name, phases in groupby(map(json.loads, file.read_text("utf-8").splitlines()), itemgetter("game"))
]


@pytest.mark.parametrize(("board", "phases"), GAMES)
def test_it_goes_as_it_went(board: str, phases: list[dict[str, Any]]) -> None:
    after: dict[str, Any] = {"next": phases[0]["phase"], **_start(board)}
    for phase in phases:
        assert after["next"] == phase["phase"]
        line = {**after, "board": board, "phase": after["next"], "orders": phase.get("orders", {})}
        after = json.loads(adjudicate_line(json.dumps(line), reasons_on)[0])
        assert "error" not in after
        assert "after" not in phase or _standing(after) == phase["after"], phase["phase"]


def _start(board: str) -> dict[str, Any]:
    start, map_ = load_map(board).start(), load_map(board)
    return {
        "units": {power: [unit.text for unit in start.units_of(power)] for power in map_.powers},
        "centers": {power: sorted(start.centers_of(power)) for power in map_.powers},
    }


def _standing(line: dict[str, Any]) -> dict[str, list[str]]:
    powers = {*line["units"], *line["dislodged"]}
    standing = {
        power: sorted([*line["units"].get(power, ()), *(f"{unit}*" for unit in line["dislodged"].get(power, ()))])
        for power in powers
    }
    return {power: units for power, units in standing.items() if units}

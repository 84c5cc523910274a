"""Lines for `judge adjudicate`, and its answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from judge.rules.exchange import adjudicate_line
from judge.rules.outcomes import Reason

SPRING = {
    "id": 7,
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "A MAR", "F SPA/NC"], "GERMANY": ["A BUR", "A MUN", "A RUH"], "ITALY": ["A GAS"]},
    "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]},
    "orders": {
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F SPA/SC H", "A BUR - BEL", "F MAR H"],
        "GERMANY": ["A BUR H", "A MUN S A BUR", "A KIE - DEN", "A RUH - BEL"],
    },
}
KEYS = [
    "phase", "units", "dislodged", "centers", "contested", "orders", "rules", "board",
    "disorder", "unplayed", "closed", "declined", "players", "end_year", "id",
]  # fmt: skip


def why(outcome: Reason) -> str:
    return type(outcome).__name__


def words(_board: str) -> Callable[[Reason], str]:
    return why


def done(line: Mapping[str, Any]) -> dict[str, Any]:
    text, good = adjudicate_line(json.dumps(line), words)
    assert good, text
    result = json.loads(text)
    assert isinstance(result, dict)
    return result


def refused(text: str, number: int | None = None) -> dict[str, Any]:
    written, good = adjudicate_line(text, words, number)
    assert not good, written
    result = json.loads(written)
    assert result.keys() == {"id", "error"}
    assert isinstance(result, dict)
    return result

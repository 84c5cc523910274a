"""The standard adjudicator test cases under the profile `standard`."""

from __future__ import annotations

import pytest

from judge.rules import adjudicate, load_map
from judge.rules.outcomes import (
    Bounced,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    Illegal,
    NoConvoy,
    NotCarried,
    Outcome,
    Unmatched,
)
from judge.rules.position import PhaseKind
from tests.datc_tables import Case, read_cases

WORDS: dict[type[Outcome], str] = {
    Illegal: "illegal",
    Unmatched: "unmatched",
    Bounced: "bounced",
    Cut: "cut",
    NotCarried: "not carried",
    NoConvoy: "no convoy",
    Disrupted: "disrupted",
    Dislodged: "dislodged",
    Destroyed: "destroyed",
}
CASES = read_cases(load_map())


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    for table in case.phases:
        resolution = adjudicate(load_map(), table.position(), table.orders)
        told = {
            power: [
                ", ".join(WORDS[type(outcome)] for outcome in verdict.outcomes) or "succeeds"
                for verdict in resolution.verdicts
                if verdict.given and verdict.power == power
            ]
            for power in table.orders
        }
        assert told == table.outcomes
        assert dict(resolution.position.units) == table.after
        fates = {u: (d.power, d.attacked_from, d.retreats) for u, d in resolution.position.dislodged.items()}
        assert fates == {u: (d.power, d.attacked_from, d.retreats) for u, d in table.retreats.items()}
        if table.phase.kind is PhaseKind.ADJUSTMENT:
            removed = {unit for unit in table.units if unit not in resolution.position.units}
            ordered = {getattr(order, "unit", None) for orders in table.orders.values() for order in orders}
            assert removed - ordered == table.automatic


def test_every_section_is_there() -> None:
    assert {case.id[:3] for case in CASES} == {f"6.{letter}" for letter in "ABCDEFGHIJ"}
    assert len(CASES) == 176

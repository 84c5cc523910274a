"""The standard adjudicator test cases under the profile `standard`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tables import Case, check_phase, read_cases

CASES = read_cases(Path(__file__).parent / "datc")


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case) -> None:
    for table in case.phases:
        for options in case.under.values():
            check_phase(table, options)


def test_every_section_is_there() -> None:
    assert {case.id[:3] for case in CASES} == {f"6.{letter}" for letter in "ABCDEFGHIJ"}
    assert len(CASES) == 176

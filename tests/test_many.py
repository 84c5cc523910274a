"""Lines shared among processes give the same results as one process."""

from __future__ import annotations

import json

import pytest

from judge.cli.many import adjudicated
from judge.reports.clauses import reasons_on
from judge.rules.exchange import adjudicate_line

ORDERS = ["A PAR - BUR", "A PAR - GAS", "A PAR H", "A PAR - MOS"]


def line(number: int) -> bytes:
    """Return a small phase, or sometimes an unreadable line."""
    if number % 37 == 0:
        return b"{nonsense"
    units, orders = {"FRANCE": ["A PAR"]}, {"FRANCE": [ORDERS[number % len(ORDERS)]]}
    return json.dumps({"id": number, "phase": "S1901M", "units": units, "orders": orders}).encode()


@pytest.mark.parametrize(("jobs", "count"), [(1, 5), (2, 0), (2, 500)])
def test_results_come_in_the_order_of_the_lines(jobs: int, count: int) -> None:
    lines = [(number, line(number)) for number in range(1, count + 1)]
    expected = [adjudicate_line(content, reasons_on, number) for number, content in lines]
    assert list(adjudicated(lines, jobs)) == expected


def test_no_more_is_read_ahead_than_the_processes_need() -> None:
    taken = []
    lines = ((number, line(number)) for number in range(1, 3000) if not taken.append(number))  # type: ignore[func-returns-value]
    results = adjudicated(lines, 2)
    first, good = next(results)
    assert (json.loads(first)["id"], good) == (1, True)
    assert len(taken) < 1000
    results.close()  # type: ignore[attr-defined]

"""Which pictures are drawn anew; `benchmarks/attached.py` measures the cost."""

from __future__ import annotations

import pytest

from judge.mail.passing_on import WhyNot, passed_on
from tests.photographs import ROWS


@pytest.mark.parametrize("name", ROWS)
def test_as_many_pictures_go_along_as_are_cheap_enough(name: str) -> None:
    found = passed_on(ROWS[name].attached())
    assert sum(not isinstance(one.picture, WhyNot) for one in found) == ROWS[name].arrive

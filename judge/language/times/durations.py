"""Lengths of time as people write them."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache

from judge.language.times.data import times

_DURATION = re.compile(r"(\d{1,4})\s*([^\d\s]+)")


@cache
def _units() -> dict[str, str]:
    """Return word → the unit of `timedelta`."""
    tongues = times()["durations"].values()
    return {word: unit for units in tongues for unit, words in units.items() for word in words}


def read_duration(text: str) -> timedelta | None:
    """Read a length of time: `3 days`, `12 hours`, `2日 12時間`.

    None if the text is no length greater than zero.

    >>> read_duration("1 day 12 hours")
    datetime.timedelta(days=1, seconds=43200)
    """
    rest = _DURATION.sub("", text).strip(" ,、")
    total = timedelta()
    for number, word in _DURATION.findall(text):
        unit = _units().get(word.lower().strip(",、"))
        if unit is None:
            return None
        total += timedelta(**{unit: int(number)})
    return total if total and not rest else None

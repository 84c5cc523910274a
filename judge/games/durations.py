"""Lengths of time as people write them."""

from __future__ import annotations

import re
from datetime import timedelta

_UNITS = {
    "minutes": ("m", "min", "minute", "minutes", "分"),
    "hours": ("h", "hour", "hours", "時間"),
    "days": ("d", "day", "days", "日", "日間"),
    "weeks": ("w", "week", "weeks", "週間"),
}
_DURATION = re.compile(r"(\d{1,4})\s*([^\d\s]+)")


def read_duration(text: str) -> timedelta | None:
    """Read `3 days`, `12 hours`, `2日 12時間`; None if it is no duration longer than nothing.

    >>> read_duration("1 day 12 hours")
    datetime.timedelta(days=1, seconds=43200)
    """
    rest = _DURATION.sub("", text).strip(" ,、")
    total = timedelta()
    for number, word in _DURATION.findall(text):
        unit = next((unit for unit, words in _UNITS.items() if word.lower().strip(",、") in words), None)
        if unit is None:
            return None
        total += timedelta(**{unit: int(number)})
    return total if total and not rest else None

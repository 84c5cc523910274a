"""The days and the hour on which orders are due, wherever a Japanese sentence names them: 火曜と金曜の夜9時."""

from __future__ import annotations

from itertools import islice

from judge.commands import SettingValue
from judge.language.asking.data import pattern_of
from judge.language.context import Context
from judge.language.times import read_setting
from judge.language.words import Line

_LONGEST, _MOST_BEGINNINGS = 24, 3
_UNITS_OF_A_TIME = 40
"""The cost of reading a part of a line as a time, in units of the budget."""


def deadline_in(line: Line, context: Context) -> SettingValue | None:
    """Return the deadline of a game that a sentence names; None if it names none."""
    for match in islice(pattern_of("%s", "begins_a_schedule").finditer(line.text), _MOST_BEGINNINGS):
        for length in range(_LONGEST, 1, -1):
            part = line.text[match.start() : match.start() + length]
            context.budget.charge(_UNITS_OF_A_TIME)
            value = read_setting("deadline", pattern_of("%s", "ends_a_schedule").sub("", part))
            if value.meant is not None:
                return value
    return None

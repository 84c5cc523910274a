"""Times in words: phases, moments, periods, lengths, timetables, and settings that are times.

The words and patterns are in `grammar/times.toml`.
"""

from judge.language.times.durations import read_duration
from judge.language.times.hours import read_hours
from judge.language.times.moments import read_moment, read_period, with_plain_dates
from judge.language.times.phases import NamedPhase, phases_in, with_plain_phases, without
from judge.language.times.settings import read_setting
from judge.language.times.timetable import read_timetable

__all__ = [
    "NamedPhase",
    "phases_in",
    "read_duration",
    "read_hours",
    "read_moment",
    "read_period",
    "read_setting",
    "read_timetable",
    "with_plain_dates",
    "with_plain_phases",
    "without",
]

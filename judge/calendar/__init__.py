"""Times as people write them, and the moments they mean.

Timetables, moments, periods and zones. `judge.language.times` reads them; games calculate with them.
"""

from judge.calendar.clocks import Zone, first_moment, is_skipped
from judge.calendar.hours import AWAKE, Hours, Span
from judge.calendar.moments import (
    FARTHEST,
    Ahead,
    Day,
    DaysAhead,
    DaysLater,
    Moment,
    MomentFault,
    PartialDate,
    Period,
    TimeOfDay,
    WallTime,
    WeeksAhead,
    moment_meant,
    next_period,
    period_meant,
)
from judge.calendar.timetable import LONGEST, Timetable, Weekday, ZonedTimetable, deadline, upcoming

__all__ = [
    "AWAKE",
    "FARTHEST",
    "LONGEST",
    "Ahead",
    "Day",
    "DaysAhead",
    "DaysLater",
    "Hours",
    "Moment",
    "MomentFault",
    "PartialDate",
    "Period",
    "Span",
    "TimeOfDay",
    "Timetable",
    "WallTime",
    "Weekday",
    "WeeksAhead",
    "Zone",
    "ZonedTimetable",
    "deadline",
    "first_moment",
    "is_skipped",
    "moment_meant",
    "next_period",
    "period_meant",
    "upcoming",
]

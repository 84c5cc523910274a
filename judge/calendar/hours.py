"""Hours of the week that suit a person, and the deadlines that they suit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.calendar.timetable import Weekday

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Span:
    """Hours of some weekdays.

    They go on into the next day if `end` is not later than `start`.
    """

    weekdays: frozenset[Weekday] = frozenset()
    """The weekdays on which they begin; empty for every day."""
    start: time = time()
    end: time = time()

    @property
    def days(self) -> tuple[Weekday, ...]:
        """The weekdays from Monday on; empty for every day."""
        return tuple(sorted(self.weekdays))

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole day."""
        return self.start == self.end == time()

    def suits(self, wall: datetime) -> bool:
        """Whether a deadline at that time of the clocks lies in these hours.

        A deadline at their beginning leaves no time, and one at their end leaves all of it.
        """
        length = (timedelta(hours=self.end.hour - self.start.hour, minutes=self.end.minute - self.start.minute)) % _DAY
        begins = (datetime.combine(wall.date() - ahead * _DAY, self.start) for ahead in range(3))
        return any(
            begin < wall <= begin + (length or _DAY)
            for begin in begins
            if not self.weekdays or begin.weekday() in self.weekdays
        )


@dataclass(frozen=True, slots=True)
class Hours:
    """The hours that suit a person, on the clocks of their zone."""

    spans: tuple[Span, ...]

    def suit(self, moment: datetime, zone: str) -> bool:
        """Whether a deadline at that moment lies in them."""
        wall = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        return any(span.suits(wall) for span in self.spans)


AWAKE = Hours((Span(start=time(7), end=time(23)),))
"""When people who named no hours are taken to be awake."""

"""Values read from a mail, with the words they were read from."""

from __future__ import annotations

from datetime import timedelta
from typing import Generic, TypeAlias, TypeVar

from judge.calendar import Timetable, Zone, ZonedTimetable
from judge.rules.values import value

T_co = TypeVar("T_co", covariant=True)


@value
class AsWritten(Generic[T_co]):
    """A value in the sender's words, which refusals and receipts quote."""

    text: str
    meant: T_co | None = None
    """None if the words cannot be read as such a value."""

    def __str__(self) -> str:
        """As written."""
        return self.text


SettingTime: TypeAlias = Timetable | ZonedTimetable | Zone | timedelta | tuple[timedelta, ...]
SettingValue: TypeAlias = AsWritten[SettingTime]
"""The new value of a setting; only the words if it is not a time."""

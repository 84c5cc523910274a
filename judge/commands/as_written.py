"""Words of a mail that stand for a time, beside what they were read as."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeAlias, TypeVar

from judge.calendar import Timetable, Zone, ZonedTimetable

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class AsWritten(Generic[T_co]):
    """A time in somebody's words: refusals and receipts quote them."""

    text: str
    meant: T_co | None = None
    """None where the words can be read as no such time."""

    def __str__(self) -> str:
        """As written."""
        return self.text


SettingTime: TypeAlias = Timetable | ZonedTimetable | Zone | timedelta | tuple[timedelta, ...]
SettingValue: TypeAlias = AsWritten[SettingTime]
"""What a setting is to be; the words alone, where it is no time."""

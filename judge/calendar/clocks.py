"""The wall clocks of a zone, and the times they skip."""

from __future__ import annotations

from bisect import bisect_left
from datetime import UTC, datetime, timedelta, tzinfo
from typing import NewType

Zone = NewType("Zone", str)
"""A time zone by its IANA name; the zone exists."""
_DAY_SECONDS = 24 * 60 * 60


def first_moment(wall: datetime, zone: tzinfo) -> datetime:
    """Return when clocks in the zone first show that time, in UTC.

    If they skip it, the result is the first moment after the gap.
    """
    if not is_skipped(wall, zone):
        return wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    # In a gap, fold=1 uses the offset after the gap, which gives a moment before the gap (PEP 495).
    early = wall.replace(tzinfo=zone, fold=1, microsecond=0).astimezone(UTC)
    before = early.astimezone(zone).utcoffset()

    def is_after(seconds: int) -> bool:
        return (early + timedelta(seconds=seconds)).astimezone(zone).utcoffset() != before

    return early + timedelta(seconds=bisect_left(range(_DAY_SECONDS), x=True, key=is_after))


def is_skipped(wall: datetime, zone: tzinfo) -> bool:
    """Whether clocks in the zone never show that time."""
    shown = wall.replace(tzinfo=zone, fold=0).astimezone(UTC).astimezone(zone)
    return shown.replace(tzinfo=None) != wall

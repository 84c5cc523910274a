"""The retry schedule of letters that could not be delivered."""

from __future__ import annotations

from datetime import timedelta

GIVE_UP_AFTER = timedelta(days=3)
_PAUSES = tuple(map(timedelta, [0] * 7, [60, 300, 900, 3600, 7200, 10800, 14400]))
"""Pauses between attempts: 1, 5, 15 minutes, then hours.

The hours are 1, 2 and 3, then 4 each time.
"""


def pause_after(attempts: int) -> timedelta:
    """Return the pause before the next attempt, given the number of earlier ones."""
    return _PAUSES[min(attempts, len(_PAUSES) - 1)]

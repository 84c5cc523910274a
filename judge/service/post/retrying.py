"""When a letter that did not arrive is tried again, and for how long."""

from __future__ import annotations

from datetime import timedelta

GIVE_UP_AFTER = timedelta(days=3)
_PAUSES = tuple(map(timedelta, [0] * 7, [60, 300, 900, 3600, 7200, 10800, 14400]))
"""Between tries: 1, 5, 15 minutes, 1, 2, 3, then every 4 hours."""


def pause_after(attempts: int) -> timedelta:
    """How long to wait after so many tries before this one."""
    return _PAUSES[min(attempts, len(_PAUSES) - 1)]

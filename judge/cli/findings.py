"""What was looked at, and what is to be said of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    about: str
    said: str
    """What is wrong with it, in one line; or where it is."""
    is_good: bool
    is_warning: bool = False
    """It is good, but somebody should know."""

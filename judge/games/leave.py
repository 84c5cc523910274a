"""A player's absence, and how long phases have waited for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

_YEAR = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Waited:
    """A phase waited for an absent player."""

    phase: str
    at: datetime
    length: timedelta


@dataclass(frozen=True, slots=True)
class Leave:
    """The absence a player has announced, and the phases that waited for them."""

    start: datetime | None = None
    end: datetime | None = None
    waited: tuple[Waited, ...] = ()

    def waited_lately(self, now: datetime) -> timedelta:
        """Return how long phases have waited in the last year."""
        return sum((one.length for one in self.waited if one.at > now - _YEAR), timedelta())

"""The clock of a game: start and deadline of its open phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.rules.position import Power

_NOT_REMINDED = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Clock:
    """The times of the open phase, and the time carried over between phases."""

    opened_at: datetime | None = None
    """When the open phase began."""
    deadline: datetime | None = None
    """When the open phase closes at the latest.

    None means that only readiness or the master closes it.
    """
    closing_since: datetime | None = None
    """When closing began; mail that arrived until then still counts.

    It is set when every player is ready or the master said PROCESS.
    """
    processed: str | None = None
    """The master's reason for closing the open phase; "" without a reason.

    None means that the master is not closing it.
    """
    left: timedelta | None = None
    """Time left of the open phase when the game was paused.

    None means that the phase had no deadline.
    """
    carried: timedelta = timedelta()
    """Time left over from retreats and adjustments, for the next movement phase (R-UPD-3)."""
    added: timedelta = timedelta()
    """The part of `carried` that was added to the open phase."""
    in_grace: bool = False
    """The deadline has passed; only powers that lack orders may still send them."""
    awaits: bool = False
    """The deadline has passed, and the phase waits for a power that sent nothing."""
    before_outage: datetime | None = None
    """The deadline before it was moved because the judge was down when it passed."""
    nudged_at: datetime | None = None
    """When players were last reminded in a phase without a deadline."""
    unmoved: datetime | None = None
    """The deadline without the absences that moved it; None if it was not moved."""
    reminded: int = 0
    """How many reminders were sent for the open phase."""
    successors: tuple[Power, ...] = ()
    """Powers whose new players got more time in the open phase.

    Each power gets it once.
    """

    @property
    def due(self) -> datetime | None:
        """The moment from which the phase can be closed; None if not yet known."""
        moments = [moment for moment in (self.deadline, self.closing_since) if moment is not None]
        return min(moments, default=None)

    def next_reminder(self, reminders: Sequence[timedelta]) -> datetime | None:
        """Return when the next of these reminders is due before the deadline.

        Moments in the first hour of a phase are left out. None means that no reminder is left.
        """
        if self.deadline is None or self.opened_at is None or self.in_grace:
            return None
        moments = [self.deadline - before for before in reminders[self.reminded :]]
        return next((moment for moment in moments if moment >= self.opened_at + _NOT_REMINDED), None)

    def paused(self, now: datetime) -> Clock:
        """Return the clock of a paused game, with the time left instead of a deadline."""
        left = max(timedelta(), self.deadline - now) if self.deadline is not None else None
        return replace(self, left=left, deadline=None, closing_since=None, processed=None)

    def stopped(self) -> Clock:
        """Return the clock of a finished game."""
        return replace(self, deadline=None, closing_since=None, left=None)

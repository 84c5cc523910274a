"""Which rollback withdrew a report, as the log tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from judge import commands as c
from judge.games.withdrawn import Withdrawal
from judge.rules.position import Phase
from judge.storage.records import ClosedPhase, LogEntry


def withdrawal_of_phase(entries: Iterable[LogEntry], closed: ClosedPhase) -> Withdrawal | None:
    """Return the rollback that withdrew the results of a closed phase; None if they count, or if none is known."""
    if closed.counts:
        return None
    return _withdrawal(entries, closed.closed_at, lambda phase: phase.order_key <= closed.phase.order_key)


def withdrawal_of_letter(entries: Iterable[LogEntry], told_at: datetime, opened: Phase | None) -> Withdrawal | None:
    """Return the rollback that withdrew a letter about the phase that was open then; None if the letter holds."""
    return _withdrawal(entries, told_at, lambda phase: opened is None or phase.order_key < opened.order_key)


def _withdrawal(entries: Iterable[LogEntry], told_at: datetime, reaches: Callable[[Phase], bool]) -> Withdrawal | None:
    found = last = None
    for entry in entries:
        match entry.command:
            case c.Rollback(phase=phase, reason=reason) if entry.at >= told_at:
                last = Withdrawal(entry.at, phase, reason)
                found = last if found is None and reaches(phase) else found
            case c.Redo() if found is last:  # takes back the last rollback only
                found = None
    return found

"""Reports that a rollback withdrew."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.rules.position import Phase


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A rollback that withdrew a report."""

    told_at: datetime
    """When the report was told."""
    at: datetime
    phase: Phase
    """The phase that was opened again."""
    reason: str

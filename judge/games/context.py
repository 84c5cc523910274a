"""The context that a mail gives its requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.commands import OrderFor
from judge.rules.position import Phase, Power


@dataclass(frozen=True, slots=True)
class MailContext:
    """The context that a mail gives its requests."""

    mail: int
    """The mail's number; a later mail has a greater one."""
    line: str
    received_at: datetime
    meant_phase: Phase | None = None
    """From a PHASE line, or from the report that the mail replies to."""
    fresh: timedelta = timedelta()
    """For how long after its opening a phase is not assumed to be meant unless the mail names it."""
    written_at: datetime | None = None
    """When the mail was probably written: one from before the opening does not mean the phase, unless it names it."""
    power: Power | None = None
    """From a heading or the secret address, if the sender holds several powers."""
    ordering: OrderFor | None = None
    """The master's ORDER FOR above the line."""
    worked_at: datetime | None = None
    """When the mail is handled and answered."""
    is_proved: bool = True
    """The sender is verified; if not, no line of the mail is held against them."""
    heard: frozenset[int] = frozenset()
    """Earlier mails of the sender whose answers they may have read: this mail replies to one, or came after it."""
    zone: str = "UTC"
    """The time zone in which the sender writes times."""
    adds: bool = False
    """Builds and removals are added to those of earlier mails while there is room: each came from a button."""

    answers_withdrawn: bool = False
    """The mail replies to a letter that a rollback withdrew."""

    def is_too_fresh(self, opened_at: datetime) -> bool:
        """Whether the phase opened only just before the mail arrived, so that the one before may be meant."""
        return self.received_at < opened_at + self.fresh

    def is_older_than(self, opened_at: datetime) -> bool:
        """Whether the mail was probably written before the phase opened."""
        return self.written_at is not None and self.written_at < opened_at

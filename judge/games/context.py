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
    """Time after a phase opens in which a mail must name it to mean it.

    A mail that names no phase and arrives in this time may mean the phase before.
    """
    written_at: datetime | None = None
    """When the mail was probably written.

    A mail from before the opening of the phase does not mean that phase, unless it names it.
    """
    power: Power | None = None
    """From a heading or the secret address, if the sender holds several powers."""
    ordering: OrderFor | None = None
    """The master's ORDER FOR above the line."""
    worked_at: datetime | None = None
    """When the mail is handled and answered."""
    is_proved: bool = True
    """The sender is verified; only then are refused lines remembered."""
    heard: frozenset[int] = frozenset()
    """Earlier mails of the sender whose answers they may have read.

    This mail replies to such an answer, or came after it.
    """
    zone: str = "UTC"
    """The time zone in which the sender writes times."""
    adds: bool = False
    """Builds and removals are added to those of earlier mails while there is room.

    Each of these orders came from a button.
    """

    answers_withdrawn: bool = False
    """The mail replies to a letter that a rollback withdrew."""

    def is_too_fresh(self, opened_at: datetime) -> bool:
        """Whether the phase opened just before the mail arrived.

        Then the mail may mean the phase before.
        """
        return self.received_at < opened_at + self.fresh

    def is_older_than(self, opened_at: datetime) -> bool:
        """Whether the mail was probably written before the phase opened."""
        return self.written_at is not None and self.written_at < opened_at

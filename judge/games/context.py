"""What the mail around a request says about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.commands import OrderFor
from judge.rules.position import Phase, Power


@dataclass(frozen=True, slots=True)
class MailContext:
    """What the mail around a request says about it."""

    mail: int
    """The mail's number; a later mail has a greater one."""
    line: str
    received_at: datetime
    meant_phase: Phase | None = None
    """From a PHASE line, or from the report that the mail replies to."""
    fresh: timedelta = timedelta()
    """How long after its opening a phase is not taken to be meant unless the mail says so."""
    power: Power | None = None
    """From a heading or from the secret address, where the sender holds several."""
    ordering: OrderFor | None = None
    """The master's ORDER FOR that the line stands below."""
    worked_at: datetime | None = None
    """When the mail is worked and answered."""
    is_proved: bool = True
    """Its sender is known for sure: else no line of it is held against them."""
    heard: frozenset[int] = frozenset()
    """Earlier mails of the sender whose answers they may have read: this mail replies to one, or came after it."""
    zone: str = "UTC"
    """In which the sender writes times."""
    adds: bool = False
    """Builds and removals stand beside those of earlier mails, as far as there is room: each came by a tap."""

    def is_too_fresh(self, opened_at: datetime) -> bool:
        """Whether the mail may well have been written before the phase opened."""
        return self.received_at < opened_at + self.fresh

"""The position of a mailbox when first seen: older mail is left alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

NOT_SEEN = -1
"""The validity of a mailbox that could not be opened yet."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The position of a mailbox when it was first seen; mail before it is ignored."""

    validity: int
    """UIDVALIDITY: while it stays the same, so do the numbers of the mails."""
    next: int
    """Mails from this number on are for the judge."""
    at: datetime
    """When the judge was first started with this mailbox.

    Later mails are for the judge, whatever their numbers.
    """


class Marks(Protocol):
    """Stores the first-seen position of each mailbox."""

    def begin(self, source: str) -> Mark:
        """Return the mark of a source; a new one has this time and NOT_SEEN."""

    def seen(self, source: str, mark: Mark, left: int) -> None:
        """Save the position of an opened mailbox, and the number of mails `left` alone."""

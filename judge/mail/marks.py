"""What is remembered of a mailbox: where it stood when the judge saw it for the first time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a mailbox stood when it was seen for the first time: what lay in it then is nobody's affair."""

    validity: int
    """UIDVALIDITY: as long as it is the same, so are the numbers of the mails."""
    next: int
    """UIDNEXT: mails from this number on are for us."""
    at: datetime
    """When that was; should the numbers have changed, mails that arrived since then are for us."""


class Marks(Protocol):
    """Remembers where each mailbox stood."""

    def first(self, source: str, validity: int, next_: int) -> Mark:
        """The mark of a source: where it stands now, if it was never seen before."""

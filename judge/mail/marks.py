"""What is remembered of a mailbox: where it stood when the judge saw it for the first time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

NOT_SEEN = -1
"""The validity of a mailbox that nobody could look into yet."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a mailbox stood when it was seen for the first time: what lay in it then is nobody's affair."""

    validity: int
    """UIDVALIDITY: as long as it is the same, so are the numbers of the mails."""
    next: int
    """Mails from this number on are for us."""
    at: datetime
    """When the judge was first started with it: mails that arrived since then are for us, whatever their numbers."""


class Marks(Protocol):
    """Remembers where each mailbox stood."""

    def begin(self, source: str) -> Mark:
        """The mark of a source; one of this moment, not seen yet, if it is new."""

    def seen(self, source: str, mark: Mark, left: int) -> None:
        """Keep where a mailbox stands now that it is seen, and so many mails in it are left alone."""

"""What a master may choose, as values."""

from __future__ import annotations

from enum import StrEnum


class Access(StrEnum):
    """Who may take a seat."""

    OPEN = "open"
    APPROVAL = "by-approval"
    """Whoever the masters ALLOW."""
    INVITED = "invited"
    """Whoever a master invited."""

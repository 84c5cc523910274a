"""What a process of the judge can do alone."""

from __future__ import annotations

from enum import StrEnum


class Part(StrEnum):
    """What can also run alone, as a process of its own on the same database."""

    RECEIVE = "receive"
    WORK = "work"
    CLOCK = "clock"
    DELIVER = "deliver"

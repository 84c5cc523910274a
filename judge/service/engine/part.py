"""The parts of the judge that can run as processes of their own."""

from __future__ import annotations

from enum import StrEnum


class Part(StrEnum):
    """A part that can run alone, as a process on the same database."""

    RECEIVE = "receive"
    WORK = "work"
    CLOCK = "clock"
    DELIVER = "deliver"

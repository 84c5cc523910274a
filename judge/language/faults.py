"""What is wrong with a line: values, worded in the templates."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """What kind of trouble."""

    NOT_UNDERSTOOD = "not-understood"
    """It looks like an order, but no form of order fits."""
    UNKNOWN_PLACE = "unknown-place"
    """`candidates`: codes of provinces with a similar name."""
    AMBIGUOUS_ORDER = "ambiguous-order"
    """Several readings are legal; `candidates`: these orders in strict notation."""
    UNKNOWN_COMMAND = "unknown-command"
    """`candidates`: similar commands."""
    MALFORMED_COMMAND = "malformed-command"
    """A command whose rest does not fit; `candidates`: the command."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Trouble with one line, and the smallest piece of it the trouble is about."""

    kind: FaultKind
    line: int
    start: int
    end: int
    """`start` and `end` count characters of the line as written."""
    word: str
    candidates: tuple[str, ...] = ()

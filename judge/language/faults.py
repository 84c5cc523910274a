"""What is wrong with a line: values, worded in the templates."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """What kind of trouble."""

    NOT_UNDERSTOOD = "not-understood"
    """It looks like an order, but no form of order fits; `candidates`: orders that would."""
    INCOMPLETE_ORDER = "incomplete-order"
    """It does not say who is to do what; `candidates`: orders it may be the beginning of."""
    UNKNOWN_PLACE = "unknown-place"
    """`candidates`: codes of provinces with a similar name."""
    AMBIGUOUS_ORDER = "ambiguous-order"
    """Several readings are legal; `candidates`: these orders in strict notation."""
    NEGATED = "negated"
    """It says what a unit is not to do; `candidates`: commands that take orders back."""
    EVERY_UNIT = "every-unit"
    """It speaks of several units at once; `candidates`: one order for each, where they can be told."""
    TAKEN_BACK = "taken-back"
    """The line below takes it back; `candidates`: that line."""
    UNKNOWN_COMMAND = "unknown-command"
    """`candidates`: similar commands."""
    NO_SUCH_COMMAND = "no-such-command"
    """A command that other judges have and this one has not."""
    MALFORMED_COMMAND = "malformed-command"
    """A command whose rest does not fit; `candidates`: the command."""
    INCOMPLETE_COMMAND = "incomplete-command"
    """A command that needs more; `candidates`: how to write it."""
    UNSURE = "unsure"
    """It may ask for one thing or another; `candidates`: a line for each."""
    BAD_GAME_NAME = "bad-game-name"
    """No game can have this name."""
    UNKNOWN_POWER = "unknown-power"
    """`candidates`: the powers there are."""
    UNKNOWN_ADDRESSEE = "unknown-addressee"
    """Press to nobody we know, which is not sent; `candidates`: the powers there are."""


OF_ORDERS = frozenset(
    (
        FaultKind.NOT_UNDERSTOOD,
        FaultKind.INCOMPLETE_ORDER,
        FaultKind.UNKNOWN_PLACE,
        FaultKind.AMBIGUOUS_ORDER,
        FaultKind.NEGATED,
        FaultKind.EVERY_UNIT,
    )
)
"""The trouble of lines that may be orders, and that were not taken."""


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

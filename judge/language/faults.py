"""Mistakes in a line, as values; the templates put them into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The kind of mistake."""

    NOT_UNDERSTOOD = "not-understood"
    """The line looks like an order but matches no form of order.

    `candidates`: orders it may mean.
    """
    INCOMPLETE_ORDER = "incomplete-order"
    """The line does not say which unit does what; `candidates`: orders that it may begin."""
    UNKNOWN_PLACE = "unknown-place"
    """`candidates`: codes of provinces with a similar name."""
    AMBIGUOUS_ORDER = "ambiguous-order"
    """Several readings are legal; `candidates`: those orders in strict notation."""
    PREFERENCES = "preferences"
    """A list of preferences is not understood, or is doubtful; `candidates`: how one is written."""
    NEGATED = "negated"
    """The line says what a unit must not do; `candidates`: commands that withdraw orders."""
    EVERY_UNIT = "every-unit"
    """The line is about several units at once.

    `candidates`: one order for each unit, if they are known.
    """
    TAKEN_BACK = "taken-back"
    """A later line withdraws this line; `candidates`: the later line."""
    UNKNOWN_COMMAND = "unknown-command"
    """`candidates`: similar commands."""
    NO_SUCH_COMMAND = "no-such-command"
    """A command of other judges that this one lacks."""
    MALFORMED_COMMAND = "malformed-command"
    """A command with a wrong argument; `candidates`: the command."""
    INCOMPLETE_COMMAND = "incomplete-command"
    """A command that lacks an argument; `candidates`: how to write it."""
    UNSURE = "unsure"
    """The line may be one of several commands; `candidates`: a line for each."""
    BAD_GAME_NAME = "bad-game-name"
    """A name that no game can have."""
    UNKNOWN_POWER = "unknown-power"
    """`candidates`: the powers of the game."""
    UNKNOWN_ADDRESSEE = "unknown-addressee"
    """Press to an unknown addressee, which is not sent; `candidates`: the powers of the game."""


OF_ORDERS = frozenset(
    (
        FaultKind.NOT_UNDERSTOOD,
        FaultKind.INCOMPLETE_ORDER,
        FaultKind.UNKNOWN_PLACE,
        FaultKind.AMBIGUOUS_ORDER,
        FaultKind.PREFERENCES,
        FaultKind.NEGATED,
        FaultKind.EVERY_UNIT,
    )
)
"""The faults of lines that may be orders and were not accepted."""

OF_SENTENCES = frozenset((FaultKind.UNSURE, FaultKind.INCOMPLETE_COMMAND))
"""The faults of lines that ask for a command but are incomplete or unclear."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake in one line, and the smallest text it is about."""

    kind: FaultKind
    line: int
    start: int
    end: int
    """`start` and `end` are character positions in the line as written."""
    word: str
    candidates: tuple[str, ...] = ()

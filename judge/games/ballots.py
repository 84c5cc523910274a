"""Proposals of players that are voted on, and the majorities they need."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from judge.commands import Proposable
from judge.rules.position import Power


class Majority(StrEnum):
    """How many of the powers that have a vote must agree."""

    NONE = "none"
    """It cannot be proposed."""
    HALF = "half"
    """More than half."""
    TWO_THIRDS = "two-thirds"
    ALL = "all"

    def of(self, voters: int) -> int:
        """How many that is.

        >>> [Majority.HALF.of(7), Majority.HALF.of(6), Majority.TWO_THIRDS.of(7), Majority.ALL.of(7)]
        [4, 4, 5, 7]
        """
        match self:
            case Majority.NONE:
                return voters + 1
            case Majority.HALF:
                return voters // 2 + 1
            case Majority.TWO_THIRDS:
                return -(-2 * voters // 3)
            case Majority.ALL:
                return voters


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a player wants all to decide; it ends with the phase."""

    number: int
    """In its game, for ever."""
    what: Proposable
    by: Power
    yes: tuple[Power, ...]
    no: tuple[Power, ...] = ()
    written: str = ""
    """Of more time: how much, as its player wrote it."""
    length: timedelta | None = None
    power: Power | None = None
    """Whose player is to be replaced."""
    reason: str = ""

"""The votes of a seat, proposals that players vote on, and the majorities they need."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
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


@dataclass(frozen=True, slots=True)
class Ballots:
    """The votes of a seat to end the game, or for a master, and what counts as one."""

    draws: bool = False
    """Votes for a draw, or an armistice."""
    draws_among: tuple[Power, ...] = ()
    """The powers to share it; empty for all survivors."""
    draw_asked_at: datetime | None = None
    """When the player of a power in civil disorder was asked whether they agree to a draw."""
    silence_agrees: bool = False
    """A power in civil disorder sent nothing for a whole movement phase since it was asked."""
    refuses_draw: bool = False
    """A power in civil disorder said no."""
    concedes_to: Power | None = None
    voted_at: datetime | None = None
    """When it last voted for a draw, or to concede."""
    votes_told: int = 0
    """How many mails to the others its votes have caused in the open phase."""
    elects: Power | None = None
    """The power whose player it wants for a master."""

    @property
    def would_end(self) -> bool:
        """Whether it votes for an end of the game."""
        return self.draws or self.concedes_to is not None

    def withdrawn(self) -> Ballots:
        """The same without the votes to end the game."""
        return replace(self, draws=False, draws_among=(), concedes_to=None, voted_at=None)

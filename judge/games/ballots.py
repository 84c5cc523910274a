"""The votes of a seat, proposals that players vote on, and the majorities they need."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from judge.commands import Proposable
from judge.rules.position import Power


class Majority(StrEnum):
    """How many of the voting powers must agree."""

    NONE = "none"
    """It cannot be proposed."""
    HALF = "half"
    """More than half."""
    TWO_THIRDS = "two-thirds"
    ALL = "all"

    def of(self, voters: int) -> int:
        """The number of votes needed among `voters`.

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
    """A proposal that all players vote on; it ends with the phase."""

    number: int
    """Unique in its game."""
    what: Proposable
    by: Power
    yes: tuple[Power, ...]
    no: tuple[Power, ...] = ()
    written: str = ""
    """The requested extension, as the player wrote it."""
    length: timedelta | None = None
    power: Power | None = None
    """The power whose player is to be replaced."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ballots:
    """The votes of a seat to end the game or to elect a master.

    Silence that counts as a vote is kept here, too.
    """

    draws: bool = False
    """Votes for a draw, or an armistice."""
    draws_among: tuple[Power, ...] = ()
    """The powers that share the draw; empty for all survivors."""
    draw_asked_at: datetime | None = None
    """When the player of a power in civil disorder was asked about a draw."""
    silence_agrees: bool = False
    """A player in civil disorder was asked and sent nothing for a movement phase.

    The movement phase must have opened after the question.
    """
    refuses_draw: bool = False
    """The player of a power in civil disorder said no."""
    concedes_to: Power | None = None
    voted_at: datetime | None = None
    """When the seat last voted for a draw, or to concede."""
    votes_told: int = 0
    """Number of mails to other players about its votes in the open phase."""
    told_draws: bool = False
    """Whether the seat voted for a draw when the last phase closed.

    Others know only this vote in games that hold votes back.
    """
    told_among: tuple[Power, ...] = ()
    told_concedes: Power | None = None
    elects: Power | None = None
    """The power whose player the seat wants as master."""

    @property
    def would_end(self) -> bool:
        """Whether the seat votes to end the game."""
        return self.draws or self.concedes_to is not None

    def withdrawn(self) -> Ballots:
        """Return the ballots without the votes to end the game."""
        none = replace(self, draws=False, draws_among=(), concedes_to=None, voted_at=None)
        return replace(none, told_draws=False, told_among=(), told_concedes=None)

    def told(self) -> Ballots:
        """Return the ballots with all votes to end the game told."""
        return replace(self, told_draws=self.draws, told_among=self.draws_among, told_concedes=self.concedes_to)

    def as_told(self) -> Ballots:
        """Return the votes as others may know them while the phase is open."""
        return replace(self, draws=self.told_draws, draws_among=self.told_among, concedes_to=self.told_concedes)

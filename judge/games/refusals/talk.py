"""Press, votes, objections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from judge.commands import Proposable
from judge.games.terms import PressRule
from judge.rules.position import Power

__all__ = [
    "AllShareADraw",
    "CannotShare",
    "Eliminated",
    "IsNotMissing",
    "NoFalseNames",
    "NoObjectionSaid",
    "NoObjections",
    "NoOtherPlayer",
    "NoPress",
    "NoSuchProposal",
    "NoText",
    "NoVote",
    "NobodyElseShares",
    "NobodyToAnswer",
    "NotToBeProposed",
    "NotToYourself",
    "OnOffer",
    "OwnPower",
    "OwnWords",
    "PressIsSo",
    "PressShut",
    "ProposedAlready",
    "ProposesTooMuch",
    "RobotsRead",
    "TooMuchSaid",
    "WritesToItself",
]


@dataclass(frozen=True, slots=True)
class NoPress:
    """The kind of press this game has."""

    rule: PressRule


@dataclass(frozen=True, slots=True)
class PressShut:
    """In this phase, or just before the deadline."""

    may_broadcast: bool = False


@dataclass(frozen=True, slots=True)
class Eliminated:
    """Who is out stops talking (R-PRESS-5)."""


@dataclass(frozen=True, slots=True)
class NoVote:
    """Who is out of the game has none."""

    game: str


@dataclass(frozen=True, slots=True)
class AllShareADraw:
    """DRAW with names, where all who survive share it."""

    game: str


@dataclass(frozen=True, slots=True)
class NobodyElseShares:
    """DRAW of one power: that is its victory."""

    power: Power


@dataclass(frozen=True, slots=True)
class CannotShare:
    """DRAW that names a power without a unit, or that no person plays."""

    power: Power


@dataclass(frozen=True, slots=True)
class NoOtherPlayer:
    """DRAW where no other person plays a power that has units."""

    game: str


@dataclass(frozen=True, slots=True)
class NotToBeProposed:
    """The game gives its players no such vote."""

    what: Proposable


@dataclass(frozen=True, slots=True)
class ProposedAlready:
    """The same is voted on."""

    number: int


@dataclass(frozen=True, slots=True)
class ProposesTooMuch:
    """The others have heard enough in this phase."""


@dataclass(frozen=True, slots=True)
class NoSuchProposal:
    """A vote on nothing, or on one of several."""

    number: int
    open: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class IsNotMissing:
    """Who sends orders is replaced by nobody's vote."""

    power: Power


@dataclass(frozen=True, slots=True)
class OnOffer:
    """There is no need to vote on that seat."""

    game: str
    power: Power


@dataclass(frozen=True, slots=True)
class NotToYourself:
    """CONCEDE to the sender’s own power."""

    power: Power


@dataclass(frozen=True, slots=True)
class OwnPower:
    """Press to the sender’s own power."""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """MUTE of the sender's own power."""


@dataclass(frozen=True, slots=True)
class RobotsRead:
    """Press to a robot, which reads none."""

    power: Power


@dataclass(frozen=True, slots=True)
class NoFalseNames:
    """Press without the name of its sender, or under another's."""

    may_be_anonymous: bool = False


@dataclass(frozen=True, slots=True)
class PressIsSo:
    """CLOSE PRESS where it is closed, OPEN PRESS where the master has not closed it."""

    is_shut: bool


@dataclass(frozen=True, slots=True)
class WritesToItself:
    """Press under the name of a power that is to get it."""

    power: Power


@dataclass(frozen=True, slots=True)
class NobodyToAnswer:
    """Press to nobody, in a mail that answers none."""


@dataclass(frozen=True, slots=True)
class NoText:
    """There were no words to send."""


@dataclass(frozen=True, slots=True)
class NoObjections:
    """There are no results that can be objected to now."""

    game: str


@dataclass(frozen=True, slots=True)
class NoObjectionSaid:
    """OBJECTION without words."""


@dataclass(frozen=True, slots=True)
class TooMuchSaid:
    """So many letters in his name went to others within an hour: nothing more goes out before a time."""

    most: int
    until: datetime
    zone: str


Refusal: TypeAlias = (
    NoPress
    | PressShut
    | RobotsRead
    | Eliminated
    | NoVote
    | AllShareADraw
    | NobodyElseShares
    | CannotShare
    | NoOtherPlayer
    | NotToBeProposed
    | ProposedAlready
    | ProposesTooMuch
    | NoSuchProposal
    | IsNotMissing
    | OnOffer
    | NotToYourself
    | OwnPower
    | OwnWords
    | NoFalseNames
    | WritesToItself
    | PressIsSo
    | NobodyToAnswer
    | NoText
    | NoObjections
    | NoObjectionSaid
    | TooMuchSaid
)

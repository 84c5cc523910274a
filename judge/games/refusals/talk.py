"""Refusals about press, votes and objections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from judge.commands import Proposable
from judge.games.terms import PressRule
from judge.rules.position import Phase, Power

__all__ = [
    "AllShareADraw",
    "CannotShare",
    "CoachesOnly",
    "Eliminated",
    "IsNotMissing",
    "Misaddress",
    "Misaddressed",
    "NoCoach",
    "NoFalseNames",
    "NoObjectionSaid",
    "NoObjections",
    "NoOtherPlayer",
    "NoPress",
    "NoSuchObjection",
    "NoSuchProposal",
    "NoText",
    "NoVote",
    "NobodyElseShares",
    "NobodyToAnswer",
    "NobodyToReportTo",
    "NotReported",
    "NotToBeProposed",
    "NotToYourself",
    "ObjectionsEnough",
    "OnOffer",
    "OwnPower",
    "OwnWords",
    "PressIsSo",
    "PressShut",
    "PressWithheld",
    "ProposedAlready",
    "ProposesTooMuch",
    "RobotsRead",
    "StatementTooLong",
    "TooManyReports",
    "TooMuchSaid",
    "WritesToItself",
]


@dataclass(frozen=True, slots=True)
class NoPress:
    """The game does not have this kind of press."""

    rule: PressRule
    is_coach: bool = False
    """A coach wants to write to their player."""


@dataclass(frozen=True, slots=True)
class PressShut:
    """Press is closed in this phase, or just before the deadline."""

    may_broadcast: bool = False


@dataclass(frozen=True, slots=True)
class Eliminated:
    """Eliminated players may not write press (R-PRESS-5)."""


@dataclass(frozen=True, slots=True)
class NoVote:
    """Eliminated players have no vote."""

    game: str


@dataclass(frozen=True, slots=True)
class AllShareADraw:
    """DRAW with names, in a game that allows no draws among some powers."""

    game: str
    is_armistice: bool = False
    """Those who agree share it (draw rule armistice)."""


@dataclass(frozen=True, slots=True)
class NobodyElseShares:
    """DRAW naming one power only, which would be its victory."""

    power: Power


@dataclass(frozen=True, slots=True)
class CannotShare:
    """DRAW naming a power that has no unit or no player."""

    power: Power


@dataclass(frozen=True, slots=True)
class NoOtherPlayer:
    """DRAW while no other player has a power with units."""

    game: str


@dataclass(frozen=True, slots=True)
class NotToBeProposed:
    """The game does not let players vote on that."""

    what: Proposable


@dataclass(frozen=True, slots=True)
class ProposedAlready:
    """The same proposal is already open."""

    number: int


@dataclass(frozen=True, slots=True)
class ProposesTooMuch:
    """The proposer's limit for this phase is reached."""


@dataclass(frozen=True, slots=True)
class NoSuchProposal:
    """A vote without a matching proposal, or with several open and none named."""

    number: int
    open: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class IsNotMissing:
    """A player who sends orders cannot be replaced by vote."""

    power: Power


@dataclass(frozen=True, slots=True)
class OnOffer:
    """The seat is already on offer, so no vote is needed."""

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
    """Anonymous press, or press under another power's name, which the game does not allow."""

    may_be_anonymous: bool = False


@dataclass(frozen=True, slots=True)
class PressIsSo:
    """CLOSE PRESS while press is closed, or OPEN PRESS while it is not.

    Only closing by the master counts.
    """

    is_shut: bool


@dataclass(frozen=True, slots=True)
class WritesToItself:
    """Press under the name of a power that is one of its recipients."""

    power: Power


@dataclass(frozen=True, slots=True)
class NobodyToAnswer:
    """Press without recipients, in a mail that replies to no press."""


@dataclass(frozen=True, slots=True)
class CoachesOnly:
    """A coach tried more than to read along and to write to their player."""

    game: str
    powers: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class NoCoach:
    """The player has no coach, or the observer is none."""

    game: str


class Misaddress(StrEnum):
    """Why a mail to private addresses of powers cannot be sent."""

    OLD = "old"
    """An address is not the sender's, or not any more."""
    BLIND = "blind"
    """An address stands in Bcc beside others: the letter's readers would not be clear."""
    MIXED = "mixed"
    """The addresses belong to several games, or to a power and a master."""


@dataclass(frozen=True, slots=True)
class Misaddressed:
    """Press by private addresses that cannot be sent."""

    why: Misaddress


@dataclass(frozen=True, slots=True)
class NoText:
    """The press has no text."""


@dataclass(frozen=True, slots=True)
class PressWithheld:
    """The press of a finished game is not published."""

    game: str
    was_agreed: bool
    """It was to be published, but a player said no, or there was no result."""


@dataclass(frozen=True, slots=True)
class StatementTooLong:
    """A closing statement has too many characters."""

    most: int


@dataclass(frozen=True, slots=True)
class NoObjections:
    """There are no results open to objections now."""

    game: str


@dataclass(frozen=True, slots=True)
class NoObjectionSaid:
    """OBJECTION without a reason."""


@dataclass(frozen=True, slots=True)
class ObjectionsEnough:
    """The player has objected to the results of that phase as often as is allowed."""

    phase: Phase
    most: int


@dataclass(frozen=True, slots=True)
class NoSuchObjection:
    """UPHOLD or DISMISS names no open objection, or none of several."""

    number: int
    numbers: tuple[int, ...]
    """The numbers of open objections."""

    @property
    def written(self) -> str:
        """The open numbers in one line."""
        return ", ".join(map(str, self.numbers))


@dataclass(frozen=True, slots=True)
class TooMuchSaid:
    """Too many letters of the sender went to others within an hour.

    No more letters are sent before `until`.
    """

    most: int
    until: datetime
    zone: str


@dataclass(frozen=True, slots=True)
class NotReported:
    """REPORT stands in no reply to press that the sender was sent."""

    is_forgotten: bool = False
    """The judge no longer has the letter's text."""


@dataclass(frozen=True, slots=True)
class NobodyToReportTo:
    """There is no recipient for REPORT: no uninvolved master, and no operator's address.

    An uninvolved master neither plays nor wrote the letter.
    """


@dataclass(frozen=True, slots=True)
class TooManyReports:
    """The sender has reported too many letters within a day."""

    most: int


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
    | CoachesOnly
    | NoCoach
    | Misaddressed
    | NoText
    | PressWithheld
    | StatementTooLong
    | NoObjections
    | NoObjectionSaid
    | NoSuchObjection
    | ObjectionsEnough
    | NotReported
    | NobodyToReportTo
    | TooManyReports
    | TooMuchSaid
)

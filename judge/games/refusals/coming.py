"""Coming and going: seats, invitations, applicants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.rules.position import Power

__all__ = [
    "Alone",
    "AlreadyAsked",
    "AlreadyIn",
    "InvitedAlready",
    "JoinedAlready",
    "MastersGames",
    "NameTheAddress",
    "NameThePower",
    "NoObservers",
    "NoVacancy",
    "NobodyAsks",
    "NobodyJoined",
    "NotHeld",
    "NotInvited",
    "NotKnown",
    "NotLetIn",
    "NothingOffered",
    "OnItsOwn",
    "PowerNotPlayed",
    "PowerTaken",
    "SeatsEnough",
    "SeatsKept",
    "StillPlayed",
    "TooLateToUnstart",
    "TooManyInvited",
    "TooManyJoined",
    "TooUnreliable",
]


@dataclass(frozen=True, slots=True)
class PowerTaken:
    """Somebody has it, or is invited to it."""

    power: Power
    for_robot: bool = False
    """A master asked for it, for a robot."""


@dataclass(frozen=True, slots=True)
class SeatsEnough:
    """One person may have no more in that game."""

    most: int


@dataclass(frozen=True, slots=True)
class StillPlayed:
    """ROBOT for a seat that has a player, or a robot."""

    power: Power


@dataclass(frozen=True, slots=True)
class PowerNotPlayed:
    """Nobody plays it in this game."""

    power: Power


@dataclass(frozen=True, slots=True)
class AlreadyIn:
    """The sender has a part in the game."""

    game: str


@dataclass(frozen=True, slots=True)
class InvitedAlready:
    """A seat is kept for that address."""

    address: str


@dataclass(frozen=True, slots=True)
class JoinedAlready:
    """INVITE of somebody who is in."""

    address: str


@dataclass(frozen=True, slots=True)
class SeatsKept:
    """All that are left are kept for people who were invited."""

    game: str


@dataclass(frozen=True, slots=True)
class NobodyJoined:
    """A game needs somebody to play it."""

    game: str


@dataclass(frozen=True, slots=True)
class NoObservers:
    """The game is played without observers."""

    game: str


@dataclass(frozen=True, slots=True)
class NoVacancy:
    """That seat is not free; these are."""

    vacant: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class NotHeld:
    """Nobody plays that power."""

    power: Power


@dataclass(frozen=True, slots=True)
class NotKnown:
    """Nobody registered that address."""

    address: str


@dataclass(frozen=True, slots=True)
class NotInvited:
    """Only who was invited may play."""

    game: str


@dataclass(frozen=True, slots=True)
class AlreadyAsked:
    """The masters know it, and have not said anything yet."""

    game: str


@dataclass(frozen=True, slots=True)
class NotLetIn:
    """The masters do not want him."""

    game: str


@dataclass(frozen=True, slots=True)
class NobodyAsks:
    """Nobody waits for a seat: of that address, or, where none was named, more than one may."""

    address: str
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class NameThePower:
    """EJECT of an address, of somebody who may hold a seat."""


@dataclass(frozen=True, slots=True)
class NameTheAddress:
    """EJECT of a power, before anybody plays one."""

    game: str


@dataclass(frozen=True, slots=True)
class TooManyInvited:
    """So many invitations are unanswered."""

    most: int


@dataclass(frozen=True, slots=True)
class TooManyJoined:
    """More people joined than the new settings have seats for."""

    people: int


@dataclass(frozen=True, slots=True)
class TooLateToUnstart:
    """A phase was closed."""

    game: str


@dataclass(frozen=True, slots=True)
class TooUnreliable:
    """The game asks for people who are in time more often."""

    percent: int
    needed: int


@dataclass(frozen=True, slots=True)
class NothingOffered:
    """Nobody asked the sender to take anything."""

    game: str


@dataclass(frozen=True, slots=True)
class Alone:
    """SET ADDRESS beside something else that has to be confirmed by somebody else."""

    word: str


@dataclass(frozen=True, slots=True)
class OnItsOwn:
    """What needs a yes, beside a letter of which its sender is asked whether it is press or orders."""

    word: str


@dataclass(frozen=True, slots=True)
class MastersGames:
    """ERASE ME, RESIGN of somebody who still has a game."""

    game: str


Refusal: TypeAlias = (
    PowerTaken
    | PowerNotPlayed
    | AlreadyIn
    | AlreadyAsked
    | InvitedAlready
    | JoinedAlready
    | SeatsEnough
    | SeatsKept
    | StillPlayed
    | NobodyJoined
    | NobodyAsks
    | NoObservers
    | NoVacancy
    | NotHeld
    | NotInvited
    | NotKnown
    | NotLetIn
    | NothingOffered
    | TooManyInvited
    | TooManyJoined
    | TooUnreliable
    | TooLateToUnstart
    | Alone
    | OnItsOwn
    | MastersGames
    | NameTheAddress
    | NameThePower
)

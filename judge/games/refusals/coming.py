"""Refusals about seats, invitations and applicants."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from judge.commands import Command
from judge.rules.position import Power

__all__ = [
    "AddressOfTheJudge",
    "Alone",
    "AlreadyAsked",
    "AlreadyIn",
    "Coaches",
    "InvitedAlready",
    "JoinedAlready",
    "MastersGames",
    "MayNotCoach",
    "NameTheAddress",
    "NameThePower",
    "NoCoachInFog",
    "NoObservers",
    "NoVacancy",
    "NobodyAsks",
    "NobodyJoined",
    "NotHeld",
    "NotInvited",
    "NotKnown",
    "NotLetIn",
    "NotOneWord",
    "NothingOffered",
    "NothingToDraw",
    "OnItsOwn",
    "PowerNotPlayed",
    "PowerTaken",
    "SeatsEnough",
    "SeatsKept",
    "StillPlayed",
    "TooLateToUnstart",
    "TooManyInvited",
    "TooManyInvitedAtOnce",
    "TooManyInvitedToday",
    "TooManyJoined",
    "TooUnreliable",
    "WhichThere",
]


@dataclass(frozen=True, slots=True)
class PowerTaken:
    """The power is taken, or kept for an invited person."""

    power: Power
    for_robot: bool = False
    """A master wanted it for a robot."""


@dataclass(frozen=True, slots=True)
class SeatsEnough:
    """The person already has the most seats the game allows."""

    most: int


@dataclass(frozen=True, slots=True)
class StillPlayed:
    """ROBOT for a seat that has a player or a robot."""

    power: Power


@dataclass(frozen=True, slots=True)
class PowerNotPlayed:
    """The power is not played in this game."""

    power: Power


@dataclass(frozen=True, slots=True)
class AlreadyIn:
    """The sender already has a part in the game."""

    game: str


@dataclass(frozen=True, slots=True)
class InvitedAlready:
    """A seat is already kept for that address."""

    address: str


@dataclass(frozen=True, slots=True)
class JoinedAlready:
    """INVITE of a person who has joined already."""

    address: str


@dataclass(frozen=True, slots=True)
class SeatsKept:
    """All remaining seats are kept for invited people."""

    game: str


@dataclass(frozen=True, slots=True)
class NobodyJoined:
    """The game has no players yet."""

    game: str


@dataclass(frozen=True, slots=True)
class NoObservers:
    """The game is played without observers."""

    game: str


@dataclass(frozen=True, slots=True)
class NoCoachInFog:
    """There are no coaches in fog: only its player may know what a power sees."""

    game: str


@dataclass(frozen=True, slots=True)
class MayNotCoach:
    """The sender may not be a coach in the game.

    They play, are a master, coach another power, or have seen orders that no report has told.
    """

    game: str


@dataclass(frozen=True, slots=True)
class Coaches:
    """A coach may take no seat but that of the player they coach."""

    game: str
    powers: tuple[Power, ...]
    is_other: bool = False
    """It is not the sender, but a person whom a master would let in."""


@dataclass(frozen=True, slots=True)
class NoVacancy:
    """That seat is not free; `vacant` lists those that are."""

    vacant: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class NotHeld:
    """No one plays that power."""

    power: Power


@dataclass(frozen=True, slots=True)
class NotKnown:
    """No registered person has that address."""

    address: str


@dataclass(frozen=True, slots=True)
class WhichThere:
    """Several people of the game share that address."""

    command: Command
    address: str
    names: tuple[str, ...]
    """Their names; empty where names are hidden."""


@dataclass(frozen=True, slots=True)
class NotInvited:
    """Only invited people may play."""

    game: str


@dataclass(frozen=True, slots=True)
class AlreadyAsked:
    """The masters were asked already and have not decided yet."""

    game: str


@dataclass(frozen=True, slots=True)
class NotLetIn:
    """The masters refused the sender."""

    game: str


@dataclass(frozen=True, slots=True)
class NobodyAsks:
    """No single request for a seat matches.

    None came from that address; or no address was given, and more than one request is open.
    """

    address: str
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class NameThePower:
    """EJECT of an address whose person may hold a seat."""


@dataclass(frozen=True, slots=True)
class NameTheAddress:
    """EJECT of a power before the start, when no one plays one."""

    game: str


@dataclass(frozen=True, slots=True)
class AddressOfTheJudge:
    """The judge itself was to be invited, or to sit or coach."""

    address: str


@dataclass(frozen=True, slots=True)
class TooManyInvited:
    """Too many invitations are unanswered."""

    most: int


@dataclass(frozen=True, slots=True)
class TooManyInvitedAtOnce:
    """One mail invites more people than the game has seats."""

    most: int


@dataclass(frozen=True, slots=True)
class TooManyInvitedToday:
    """The sender has sent the most invitations allowed in 24 hours.

    The next person may be invited at `until`.
    """

    most: int
    until: datetime
    zone: str


@dataclass(frozen=True, slots=True)
class TooManyJoined:
    """More people joined than the new settings have seats for."""

    people: int


@dataclass(frozen=True, slots=True)
class TooLateToUnstart:
    """A phase has been closed already."""

    game: str


@dataclass(frozen=True, slots=True)
class TooUnreliable:
    """The game asks for more reliable players."""

    percent: int
    needed: int


@dataclass(frozen=True, slots=True)
class NothingToDraw:
    """No lot to come in this game takes words of players."""

    game: str
    is_old: bool = False
    """The game was opened before lots could be checked."""


@dataclass(frozen=True, slots=True)
class NotOneWord:
    """The word for a lot is too long, or no single word."""


@dataclass(frozen=True, slots=True)
class NothingOffered:
    """The sender has no offer to accept or refuse."""

    game: str


@dataclass(frozen=True, slots=True)
class Alone:
    """SET ADDRESS in one mail with another command that needs a different confirmation."""

    word: str


@dataclass(frozen=True, slots=True)
class OnItsOwn:
    """A command that needs confirmation stands in a letter that may be press.

    The sender is asked whether the letter is press or orders.
    """

    word: str


@dataclass(frozen=True, slots=True)
class MastersGames:
    """ERASE ME or RESIGN by a master who still has a game."""

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
    | NoCoachInFog
    | MayNotCoach
    | Coaches
    | NoObservers
    | NoVacancy
    | NotHeld
    | NotInvited
    | NotKnown
    | WhichThere
    | NotLetIn
    | NotOneWord
    | NothingOffered
    | NothingToDraw
    | TooManyInvited
    | TooManyInvitedAtOnce
    | TooManyInvitedToday
    | TooManyJoined
    | TooUnreliable
    | TooLateToUnstart
    | Alone
    | OnItsOwn
    | MastersGames
    | NameTheAddress
    | NameThePower
    | AddressOfTheJudge
)

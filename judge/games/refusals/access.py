"""Refusals by the card of a command: wrong person or wrong time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.commands import Command
from judge.rules.position import Phase, Power

__all__ = [
    "HasNotStarted",
    "HasPlayed",
    "HasPlayedAnother",
    "HasSeenOrders",
    "HasStarted",
    "IsNotOver",
    "IsNotPaused",
    "IsOver",
    "IsPaused",
    "LeftToThePlayer",
    "MayNotSit",
    "NotAPlayer",
    "NotTheMaster",
    "NotYourPower",
    "OwnSitter",
    "PlayerHasSeen",
    "PlayingMaster",
    "ReasonNeeded",
    "SitsAlready",
    "SitterWhen",
]


@dataclass(frozen=True, slots=True)
class NotAPlayer:
    """The sender holds no power."""

    game: str


@dataclass(frozen=True, slots=True)
class NotYourPower:
    """The power is played by another player, or by no one."""

    power: Power


@dataclass(frozen=True, slots=True)
class NotTheMaster:
    """Only the master can use the command."""

    command: Command


@dataclass(frozen=True, slots=True)
class PlayingMaster:
    """A master who plays may not see secret information."""

    command: Command


@dataclass(frozen=True, slots=True)
class HasPlayed:
    """A master who played in the open phase may not see orders yet.

    They may once the phase has closed.
    """

    command: Command
    phase: Phase


@dataclass(frozen=True, slots=True)
class HasSeenOrders:
    """A person who saw orders of others gets no seat until the phase closes."""

    game: str
    phase: Phase
    is_other: bool = False
    """It is not the sender, but a person whom a master would let in."""
    in_fog: bool = False
    """They have seen the whole board, and get no seat before the end."""


@dataclass(frozen=True, slots=True)
class HasPlayedAnother:
    """A person who gave up a seat in fog may take only that seat."""

    game: str
    powers: tuple[Power, ...]
    """Whose seat it was."""
    is_other: bool = False
    """It is not the sender, but a person whom a master would let in."""


@dataclass(frozen=True, slots=True)
class PlayerHasSeen:
    """ROLLBACK to a phase of which a player knows orders that no report has told."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class ReasonNeeded:
    """The command needs a reason, which the players will read."""

    command: Command


@dataclass(frozen=True, slots=True)
class HasStarted:
    """Too late: the game has started.

    The flags tell what the sender may do instead of JOIN.
    """

    game: str
    may_take_over: bool = False
    may_observe: bool = False


@dataclass(frozen=True, slots=True)
class HasNotStarted:
    """Too early: the game has not started."""

    game: str


@dataclass(frozen=True, slots=True)
class IsOver:
    """The game is over and accepts no more changes."""

    game: str


@dataclass(frozen=True, slots=True)
class IsNotOver:
    """The command is only for games that are over."""

    game: str


@dataclass(frozen=True, slots=True)
class IsPaused:
    """The clock is stopped."""

    game: str


@dataclass(frozen=True, slots=True)
class IsNotPaused:
    """The clock is not stopped."""

    game: str


@dataclass(frozen=True, slots=True)
class LeftToThePlayer:
    """A sitter leaves the command to the player of the seat."""

    powers: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class MayNotSit:
    """The sender may not sit in the game.

    They have a part in it, know secret orders, or are kept out. Which of these it is may be secret.
    """

    game: str


@dataclass(frozen=True, slots=True)
class OwnSitter:
    """The player named one of their own addresses."""

    address: str


@dataclass(frozen=True, slots=True)
class SitterWhen:
    """The player did not write from when until when a person should sit."""

    address: str


@dataclass(frozen=True, slots=True)
class SitsAlready:
    """The person sits for a player, and gets no seat of their own."""

    game: str
    powers: tuple[Power, ...]
    is_other: bool = False
    """It is not the sender, but a person whom a master would let in."""


Refusal: TypeAlias = (
    NotAPlayer
    | NotYourPower
    | NotTheMaster
    | PlayingMaster
    | HasPlayed
    | HasSeenOrders
    | HasPlayedAnother
    | PlayerHasSeen
    | ReasonNeeded
    | HasStarted
    | HasNotStarted
    | IsOver
    | IsNotOver
    | IsPaused
    | IsNotPaused
    | LeftToThePlayer
    | MayNotSit
    | OwnSitter
    | SitterWhen
    | SitsAlready
)

"""Refusals by the card of a command: wrong person or wrong time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.commands import Command
from judge.rules.position import Power

__all__ = [
    "HasNotStarted",
    "HasStarted",
    "IsNotOver",
    "IsNotPaused",
    "IsOver",
    "IsPaused",
    "NotAPlayer",
    "NotTheMaster",
    "NotYourPower",
    "PlayingMaster",
    "ReasonNeeded",
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
class ReasonNeeded:
    """The command needs a reason, which the players will read."""

    command: Command


@dataclass(frozen=True, slots=True)
class HasStarted:
    """Too late: the game has started. The flags tell what the sender may do instead of JOIN."""

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


Refusal: TypeAlias = (
    NotAPlayer
    | NotYourPower
    | NotTheMaster
    | PlayingMaster
    | ReasonNeeded
    | HasStarted
    | HasNotStarted
    | IsOver
    | IsNotOver
    | IsPaused
    | IsNotPaused
)

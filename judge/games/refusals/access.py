"""Who may not, or not now: what a command's card says."""

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
    """Somebody else plays it, or nobody."""

    power: Power


@dataclass(frozen=True, slots=True)
class NotTheMaster:
    """Only the master can use it."""

    command: Command


@dataclass(frozen=True, slots=True)
class PlayingMaster:
    """A master who plays may not see what is secret."""

    command: Command


@dataclass(frozen=True, slots=True)
class ReasonNeeded:
    """The players will read why."""

    command: Command


@dataclass(frozen=True, slots=True)
class HasStarted:
    """It comes too late; what JOIN might be instead."""

    game: str
    may_take_over: bool = False
    may_observe: bool = False


@dataclass(frozen=True, slots=True)
class HasNotStarted:
    """It comes too early."""

    game: str


@dataclass(frozen=True, slots=True)
class IsOver:
    """Nothing is done in a game that is over."""

    game: str


@dataclass(frozen=True, slots=True)
class IsNotOver:
    """It is for games that are over."""

    game: str


@dataclass(frozen=True, slots=True)
class IsPaused:
    """The clock stands still."""

    game: str


@dataclass(frozen=True, slots=True)
class IsNotPaused:
    """The clock does not stand still."""

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

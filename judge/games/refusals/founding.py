"""Games, their names, files and settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = [
    "BadBoard",
    "BadFile",
    "BadName",
    "BadSetting",
    "BadWish",
    "BoardOfOthers",
    "BoardTooLarge",
    "FixedSetting",
    "MayNotCreate",
    "MeantForTheBoard",
    "NameTaken",
    "NoBoardSeen",
    "NoFile",
    "NoSandbox",
    "NoSuchGame",
    "OnlyYours",
    "SameSetting",
    "SandboxesEnough",
    "WhichGame",
    "WrongSetting",
]


@dataclass(frozen=True, slots=True)
class NoSuchGame:
    """No game has that name."""

    name: str
    is_power: bool = False
    """It is the name of a power: `RESIGN France`."""


@dataclass(frozen=True, slots=True)
class WhichGame:
    """The mail is about no game in particular, and the command needs one."""


@dataclass(frozen=True, slots=True)
class NameTaken:
    """Another game has that name."""

    name: str


@dataclass(frozen=True, slots=True)
class BadName:
    """No game can have that name."""

    name: str


@dataclass(frozen=True, slots=True)
class MayNotCreate:
    """The operator says who may."""


@dataclass(frozen=True, slots=True)
class NoFile:
    """IMPORT of a mail without the file."""

    game: str


@dataclass(frozen=True, slots=True)
class BadBoard:
    """What is wrong with the file that SANDBOX came with."""

    fault: str
    """"" where it is no whole file at all."""


@dataclass(frozen=True, slots=True)
class NoBoardSeen:
    """SANDBOX, and something that may be a board in a form that is not read."""


@dataclass(frozen=True, slots=True)
class BoardOfOthers:
    """SANDBOX of a game that others are playing."""

    game: str


@dataclass(frozen=True, slots=True)
class MeantForTheBoard:
    """An order below SANDBOX, which is for no game."""


@dataclass(frozen=True, slots=True)
class BoardTooLarge:
    """The file that SANDBOX came with is no report."""

    kilobytes: int
    """So many it may have."""


@dataclass(frozen=True, slots=True)
class BadFile:
    """What is wrong with it."""

    fault: str


@dataclass(frozen=True, slots=True)
class WrongSetting:
    """A setting that cannot be, as it was written."""

    name: str
    value: str
    example: str
    """What could stand there, as ` | ` between values; "" where there is no setting of that name."""
    meant: str = ""
    """What a misspelled name may stand for."""
    beside: tuple[str, str] | None = None
    """The setting, and its value, with which it cannot stand."""
    needs: tuple[str, str] | None = None
    """The setting, and its value, without which it cannot stand."""
    is_fixed: bool = False
    """The value could be, but not once the game has started."""


@dataclass(frozen=True, slots=True)
class BadSetting:
    """Settings that cannot be."""

    settings: tuple[WrongSetting, ...]


@dataclass(frozen=True, slots=True)
class BadWish:
    """How somebody would like to be written to, or asked to stand in, as it was written."""

    wish: Literal["digest", "reminders", "standby"]
    value: str


@dataclass(frozen=True, slots=True)
class FixedSetting:
    """They can be changed only before the start."""

    settings: str


@dataclass(frozen=True, slots=True)
class SameSetting:
    """That is how it is already."""

    setting: str


@dataclass(frozen=True, slots=True)
class NoSandbox:
    """BACK, or SANDBOX END, in an ordinary game."""

    game: str


@dataclass(frozen=True, slots=True)
class OnlyYours:
    """Asked of a private board, and would concern others."""

    game: str


@dataclass(frozen=True, slots=True)
class SandboxesEnough:
    """One person has so many private boards at most."""

    most: int


Refusal: TypeAlias = (
    NoSandbox
    | OnlyYours
    | SandboxesEnough
    | NoSuchGame
    | WhichGame
    | NameTaken
    | BadName
    | MayNotCreate
    | NoFile
    | BadBoard
    | BoardOfOthers
    | MeantForTheBoard
    | NoBoardSeen
    | BoardTooLarge
    | BadFile
    | BadSetting
    | BadWish
    | FixedSetting
    | SameSetting
)

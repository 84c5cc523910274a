"""Refusals about games, their names, files and settings."""

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
    "HouseRulesAmiss",
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
    """The command needs a game, and the mail does not tell which."""


@dataclass(frozen=True, slots=True)
class NameTaken:
    """Another game has that name."""

    name: str


@dataclass(frozen=True, slots=True)
class BadName:
    """The text is not a valid name for a game."""

    name: str


@dataclass(frozen=True, slots=True)
class MayNotCreate:
    """The operator restricts who may create games."""


@dataclass(frozen=True, slots=True)
class NoFile:
    """IMPORT in a mail without the file."""

    game: str


@dataclass(frozen=True, slots=True)
class BadBoard:
    """The file with SANDBOX is faulty."""

    fault: str
    """The fault of the file; "" if it is incomplete."""


@dataclass(frozen=True, slots=True)
class NoBoardSeen:
    """SANDBOX with what may be a board, in a form that cannot be read."""


@dataclass(frozen=True, slots=True)
class BoardOfOthers:
    """SANDBOX of a game that other people are playing."""

    game: str


@dataclass(frozen=True, slots=True)
class MeantForTheBoard:
    """An order below SANDBOX, which applies to no game."""


@dataclass(frozen=True, slots=True)
class BoardTooLarge:
    """The file with SANDBOX is too large to be a report."""

    kilobytes: int
    """The most kilobytes allowed."""


@dataclass(frozen=True, slots=True)
class BadFile:
    """The imported file is faulty."""

    fault: str


@dataclass(frozen=True, slots=True)
class WrongSetting:
    """A setting with an invalid name or value, as written."""

    name: str
    value: str
    example: str
    """Possible values, separated by ` | `; "" if no setting has that name."""
    meant: str = ""
    """The setting that a misspelled name may stand for."""
    beside: tuple[str, str] | None = None
    """The setting and value that it contradicts."""
    needs: tuple[str, str] | None = None
    """The setting and value that it requires."""
    is_fixed: bool = False
    """The value is valid, but cannot be changed once the game has started."""


@dataclass(frozen=True, slots=True)
class BadSetting:
    """One or more settings are invalid."""

    settings: tuple[WrongSetting, ...]


@dataclass(frozen=True, slots=True)
class BadWish:
    """A preference about mail or standing in that cannot be read, as written."""

    wish: Literal["digest", "reminders", "standby", "hours"]
    value: str


@dataclass(frozen=True, slots=True)
class FixedSetting:
    """The settings can be changed only before the start."""

    settings: str


@dataclass(frozen=True, slots=True)
class HouseRulesAmiss:
    """House rules that cannot be taken as they are."""

    why: Literal["empty", "long", "open", "same"]
    """`open`: no line says where they end."""
    characters: int
    """The most they may have."""
    lines: int


@dataclass(frozen=True, slots=True)
class SameSetting:
    """The setting already has that value."""

    setting: str


@dataclass(frozen=True, slots=True)
class NoSandbox:
    """BACK or SANDBOX END in an ordinary game."""

    game: str


@dataclass(frozen=True, slots=True)
class OnlyYours:
    """A command that concerns other people, given to a private board."""

    game: str


@dataclass(frozen=True, slots=True)
class SandboxesEnough:
    """The person already has the most private boards allowed."""

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
    | HouseRulesAmiss
    | SameSetting
)

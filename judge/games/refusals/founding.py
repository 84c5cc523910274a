"""Games, their names, files and settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "BadFile",
    "BadName",
    "BadSetting",
    "FixedSetting",
    "MayNotCreate",
    "NameTaken",
    "NoFile",
    "NoSuchGame",
    "SameSetting",
    "WhichGame",
]


@dataclass(frozen=True, slots=True)
class NoSuchGame:
    """No game has that name."""

    name: str


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
class BadFile:
    """What is wrong with it."""

    fault: str


@dataclass(frozen=True, slots=True)
class BadSetting:
    """What is wrong with settings, each with an example."""

    settings: str


@dataclass(frozen=True, slots=True)
class FixedSetting:
    """They can be changed only before the start."""

    settings: str


@dataclass(frozen=True, slots=True)
class SameSetting:
    """That is how it is already."""

    setting: str


Refusal: TypeAlias = (
    NoSuchGame
    | WhichGame
    | NameTaken
    | BadName
    | MayNotCreate
    | NoFile
    | BadFile
    | BadSetting
    | FixedSetting
    | SameSetting
)

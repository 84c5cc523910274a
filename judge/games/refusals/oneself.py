"""Refusals about the sender: address, name, language, time zone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["AddressTaken", "BadPersonName", "NameClashes", "UnknownLanguage", "UnknownZone"]


@dataclass(frozen=True, slots=True)
class AddressTaken:
    """The address belongs to another person."""

    address: str


@dataclass(frozen=True, slots=True)
class UnknownZone:
    """No time zone has that name."""

    zone: str


@dataclass(frozen=True, slots=True)
class UnknownLanguage:
    """The judge does not write that language."""

    language: str


@dataclass(frozen=True, slots=True)
class BadPersonName:
    """The text cannot be shown as a name, or it is reserved."""

    name: str
    is_reserved: bool = False
    """It would be taken for a power or a master."""


@dataclass(frozen=True, slots=True)
class NameClashes:
    """Another person in the same game has a name that looks like that.

    The game is one of the sender's, or one the sender wants to join.
    """

    name: str
    game: str = ""
    """The game the sender wants to join."""


Refusal: TypeAlias = AddressTaken | UnknownZone | UnknownLanguage | BadPersonName | NameClashes

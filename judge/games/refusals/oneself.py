"""Oneself: address, name, language, zone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["AddressTaken", "BadPersonName", "NameClashes", "UnknownLanguage", "UnknownZone"]


@dataclass(frozen=True, slots=True)
class AddressTaken:
    """It belongs to somebody else."""

    address: str


@dataclass(frozen=True, slots=True)
class UnknownZone:
    """No time zone has that name."""

    zone: str


@dataclass(frozen=True, slots=True)
class UnknownLanguage:
    """None that the judge writes."""

    language: str


@dataclass(frozen=True, slots=True)
class BadPersonName:
    """It cannot be shown as a name."""

    name: str


@dataclass(frozen=True, slots=True)
class NameClashes:
    """Somebody else in a game of the sender has that name."""

    name: str


Refusal: TypeAlias = AddressTaken | UnknownZone | UnknownLanguage | BadPersonName | NameClashes

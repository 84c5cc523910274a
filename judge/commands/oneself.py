"""Oneself: how the judge knows and writes to the sender."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from judge.commands.card import Card

__all__ = [
    "EraseMe",
    "Language",
    "Register",
    "SetAddress",
    "SetCalendar",
    "SetLanguage",
    "SetName",
    "SetReceipts",
    "SetZone",
]


class Language(StrEnum):
    """A tongue the judge reads and writes."""

    ENGLISH = "en"
    JAPANESE = "ja"


@dataclass(frozen=True, slots=True)
class Register:
    """REGISTER [Alice]: make the sender's address known; language and zone may follow a line each."""

    card = Card()

    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """SET LANGUAGE ja."""

    card = Card(decides="language")

    language: Language


@dataclass(frozen=True, slots=True)
class SetZone:
    """SET ZONE Asia/Tokyo, an IANA name not yet checked."""

    card = Card(decides="zone")

    zone: str


@dataclass(frozen=True, slots=True)
class SetName:
    """SET NAME Alice: how the others see the sender."""

    card = Card(decides="name")

    name: str


@dataclass(frozen=True, slots=True)
class SetReceipts:
    """SET RECEIPTS short|full."""

    card = Card(decides="receipts")

    full: bool


@dataclass(frozen=True, slots=True)
class SetCalendar:
    """SET CALENDAR yes|no: whether reports bring the deadline for a calendar."""

    card = Card(decides="calendar")

    wanted: bool


@dataclass(frozen=True, slots=True)
class SetAddress:
    """SET ADDRESS new@example.org; the new address has to confirm."""

    card = Card(is_final=True, decides="address")

    address: str


@dataclass(frozen=True, slots=True)
class EraseMe:
    """ERASE ME: forget name, address and mails; cannot be undone."""

    card = Card(is_final=True)


General: TypeAlias = Register | SetLanguage | SetZone | SetName | SetReceipts | SetCalendar | SetAddress | EraseMe

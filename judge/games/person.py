"""A person: how they want to be written to, and how reliable they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import NewType

from judge.calendar import Timetable
from judge.commands import GameState as GameState  # noqa: PLC0414 - a part of the game, known to the cards as well
from judge.commands import Language, Mailing, MapKind, ReceiptKind

PersonId = NewType("PersonId", int)


@dataclass(frozen=True, slots=True)
class Record:
    """How reliable a person is, in numbers; erased together with the person."""

    due: int = 0
    """Phases in which they had something to order."""
    in_time: int = 0
    late: int = 0
    """Phases in which their orders came after the deadline while the game waited."""
    missed: int = 0
    left: int = 0
    """Games that they left before the end."""

    @property
    def percent(self) -> int:
        """The share of due phases in which they were in time; 100 for new people."""
        return 100 * self.in_time // self.due if self.due else 100


class Conduct(StrEnum):
    """How a player kept a deadline."""

    IN_TIME = "in-time"
    LATE = "late"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class UsualProof:
    """Whether the mails of an address usually carry a result of our mail server that proves their sender."""

    address: str
    passed: tuple[date, ...] = ()
    """The days of the newest mails that did, at most five."""
    lacked: date | None = None
    """The day of the newest mail that did not, and was the person's all the same."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The language that a person's mails are written in, though ours to them are in another."""

    language: Language
    mails: int
    """How many there were, counted until our mails are offered in that language."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a person wants to be written to and takes part, beyond the fields of `Person`."""

    reminders: tuple[timedelta, ...] | None = None
    """How long before a deadline they are reminded; None: as the game sets it."""
    warnings: bool = True
    """Whether READY is answered with orders that contradict each other."""
    standby: str = ""
    """Maps and languages of the games they would stand in for, or "any"; "" for none."""
    record: Record = Record()
    mailing: Mailing = Mailing.ALL
    digest: Timetable | None = None
    """When their digest is sent."""
    proofs: tuple[UsualProof, ...] = ()
    """By address; kept beside the wishes, and erased with them."""
    spoken: Spoken | None = None
    """The language of their mails, if it is not that of ours to them."""
    zone_hints: int = 0
    """How many letters told them how to choose a time zone."""
    facts: bool = True
    """Whether mails attach the orders and outcomes as a file for programs."""
    blocked: tuple[PersonId, ...] = ()
    """People whose press does not reach them."""
    public: bool = False
    """Whether their name stands in finished games that are published."""
    former: tuple[str, ...] = ()
    """Addresses they had before, the latest last: an address that is free again makes no other person of them."""


NO_PREFERENCES = Preferences()


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a registered address."""

    id: PersonId
    address: str
    """As registered, lower case; compared as a whole."""
    name: str
    """The name that others see; never the address."""
    language: Language = Language.ENGLISH
    zone: str = ""
    """An IANA time zone; empty until chosen, and then the zone of the game is used."""
    receipts: ReceiptKind = ReceiptKind.FULL
    """How detailed their receipts are."""
    maps: MapKind = MapKind.LIGHT
    """How maps appear in their mails."""
    in_words: bool | None = None
    """Whether units and provinces are shown by names or by codes; None: the default of the language."""
    calendar: bool = True
    """Whether reports attach the deadline as a calendar event."""
    preferences: Preferences = NO_PREFERENCES
    second: str = ""
    """A second confirmed address: mail from there counts as theirs and is answered there."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses their mail may come from; reports go to the first."""
        return (self.address, self.second) if self.second else (self.address,)

    @property
    def known_addresses(self) -> tuple[str, ...]:
        """All addresses known to be or to have been theirs."""
        return (*self.addresses, *self.preferences.former)

    @property
    def is_erased(self) -> bool:
        """Whether their data was erased: nothing can be sent to them."""
        return self.address.endswith("@invalid")

    @property
    def record(self) -> Record:
        """How reliable they are."""
        return self.preferences.record

    @property
    def public_name(self) -> str:
        """Their name for everybody to read; "" if they do not want that."""
        return self.name if self.preferences.public and not self.is_erased else ""

    def with_record(self, record: Record) -> Person:
        """Return the person with another record."""
        return replace(self, preferences=replace(self.preferences, record=record))

    @property
    def reads_words(self) -> bool:
        """Whether `Army Munich` is shown for `A MUN`."""
        return self.language.is_in_words if self.in_words is None else self.in_words

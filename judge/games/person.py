"""A person: address, preferences and reliability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import NewType

from judge.calendar import Hours, Timetable
from judge.commands import GameState as GameState  # noqa: PLC0414 - a part of the game, known to the cards as well
from judge.commands import Language, Mailing, MapKind, ReceiptKind
from judge.mailbox import mailbox_of

PersonId = NewType("PersonId", int)


@dataclass(frozen=True, slots=True)
class Record:
    """Reliability of a person, in numbers; erased together with the person."""

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
    """Days on which mails of an address carried or lacked proof of their sender.

    The proof is a result of our mail server.
    """

    address: str
    passed: tuple[date, ...] = ()
    """Days of the newest mails with proof, at most five."""
    lacked: date | None = None
    """Day of the newest mail of the person that lacked proof."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The language a person writes in, if our mails to them use another."""

    language: Language
    mails: int
    """Number of such mails, counted until our mails are offered in that language."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Preferences of a person beyond the fields of `Person`.

    They are about mail to the person and about taking part in games.
    """

    reminders: tuple[timedelta, ...] | None = None
    """Reminder times before a deadline; None for those of the game."""
    warnings: bool = True
    """Whether READY is answered with orders that contradict each other."""
    standby: str = ""
    """Maps and languages of games they would stand in for.

    The value is "any" for all games, and "" for none.
    """
    record: Record = Record()
    mailing: Mailing = Mailing.ALL
    digest: Timetable | None = None
    """When their digest is sent."""
    proofs: tuple[UsualProof, ...] = ()
    """Usual proofs by address; erased together with the preferences."""
    spoken: Spoken | None = None
    """The language of their mails, if it is not that of ours to them."""
    zone_hints: int = 0
    """How many letters told them how to choose a time zone."""
    facts: bool = True
    """Whether mails attach the orders and outcomes as a file for programs."""
    blocked: tuple[PersonId, ...] = ()
    """People whose press does not reach them."""
    hours: Hours | None = None
    """The hours in which deadlines suit them, in their zone; None if they named none."""
    public: bool = False
    """Whether their name stands in finished games that are published."""
    former: tuple[str, ...] = ()
    """Addresses they had before, the latest last.

    Another registration with one of these addresses counts as the same person.
    """


NO_PREFERENCES = Preferences()


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a registered address."""

    id: PersonId
    address: str
    """The address as registered, in lower case; compared as a whole.

    That of a person who shares a mailbox has their name before it (`judge.mailbox`).
    """
    name: str
    """The name that others see; never the address."""
    language: Language = Language.ENGLISH
    zone: str = ""
    """An IANA time zone; empty until chosen.

    Until then the zone of the game is used.
    """
    receipts: ReceiptKind = ReceiptKind.FULL
    """How detailed their receipts are."""
    maps: MapKind = MapKind.LIGHT
    """How maps appear in their mails."""
    in_words: bool | None = None
    """Whether units and provinces are shown by names instead of codes.

    None means the default of the language.
    """
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
    def mailboxes(self) -> tuple[str, ...]:
        """The addresses in the From header of their mail."""
        return tuple(map(mailbox_of, self.addresses))

    @property
    def invited_at(self) -> tuple[str, ...]:
        """All addresses at which they may be invited."""
        return tuple(dict.fromkeys((*self.addresses, *self.mailboxes)))

    @property
    def known_mailboxes(self) -> tuple[str, ...]:
        """All mailboxes known to be or to have been theirs; others may share them."""
        return (*self.mailboxes, *map(mailbox_of, self.preferences.former))

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
        """Their name for finished games that are published; "" if they do not want that."""
        return self.name if self.preferences.public and not self.is_erased else ""

    def with_record(self, record: Record) -> Person:
        """Return the person with another record."""
        return replace(self, preferences=replace(self.preferences, record=record))

    @property
    def reads_words(self) -> bool:
        """Whether `Army Munich` is shown for `A MUN`."""
        return self.language.is_in_words if self.in_words is None else self.in_words

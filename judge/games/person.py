"""Who plays, referees and watches: a person, how he wants to be written to, and how reliable he is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import NewType

from judge.calendar import Timetable
from judge.commands import GameState as GameState  # noqa: PLC0414 - a part of the game, known to the cards as well
from judge.commands import Language, Mailing, MapKind, ReceiptKind

PersonId = NewType("PersonId", int)


@dataclass(frozen=True, slots=True)
class Record:
    """How reliable somebody is, in numbers; they are forgotten with him."""

    due: int = 0
    """Phases in which he had something to order."""
    in_time: int = 0
    late: int = 0
    """His orders came when the deadline was over, and the game waited."""
    missed: int = 0
    left: int = 0
    """Games that he left before their end."""

    @property
    def percent(self) -> int:
        """Of the phases that were due, how many he was in time for; who is new is trusted."""
        return 100 * self.in_time // self.due if self.due else 100


class Conduct(StrEnum):
    """How somebody kept a deadline."""

    IN_TIME = "in-time"
    LATE = "late"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Preferences:
    """How somebody wants to be written to, and how he is known, beside what `Person` says itself."""

    reminders: tuple[timedelta, ...] | None = None
    """How long before a deadline he is told of what is missing; None: as the game has it."""
    warnings: bool = True
    """At READY he is told of orders that contradict each other."""
    standby: str = ""
    """The boards and languages of games he is ready to step into, or "any"; "" for none."""
    record: Record = Record()
    mailing: Mailing = Mailing.ALL
    digest: Timetable | None = None
    """When he gets what was gathered for him."""


NO_PREFERENCES = Preferences()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a registered address."""

    id: PersonId
    address: str
    """As registered, lower case; compared as a whole."""
    name: str
    """What the others see; never the address."""
    language: Language = Language.ENGLISH
    zone: str = ""
    """An IANA time zone; empty until he chooses one, then times are in the game's."""
    receipts: ReceiptKind = ReceiptKind.FULL
    """How much he wants to be answered."""
    maps: MapKind = MapKind.LIGHT
    """How he wants maps in his mails."""
    in_words: bool | None = None
    """Units and places are shown by their names, or by their codes; None: as is usual in his language."""
    calendar: bool = True
    """Reports bring the deadline as an appointment."""
    preferences: Preferences = NO_PREFERENCES
    second: str = ""
    """Another address of his, proved like the first: mail from there is his, too, and is answered there."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """All that his mail may come from; reports go to the first."""
        return (self.address, self.second) if self.second else (self.address,)

    @property
    def is_erased(self) -> bool:
        """Whether they wanted to be forgotten: nothing can be sent to them."""
        return self.address.endswith("@invalid")

    @property
    def record(self) -> Record:
        """How reliable he is."""
        return self.preferences.record

    def with_record(self, record: Record) -> Person:
        """The person with other counts."""
        return replace(self, preferences=replace(self.preferences, record=record))

    @property
    def reads_words(self) -> bool:
        """Whether `Army Munich` is shown for `A MUN`: to readers of letters that are not Latin, unless they choose."""
        return not self.language.is_latin if self.in_words is None else self.in_words

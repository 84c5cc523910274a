"""Commands about the sender: their data, and how the judge writes to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from judge.calendar import Hours, Timetable, Zone
from judge.commands.as_written import AsWritten, SettingValue
from judge.commands.card import Card
from judge.languages import Language
from judge.rules.values import value

__all__ = [
    "EraseMe",
    "Language",
    "Mailing",
    "MapKind",
    "MyData",
    "ReceiptKind",
    "Register",
    "SetAddress",
    "SetCalendar",
    "SetFacts",
    "SetHours",
    "SetLanguage",
    "SetMail",
    "SetMaps",
    "SetName",
    "SetNames",
    "SetPublic",
    "SetReceipts",
    "SetReminders",
    "SetSecondAddress",
    "SetWarnings",
    "SetZone",
    "StandBy",
]


@value
class Register:
    """REGISTER [Alice]: register the sender's address; language and zone may follow, a line each."""

    card = Card()

    settings: Mapping[str, SettingValue] = field(default_factory=dict)


@value
class SetLanguage:
    """SET LANGUAGE ja."""

    card = Card(decides="language", comes_first=True)

    language: Language


@value
class SetZone:
    """SET ZONE Asia/Tokyo."""

    card = Card(decides="zone")

    zone: AsWritten[Zone]


@value
class SetName:
    """SET NAME Alice: set the name that others see."""

    card = Card(decides="name", comes_first=True)

    name: str


class ReceiptKind(StrEnum):
    """How detailed a person's receipts are."""

    FULL = "full"
    """Every line of the mail."""
    SHORT = "short"
    """Only what needs attention."""
    MAP = "map"
    """Every line of the mail, and the orders on file as arrows on a map."""
    NONE = "none"
    """No receipt for what was simply done."""


@value
class SetNames:
    """SET NAMES words|codes: how units and places are shown."""

    card = Card(decides="names", comes_first=True)

    in_words: bool


@value
class SetReceipts:
    """SET RECEIPTS short|full|map|none."""

    card = Card(decides="receipts")

    kind: ReceiptKind


class Mailing(StrEnum):
    """When mail that can wait is sent; deadlines, reports and questions never wait."""

    ALL = "all"
    """At once."""
    REPORTS = "reports"
    """With the next report."""
    DIGEST = "digest"
    """At a time the person chose."""


@value
class SetMail:
    """SET MAIL all|reports|digest [daily 20:00]."""

    card = Card(decides="mail")

    mailing: Mailing
    at: AsWritten[Timetable] | None = None


@value
class SetReminders:
    """SET REMINDERS 24 hours, 3 hours | none: set reminders in all the sender's games.

    They replace the games' own settings.
    """

    card = Card(decides="reminders")

    before: AsWritten[tuple[timedelta, ...]]


@value
class SetHours:
    """HOURS 19:00-23:00, weekends | none: the hours in which deadlines suit the sender.

    They hold in all games of the sender.
    """

    card = Card(decides="hours")

    hours: AsWritten[Hours] | None = None
    """None takes them back."""


@value
class StandBy:
    """STANDBY [standard, en] | none: volunteer for the seats of players who are gone."""

    card = Card(decides="standby")

    where: AsWritten[tuple[str, ...]] | None = None
    """Boards and languages; None for all."""


class MapKind(StrEnum):
    """How maps appear in a person's mails."""

    LIGHT = "light"
    DARK = "dark"
    """For mail programs that show light text on dark."""
    NONE = "none"
    """No maps."""


@value
class SetMaps:
    """SET MAPS light|dark|none."""

    card = Card(decides="maps", comes_first=True)

    kind: MapKind


@value
class SetCalendar:
    """SET CALENDAR yes|no: whether reports attach the deadline as a calendar event."""

    card = Card(decides="calendar")

    wanted: bool


@value
class SetFacts:
    """SET FACTS yes|no: whether mails attach the orders and outcomes as a file for programs."""

    card = Card(decides="facts")

    wanted: bool


@value
class SetPublic:
    """SET PUBLIC name|none: whether the name stands in finished games that are published."""

    card = Card(decides="public")

    named: bool


@value
class SetWarnings:
    """SET WARNINGS yes|no: whether READY is answered with orders that contradict each other."""

    card = Card(decides="warnings")

    wanted: bool


@value
class SetAddress:
    """SET ADDRESS new@example.org; the new address has to confirm."""

    card = Card(is_final=True, decides="address")

    address: str


@value
class SetSecondAddress:
    """SET SECOND ADDRESS phone@example.org: accept mail from there, too, once confirmed; none removes it."""

    card = Card(is_final=True, decides="second address")

    address: str = ""


@value
class EraseMe:
    """ERASE ME: delete name, address and mails; cannot be undone."""

    card = Card(is_final=True)


@value
class MyData:
    """MY DATA: get all data stored about the sender, as a file."""

    card = Card()


General: TypeAlias = (
    Register
    | SetLanguage
    | SetZone
    | SetName
    | SetNames
    | SetReceipts
    | SetMaps
    | SetMail
    | SetReminders
    | SetHours
    | StandBy
    | SetCalendar
    | SetFacts
    | SetPublic
    | SetWarnings
    | SetAddress
    | SetSecondAddress
    | EraseMe
    | MyData
)

"""Changes that people make to their own data and preferences."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import time
from typing import Any, TypeAlias, TypeVar

from judge.calendar import Timetable
from judge.commands import (
    AsWritten,
    GeneralCommand,
    Language,
    Mailing,
    Register,
    SetCalendar,
    SetFacts,
    SetHours,
    SetLanguage,
    SetMail,
    SetMaps,
    SetName,
    SetNames,
    SetPublic,
    SetReceipts,
    SetReminders,
    SetWarnings,
    SetZone,
    StandBy,
)
from judge.games import refusals
from judge.games.answers import Answer, Done, LanguageSet, NameSet, Registered, ZoneSet
from judge.games.person import Conduct, Person, Record
from judge.games.refusals import Refused
from judge.games.request import table
from judge.games.settings import lengths_in
from judge.settings import plain_value

C = TypeVar("C", bound=GeneralCommand)
Changed: TypeAlias = tuple[Person, Answer]
"""The person afterwards, and the answer."""
Change: TypeAlias = Callable[[Person, Any], Changed]

_EVENING = Timetable(at=time(20))


def change(person: Person, command: GeneralCommand) -> Changed:
    """Carry out a command of a person about themselves; its class must be in `CHANGES`."""
    return CHANGES[type(command)](person, command)


def set_language(person: Person, command: SetLanguage) -> Changed:
    """Set the language of letters to the person."""
    return replace(person, language=command.language), LanguageSet(command.language)


def set_zone(person: Person, command: SetZone) -> Changed:
    """Set the time zone for showing and reading times."""
    zone = command.zone
    if zone.meant is None:
        return person, Refused(refusals.UnknownZone(zone.text))
    return replace(person, zone=zone.meant), ZoneSet(zone.meant)


def set_name(person: Person, command: SetName) -> Changed:
    """Set the name that others see."""
    name = clean_name(command.name)
    if not name:
        return person, Refused(refusals.BadPersonName(command.name))
    return replace(person, name=name), NameSet(name)


def set_receipts(person: Person, command: SetReceipts) -> Changed:
    """Set how detailed receipts are."""
    return replace(person, receipts=command.kind), Done(command)


def set_maps(person: Person, command: SetMaps) -> Changed:
    """Set which maps mails contain."""
    return replace(person, maps=command.kind), Done(command)


def set_names(person: Person, command: SetNames) -> Changed:
    """Set whether units and provinces are shown in words."""
    return replace(person, in_words=command.in_words), Done(command)


def set_calendar(person: Person, command: SetCalendar) -> Changed:
    """Set whether reports attach the deadline as a calendar event."""
    return replace(person, calendar=command.wanted), Done(command)


def set_facts(person: Person, command: SetFacts) -> Changed:
    """Set whether mails attach the orders and outcomes as a file for programs."""
    return replace(person, preferences=replace(person.preferences, facts=command.wanted)), Done(command)


def set_public(person: Person, command: SetPublic) -> Changed:
    """Set whether the person's name stands in finished games that are published."""
    preferences = replace(person.preferences, public=command.named)
    return replace(person, preferences=preferences), Done(command, about=person.name)


def set_warnings(person: Person, command: SetWarnings) -> Changed:
    """Set whether READY is answered with orders that contradict each other."""
    return replace(person, preferences=replace(person.preferences, warnings=command.wanted)), Done(command)


def set_mail(person: Person, command: SetMail) -> Changed:
    """Set when mail that can wait is sent."""
    mailing, at = command.mailing, command.at
    if at is not None and (at.meant is None or at.meant.at is None):
        return person, Refused(refusals.BadWish("digest", at.text))
    digest = at.meant if at is not None and at.meant is not None else person.preferences.digest or _EVENING
    preferences = replace(person.preferences, mailing=mailing, digest=digest if mailing is Mailing.DIGEST else None)
    return replace(person, preferences=preferences), Done(replace(command, at=AsWritten("", digest)))


def set_reminders(person: Person, command: SetReminders) -> Changed:
    """Set how long before a deadline reminders are sent."""
    lengths = lengths_in(command.before)
    if lengths is None:
        return person, Refused(refusals.BadWish("reminders", command.before.text))
    return replace(person, preferences=replace(person.preferences, reminders=lengths)), Done(command)


def set_hours(person: Person, command: SetHours) -> Changed:
    """Set the hours that suit the person for deadlines."""
    written = command.hours
    if written is not None and written.meant is None:
        return person, Refused(refusals.BadWish("hours", written.text))
    hours = written.meant if written is not None else None
    return replace(person, preferences=replace(person.preferences, hours=hours)), Done(command, about=person.zone)


def stand_by(person: Person, command: StandBy) -> Changed:
    """Set for which games the person may be asked to stand in."""
    where = command.where
    if where is not None and where.meant is None:
        return person, Refused(refusals.BadWish("standby", where.text))
    wanted = where.meant if where is not None and where.meant is not None else ("any",)
    preferences = replace(person.preferences, standby="" if "none" in wanted else " ".join(wanted))
    return replace(person, preferences=preferences), Done(command)


def register(person: Person, command: Register) -> Changed:
    """Apply the lines below REGISTER; if one is wrong, none is applied."""
    before = person
    wanted: list[SetLanguage | SetZone | SetName] = []
    for name, value in command.settings.items():
        match name:
            case "language":
                language = plain_value("language", value.text)
                if language is None:
                    return before, Refused(refusals.UnknownLanguage(value.text))
                wanted.append(SetLanguage(Language(language)))
            case "zone":
                zone = value.meant if isinstance(value.meant, str) else None
                wanted.append(SetZone(AsWritten(value.text, zone)))
            case _:
                wanted.append(SetName(value.text))
    for one in wanted:
        person, answer = change(person, one)
        if isinstance(answer, Refused):
            return before, answer
    return person, Registered(person.name, person.mailboxes[0], person.language, person.zone)


def _on(kind: type[C], done: Callable[[Person, C], Changed]) -> tuple[type, Change]:
    return kind, done


CHANGES = table(
    _on(Register, register),
    _on(SetLanguage, set_language),
    _on(SetZone, set_zone),
    _on(SetName, set_name),
    _on(SetNames, set_names),
    _on(SetReceipts, set_receipts),
    _on(SetMaps, set_maps),
    _on(SetCalendar, set_calendar),
    _on(SetFacts, set_facts),
    _on(SetPublic, set_public),
    _on(SetWarnings, set_warnings),
    _on(SetMail, set_mail),
    _on(SetReminders, set_reminders),
    _on(SetHours, set_hours),
    _on(StandBy, stand_by),
)
"""Command class → function that changes the person."""


def counted(record: Record, how: Conduct) -> Record:
    """Return the record with one more phase."""
    match how:
        case Conduct.IN_TIME:
            record = replace(record, in_time=record.in_time + 1)
        case Conduct.LATE:
            record = replace(record, late=record.late + 1)
        case Conduct.MISSED:
            record = replace(record, missed=record.missed + 1)
    return replace(record, due=record.due + 1)


def name_of_sender(written: str, address: str) -> str:
    """Return the name in a From header, "" if there is none.

    A name that only repeats a part of the address is left out, because addresses are private.
    """
    name = clean_name(written)
    return "" if name == address.partition("@")[0][:_LONGEST].strip() else name


_LONGEST = 40
"""The most characters of a name."""


def clean_name(written: str) -> str:
    """Return a name fit to be shown, "" if it contains an address.

    It is one line of at most 40 characters, without control characters.
    """
    visible = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in written)
    name = " ".join(visible.split())[:_LONGEST].strip()
    return "" if "@" in name else name

"""What people may change about themselves."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import time
from typing import TypeAlias, assert_never

from judge.calendar import Timetable
from judge.commands import (
    AsWritten,
    Language,
    Mailing,
    Register,
    SetCalendar,
    SetLanguage,
    SetMail,
    SetMaps,
    SetName,
    SetNames,
    SetReceipts,
    SetReminders,
    SettingValue,
    SetWarnings,
    SetZone,
    StandBy,
)
from judge.games import refusals
from judge.games.answers import Answer, Done, LanguageSet, NameSet, Registered, ZoneSet
from judge.games.person import Conduct, Person, Record
from judge.games.refusals import Refused
from judge.games.settings import lengths_in
from judge.settings import plain_value

AboutOneself: TypeAlias = (
    SetLanguage
    | SetZone
    | SetName
    | SetNames
    | SetReceipts
    | SetMaps
    | SetCalendar
    | SetMail
    | SetReminders
    | StandBy
    | SetWarnings
    | Register
)


def change(person: Person, command: AboutOneself) -> tuple[Person, Answer]:
    """The person afterwards, and the answer."""
    match command:
        case SetMail() | SetReminders() | StandBy():
            return _wishing(person, command)
        case SetReceipts() | SetMaps() | SetNames() | SetCalendar() | SetWarnings():
            return _shown(person, command), Done(command)
        case Register(settings):
            return _registered(person, settings)
        case SetLanguage(language):
            return replace(person, language=language), LanguageSet(language)
        case SetZone(zone):
            if zone.meant is None:
                return person, Refused(refusals.UnknownZone(zone.text))
            return replace(person, zone=zone.meant), ZoneSet(zone.meant)
        case SetName(written):
            name = clean_name(written)
            if not name:
                return person, Refused(refusals.BadPersonName(written))
            return replace(person, name=name), NameSet(name)


def _shown(person: Person, command: SetReceipts | SetMaps | SetNames | SetCalendar | SetWarnings) -> Person:
    """What his mails look like."""
    match command:
        case SetReceipts(kind):
            return replace(person, receipts=kind)
        case SetMaps(kind):
            return replace(person, maps=kind)
        case SetNames(in_words):
            return replace(person, in_words=in_words)
        case SetCalendar(wanted):
            return replace(person, calendar=wanted)
        case SetWarnings(wanted):
            return replace(person, wishes=replace(person.wishes, warnings=wanted))


def counted(record: Record, how: Conduct) -> Record:
    """The record with one more phase."""
    match how:
        case Conduct.IN_TIME:
            record = replace(record, in_time=record.in_time + 1)
        case Conduct.LATE:
            record = replace(record, late=record.late + 1)
        case Conduct.MISSED:
            record = replace(record, missed=record.missed + 1)
    return replace(record, due=record.due + 1)


_EVENING = Timetable(at=time(20))


def _wishing(person: Person, command: SetMail | SetReminders | StandBy) -> tuple[Person, Answer]:
    """When he is written to, and whether he is asked to stand in."""
    match command:
        case SetMail(mailing, at):
            if at is not None and (at.meant is None or at.meant.at is None):
                return person, Refused(refusals.BadWish("digest", at.text))
            digest = at.meant if at is not None and at.meant is not None else person.wishes.digest or _EVENING
            command = replace(command, at=AsWritten("", digest))
            wishes = replace(person.wishes, mailing=mailing, digest=digest if mailing is Mailing.DIGEST else None)
        case SetReminders(before):
            lengths = lengths_in(before)
            if lengths is None:
                return person, Refused(refusals.BadWish("reminders", before.text))
            wishes = replace(person.wishes, reminders=lengths)
        case StandBy(where):
            if where is not None and where.meant is None:
                return person, Refused(refusals.BadWish("standby", where.text))
            wanted = where.meant if where is not None and where.meant is not None else ("any",)
            wishes = replace(person.wishes, standby="" if "none" in wanted else " ".join(wanted))
        case _:
            assert_never(command)
    return replace(person, wishes=wishes), Done(command)


def _registered(person: Person, settings: Mapping[str, SettingValue]) -> tuple[Person, Answer]:
    """The person as the lines below REGISTER describe him; the first that is wrong refuses them all."""
    before = person
    wanted: list[SetLanguage | SetZone | SetName] = []
    for name, value in settings.items():
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
    return person, Registered(person.name, person.address, person.language, person.zone)


def name_of_sender(written: str, address: str) -> str:
    """The name that a From header tells; "" if it tells none, or a part of the address, which stays unseen."""
    name = clean_name(written)
    return "" if name == address.partition("@")[0][:_LONGEST].strip() else name


_LONGEST = 40
"""Characters of a name."""


def clean_name(written: str) -> str:
    """A name fit to be shown: one line, no control characters, no address, at most 40 characters."""
    visible = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in written)
    name = " ".join(visible.split())[:_LONGEST].strip()
    return "" if "@" in name else name

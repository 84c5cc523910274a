"""What people may change about themselves."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from judge.commands import Language, Register, SetCalendar, SetLanguage, SetName, SetReceipts, SetZone
from judge.games import refusals
from judge.games.answers import Answer, Done, LanguageSet, NameSet, Registered, ZoneSet
from judge.games.context import TimeReader
from judge.games.game import Person
from judge.games.refusals import Refused
from judge.settings import plain_value

AboutOneself: TypeAlias = SetLanguage | SetZone | SetName | SetReceipts | SetCalendar | Register


def change(person: Person, command: AboutOneself, times: TimeReader) -> tuple[Person, Answer]:
    """The person afterwards, and the answer."""
    match command:
        case SetReceipts(full):
            return replace(person, short_receipts=not full), Done(command)
        case SetCalendar(wanted):
            return replace(person, calendar=wanted), Done(command)
        case Register(settings):
            return _registered(person, settings, times)
        case SetLanguage(language):
            return replace(person, language=language), LanguageSet(language)
        case SetZone(zone):
            found = times.find_zone(zone)
            if found is None:
                return person, Refused(refusals.UnknownZone(zone))
            return replace(person, zone=found), ZoneSet(found)
        case SetName(written):
            name = clean_name(written)
            if not name:
                return person, Refused(refusals.BadPersonName(written))
            return replace(person, name=name), NameSet(name)


def _registered(person: Person, settings: Mapping[str, str], times: TimeReader) -> tuple[Person, Answer]:
    """The person as the lines below REGISTER describe him; the first that is wrong refuses them all."""
    before = person
    wanted: list[SetLanguage | SetZone | SetName] = []
    for name, value in settings.items():
        match name:
            case "language":
                language = plain_value("language", value)
                if language is None:
                    return before, Refused(refusals.UnknownLanguage(value))
                wanted.append(SetLanguage(Language(language)))
            case "zone":
                wanted.append(SetZone(value))
            case _:
                wanted.append(SetName(value))
    for one in wanted:
        person, answer = change(person, one, times)
        if isinstance(answer, Refused):
            return before, answer
    return person, Registered(person.name, person.address, person.language, person.zone)


def clean_name(written: str) -> str:
    """A name fit to be shown: one line, no control characters, no address, at most 40 characters."""
    visible = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in written)
    name = " ".join(visible.split())[:40].strip()
    return "" if "@" in name else name

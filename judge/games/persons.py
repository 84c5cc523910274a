"""What people may change about themselves."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from judge.commands import SetLanguage, SetName, SetZone
from judge.games.events import Answer, LanguageSet, NameSet, RefusalReason, Refused, ZoneSet
from judge.games.game import Person
from judge.games.schedule import find_zone


def change(person: Person, command: SetLanguage | SetZone | SetName) -> tuple[Person, Answer]:
    """The person afterwards, and the answer."""
    match command:
        case SetLanguage(language):
            return replace(person, language=language), LanguageSet(language)
        case SetZone(zone):
            found = find_zone(zone)
            if found is None:
                return person, Refused(RefusalReason.UNKNOWN_ZONE, zone)
            return replace(person, zone=found), ZoneSet(found)
        case SetName(written):
            name = clean_name(written)
            if not name:
                return person, Refused(RefusalReason.BAD_PERSON_NAME, written)
            return replace(person, name=name), NameSet(name)


def clean_name(written: str) -> str:
    """A name fit to be shown: one line, no control characters, no address, at most 40 characters."""
    visible = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in written)
    name = " ".join(visible.split())[:40].strip()
    return "" if "@" in name else name

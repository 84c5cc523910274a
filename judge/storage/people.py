"""Read and write persons as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from sqlalchemy import Connection, bindparam, insert, select, update

from judge.commands import Language, MapKind, ReceiptKind
from judge.games.person import NO_PREFERENCES, Person, PersonId, Preferences
from judge.mailbox import mailbox_of, name_before
from judge.storage import tables as t
from judge.storage.fields import PREFERENCES
from judge.storage.prepared import Prepared, PreparedAmong, Row

_BY_ADDRESS = Prepared(
    select(t.person).where((t.person.c.address == bindparam("address")) | (t.person.c.second == bindparam("address")))
)
_AT = Prepared(
    select(t.person)
    .where(
        (t.person.c.address == bindparam("mailbox_"))
        | (t.person.c.second == bindparam("mailbox_"))
        | (t.person.c.mailbox == bindparam("mailbox_"))
    )
    .order_by(t.person.c.id)
)
_MANY = PreparedAmong(select(t.person), t.person.c.id)
_OF_MAIL = ("receipts", "maps", "in_words", "calendar", "wishes")
_CHANGING = ("address", "second", "mailbox", "name", "language", "zone", *_OF_MAIL)
_HIM = update(t.person).where(t.person.c.id == bindparam("key"))
_SAVE = Prepared(_HIM.values({name: bindparam(f"new_{name}") for name in _CHANGING}))


class People:
    """The persons with a registered address."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._known: dict[PersonId, Person] = {}
        """Persons as stored; a cache, because a deadline needs the same persons many times."""

    def by_address(self, address: str) -> Person | None:
        """Return the person with that first or second address, or None."""
        row = _BY_ADDRESS.row(self.connection, {"address": _as_stored(address)})
        return _person(row) if row is not None else None

    def at(self, mailbox: str) -> tuple[Person, ...]:
        """Return everyone whose mail comes from a mailbox, in the order of registration."""
        if name_before(mailbox):  # as only a forged From header can be
            return ()
        return tuple(map(_person, _AT.rows(self.connection, {"mailbox_": mailbox.lower()})))

    def many(self, ids: Iterable[PersonId]) -> Mapping[PersonId, Person]:
        """Return id → person, for those of these ids that exist."""
        wanted = sorted(set(ids))
        missing = [id_ for id_ in wanted if id_ not in self._known]
        if missing:
            found = map(_person, _MANY.rows(self.connection, missing))
            self._known |= {person.id: person for person in found}
        return {id_: self._known[id_] for id_ in wanted if id_ in self._known}

    def standing_by(self) -> tuple[Person, ...]:
        """Return the persons who offer to stand in for other players."""
        rows = self.connection.execute(select(t.person).where(t.person.c.wishes.contains('"standby"'))).mappings()
        return tuple(map(_person, rows))

    def add(self, address: str, name: str, language: Language, zone: str) -> Person:
        """Register a person."""
        person = Person(PersonId(0), _as_stored(address), name, language, zone)
        values = {"address": person.address, "name": name, "language": language.value, "zone": zone}
        values |= {"mailbox": shared} if (shared := _shared_mailbox(person)) is not None else {}
        id_ = self.connection.execute(insert(t.person).values(**values).returning(t.person.c.id)).scalar_one()
        return replace(person, id=PersonId(id_))

    def save(self, *people: Person) -> None:
        """Write the changed fields of persons."""
        _SAVE.change_each(self.connection, [{"key": person.id} | _row(person) for person in people])
        self._known |= {person.id: person for person in people}

    def erase(self, person: Person) -> Person:
        """Erase who a person was; the id stays, for the games they played."""
        nobody = replace(
            person, address=f"erased-{person.id}@invalid", name="…", zone="", preferences=NO_PREFERENCES, second=""
        )
        self.save(nobody)
        return nobody


def _row(person: Person) -> dict[str, object]:
    return {
        "new_address": person.address,
        "new_name": person.name,
        "new_language": person.language.value,
        "new_zone": person.zone,
        "new_receipts": person.receipts.value,
        "new_maps": person.maps.value,
        "new_in_words": person.in_words,
        "new_calendar": person.calendar,
        "new_wishes": _write_preferences(person.preferences),
        "new_second": person.second or None,
        "new_mailbox": _shared_mailbox(person),
    }


def _as_stored(address: str) -> str:
    """Return an address in lower case.

    The name of a person at a mailbox is kept as written.
    """
    return address if name_before(address) else address.lower()


def _shared_mailbox(person: Person) -> str | None:
    return mailbox_of(person.address) if name_before(person.address) else None


def _person(row: Row) -> Person:
    return Person(
        id=PersonId(row["id"]),
        address=row["address"],
        name=row["name"],
        language=Language(row["language"]),
        zone=row["zone"],
        receipts=ReceiptKind(row["receipts"]),
        maps=MapKind(row["maps"]),
        in_words=row["in_words"],
        calendar=row["calendar"],
        preferences=_read_preferences(row["wishes"]),
        second=row["second"] or "",
    )


def _write_preferences(preferences: Preferences) -> str:
    return PREFERENCES.dump_json(preferences, exclude_defaults=True).decode()


@lru_cache(maxsize=1000)
def _read_preferences(text: str) -> Preferences:
    return NO_PREFERENCES if text == "{}" else PREFERENCES.validate_json(text)


def person_of(row: Row) -> PersonId | None:
    """Return the person a row is about, or None."""
    return PersonId(row["person"]) if row["person"] is not None else None

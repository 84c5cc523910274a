"""Everything stored about a person, to send to them; nothing that others keep from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, RowMapping, Table, exists, select

from judge.games.person import Person, PersonId
from judge.storage import tables as t
from judge.storage.packing import unpack
from judge.storage.sharing import SHARED
from judge.storage.written import contents

Rows: TypeAlias = list[dict[str, Any]]
_MOST_BYTES = 300_000
"""Bytes of mail texts in each direction; older mails are listed without text.

The limit makes them fit in a letter.
"""


def personal_data(connection: Connection, person: Person) -> Mapping[str, Any]:
    """Return subject → rows, ready for JSON."""

    def rows(table: Table, columns: Sequence[str], *where: ColumnElement[bool]) -> Rows:
        chosen = [SHARED if name == "base" else table.c[name] for name in columns]
        found = connection.execute(select(*chosen).where(*where).order_by(*table.primary_key.columns)).mappings()
        return [{name: _plain(value) for name, value in row.items()} for row in map(_unpacked, found)]

    here, seats = person.id, rows(t.seat, ("game", "power", "ready", "conduct"), t.seat.c.holder == person.id)
    order = t.filed_order.c
    mine = select(t.member.c.game).where(t.member.c.person == here)
    drawing = rows(t.game, ("name", "course"), t.game.c.name.in_(mine), t.game.c.course.contains('"chance"'))
    own = exists().where(t.seat.c.holder == here, t.seat.c.game == order.game, t.seat.c.power == order.power)
    (registered,) = rows(t.person, [column.name for column in t.person.c], t.person.c.id == here)
    return {
        "registered": registered,
        "games": rows(t.member, ("game", "role", "wish"), t.member.c.person == here),
        "runs": rows(t.game, ("name", "state"), t.game.c.master == here),
        "plays": [seat | {"conduct": json.loads(seat["conduct"])} for seat in seats],
        "orders": rows(t.filed_order, ("game", "phase", "power", "standing", "line"), own),
        "words for lots": [{"game": game["name"], "word": word} for game in drawing for word in _words(game, here)],
        "diary": rows(t.note, ("game", "at", "phase", "text"), t.note.c.person == here),
        "press and statements to be published": rows(
            t.press, ("game", "phase", "power", "recipients", "about", "text"), t.press.c.person == here
        ),
        "mails from you": _within_bounds(
            rows(
                t.inbox,
                ("id", "received_at", "source", "state", "kind", "game", "envelope_from", "content"),
                t.inbox.c.person == here,
            ),
            "content",
        ),
        "mails to you": _within_bounds(
            rows(
                t.outbox,
                ("id", "queued_at", "state", "kind", "game", "phase", "letter", "body", "packed", "base"),
                t.outbox.c.person == here,
            ),
            "body",
        ),
        "questions to you": rows(t.confirmation, ("inbox", "expires"), t.confirmation.c.address.in_(person.addresses)),
        "days on which mail to you came back": rows(
            t.bounce_day, ("day",), t.bounce_day.c.address.in_(person.addresses)
        ),
    }


def _words(game: Mapping[str, Any], person: PersonId) -> Iterator[str]:
    """Yield the person's word for the next lot of a game."""
    for one, word in json.loads(game["course"])["chance"].get("words", ()):
        if one == person:
            yield word


def _unpacked(row: RowMapping) -> Mapping[Any, object]:
    """Return a row with its mail or letter unpacked."""
    if "packed" in row:
        rest = {name: value for name, value in row.items() if name not in ("letter", "packed", "base")}
        return rest | {"body": contents(row)["text"]}
    return {**row, "content": unpack(row["content"])} if "content" in row else row


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _within_bounds(mails: Rows, text: str) -> Rows:
    """Keep the texts of the newest mails, as far as there is room."""
    room, kept = _MOST_BYTES, []
    for mail in reversed(mails):
        room -= len(mail[text].encode())
        kept.append(mail if room >= 0 else {name: value for name, value in mail.items() if name != text})
    return kept[::-1]

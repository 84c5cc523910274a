"""Redact old mail: the rows stay, what people wrote is emptied."""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Table, func, select, update

from judge.storage import tables as t
from judge.storage.sharing import SHARED, forget_unused
from judge.storage.states import InboxState, OutboxState
from judge.storage.written import NOTHING, contents, has_text

_BATCH = 500


class Looked(NamedTuple):
    """How far old mail was searched: the last ids of inbox and outbox."""

    inbox: int = 0
    outbox: int = 0


def redact(connection: Connection, before: datetime, looked: Looked) -> Looked:
    """Empty the finished mails of the next batch that are older than `before`.

    Returns `looked` unchanged if there are no more.
    """
    return Looked(_redact_inbox(connection, before, looked.inbox), _redact_outbox(connection, before, looked.outbox))


def _redact_inbox(connection: Connection, before: datetime, after: int) -> int:
    box = t.inbox.c
    rows = _old(connection, t.inbox, box.received_at < before, after)
    old = [row.id for row in rows if row.old and InboxState(row.state).can_be_emptied]
    full = (box.id.in_(old), func.length(box.content) > 0)
    connection.execute(
        update(t.inbox).where(*full).values(content=b"", sender=None, envelope_from=None, envelope_to="[]")
    )
    return rows[-1].id if rows else after


def _redact_outbox(connection: Connection, before: datetime, after: int) -> int:
    box = t.outbox.c
    rows = _old(connection, t.outbox, box.queued_at < before, after)
    old = [row.id for row in rows if row.old and OutboxState(row.state).is_done]
    full = (box.id.in_(old), has_text())
    found = select(box.id, box.letter, box.body, box.packed, box.shared, SHARED).where(*full)
    letters = connection.execute(found).mappings().all()
    for row in letters:
        letter = contents(row) | {"subject": "", "html": None, "attachments": [], "pictures": []}
        del letter["text"]
        values = {**NOTHING, "asks": None, "letter": json.dumps(letter)}
        connection.execute(update(t.outbox).where(box.id == row["id"]).values(values))
    forget_unused(connection, [row["shared"] for row in letters])
    return rows[-1].id if rows else after


def _old(
    connection: Connection, box: Table, is_old: ColumnElement[bool], after: int
) -> list[Row[tuple[int, str, bool]]]:
    """Return id and state of the next mails; none if all of them are young.

    Ids follow time only roughly: clocks are adjusted, and several judges store mail at once.
    """
    found = select(box.c.id, box.c.state, is_old.label("old")).where(box.c.id > after).order_by(box.c.id).limit(_BATCH)
    rows = connection.execute(found).all()
    return list(rows) if any(row.old for row in rows) else []

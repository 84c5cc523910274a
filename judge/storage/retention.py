"""Old mail: what happened stays on record, what people wrote does not."""

from __future__ import annotations

import json
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from judge.storage import tables as t

_BATCH = 500
_WORKED = ("done", "dropped", "unconfirmed")
_LEFT = ("sent", "failed", "bounced", "dropped")


def redact(connection: Connection, before: datetime) -> int:
    """Empty a batch of mails that are done with and older than `before`; how many there were, 0 at the end."""
    return _redact_received(connection, before) + _redact_written(connection, before)


def _redact_received(connection: Connection, before: datetime) -> int:
    old = (t.inbox.c.state.in_(_WORKED), t.inbox.c.received_at < before, func.length(t.inbox.c.content) > 0)
    ids = connection.execute(select(t.inbox.c.id).where(*old).order_by(t.inbox.c.id).limit(_BATCH)).scalars().all()
    emptied = {"content": b"", "envelope_from": None, "envelope_to": "[]"}
    connection.execute(update(t.inbox).where(t.inbox.c.id.in_(ids)).values(emptied))
    return len(ids)


def _redact_written(connection: Connection, before: datetime) -> int:
    old = (t.outbox.c.state.in_(_LEFT), t.outbox.c.queued_at < before, t.outbox.c.body != "")
    found = select(t.outbox.c.id, t.outbox.c.letter).where(*old).order_by(t.outbox.c.id).limit(_BATCH)
    rows = connection.execute(found).all()
    for row in rows:
        letter = json.loads(row.letter) | {"subject": "", "html": None, "attachments": []}
        emptied = {"body": "", "letter": json.dumps(letter)}
        connection.execute(update(t.outbox).where(t.outbox.c.id == row.id).values(emptied))
    return len(rows)

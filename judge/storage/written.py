"""Store a letter in one packed column; early rows use `letter` and `body` instead."""

from __future__ import annotations

import base64
import json
from datetime import datetime
from itertools import accumulate, pairwise
from typing import Any

import msgspec
from sqlalchemy import ColumnElement

from judge.mail.letters import Attachment, LetterKind, Outgoing, Picture
from judge.storage import tables as t
from judge.storage.packing import unpack
from judge.storage.prepared import Row

NOTHING: dict[str, Any] = {"letter": "{}", "body": "", "packed": None, "shared": None}
"""The columns of a letter whose contents were erased."""


def has_text() -> ColumnElement[bool]:
    """Return the condition that a letter still has its text and can be sent."""
    return t.outbox.c.packed.is_not(None) | (t.outbox.c.body != "")


def contents(row: Row) -> dict[str, Any]:
    """Return the contents of a letter, with its `text`.

    The row needs the columns `letter`, `body`, `packed` and `SHARED`.
    """
    if row["packed"] is None:
        values: dict[str, Any] = json.loads(row["letter"])
        files = [(*named, base64.b64decode(content)) for *named, content in values.get("attachments", ())]
        return {"text": row["body"], **values, "attachments": files}
    head, _, rest = unpack(row["packed"], unpack(row["base"] or b"")).partition(b"\n")
    values = msgspec.json.decode(head)
    ends = [0, *accumulate(values.pop("lengths"))]
    text, html, *others = (rest[start:end] for start, end in pairwise(ends))
    values["text"], values["html"] = text.decode(), html.decode() if values.pop("has_html") else None
    values["attachments"] = [(*named, content) for named, content in zip(values["attachments"], others, strict=True)]
    return values


def write_letter(letter: Outgoing) -> bytes:
    """Return a line of JSON, then text, HTML and attachments as raw bytes, packing best."""
    parts = [letter.text.encode(), (letter.html or "").encode(), *(part.content for part in letter.attachments)]
    values: dict[str, Any] = {
        "date": letter.date.isoformat(),
        "sender": letter.sender,
        "reply_to": letter.reply_to,
        "subject": letter.subject,
        "has_html": letter.html is not None,
        "in_reply_to": letter.in_reply_to,
        "references": letter.references,
        "list_id": letter.list_id,
        "sender_name": letter.sender_name,
        "unsubscribe": letter.unsubscribe,
        "room": letter.room,
        "attachments": [[part.filename, part.content_type] for part in letter.attachments],
        "pictures": [[picture.cid, picture.source, picture.filename] for picture in letter.pictures],
        "lengths": [len(part) for part in parts],
    }
    if letter.brief is not None:
        values["brief"] = letter.brief
    return msgspec.json.encode(values) + b"\n" + b"".join(parts)


_FORGOTTEN: dict[str, Any] = {
    "sender": "",
    "reply_to": None,
    "subject": "",
    "html": None,
    "attachments": [],
    "pictures": [],
    "in_reply_to": None,
    "references": [],
    "list_id": None,
    "sender_name": "",
    "unsubscribe": None,
    "room": "",
    "brief": None,
}
"""What is left of a letter to a person who was erased."""


def read_letter(row: Row) -> Outgoing:
    """Read the letter of a row that has the column `SHARED` too."""
    values = _FORGOTTEN | {"date": row["queued_at"].isoformat()} | contents(row)
    return Outgoing(
        kind=LetterKind(row["kind"]),
        recipient=row["recipient"],
        message_id=row["message_id"],
        date=datetime.fromisoformat(values["date"]),
        sender=values["sender"],
        reply_to=values["reply_to"],
        subject=values["subject"],
        text=values["text"],
        html=values["html"],
        attachments=tuple(Attachment(*file) for file in values["attachments"]),
        pictures=tuple(Picture(*written) for written in values["pictures"]),
        in_reply_to=values["in_reply_to"],
        references=tuple(values["references"]),
        list_id=values["list_id"],
        sender_name=values["sender_name"],
        room=values["room"],
        unsubscribe=values["unsubscribe"],
        brief=tuple(values["brief"]) if values["brief"] is not None else None,
    )

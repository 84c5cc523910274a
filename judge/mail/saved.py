"""Read saved mails: single files, mbox files, Maildirs, and folders of these."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from judge.mail.charsets import to_text
from judge.mail.headers import decoded
from judge.mail.letters import Attachment

_MBOX = b"From "


@dataclass(frozen=True, slots=True)
class Shown:
    """What a mail shows its reader."""

    to: str
    """The address in To, lower case."""
    subject: str
    sent: datetime | None
    text: str | None
    """The plain text; None if there is none."""
    html: str | None
    files: tuple[Attachment, ...]
    """Its other parts."""


def saved_mails(path: Path) -> Iterator[Message]:
    """Yield every mail in a file or below a folder, sorted by file name.

    Raises OSError if one cannot be read.
    """
    if path.is_dir():
        for below in sorted(path.iterdir()):
            yield from saved_mails(below)
        return
    content = path.read_bytes()
    if content.startswith(_MBOX):
        box = mailbox.mbox(path, create=False)
        try:
            yield from box
        finally:
            box.close()
    else:
        yield message_from_bytes(content, policy=compat32)


def with_attached(mail: Message) -> Iterator[Message]:
    """Yield a mail, and the mails that are attached to it."""
    yield mail
    for part in _parts(mail):
        if part.get_content_type() == "message/rfc822":
            for attached in part.get_payload():
                if isinstance(attached, Message):
                    yield from with_attached(attached)


def shown_by(mail: Message) -> Shown:
    """Return what a mail shows its reader, without the mails attached to it."""
    texts: list[str] = []
    pages: list[str] = []
    files: list[Attachment] = []
    for part in _parts(mail):
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes):
            continue
        kind, name = part.get_content_type(), part.get_filename()
        is_read = part.get_content_maintype() == "text" and kind != "text/calendar"
        if is_read and part.get_content_disposition() != "attachment":
            (pages if kind == "text/html" else texts).append(to_text(content, part.get_content_charset()))
        else:
            files.append(Attachment(decoded(name or ""), kind, content))
    return Shown(
        to=parseaddr(str(mail["To"] or ""))[1].lower(),
        subject=decoded(mail["Subject"]),
        sent=sent_at(mail),
        text="\n".join(texts) if texts else None,
        html="\n".join(pages) if pages else None,
        files=tuple(files),
    )


def sent_at(mail: Message) -> datetime | None:
    """Return the time in its Date header; None if there is none."""
    try:
        found = parsedate_to_datetime(str(mail["Date"]))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _parts(mail: Message) -> Iterator[Message]:
    """Yield the parts of a mail, without those of mails attached to it."""
    if not mail.is_multipart() or mail.get_content_maintype() == "message":
        yield mail
        return
    for part in mail.get_payload():
        if isinstance(part, Message):
            yield from _parts(part)

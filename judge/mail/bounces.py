"""Read bounces: whether a delivery failed permanently, and what the server said."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser, HeaderParser

from judge.mail.headers import WARY, decoded, header_text
from judge.mail.large_files import lightened

_NOT_FAILED = ("delayed", "delivered", "relayed", "expanded")
_STATUS = re.compile(r"(?<![\d.])([245])\.\d{1,3}\.\d{1,3}(?!\.?\d)")
"""RFC 3463: class, subject, detail."""
_REPLY = re.compile(r"(?<![\d.])([245])[0-5]\d(?=[ -])")
"""RFC 5321: the reply code before a server's text."""
_ADDRESS = re.compile(r"[^\s<>\"'(),;:\[\]]+@[^\s<>\"'(),;:\[\]]+")
_HIDDEN = "…"


@dataclass(frozen=True, slots=True)
class Failure:
    """A permanent delivery failure."""

    said: str
    """The reply of the server that refused, in one line; it may contain the address."""


def permanent_failure(content: bytes) -> Failure | None:
    """Return the permanent failure that a bounce reports.

    The result is None if delivery may still succeed, or the mail is no bounce.
    """
    message = BytesParser(policy=WARY).parsebytes(lightened(content).content)
    recipients = list(_recipients(message))
    if recipients:
        return next((failure for fields in recipients if (failure := _failure(fields)) is not None), None)
    return _guessed(message)


def without_address(said: str, address: str) -> str:
    """Hide addresses in a server's reply, for readers who may not know the address.

    >>> without_address("550 5.1.1 <cho@players.test>: cho is unknown at mx.players.test", "cho@players.test")
    '550 5.1.1 <…>: … is unknown at mx.…'
    """
    local, _, host = address.partition("@")
    hidden = _ADDRESS.sub(_HIDDEN, said)
    for part in (host, local):
        hidden = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", _HIDDEN, hidden, flags=re.IGNORECASE)
    return hidden


# RFC 3464


def _recipients(message: Message) -> Iterator[Message]:
    """Yield the fields about each recipient (§2.3), skipping those in a returned mail."""
    kind = message.get_content_type()
    if kind in ("message/delivery-status", "message/global-delivery-status"):
        yield from (fields for fields in _field_groups(message) if "Action" in fields or "Status" in fields)
    elif message.get_content_maintype() == "multipart":
        for part in message.get_payload():
            if isinstance(part, Message):
                yield from _recipients(part)


def _field_groups(part: Message) -> Iterator[Message]:
    groups = part.get_payload()
    for group in groups if isinstance(groups, list) else ():
        if isinstance(group, Message):
            yield group
            # RFC 6533 §3: the library parses the first group of message/global-delivery-status as a header.
            rest = group.get_payload()
            for text in re.split(r"\n\s*\n", rest) if isinstance(rest, str) else ():
                yield HeaderParser(policy=WARY).parsestr(text.lstrip())


def _failure(fields: Message) -> Failure | None:
    """Read the fields about one recipient; status 4.x.x may still succeed, whatever the action says."""
    action = str(fields.get("Action", "")).split(";")[0].split("(")[0].strip().lower()
    status = str(fields.get("Status", ""))
    words = decoded(fields.get("Diagnostic-Code")).partition(";")
    said = (words[2] or words[0]).strip()
    class_ = _class_in(status) or _class_in(said)
    if action in _NOT_FAILED or class_ in ("2", "4") or (class_ is None and not action.startswith("fail")):
        return None
    found = _STATUS.search(status)
    code = found[0] if found else ""
    return Failure(header_text(said if code in said else f"{code} {said}") or action)


def _class_in(text: str) -> str | None:
    found = _STATUS.search(text) or _REPLY.search(text)
    return found[1] if found else None


# Everything else


def _guessed(message: Message) -> Failure | None:
    """Let flufl.bounce interpret bounces in a server's own format."""
    from flufl.bounce import all_failures  # noqa: PLC0415 - hundreds of patterns, and few mails are bounces

    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)
    try:
        _, permanent = all_failures(message)
    except Exception:  # noqa: BLE001 - it raises many kinds on hostile input
        return None
    if not permanent:
        return None
    lines = [line for line in _text(message).splitlines() if _class_in(line)]
    # It mistakes the "will try again" of some servers for a failure.
    if lines and _class_in(lines[0]) != "5":
        return None
    return Failure(header_text(lines[0] if lines else decoded(message.get("Subject"))))


def _text(message: Message) -> str:
    for part in message.walk():
        if part.get_content_maintype() == "text":
            payload = part.get_payload(decode=True)
            return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return ""

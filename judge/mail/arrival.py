"""Times of a mail: its arrival by our server's clock, and its probable writing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import parsedate_to_datetime

from judge.mail.identity import headers_of
from judge.mail.letters import RawMail

_COMMENT = re.compile(r"\([^()]*\)")
_SAME_CLOCK = timedelta(minutes=10)
"""The most by which a sender's clock may differ from the first server's.

Beyond that, the clock is wrong or the mail waited in an outbox.
"""
_BY = re.compile(r"\bby\s+([^\s;]+)", re.IGNORECASE)


def arrival(raw: RawMail, server: str) -> datetime:
    """Return when `server` accepted the mail, else when the source saw it.

    The topmost Received header of the server counts. Only headers below that of our own server can be forged
    (RFC 5321 §4.4).
    """
    for host, date in _stamps(raw):
        if host == server.lower():
            return min(_moment(date) or raw.received_at, raw.received_at)
    return raw.received_at


def stamps(raw: RawMail) -> Iterator[tuple[str, datetime]]:
    """Yield each server in the Received headers, and when it accepted the mail.

    A sender can forge all but the topmost ones.
    """
    for host, date in _stamps(raw):
        if (moment := _moment(date)) is not None:
            yield host, moment


def _stamps(raw: RawMail) -> Iterator[tuple[str, str]]:
    for value in headers_of(raw.content).get_all("Received", []):
        trace, _, date = str(value).rpartition(";")
        if writers := _BY.findall(_COMMENT.sub(" ", trace)):
            yield writers[-1].lower(), date


def written_at(message: Message) -> datetime | None:
    """Return when a mail was written: its Date or its oldest Received stamp.

    The stamp counts if the two differ by over 10 minutes. A sender can forge both. The result may lead to a question,
    but never decides whether a mail was in time.
    """
    trace = message.get_all("Received", [])
    handed_in = _moment(str(trace[-1]).rpartition(";")[2]) if trace else None
    date = _moment(str(message.get("Date", "")))
    if date is None or handed_in is None:
        return date or handed_in
    return date if abs(date - handed_in) <= _SAME_CLOCK else handed_in


def _moment(date: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(date.strip())
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None

"""The time a mail arrived, by the clock of our own mail server and never by its sender's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from judge.mail.identity import headers_of
from judge.mail.letters import RawMail

_COMMENT = re.compile(r"\([^()]*\)")
_BY = re.compile(r"\bby\s+([^\s;]+)", re.IGNORECASE)


def arrival(raw: RawMail, server: str) -> datetime:
    """Return when `server` accepted the mail, by its topmost Received header; else when the source saw it.

    Only headers below that of our own server can be forged (RFC 5321 §4.4).
    """
    for host, date in _stamps(raw):
        if host == server.lower():
            return min(_moment(date) or raw.received_at, raw.received_at)
    return raw.received_at


def stamps(raw: RawMail) -> Iterator[tuple[str, datetime]]:
    """Yield each server that says it accepted the mail, and when; a sender can forge all but the topmost ones."""
    for host, date in _stamps(raw):
        if (moment := _moment(date)) is not None:
            yield host, moment


def _stamps(raw: RawMail) -> Iterator[tuple[str, str]]:
    for value in headers_of(raw.content).get_all("Received", []):
        trace, _, date = str(value).rpartition(";")
        if writers := _BY.findall(_COMMENT.sub(" ", trace)):
            yield writers[-1].lower(), date


def _moment(date: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(date.strip())
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)

"""Calendar files: appointments attached to mails (RFC 5545; published, RFC 5546 §3.2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from icalendar import vDuration, vText
from icalendar.parser import Contentline

from judge import __version__
from judge.mail.letters import Attachment

_NUMBERED_SINCE = datetime(2020, 1, 1, tzinfo=UTC)
"""Sequence numbers are seconds since then.

They rise with every mail, and 32 bits last until 2088.
"""

_LONGEST_LINE = 75


@dataclass(frozen=True, slots=True)
class Appointment:
    """An appointment; in a calendar, a later one with the same `uid` replaces it."""

    uid: str
    organizer: str
    """A mail address."""
    at: datetime
    summary: str
    description: str
    alarms: Sequence[timedelta] = ()
    """How long before the appointment each alarm goes off."""
    is_cancelled: bool = False


def calendar_file(name: str, appointment: Appointment, now: datetime) -> Attachment:
    """Write the appointment as a file of that name."""
    written = b"".join(folded(line) + b"\r\n" for line in _calendar(appointment, now))
    return Attachment(f"{name}.ics", "text/calendar; method=PUBLISH; charset=utf-8", written)


def _calendar(appointment: Appointment, now: datetime) -> Iterator[str]:
    """Yield its lines in the order of the icalendar library, which is much slower."""
    summary = escaped(appointment.summary)
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0")
    yield f"PRODID:-//diplomacy-mail-judge//{escaped(__version__)}//EN"
    yield from ("METHOD:PUBLISH", "BEGIN:VEVENT")
    yield f"SUMMARY:{summary}"
    yield f"DTSTART:{_moment(appointment.at)}"
    yield f"DTSTAMP:{_moment(now)}"
    yield f"UID:{escaped(appointment.uid)}"
    yield f"SEQUENCE:{int((now - _NUMBERED_SINCE).total_seconds())}"
    yield f"DESCRIPTION:{escaped(appointment.description)}"
    yield f"ORGANIZER:mailto:{appointment.organizer}"
    yield f"STATUS:{'CANCELLED' if appointment.is_cancelled else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"  # a deadline does not make the reader busy
    for before in () if appointment.is_cancelled else appointment.alarms:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{summary}")
        yield f"TRIGGER:{vDuration(-before).to_ical().decode()}"  # type: ignore[no-untyped-call]
        yield "END:VALARM"
    yield from ("END:VEVENT", "END:VCALENDAR")


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escaped(text: str) -> str:
    """Escape a text (RFC 5545 §3.3.11)."""
    return vText(text).to_ical().decode()


def folded(line: str) -> bytes:
    """Fold a long line (RFC 5545 §3.1)."""
    written = line.encode()
    return written if len(written) < _LONGEST_LINE else bytes(Contentline(line).to_ical())  # type: ignore[no-untyped-call]

"""An appointment for a calendar, as a file beside a mail (RFC 5545; published, RFC 5546 §3.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from icalendar import Alarm, Calendar, Event, vCalAddress

from judge import __version__
from judge.mail.letters import Attachment

_NUMBERED_SINCE = datetime(2020, 1, 1, tzinfo=UTC)
"""Sequence numbers are seconds from here: they rise with every mail, and 32 bits last until 2088."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """A moment that calendars are told of; whoever gets a later one with the same `uid` has it in place of this."""

    uid: str
    organizer: str
    """An address."""
    at: datetime
    summary: str
    description: str
    alarms: Sequence[timedelta] = ()
    """How long before."""
    is_cancelled: bool = False


def calendar_file(name: str, appointment: Appointment, now: datetime) -> Attachment:
    """The appointment as a file of that name."""
    calendar = Calendar()
    calendar.add("prodid", f"-//diplomacy-mail-judge//{__version__}//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(_event(appointment, now))
    return Attachment(f"{name}.ics", "text/calendar; method=PUBLISH; charset=utf-8", calendar.to_ical())


def _event(appointment: Appointment, now: datetime) -> Event:
    event = Event()
    event.add("uid", appointment.uid)
    event.add("sequence", int((now - _NUMBERED_SINCE).total_seconds()))
    event.add("dtstamp", now.astimezone(UTC).replace(microsecond=0))
    event.add("dtstart", appointment.at.astimezone(UTC).replace(microsecond=0))
    event.add("summary", appointment.summary)
    event.add("description", appointment.description)
    event.add("organizer", vCalAddress(f"mailto:{appointment.organizer}"))
    event.add("status", "CANCELLED" if appointment.is_cancelled else "CONFIRMED")
    event.add("transp", "TRANSPARENT")  # nobody is busy because orders are due
    for before in () if appointment.is_cancelled else appointment.alarms:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("trigger", -before)
        alarm.add("description", appointment.summary)
        event.add_component(alarm)
    return event

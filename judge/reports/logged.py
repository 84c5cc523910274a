"""Lines of a game's log, in the reader's language whatever language the sender used."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any, get_args, get_type_hints

from judge import commands as c
from judge.calendar import moment_meant, period_meant
from judge.commands import AsWritten
from judge.language.times import read_duration, read_moment, read_period, read_setting
from judge.language.writing import line_told
from judge.reports.wording import Wording
from judge.rules.position import Phase, Power, Province, Unit
from judge.settings import name_in


def logged_line(command: c.Command, wording: Wording, at: datetime, zone: str) -> str:
    """Return a logged command as one line.

    `at` is when the command was given, `zone` the reader's time zone.
    """
    value = partial(_value, command, wording=wording, at=at, zone=zone)
    return line_told(wording.language, command, value)


def _value(command: c.Command, field: str, *, wording: Wording, at: datetime, zone: str) -> str:
    """Return a field as it is shown; "" if it is empty."""
    value = getattr(command, field)
    if not value:
        return ""
    if isinstance(value, AsWritten):
        return _time(command, field, wording, at, zone) or value.text
    hint = get_type_hints(type(command))[field]
    kinds = (hint, *get_args(hint))
    if isinstance(value, tuple):
        return wording.comma().strip().join(_plain(one, kinds, wording) for one in value)
    return name_in(value, wording.language.value) if field == "setting" else _plain(value, kinds, wording)


def _plain(value: Any, kinds: tuple[object, ...], wording: Wording) -> str:  # noqa: ANN401 - whatever a command holds
    if Power in kinds:
        return wording.power(value)
    if isinstance(value, Unit) or Province in kinds:
        return wording.named(value)
    return wording.phase(value) if isinstance(value, Phase) and wording.in_words else str(value)


def _time(command: c.Command, field: str, wording: Wording, at: datetime, zone: str) -> str:
    """Return a time or a setting's value, read again from the logged words.

    It is "" if the words cannot be read.
    """
    written = getattr(command, field).text
    match command:
        case c.ChangeSetting(setting):
            return wording.say("setting_value", setting, read_setting(setting, written))
        case c.SetDeadline():
            moment = read_moment(written)
            found = moment_meant(moment, at, "UTC") if moment is not None and "UTC" in written else None
            return wording.moment(found, zone) if isinstance(found, datetime) else ""
        case c.Absence():
            period = read_period(written)
            days = period_meant(period, at, zone) if period is not None else None
            if not isinstance(days, tuple):
                return ""
            first, last = wording.day(days[0], zone), wording.day(days[1] - timedelta(minutes=1), zone)
            return first if first == last else wording.speech.message("from-to", first=first, last=last)
        case _:
            length = read_duration(written)
            return wording.span(length) if length is not None else ""

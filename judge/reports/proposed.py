"""A command that the judge proposes, as a sentence that tells what it would do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from judge import commands as c
from judge.calendar import moment_meant, period_meant
from judge.commands import AsWritten, Command
from judge.language.times import read_moment, read_setting

if TYPE_CHECKING:
    from judge.reports.wording import Wording


def proposed(wording: Wording, command: Command, at: datetime | None = None, zone: str = "UTC") -> str:
    """Return what a proposed command would do: `you are away until Tuesday 24 November`.

    Days and times are worded as meant at `at`; without `at`, in the sender's own words.
    """
    return wording.speech.told("meant", command, command=command, **_values(wording, command, at, zone))


def _values(wording: Wording, command: Command, at: datetime | None, zone: str) -> Mapping[str, str]:
    """Return field → its time or value as a calendar or a clock shows it."""
    match command:
        case c.ChangeSetting(setting=setting, value=value):
            return {"value": wording.say("setting_value", setting, read_setting(setting, value.text))}
        case c.Absence(period=AsWritten(text, meant)) | c.Sitter(period=AsWritten(text, meant)):
            days = period_meant(meant, at, zone) if meant is not None and at is not None else None
            if at is None or not isinstance(days, tuple):
                return {"period": wording.speech.message("quoted", it=text)}
            return {"period": _away(wording, *days, at, zone)}
        case c.SetDeadline(moment=AsWritten(text)):
            read = read_moment(text)
            moment = moment_meant(read, at, zone) if read is not None and at is not None else None
            return {"moment": wording.moment(moment, zone) if isinstance(moment, datetime) else text}
        case c.Extend(length=AsWritten(text, meant)) | c.InAllGames(length=AsWritten(text, meant)):
            return {"length": wording.span(meant) if meant is not None else text}
        case _:
            return {}


def _away(wording: Wording, start: datetime, end: datetime, at: datetime, zone: str) -> str:
    """Return the days of an absence; of one that has begun, only the last."""
    first, last = (wording.day(one, zone, minutes) for one, minutes in ((start, 0), (end, -1)))
    if start <= at and first != last:
        return wording.speech.message("away-until", last=last)
    return wording.speech.message("away", first=first, last=last, is_one_day=first == last, through=True)

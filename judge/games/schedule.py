"""When phases close (RULES R-UPD)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from zoneinfo import available_timezones

from judge.games.game import Settings
from judge.rules.options import UpdateType
from judge.rules.position import PhaseKind

_UNITS = {
    "minutes": ("m", "min", "minute", "minutes", "分"),
    "hours": ("h", "hour", "hours", "時間"),
    "days": ("d", "day", "days", "日", "日間"),
    "weeks": ("w", "week", "weeks", "週間"),
}
_DURATION = re.compile(r"(\d{1,4})\s*([^\d\s]+)")


def read_duration(text: str) -> timedelta | None:
    """Read `3 days`, `12 hours`, `2日 12時間`; None if it is no duration longer than nothing.

    >>> read_duration("1 day 12 hours")
    datetime.timedelta(days=1, seconds=43200)
    """
    rest = _DURATION.sub("", text).strip(" ,、")
    total = timedelta()
    for number, word in _DURATION.findall(text):
        unit = next((unit for unit, words in _UNITS.items() if word.lower().strip(",、") in words), None)
        if unit is None:
            return None
        total += timedelta(**{unit: int(number)})
    return total if total and not rest else None


@cache
def _zones() -> Mapping[str, str]:
    """What people call a zone, in small letters → its IANA name; a city's name alone, if only one zone has it."""
    names = sorted(available_timezones())
    cities: dict[str, set[str]] = {}
    for name in names:
        cities.setdefault(name.rsplit("/", 1)[-1].lower(), set()).add(name)
    by_city = {city: owners.pop() for city, owners in cities.items() if len(owners) == 1}
    return by_city | {name.lower(): name for name in names} | dict.fromkeys(("東京", "日本", "jst"), "Asia/Tokyo")


def find_zone(written: str) -> str | None:
    """The IANA time zone meant; None if there is none.

    >>> find_zone("tokyo")
    'Asia/Tokyo'
    """
    return _zones().get("_".join(written.lower().split()))


def next_deadline(settings: Settings, kind: PhaseKind, opened_at: datetime) -> datetime | None:
    """When a phase that opened then closes at the latest; None where nobody knows beforehand."""
    if settings.rules.update_type in (UpdateType.ON_COMPLETION, UpdateType.MANUAL):
        return None
    return opened_at + settings.length_of(kind)


def may_close_when_ready(settings: Settings, kind: PhaseKind) -> bool:
    """Whether a phase closes as soon as everybody who has something to decide is ready."""
    match settings.rules.update_type:
        case UpdateType.SCHEDULED | UpdateType.MANUAL:
            return False
        case UpdateType.ON_COMPLETION | UpdateType.SCHEDULED_OR_ON_COMPLETION:
            return True
        case UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES:
            return kind is not PhaseKind.MOVEMENT

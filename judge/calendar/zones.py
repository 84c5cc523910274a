"""Time zones by the names people use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from zoneinfo import available_timezones

from judge.calendar.clocks import Zone
from judge.resources import shipped_data


@cache
def _zones() -> Mapping[str, str]:
    """Return name in lower case → IANA name.

    A city's name alone counts if only one zone has it.
    """
    names = sorted(available_timezones())
    cities: dict[str, set[str]] = {}
    for name in names:
        if not name.startswith("Etc/"):  # Etc/GMT+9 is nine hours west of Greenwich
            cities.setdefault(name.rsplit("/", 1)[-1].lower(), set()).add(name)
    by_city = {city: owners.pop() for city, owners in cities.items() if len(owners) == 1}
    offsets = {f"{word}{-hours:+d}": f"Etc/GMT{hours:+d}" for hours in range(-14, 13) for word in ("utc", "gmt")}
    return (
        by_city
        | offsets
        | {name.lower(): name for name in names}
        | {word: name for name, words in shipped_data("grammar/times.toml")["zones"].items() for word in words}
    )


def find_zone(written: str) -> Zone | None:
    """Return the IANA time zone meant; None if there is none.

    >>> find_zone("tokyo")
    'Asia/Tokyo'
    >>> find_zone("UTC+9")
    'Etc/GMT-9'
    """
    name = _zones().get("_".join(written.lower().split()))
    return Zone(name) if name else None

"""Values that prose tells: days when orders are due, a time zone, a game's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from judge.calendar import Weekday, Zone
from judge.calendar.zones import find_zone
from judge.commands import SettingValue
from judge.language.asking.data import pattern_of, stands, words_for
from judge.language.context import Context
from judge.language.times import read_setting
from judge.language.words import Line, is_japanese, normal_form

_WORD = re.compile(r"[^\W\d_][\w.'-]*", re.UNICODE)
_LONGEST_SCHEDULE, _MOST_BEGINNINGS = 24, 3
_UNITS_OF_A_TIME = 40
"""The cost of reading a part of a line as a time, in budget units."""
_CODE, _MOST_PIECES = 3, 10
_MOST_WORDS_OF_A_PLACE = 3


def settings_named(line: Line, context: Context) -> dict[str, SettingValue]:
    """Return the deadline and time zone of a game that a line names."""
    settings: dict[str, SettingValue] = {}
    taken = 0
    for start, end in _parts(line.text):
        if start < taken:
            continue
        part = _as_written(line, start, end)
        deadline = read_setting("deadline", part)
        if "deadline" not in settings and deadline.meant is not None:
            settings["deadline"], taken = deadline, end
        elif "zone" not in settings and find_zone(part) is not None:
            settings["zone"], taken = read_setting("zone", part), end
    schedule = _run_on_schedule(line, context) or _with_all_days(settings.pop("deadline", None), line)
    return settings if schedule is None else settings | {"deadline": schedule}


def _with_all_days(found: SettingValue | None, line: Line) -> SettingValue | None:
    """Return the deadline with all weekdays that the line names.

    None if the line does not give a clear schedule.
    """
    days, told = list(_weekdays(line.text)), list(_weekdays(normal_form(found.text).text)) if found is not None else []
    if pattern_of("%s", "unlike_a_schedule").search(line.text):
        return None
    if days == told or not days:
        return found
    value = read_setting("deadline", _schedule_in(line))
    return value if value.meant is not None else None


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of parts between commas and small words.

    In each clause the longest part comes first.
    """
    ends = [match.span() for match in pattern_of("%s", "between_settings").finditer(text)]
    for first, last in zip((0, *(end for _, end in ends)), (*(start for start, _ in ends), len(text)), strict=True):
        marks = (match.start() for match in pattern_of("%s", "between_words").finditer(text, first, last))
        edges = sorted({first, *islice(marks, _MOST_PIECES), last})
        spans = [(start, end) for start in edges for end in edges if start < end]
        yield from sorted(spans, key=lambda one: one[0] - one[1])


def _as_written(line: Line, start: int, end: int) -> str:
    first, last = line.span(start, end)
    return pattern_of("%s", "ends_a_schedule").sub("", line.written[first:last].strip(" ?!"))


def _run_on_schedule(line: Line, context: Context) -> SettingValue | None:
    """Return the schedule in a text without blanks: 火曜と金曜の夜9時.

    It may stand anywhere in the text.
    """
    for match in islice(pattern_of("%s", "begins_a_schedule").finditer(line.text), _MOST_BEGINNINGS):
        for length in range(_LONGEST_SCHEDULE, 1, -1):
            part = pattern_of("%s", "ends_a_schedule").sub("", line.text[match.start() : match.start() + length])
            context.budget.charge(_UNITS_OF_A_TIME)
            value = read_setting("deadline", part)
            if value.meant is not None:
                return value
    return None


def _schedule_in(line: Line) -> str:
    """Return the weekdays and time of day in a line, as a setting is written.

    Example: `Tue Fri 21:00`. "" if they are unclear.
    """
    days = list(dict.fromkeys(_weekdays(line.text)))
    times = list(dict.fromkeys(_times_of_day(line.text)))
    if not days or len(times) != 1:
        return ""
    return f"{', '.join(days)} {times[0]}"


def _weekdays(text: str) -> Iterator[str]:
    """Yield the weekdays of a text in their order."""
    found = [(match.start(), day) for day, pattern in _days() for match in pattern.finditer(text)]
    yield from (day for _, day in sorted(found))


@cache
def _days() -> tuple[tuple[str, re.Pattern[str]], ...]:
    names = [day.name[:3].title() for day in Weekday]
    return tuple(
        (names[place % len(names)], re.compile(f"(?<![a-zäöüß])(?:{words})(?![a-zäöüß])"))
        for place, words in enumerate(words_for("weekdays"))
    )


def times_of_a_schedule(text: str) -> Iterator[str]:
    """Yield the words of a text for weekdays and times of day."""
    patterns = (pattern_of("%s", "times_of_day"), *(pattern for _, pattern in _days()))
    yield from (match[0] for pattern in patterns for match in pattern.finditer(text))


def _times_of_day(text: str) -> Iterator[str]:
    for found in pattern_of("%s", "times_of_day").finditer(text):
        known = found.groupdict()
        if known.get("noon"):
            yield "12:00"
            continue
        if known.get("midnight"):
            yield "24:00"
            continue
        hour = known["hour"]
        number = int(hour) if hour.isdigit() else words_for("hours").index(hour) + 1
        if known.get("after") and number < 12:
            number += 12
        if number <= 24:
            yield f"{number}:{known.get('minute') or '00'}"


def zone_in(line: Line) -> tuple[str, Zone] | None:
    """Return the place that a line names, and its time zone.

    A place where the sender is now comes before one where they were.
    """
    places = list(_places_with_a_zone(line.text))
    for shape in ("place_moved_to", "place_lived_in", "any_place"):
        for start, end, zone in places:
            if stands(line.text, start, end, shape):
                first, last = line.span(start, end)
                return line.written[first:last], zone
    return None


def _places_with_a_zone(text: str) -> Iterator[tuple[int, int, Zone]]:
    """Yield the begin and end of places in a text, with their time zones."""
    words = list((pattern_of("%s", "run_on_places") if is_japanese(text) else _WORD).finditer(text))
    for at, word in enumerate(words):
        for last in range(min(at + _MOST_WORDS_OF_A_PLACE, len(words)) - 1, at - 1, -1):
            place = text[word.start() : words[last].end()].rstrip(".'")
            zone = find_zone(place)
            if zone is not None and (len(place) > _CODE or is_japanese(place)):
                yield word.start(), word.start() + len(place), zone
                break


def name_in(line: Line) -> str:
    """Return the name that a line gives a new game, or ""."""
    found = (re.search(words, line.text) for words in words_for("game_called"))
    return next((one["name"] for one in found if one and one["name"] not in words_for("no_name_of_a_game")), "")

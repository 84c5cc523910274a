"""What prose tells beside what it asks for: words for others, days on which orders are due, a time zone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from judge.calendar import Weekday, Zone
from judge.calendar.zones import find_zone
from judge.commands import Broadcast, Doubt, Doubted, Press
from judge.language.asking.about import named
from judge.language.asking.data import any_of, pattern_of, words_for
from judge.language.asking.fitting import powers_named
from judge.language.context import Context, own_units
from judge.language.words import Line
from judge.rules.orders import Hold, Move, Order, Support
from judge.rules.position import Location, PhaseKind, Power, Province, Unit, UnitKind, province_of

_QUOTED = re.compile(r"[\"“”«»„]\s*(?P<text>[^\"“”«»„]{2,}?)\s*[\"“”«»„]|(?<![a-z])'(?P<single>[^']{12,})'(?![a-z])")
_COLON = re.compile(r":\s+(?P<text>\S.*)$")
_WORD = re.compile(r"[^\W\d_][\w.'-]*", re.UNICODE)
_CODE, _MOST_IN_A_SUPPORT = 3, 2
_MOST_WORDS_OF_A_PLACE = 3


def handed_on(line: Line, context: Context) -> Press | Broadcast | None:
    """Return what a sentence asks to be told to others; None if it does not say to whom, or what."""
    match = _heading(context.map.name).search(line.text)
    if match is None:
        return None
    text = _quoted(line) or _said_behind(line, match.end())
    if not text:
        return None
    if match["title"] is not None:
        found = next(power for power, titles in _titles().items() if match["title"] in titles)
        return Press((found,), text=text) if found in context.map.powers and found not in context.powers else None
    if match["all"] is not None:
        return Broadcast(text=text)
    powers = powers_named(match["to"], context)
    others = tuple(power for power in powers if power not in context.powers)
    return Press(others, text=text) if others else None


@cache
def _heading(map_name: str) -> re.Pattern[str]:
    """Return a pattern for whom words are for, behind the verb that hands them on."""
    before, behind, power = (
        any_of("before_an_addressee"),
        any_of("behind_an_addressee"),
        named(map_name)["power"].pattern,
    )
    one = f"(?:{before})?{power}(?:{behind})?"
    everybody = "|".join(sorted(words_for("everybody"), key=len, reverse=True))
    titles = "|".join(sorted((title for some in _titles().values() for title in some), key=len, reverse=True))
    several = rf"(?P<to>{one}(?:\s*(?:,|&|{any_of('and')})\s*{one})*)"
    return re.compile(
        rf"{any_of('hands_on')}(?:{several}|(?P<title>(?:{titles})(?![a-z]))|(?:{before})?(?P<all>(?:{everybody})(?![a-z])))"
        rf"(?:{behind})?"
        rf"(?:{any_of('begins_words')})?"
    )


@cache
def _titles() -> Mapping[Power, tuple[str, ...]]:
    """Return power → what its ruler is called."""
    rows = (row.split(": ") for row in words_for("titles"))
    return {Power(power): tuple(titles.split(", ")) for power, titles in rows}


def _quoted(line: Line) -> str:
    found = _QUOTED.search(line.text) or _COLON.search(line.text)
    if found is None:
        return ""
    name = "text" if found["text"] else "single"
    return _written(line, *found.span(name))


def _said_behind(line: Line, start: int) -> str:
    text = _written(line, start, len(line.text)).strip(" ,:-")
    return text if len(text.split()) > 1 else ""


def _written(line: Line, start: int, end: int) -> str:
    if start >= end:
        return ""
    first, last = line.span(start, end)
    return line.written[first:last].strip()


def schedule_in(line: Line) -> str:
    """Return the weekdays and the time of day in a line as a setting is written: `Tue Fri 21:00`; "" if unclear."""
    days = list(dict.fromkeys(_weekdays(line.text)))
    times = list(dict.fromkeys(_times_of_day(line.text)))
    if not days or len(times) != 1 or pattern_of("%s", "unlike_a_schedule").search(line.text):
        return ""
    return f"{', '.join(days)} {times[0]}"


def _weekdays(text: str) -> Iterator[str]:
    """Yield the weekdays of a text in its order."""
    found = [(match.start(), day) for day, pattern in _days() for match in pattern.finditer(text)]
    yield from (day for _, day in sorted(found))


@cache
def _days() -> tuple[tuple[str, re.Pattern[str]], ...]:
    names = [day.name[:3].title() for day in Weekday]
    return tuple(
        (names[place % len(names)], re.compile(f"(?<![a-zäöüß])(?:{words})(?![a-zäöüß])"))
        for place, words in enumerate(words_for("weekdays"))
    )


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
    """Return the place that a line names and its time zone; where the sender is now before where they were."""
    words = list(_WORD.finditer(line.text))
    for before in ("place_moved_to", "place_lived_in", "any_place"):
        for at, word in enumerate(words):
            if not pattern_of("(?:%s)$", before).search(line.text[: word.start()]):
                continue
            for last in range(min(at + _MOST_WORDS_OF_A_PLACE, len(words)) - 1, at - 1, -1):
                place = line.text[word.start() : words[last].end()].rstrip(".'")
                zone = find_zone(place) or find_zone(_known_places().get(place, ""))
                if zone is not None and (len(place) > 3 or place in _known_places()):
                    first, end = line.span(word.start(), word.start() + len(place))
                    return line.written[first:end], zone
    return None


@cache
def _known_places() -> dict[str, str]:
    rows = (row.rsplit(" ", 1) for row in words_for("zones_of_places"))
    return {place: zone for places, zone in rows for place in places.split(", ")}


def name_in(line: Line) -> str:
    """Return the name that a line gives to a new game; "" if it gives none."""
    for pattern in words_for("name_of_a_game"):
        found = re.search(pattern, line.text)
        if found is not None and found["name"] not in words_for("no_name_of_a_game"):
            return found["name"]
    return ""


def order_told(line: Line, context: Context) -> Doubted | None:
    """Return the order that a line tells for one unit, as a question; None if it is not clear which."""
    if not context.powers or context.board.phase.kind is not PhaseKind.MOVEMENT:
        return None
    named_there = [one for one in _places_in(line, context) if not _is_given_up(line.text, one)]
    own = {unit.province: unit for unit in own_units(context)}
    first = next((one for one in named_there if one.province in own), named_there[0] if named_there else None)
    if first is None:
        return None
    unit = own.get(first.province) or _unit_at(first, line.text)
    others = [one for one in named_there if one.province != unit.province]
    order = _order_of(unit, others, line.text, own)
    words = " ".join(line.written.split())
    return None if order is None else Doubted(order, Doubt.WORDS, words, 0)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place that a line names."""

    start: int
    end: int
    location: Location

    @property
    def province(self) -> Province:
        """The province it lies in."""
        return province_of(self.location)


def _places_in(line: Line, context: Context) -> list[_Place]:
    """Return the places of a line in its order; not codes that are words, nor names of several places."""
    lexicon = context.lexicon
    found = []
    for word in lexicon.words(line.text):
        places = lexicon.names.places.get(word.text, ()) if word.kind == "PLACE" else ()
        if len(places) == 1 and not (word.text in lexicon.plain and len(word.text) <= _CODE):
            found.append(_Place(word.start, word.end, places[0]))
    return found


def _is_given_up(text: str, place: _Place) -> bool:
    """Whether a place stands where the sender says what is not, or no longer, to be done; the unit itself does not."""
    before, behind = text[: place.start], text[place.end :]
    if pattern_of("(?:%s)$", "told_unit_before").search(before) or pattern_of("%s", "told_unit_behind").match(behind):
        return False
    return pattern_of("(?:%s)[^,;.]*$", "given_up").search(re.split(r"[.;!?,]", before)[-1]) is not None


def _unit_at(place: _Place, text: str) -> Unit:
    is_fleet = pattern_of("%s", "a_fleet").search(text) is not None
    return Unit(UnitKind.FLEET if is_fleet else UnitKind.ARMY, place.location)


def _order_of(unit: Unit, others: list[_Place], text: str, own: Mapping[Province, Unit]) -> Order | None:
    support = pattern_of("%s", "supports").search(text)
    if support is not None:
        others = [one for one in others if one.start > support.start()]
        if not others or len(others) > _MOST_IN_A_SUPPORT:
            return None
        supported = own.get(others[0].province) or _unit_at(others[0], text[others[0].start :])
        return Support(unit, supported, others[1].location if others[1:] else None)
    if pattern_of("%s", "told_to_hold").search(text) and not others:
        return Hold(unit)
    return Move(unit, others[0].location) if len({one.province for one in others}) == 1 else None

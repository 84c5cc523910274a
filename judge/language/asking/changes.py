"""Read a sentence that changes the order of one unit.

Example: ミュンヘンの陸軍はブルゴーニュではなくルールに向かわせてください.
In Japanese and German the unit stands before its new order.
In other languages, words for giving up tell the dropped place from the new one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.commands import Command, Doubt, Doubted, Give
from judge.language.asking.data import pattern_of, stands
from judge.language.context import Context, Role, own_units
from judge.language.words import Line, is_japanese
from judge.language.words.terminals import Word
from judge.rules.orders import Hold, Move, Order, Support
from judge.rules.outcomes import Illegal
from judge.rules.position import Location, PhaseKind, Power, Province, Unit, UnitKind, province_of

_SHORTEST, _LONGEST = 12, 200
_CODE, _MOST_IN_A_SUPPORT = 3, 2
_SUPPORTED_ON_ITS_WAY = 2
"""The number of places that the support of a move names."""


def changed_order(line: Line, number: int, context: Context) -> Command | None:
    """Return the new order that a sentence gives a unit, as a question.

    None if the order is not clear. An order that is not legal is returned without a question.
    """
    if context.role is not Role.PLAYER or context.position is None or not _SHORTEST < len(line.text) <= _LONGEST:
        return None
    if context.position.phase.kind is not PhaseKind.MOVEMENT:
        return None
    found = None if pattern_of("%s", "muses_on_orders").search(line.text) else _unit(line.text, context)
    if found is None:
        return None
    unit, rest = found
    wanted = _instead(rest)
    order = _order(unit, wanted, context) if wanted else None
    if order is None:
        return None
    for power in context.powers:
        meant = context.referee.meaning(power, order)
        if not isinstance(meant, Illegal):
            return Doubted(meant, Doubt.WORDS, line.written.strip(), number)
    return Give(order)  # its answer says why the order is not legal


def _places(text: str, context: Context) -> list[Word]:
    return [word for word in context.lexicon.words(text) if word.kind == "PLACE"]


def _unit(text: str, context: Context) -> tuple[Unit, str] | None:
    """Return the unit whose order changes, and the text behind it, or None."""
    mine = {unit.province: unit for unit in own_units(context)}
    named = [(word, province) for word in _places(text, context) for province in _provinces(word, context)]
    for shape in ("unit_behind", "object_behind"):
        for word, province in named:
            behind = pattern_of("%s", shape).match(text, word.end)
            unit = mine.get(province)
            if behind is not None and unit is not None:
                return unit, text[behind.end() :]
    return None


def _provinces(word: Word, context: Context) -> Sequence[Province]:
    return context.lexicon.names.places.get(word.text, ())


def _instead(rest: str) -> str:
    """Return the words for the new order, behind the last words that drop the old."""
    ends = [match.end() for match in pattern_of("%s", "instead").finditer(rest)]
    wanted = rest[ends[-1] :] if ends else rest
    return pattern_of("%s", "sentence_end").split(wanted, maxsplit=1)[0]


def _order(unit: Unit, wanted: str, context: Context) -> Order | None:
    provinces = [_provinces(word, context) for word in _places(wanted, context)]
    if any(len(one) != 1 for one in provinces):
        return None
    places = [one[0] for one in provinces]
    if pattern_of("%s", "helps").search(wanted):
        return _support(unit, places, context)
    if not places or places == [unit.province]:
        return Hold(unit) if pattern_of("%s", "holds").search(wanted) else None
    return Move(unit, Location(places[0])) if len(places) == 1 else None


def _support(unit: Unit, places: Sequence[Province], context: Context) -> Order | None:
    if not places or len(places) > _SUPPORTED_ON_ITS_WAY:
        return None
    standing = {one.province: one for power in context.map.powers for one in context.board.units_of(power)}
    helped = standing.get(places[0])
    if helped is None or helped == unit:
        return None
    return Support(unit, helped, Location(places[1]) if len(places) > 1 else None)


def order_told(line: Line, context: Context) -> Doubted | None:
    """Return the order that a line gives one unit, as a question, or None.

    None if it is not clear which order is meant.
    """
    if not context.powers or context.board.phase.kind is not PhaseKind.MOVEMENT:
        return None
    own = {unit.province: unit for unit in own_units(context)}
    named_there = _named_in(line, context)
    given_up = [one for one in named_there if _is_given_up(line.text, one)]
    if any(one.province in own for one in given_up):  # the order for that unit is withdrawn
        return None
    named_there = [one for one in named_there if one not in given_up]
    first = next((one for one in named_there if one.province in own), named_there[0] if named_there else None)
    if first is None:
        return None
    unit = own.get(first.province) or _unit_at(first, line.text)
    others = [one for one in named_there if one.province != unit.province]
    order = _told_for(unit, others, line.text, own)
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
        """The province of the place."""
        return province_of(self.location)


def _named_in(line: Line, context: Context) -> list[_Place]:
    """Return the places that a line names, in their order.

    Codes that are also words, and names of several places, are left out.
    """
    lexicon = context.lexicon
    found: list[_Place] = []
    for word in lexicon.words(line.text):
        places = lexicon.names.places.get(word.text, ()) if word.kind == "PLACE" else ()
        if len(places) == 1 and not (word.text in lexicon.plain and len(word.text) <= _CODE):
            found.append(_Place(word.start, word.end, places[0]))
    return found


def _is_given_up(text: str, place: _Place) -> bool:
    """Whether a place belongs to what the sender gives up.

    The place of the unit itself does not count.
    """
    before, behind = text[: place.start], text[place.end :]
    if pattern_of("%s", "given_up_behind").match(behind):
        return True
    if pattern_of("(?:%s)$", "told_unit_before").search(before) or pattern_of("%s", "told_unit_behind").match(behind):
        return False
    return pattern_of("(?:%s)[^,;.]*$", "given_up").search(re.split(r"[.;!?,]", before)[-1]) is not None


def _unit_at(place: _Place, text: str) -> Unit:
    is_fleet = pattern_of("%s", "a_fleet").search(text) is not None
    return Unit(UnitKind.FLEET if is_fleet else UnitKind.ARMY, place.location)


def _told_for(unit: Unit, others: list[_Place], text: str, own: Mapping[Province, Unit]) -> Order | None:
    support = pattern_of("%s", "supports").search(text)
    if support is not None:
        if not is_japanese(text):
            others = [one for one in others if one.start > support.start()]
        if not others or len(others) > _MOST_IN_A_SUPPORT:
            return None
        supported = own.get(others[0].province) or _unit_at(others[0], text[others[0].start :])
        return Support(unit, supported, others[1].location if others[1:] else None)
    if pattern_of("%s", "told_to_hold").search(text) and not others:
        return Hold(unit)
    return Move(unit, others[0].location) if len({one.province for one in others}) == 1 else None


def orders_supposed(line: Line, context: Context) -> tuple[tuple[Power, Order], ...]:
    """Return the moves that a sentence considers, and supports of them.

    Example: `Munich to Burgundy, Ruhr helping`.
    """
    standing = {unit.province: (power, unit) for power in context.map.powers for unit in context.board.units_of(power)}
    places = _named_in(line, context)
    ends = [match.start() for match in pattern_of("%s", "between_moves").finditer(line.text)]
    found: list[tuple[Power, Order]] = []
    for begin, end in zip((0, *ends), (*ends, len(line.text)), strict=True):
        there = [one for one in places if begin <= one.start < end]
        units = [one for one in there if one.province in standing]
        if not units:
            continue
        helped = found[-1][1] if found else None
        power, unit = standing[units[0].province]
        if isinstance(helped, Move) and pattern_of("%s|%s", "supports", "helps").search(line.text[begin:end]):
            found.append((power, Support(unit, helped.unit, helped.to)))
        elif len(there) == 2 and len({one.province for one in there}) == 2:
            start, goal = there if there[0] in units else reversed(there)
            if start in units and goal in units and stands(line.text, goal.start, goal.end, "comes_from"):
                start, goal = goal, start
            power, unit = standing[start.province]
            found.append((power, Move(unit, goal.location)))
    return tuple(found)

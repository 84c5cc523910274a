"""The order of one unit changed in a sentence: ミュンヘンの陸軍はブルゴーニュではなくルールに向かわせてください."""

from __future__ import annotations

from collections.abc import Sequence

from judge.commands import Command, Doubt, Doubted, Give
from judge.language.asking.data import pattern_of
from judge.language.context import Context, Role, own_units
from judge.language.words import Line
from judge.language.words.terminals import Word
from judge.rules.orders import Hold, Move, Order, Support
from judge.rules.outcomes import Illegal
from judge.rules.position import Location, PhaseKind, Province, Unit

_SHORTEST, _LONGEST = 12, 200
_SUPPORTED_ON_ITS_WAY = 2
"""The number of places that a support of a move names."""


def changed_order(line: Line, number: int, context: Context) -> Command | None:
    """Return the order that a sentence puts in the place of another, as a question; None if it is not clear."""
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
    return Give(order)  # whose answer says why not


def _places(text: str, context: Context) -> list[Word]:
    return [word for word in context.lexicon.words(text) if word.kind == "PLACE"]


def _unit(text: str, context: Context) -> tuple[Unit, str] | None:
    """Return the unit whose order is changed, and the text behind it."""
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
    """Return the words for the new order: those behind the last words that drop the old one."""
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

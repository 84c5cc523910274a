"""Strict notation: one way to write every order, exactly invertible. For the database, JSON Lines, tests and logs.

    A MUN H                 hold                 A DEN R SWE     retreat
    A MUN - BER             move                 A NWY D         disband, remove
    A VEN - TRI VIA         move by convoy       F STP/NC B      build
    A BOH S A MUN           support to hold      WAIVE           waive a build
    A BUR S A TYR - MUN     support to move
    F NTH C A LON - BEL     convoy

What people may write in a mail is `judge.language`'s affair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import assert_never

from judge.errors import NotationError, quoted
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.position import Location, Unit, UnitKind

_LOCATION = r"[A-Z]{3}(?:/[A-Z]{2})?"
_UNIT = rf"([AF]) ({_LOCATION})"
_ORDER = re.compile(
    rf"{_UNIT} (?:"
    rf"(?P<letter>[HDB])|R (?P<retreat>{_LOCATION})|- (?P<move>{_LOCATION})(?P<via> VIA)?"
    rf"|(?P<verb>[SC]) (?P<other_kind>[AF]) (?P<other_place>{_LOCATION})(?: - (?P<goal>{_LOCATION}))?)"
)


_SIMPLE: Mapping[str, Callable[[Unit], Order]] = {"H": Hold, "D": Disband, "B": Build}


def read_unit(text: str) -> Unit:
    """Read `F SPA/NC`; raises NotationError."""
    match = re.fullmatch(_UNIT, text)
    if match is None:
        raise NotationError(f"{quoted(text)} is not a unit such as A PAR or F SPA/NC")
    return Unit(UnitKind(match[1]), Location(match[2]))


def read_order(text: str) -> Order:
    """Read an order; raises NotationError.

    >>> write_order(read_order("F NTH C A LON - BEL"))
    'F NTH C A LON - BEL'
    """
    if text == "WAIVE":
        return Waive()
    match = _ORDER.fullmatch(text)
    if match is None:
        raise NotationError(f"{quoted(text)} is not an order such as A MUN - BER")
    unit = Unit(UnitKind(match[1]), Location(match[2]))
    if match["letter"]:
        return _SIMPLE[match["letter"]](unit)
    if match["retreat"]:
        return Retreat(unit, Location(match["retreat"]))
    if match["move"]:
        return Move(unit, Location(match["move"]), by_convoy=match["via"] is not None)
    other = Unit(UnitKind(match["other_kind"]), Location(match["other_place"]))
    goal = Location(match["goal"]) if match["goal"] else None
    if match["verb"] == "S":
        return Support(unit, other, goal)
    if goal is None:
        raise NotationError(f"{quoted(text)} does not say where the army is to be carried")
    return Convoy(unit, other, goal)


def write_order(order: Order) -> str:
    """Write an order; `read_order` reads it back."""
    match order:
        case Move():
            return f"{order.unit.text} - {order.to} VIA" if order.by_convoy else f"{order.unit.text} - {order.to}"
        case Support():
            helped = f"{order.unit.text} S {order.supported.text}"
            return helped if order.to is None else f"{helped} - {order.to}"
        case Hold():
            return f"{order.unit.text} H"
        case Convoy():
            return f"{order.unit.text} C {order.army.text} - {order.to}"
        case Retreat():
            return f"{order.unit.text} R {order.to}"
        case Disband():
            return f"{order.unit.text} D"
        case Build():
            return f"{order.unit.text} B"
        case Waive():
            return "WAIVE"
        case _:
            assert_never(order)

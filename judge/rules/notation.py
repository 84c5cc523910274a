"""Strict notation for the database, JSON Lines, tests and logs.

There is one way to write every order, and it reads back exactly.

    A MUN H                 hold                 A DEN R SWE     retreat
    A MUN - BER             move                 A NWY D         disband, remove
    A VEN - TRI VIA         move by convoy       F STP/NC B      build
    A BOH S A MUN           support to hold      WAIVE           waive a build
    A BUR S A TYR - MUN     support to move
    F NTH C A LON - BEL     convoy

`judge.language` reads the freer notation of mails.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from judge.errors import NotationError, quoted
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.position import COAST, CODE, Location, Unit, UnitKind

_LOCATION = re.compile(rf"{CODE}(?:/{COAST})?")
"""A province or one coast of it."""
_KINDS = {kind.value: kind for kind in UnitKind}
_UNITS_REMEMBERED = 2**10
_ORDERS_REMEMBERED = 2**15
"""Cache size, some 10 MB: a board has few more legal orders than this.

Most orders come again in later phases.
"""


def read_unit(text: str) -> Unit:
    """Read `F SPA/NC`; raises NotationError."""
    kind, _, place = text.partition(" ")
    try:
        return _unit(kind, place)
    except KeyError:
        raise NotationError(f"{quoted(text)} is not a unit such as A PAR or F SPA/NC") from None


@lru_cache(maxsize=_UNITS_REMEMBERED)
def _unit(kind: str, place: str) -> Unit:
    """Return the unit; raises KeyError."""
    return Unit(_KINDS[kind], _location(place))


@lru_cache(maxsize=_UNITS_REMEMBERED)
def _location(text: str) -> Location:
    """Return the location, interned; raises KeyError."""
    if not _LOCATION.fullmatch(text):
        raise KeyError(text)
    return Location(sys.intern(text))


@lru_cache(maxsize=_ORDERS_REMEMBERED)
def read_order(text: str) -> Order:
    """Read an order; raises NotationError.

    >>> write_order(read_order("F NTH C A LON - BEL"))
    'F NTH C A LON - BEL'
    """
    if text == "WAIVE":
        return Waive()
    kind, place, *words = [*text.split(" "), "", ""]
    try:
        order = _read(_unit(kind, place), words[:-2])
    except KeyError:
        order = None
    if order is None:
        raise NotationError(f"{quoted(text)} is not an order such as A MUN - BER")
    return order


def _read(unit: Unit, words: Sequence[str]) -> Order | None:
    """Return the order; None if the words are no order.

    Raises KeyError for a word that is no unit and no location.
    """
    match words:
        case ["-", to]:
            return Move(unit, _location(to))
        case ["S", kind, place, "-", to]:
            return Support(unit, _unit(kind, place), _location(to))
        case ["S", kind, place]:
            return Support(unit, _unit(kind, place))
        case ["C", kind, place, "-", to]:
            return Convoy(unit, _unit(kind, place), _location(to))
        case ["C", kind, place]:
            raise NotationError(
                f"{quoted(f'{unit} C {_unit(kind, place)}')} does not say where the army is to be carried"
            )
        case ["-", to, "VIA"]:
            return Move(unit, _location(to), by_convoy=True)
        case ["R", to]:
            return Retreat(unit, _location(to))
        case [letter]:
            return _SIMPLE[letter](unit)
        case _:
            return None


_SIMPLE: Mapping[str, Callable[[Unit], Order]] = {"H": Hold, "D": Disband, "B": Build}


def write_order(order: Order) -> str:
    """Write an order; `read_order` reads it back."""
    return order.text

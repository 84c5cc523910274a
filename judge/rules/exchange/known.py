"""Look-up tables from texts in a line to units, centers and orders.

There is one set of tables per board. Texts that are not in a table are read and checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from judge.errors import NotationError, PositionError, quoted
from judge.resources import boards
from judge.rules.map import Map, is_board, load_map
from judge.rules.notation import read_order, read_unit
from judge.rules.orders import Order
from judge.rules.position import Location, Province, Unit, province_of
from judge.rules.soundness import why_not_there

_ORDERS_REMEMBERED = 2**15
"""Cache size, some 10 MB: a board has few more legal orders than this."""
_Meant = TypeVar("_Meant")


class Table(dict[str, _Meant], Generic[_Meant]):
    """Texts of a board and what each of them stands for."""

    def __init__(
        self, key: str, known: Mapping[str, _Meant], read: Callable[[str], _Meant], *, remembered: int = 0
    ) -> None:
        """Fill the table with the `known` texts.

        `key` is the key in the line that holds such texts; `read` raises JudgeError for a text it cannot read.
        """
        super().__init__(known)
        self.key = key
        self.read = read
        self.remembered = remembered
        """How many texts read later are kept; beyond that, the oldest is forgotten."""

    def __missing__(self, text: object) -> _Meant:
        if not isinstance(text, str):
            raise NotationError(f"{quoted(f'an item of {self.key}')} must be text, not {quoted(text)}")
        meant = self.read(text)
        if self.remembered:
            if len(self) >= self.remembered:
                del self[next(iter(self))]
            self[text] = meant
        return meant


@dataclass(frozen=True, slots=True)
class Tables:
    """The look-up tables of one board."""

    units: Table[Unit]
    centers: Table[Province]
    orders: Table[Order]


@cache
def tables(board: str) -> Tables:
    """Return the tables of the board of that name; raises NotationError if there is none."""
    if not is_board(board):
        raise NotationError(f"unknown board {quoted(board)}; there is {', '.join(boards())}")
    map_ = load_map(board)
    return Tables(
        Table("units", map_.units_by_text, lambda text: read_standing(map_, text)),
        Table("centers", map_.centers_by_code, lambda text: read_center(map_, text)),
        Table("orders", {}, lambda text: _read_order(map_, text), remembered=_ORDERS_REMEMBERED),
    )


def read_province(map_: Map, text: str) -> Province:
    """Return the province with that code; raises NotationError."""
    if text not in map_.provinces:
        raise NotationError(f"unknown province {quoted(text)}")
    return province_of(Location(text))


def read_location(map_: Map, text: str) -> Location:
    """Return a province, or one of its coasts; raises NotationError."""
    info = map_.provinces[read_province(map_, province_of(Location(text)))]
    if text not in (info.code, *info.coasts):
        raise NotationError(f"{quoted(text)} is not a coast of {info.name}")
    return Location(text)


def read_center(map_: Map, text: str) -> Province:
    """Return a supply center; raises NotationError or PositionError."""
    if read_province(map_, text) not in map_.supply_centers:
        raise PositionError(f"{text} is not a supply center")
    return province_of(Location(text))


def read_standing(map_: Map, text: str) -> Unit:
    """Return a unit where it can stand; raises NotationError or PositionError."""
    known = map_.units_by_text.get(text)
    if known is not None:
        return known
    unit = read_unit(text)
    read_location(map_, unit.location)
    raise PositionError(why_not_there(map_, unit))


def _read_order(map_: Map, text: str) -> Order:
    order = read_order(text)
    for place in (getattr(order, "unit", None), getattr(order, "supported", None), getattr(order, "army", None)):
        if place is not None:
            read_province(map_, place.province)
    to = getattr(order, "to", None)
    if to is not None:
        read_province(map_, province_of(to))
    return order

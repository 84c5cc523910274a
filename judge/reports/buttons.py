"""Order buttons: mailto links in the HTML of a letter.

Each begins a mail with address, subject and lines filled in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from typing import TypeAlias
from urllib.parse import quote

from judge.games.game import Game
from judge.games.orders import is_fixed, led
from judge.games.schedule import may_close_when_ready
from judge.reports.places import without_codes
from judge.reports.readers import Reader
from judge.reports.views import SeatView, seat_views
from judge.reports.wording import Wording, wording_in
from judge.rules.legality import Referee
from judge.rules.notation import write_order
from judge.rules.orders import Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.position import Dislodgement, PhaseKind, Unit
from judge.rules.possible import possible_orders

_LONGEST = 1900
"""The most characters of a link that every mail program opens.

A Japanese character takes nine.
"""
_MOST_IN_TAPS = 24_000
"""The most bytes of all taps of a letter.

It keeps a letter with its maps below 200 kB. If orders in words take more, the links hold codes.
"""
_BUTTON, _TAG = re.compile(r'<td class="button"[^>]*>(.*?)</td>', re.DOTALL), re.compile(r"<[^>]*>")
_AROUND_A_TAP = 30
"""Bytes of a link in HTML besides its label and target."""


@dataclass(frozen=True, slots=True)
class Button:
    """A mailto link."""

    label: str
    href: str


_Tap: TypeAlias = Callable[[Order, str], Button]
"""A function that makes the link for an order, with its label."""


@dataclass(frozen=True, slots=True)
class Taps:
    """Orders of one kind, each a link that begins a mail with that order."""

    label: str
    """What the orders have in common, such as the unit they support; "" if nothing."""
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class UnitTaps:
    """The orders of a unit; in an adjustment phase, those of a power."""

    head: str
    unit: Unit | None
    first: tuple[Taps, ...]
    """Hold and moves, retreats, builds or removals."""
    more: tuple[Taps, ...] = ()
    """Supports and convoys."""
    is_whole: bool = True
    """False if `more` is left out here and sent with the answer to a tap."""


def buttons_for(game: Game, reader: Reader, wording: Wording, *, singly: bool = True) -> tuple[Button, ...]:
    """Return links for READY, if it counts, and for the orders of the reader.

    One link lists all units of a movement phase. With `singly`, each retreat, build and removal has its own link.
    In a grace period, orders that are on file and fixed get no link.
    """
    seats = seat_views(game, reader)
    if not reader.buttons_to or not seats:
        return ()
    phase = game.position.phase
    subject = f"[{game.name}] {wording.phase(phase)}"

    def tap(label: str, lines: Iterable[str]) -> Button:
        return Button(label, mailto(reader.buttons_to, f"{subject}: {label}", [f"PHASE {phase}", "", *lines, ""]))

    single = [order for seat in seats for order in _single_orders(seat) if not _is_fixed(game, seat, order)]
    buttons = [tap(wording.order(order), [wording.order(order)]) for order in single if singly]
    units = [unit for seat in seats for unit in seat.units if not _is_fixed(game, seat, Hold(unit))]
    if phase.kind is PhaseKind.MOVEMENT and units:
        written = tap(wording.label("tap_orders"), _unit_list(units, wording))
        in_codes = wording_in(wording.language, game.settings.map, in_words=False)
        fits = len(written.href) <= _LONGEST
        buttons.append(written if fits else tap(wording.label("tap_orders"), _unit_list(units, in_codes)))
    if may_close_when_ready(game.settings, phase.kind):
        buttons.append(tap(wording.label("tap_ready"), [wording.label("tap_ready")]))
    return tuple(buttons)


def taps_for(game: Game, reader: Reader, wording: Wording) -> tuple[UnitTaps, ...]:
    """Return a link for every legal order that the reader may still give, by unit.

    There are none in a sandbox, where one mail with orders closes the phase.
    """
    found = _all_taps(game, reader, wording)
    room = _MOST_IN_TAPS - sum(_size(one.first) for one in found)
    whole: set[Unit | None] = set()
    for size, _, unit in sorted((_size(one.more), place, one.unit) for place, one in enumerate(found)):
        room -= size
        if room >= 0:
            whole.add(unit)
    return tuple(one if one.unit in whole else replace(one, more=(), is_whole=False) for one in found)


def taps_left_out(game: Game, reader: Reader, wording: Wording, units: Container[Unit]) -> tuple[UnitTaps, ...]:
    """Return the taps of units whose supports and convoys had no room in the report."""
    left = {one.unit for one in taps_for(game, reader, wording) if not one.is_whole and one.unit in units}
    return tuple(one for one in _all_taps(game, reader, wording) if one.unit in left) if left else ()


def labels_of_buttons(html: str) -> list[str]:
    """Return the labels of the buttons in the HTML of a letter, such as READY.

    The text of the letter has no buttons. Rows of taps are left out: their labels are parts of orders, not orders.

    >>> labels_of_buttons('<p>F BRE</p><td class="button"><a href="x">READY</a></td>')
    ['READY']
    """
    return [unescape(_TAG.sub("", found)) for found in _BUTTON.findall(html)]


def _size(several: Iterable[Taps]) -> int:
    """Return how many bytes some taps take in HTML."""
    return sum(_AROUND_A_TAP + len(one.label.encode()) + len(one.href) for taps in several for one in taps.buttons)


def _all_taps(game: Game, reader: Reader, wording: Wording) -> Sequence[UnitTaps]:
    if not reader.buttons_to or game.is_sandbox:
        return ()
    found = _taps_with(game, reader, wording, wording.order)
    fits = not wording.in_words or sum(_size(one.first + one.more) for one in found) <= _MOST_IN_TAPS
    return found if fits else _taps_with(game, reader, wording, write_order)


def _taps_with(game: Game, reader: Reader, wording: Wording, written: Callable[[Order], str]) -> Sequence[UnitTaps]:
    """Return the taps of all units; their mails hold the orders as `written`."""

    def tap(order: Order, label: str) -> Button:
        subject = f"[{game.name}] {write_order(order)}"
        return Button(label, mailto(reader.buttons_to, subject, [written(order), ""]))

    found: list[UnitTaps] = []
    for seat in seat_views(game, reader):
        if seat.adjustment is not None:
            found += _adjustments(game, seat, wording, tap)
            continue
        referee = led(game, game.seat(seat.power)).referee
        free = (unit for unit in seat.units if not _is_fixed(game, seat, Hold(unit)))
        found += [_taps_of(referee, seat, unit, wording, tap) for unit in free]
    return found


def _adjustments(game: Game, seat: SeatView, wording: Wording, tap: _Tap) -> Iterator[UnitTaps]:
    assert seat.adjustment is not None
    due, say = seat.adjustment.count, wording.speech.message
    orders = [order for order in _single_orders(seat) if not _is_fixed(game, seat, order)]
    duty = say("report-builds" if due > 0 else "report-removals", n=abs(due))
    labels = [say("tap-waive") if isinstance(one, Waive) else wording.named(one.unit) for one in orders]
    if orders:
        yield UnitTaps(f"{wording.power(seat.power)}: {duty}", None, (Taps("", tuple(map(tap, orders, labels))),))


def _taps_of(referee: Referee, seat: SeatView, unit: Unit, wording: Wording, tap: _Tap) -> UnitTaps:
    """Return the orders of a unit in a movement or retreat phase."""
    say = wording.speech.message
    goes = say("tap-go")
    rows: dict[str, list[Button]] = {"": [], goes: []}  # apart, for a quoted `Hold · BER` would read as an order
    losses = [loss for lost, loss in seat.retreats if lost == unit]
    orders = _retreats(unit, losses[0]) if losses else possible_orders(referee, seat.power, unit)
    for order in orders:
        match order:
            case Hold():
                row, label = "", say("tap-hold")
            case Disband():
                row, label = "", say("tap-disband")
            case Support(_, supported, to):
                row = say("tap-support", unit=supported)
                label = say("tap-support-hold") if to is None else wording.named(to)
            case Convoy(_, army, to):
                row, label = say("tap-convoy", unit=army), wording.named(to)
            case Move(_, to, by_convoy):
                walks = to in referee.map.steps[unit.text] and not by_convoy
                row, label = goes if walks else say("tap-by-convoy"), wording.named(to)
            case _:
                row, label = goes, wording.named(order.to)
        rows.setdefault(row, []).append(tap(order, label))
    kinds = [Taps(row, tuple(buttons)) for row, buttons in rows.items()]
    first, more = (tuple(one for one in part if one.buttons) for part in (kinds[:2], kinds[2:]))
    return UnitTaps(wording.named(unit), unit, first, more)


def _retreats(unit: Unit, loss: Dislodgement) -> Sequence[Retreat | Disband]:
    return [*(Retreat(unit, to) for to in loss.retreats), Disband(unit)]


def _is_fixed(game: Game, seat: SeatView, order: Order) -> bool:
    return is_fixed(game, game.seat(seat.power), order)


def _unit_list(units: Iterable[Unit], wording: Wording) -> list[str]:
    return [f"{wording.blank(unit)} -" for unit in units]


def _single_orders(seat: SeatView) -> list[Order]:
    """Return the retreats, builds, removals and waives, each with a link of its own."""
    orders: list[Order] = []
    for unit, loss in seat.retreats:
        orders += _retreats(unit, loss)
    if seat.adjustment is not None:
        orders += seat.adjustment.options
        orders += [Waive()] if seat.adjustment.count > 0 else []
    return orders


def link_to(address: str) -> str:
    """Return a link that begins a mail (RFC 6068).

    A + is encoded too, because some mail programs read it as a blank.
    """
    return f"mailto:{quote(address, safe='@')}"


def mailto(address: str, subject: str, lines: Iterable[str]) -> str:
    """Return a link that begins a mail with a subject and lines."""
    body = _LINE_END.join(map(_encoded, lines))
    return f"{link_to(address)}?subject={_encoded(subject)}&body={body}"


_LINE_END = quote("\r\n", safe="")


@lru_cache(maxsize=1024)
def _encoded(text: str) -> str:
    """Percent-encode a text; cached, because subjects and order lines recur in many letters."""
    return quote(without_codes(text), safe="")

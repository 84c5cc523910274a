"""Orders at a tap: mailto links in the HTML of a letter; each opens a mail, addressed and filled in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from judge.games.game import Game
from judge.games.orders import is_fixed
from judge.games.schedule import may_close_when_ready
from judge.reports.readers import Reader
from judge.reports.views import SeatView, seat_views
from judge.reports.wording import Wording, wording_in
from judge.rules.orders import Disband, Hold, Order, Retreat, Waive
from judge.rules.position import PhaseKind, Unit

_LONGEST = 1900
"""The length of a link that every mail program opens; a Japanese character takes nine."""


@dataclass(frozen=True, slots=True)
class Button:
    """A mailto link."""

    label: str
    href: str


def buttons_for(game: Game, reader: Reader, wording: Wording) -> tuple[Button, ...]:
    """Return links for all orders of the reader, for each retreat, build and removal, and for READY if it counts.

    In a grace period there are none for what is on file and fixed.
    """
    seats = seat_views(game, reader)
    if not reader.buttons_to or not seats:
        return ()
    phase = game.position.phase
    subject = f"[{game.name}] {wording.phase(phase)}"

    def tap(label: str, lines: Iterable[str]) -> Button:
        return Button(label, mailto(reader.buttons_to, f"{subject}: {label}", [f"PHASE {phase}", "", *lines, ""]))

    single = [order for seat in seats for order in _single_orders(seat) if not _is_fixed(game, seat, order)]
    buttons = [tap(wording.order(order), [wording.order(order)]) for order in single]
    units = [unit for seat in seats for unit in seat.units if not _is_fixed(game, seat, Hold(unit))]
    if phase.kind is PhaseKind.MOVEMENT and units:
        written = tap(wording.label("tap_orders"), _unit_list(units, wording))
        in_codes = wording_in(wording.language, game.settings.map, in_words=False)
        fits = len(written.href) <= _LONGEST
        buttons.append(written if fits else tap(wording.label("tap_orders"), _unit_list(units, in_codes)))
    if may_close_when_ready(game.settings, phase.kind):
        buttons.append(tap(wording.label("tap_ready"), [wording.label("tap_ready")]))
    return tuple(buttons)


def _is_fixed(game: Game, seat: SeatView, order: Order) -> bool:
    return is_fixed(game, game.seat(seat.power), order)


def _unit_list(units: Iterable[Unit], wording: Wording) -> list[str]:
    return [f"{wording.blank(unit)} -" for unit in units]


def _single_orders(seat: SeatView) -> list[Order]:
    """Return the orders that need no further choice, each with a link of its own."""
    orders: list[Order] = []
    for unit, loss in seat.retreats:
        orders += [*(Retreat(unit, to) for to in loss.retreats), Disband(unit)]
    if seat.adjustment is not None:
        orders += seat.adjustment.options
        orders += [Waive()] if seat.adjustment.count > 0 else []
    return orders


def mailto(address: str, subject: str, lines: Iterable[str]) -> str:
    """Return a mailto link (RFC 6068). The + of an address is encoded too: some mail programs read it as a blank."""
    body = _LINE_END.join(map(_encoded, lines))
    return f"mailto:{quote(address, safe='@')}?subject={_encoded(subject)}&body={body}"


_LINE_END = quote("\r\n", safe="")


@lru_cache(maxsize=1024)
def _encoded(text: str) -> str:
    """Percent-encode a text; cached, because subjects and order lines recur in many letters."""
    return quote(text, safe="")

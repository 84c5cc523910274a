"""Trial adjudication of the open phase: PREVIEW for a master, WHATIF for a player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from judge.commands import Preview, WhatIf
from judge.games.answers import Supposed
from judge.games.contradictions import Contradiction
from judge.games.events import GameNews
from judge.games.findings import Finding
from judge.games.game import Game
from judge.games.handled import Handled
from judge.games.insight import having_seen
from judge.games.request import Request, on, table
from judge.games.unsettled import unsettled
from judge.rules.adjudication import adjudicate
from judge.rules.orders import Order, Waive
from judge.rules.position import Power


def preview(request: Request[Preview]) -> Handled:
    """Show the outcome of all orders on file.

    The log and the next report say that a master looked.
    """
    game = request.game
    orders = {seat.power: tuple(filed.order for filed in seat.filed.orders) for seat in game.seats if seat.filed.orders}
    supposed = replace(_supposed(game, orders), unsettled=tuple(_unsettled(game)))
    looked = having_seen(game, (request.person,))
    looked = replace(looked, previews=tuple(dict.fromkeys((*looked.previews, request.now))))
    return Handled(looked, supposed, (GameNews(looked, request.command, request.now),))


def _unsettled(game: Game) -> Iterator[tuple[Power, tuple[Finding, ...]]]:
    for power in sorted(game.deciding):
        found = tuple(one for one in unsettled(game, power) if not isinstance(one, Contradiction))
        if found:
            yield power, found


def what_if(request: Request[WhatIf]) -> Handled:
    """Show the outcome of supposed orders, or of the sender's orders on file.

    All other units hold.
    """
    game, command = request.game, request.command
    orders: dict[Power, list[Order]] = {}
    own = game.seats_of(request.person)
    if command.orders:
        for power, order in command.orders:
            orders.setdefault(_owner(game, order) or power or own[0].power, []).append(order)
    else:
        orders = {seat.power: [filed.order for filed in seat.filed.orders] for seat in own}
    return Handled(game, _supposed(game, orders))


def _owner(game: Game, order: Order) -> Power | None:
    """Return the power whose unit an order is for.

    For builds it is a power that may build there.
    """
    if isinstance(order, Waive):
        return None
    units = {**game.position.units, **{unit: loss.power for unit, loss in game.position.dislodged.items()}}
    owners = [power for unit, power in units.items() if unit.province == order.unit.province]
    homes = [power for power, land in game.map.build_centers.items() if order.unit.province in land]
    return next(iter([*owners, *homes]), None)


def _supposed(game: Game, orders: dict[Power, list[Order]] | dict[Power, tuple[Order, ...]]) -> Supposed:
    resolution = adjudicate(game.map, game.position, orders, game.settings.rules, game.circumstances)
    return Supposed(game, resolution)


HANDLERS = table(on(Preview, preview), on(WhatIf, what_if))

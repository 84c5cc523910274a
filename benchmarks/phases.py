"""Movement phases as people leave them: positions of random games, with orders that are legal and meant."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from judge.rules import Position, Power, Unit, UnitKind, adjudicate, load_map
from judge.rules.adjustments import adjustments
from judge.rules.convoys import on_some_route
from judge.rules.orders import Convoy, Hold, Move, Order, Retreat, Support
from judge.rules.position import Location, PhaseKind, province_of

MAP = load_map()
Orders = Mapping[Power, Sequence[Order]]


def movement_phases(count: int, units: int, seed: int = 1) -> Iterator[tuple[Position, Orders]]:
    """So many movement phases with at least so many units on the board."""
    chance = random.Random(seed)
    position = MAP.start()
    found = 0
    while found < count:
        orders = random_orders(position, chance)
        if position.phase.kind is PhaseKind.MOVEMENT and len(position.units) >= units:
            yield position, orders
            found += 1
        resolution = adjudicate(MAP, position, orders)
        over = resolution.over or resolution.position.phase.year > MAP.first_year + 15
        position = MAP.start() if over else resolution.position


def random_orders(position: Position, chance: random.Random) -> Orders:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _movement_orders(position, chance)
        case PhaseKind.RETREAT:
            return {
                loss.power: [Retreat(unit, chance.choice(loss.retreats))] for unit, loss in position.dislodged.items()
            }
        case PhaseKind.ADJUSTMENT:
            return {
                power: chance.sample(decision.options, min(len(decision.options), abs(decision.count)))
                for power, decision in adjustments(MAP, position).items()
            }


def _movement_orders(position: Position, chance: random.Random) -> Orders:
    """Some units move, some by convoy, the others support what they can; a few are forgotten."""
    ordered: dict[Unit, Order] = {}
    for army in [unit for unit in position.units if unit.kind is UnitKind.ARMY]:
        if chance.random() < 0.12:
            ordered |= _convoyed(army, position, ordered, chance)
    for unit in position.units:
        if unit not in ordered and chance.random() < 0.45:
            ordered[unit] = Move(unit, chance.choice(MAP.neighbors(unit)))
    moves = [order for order in ordered.values() if isinstance(order, Move)]
    for unit in position.units:
        if unit in ordered:
            continue
        reach = MAP.reach(unit)
        attacks = [move for move in moves if province_of(move.to) in reach]
        standing = [other for other in ordered if other.province in reach and not isinstance(ordered[other], Move)]
        if attacks and chance.random() < 0.7:
            move = chance.choice(attacks)
            ordered[unit] = Support(unit, move.unit, move.to)
        elif standing and chance.random() < 0.7:
            ordered[unit] = Support(unit, chance.choice(standing))
        elif chance.random() < 0.5:
            ordered[unit] = Hold(unit)
    orders: dict[Power, list[Order]] = {}
    for unit, order in ordered.items():
        orders.setdefault(position.units[unit], []).append(order)
    return orders


def _convoyed(
    army: Unit, position: Position, ordered: Mapping[Unit, Order], chance: random.Random
) -> dict[Unit, Order]:
    fleets = {unit.province: unit for unit in position.units if MAP.is_sea(unit.province) and unit not in ordered}
    goals = [place for place in sorted(MAP.sea_borders) if not MAP.is_sea(place) and place != army.province]
    chance.shuffle(goals)
    for goal in goals:
        seas = on_some_route(MAP, frozenset(fleets), army.province, goal)
        if seas:
            to = Location(goal)
            carried: dict[Unit, Order] = {army: Move(army, to, by_convoy=goal in MAP.reach(army))}
            return carried | {fleets[sea]: Convoy(fleets[sea], army, to) for sea in sorted(seas)}
    return {}

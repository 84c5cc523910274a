"""Movement phases of random games, melees and games of robots, with legal, plausible orders."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count as count_from

from judge.robots import RobotView
from judge.robots import orders as orders_of_robots
from judge.rules import Position, Power, Unit, UnitKind, adjudicate, load_map
from judge.rules.adjustments import adjustments
from judge.rules.convoys import on_some_route
from judge.rules.orders import Convoy, Hold, Move, Order, Retreat, Support
from judge.rules.position import Location, PhaseKind, Province, province_of

MAP = load_map()
Orders = Mapping[Power, Sequence[Order]]


def movement_phases(count: int, units: int, seed: int = 1) -> Iterator[tuple[Position, Orders]]:
    """Yield movement phases of random games with at least that many units on the board."""
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


def boards(count: int, fewest: int, most: int, seed: int = 1) -> Iterator[tuple[Position, Orders]]:
    """Yield movement phases of random games, thinned to `fewest` to `most` units."""
    chance = random.Random(seed)
    for full, _ in movement_phases(count, most, seed):
        kept = chance.sample(sorted(full.units), chance.randint(fewest, most))
        position = replace(full, units={unit: full.units[unit] for unit in kept})
        yield position, _movement_orders(position, chance)


def melees(count: int, units: int, seed: int = 1) -> Iterator[tuple[Position, Orders]]:
    """Yield phases with units of four powers in neighboring provinces, on an empty board."""
    chance = random.Random(seed)
    around = {place: {province_of(to) for to in MAP.neighbors(_unit_in(place))} for place in MAP.provinces}
    for place, others in around.items():
        for other in others:
            around[other].add(place)
    for _ in range(count):
        near = [chance.choice(sorted(around))]
        for place in near:  # the list grows during the loop
            near += sorted(around[place] - set(near))
            if len(near) >= units:
                break
        powers = chance.sample(MAP.powers, 4)
        standing = {_unit_in(place): chance.choice(powers) for place in near[:units]}
        position = replace(MAP.start(), units=standing)
        yield position, _melee_orders(position, chance)


def _melee_orders(position: Position, chance: random.Random) -> Orders:
    """Let every unit attack another or support such an attack."""
    standing = {unit.province for unit in position.units}
    ordered: dict[Unit, Order] = {}
    for unit in sorted(position.units, key=lambda _: chance.random()):
        attacks = [order for order in ordered.values() if isinstance(order, Move)]
        helped = [move for move in attacks if province_of(move.to) in MAP.reach(unit) and move.unit != unit]
        targets = [to for to in MAP.neighbors(unit) if province_of(to) in standing]
        if helped and chance.random() < 0.5:
            move = chance.choice(helped)
            ordered[unit] = Support(unit, move.unit, move.to)
        elif targets:
            ordered[unit] = Move(unit, chance.choice(targets))
        else:
            ordered[unit] = Hold(unit)
    orders: dict[Power, list[Order]] = {}
    for unit, order in ordered.items():
        orders.setdefault(position.units[unit], []).append(order)
    return orders


def _unit_in(place: Province) -> Unit:
    return Unit(UnitKind.FLEET if MAP.is_sea(place) else UnitKind.ARMY, Location(place))


def mid_games(count: int, seed: int = 1) -> Iterator[tuple[Position, Orders]]:
    """Yield movement phases from the third year on of games that seven robots play."""
    found = 0
    for number in count_from(seed):
        position = MAP.start()
        while position.phase.year < MAP.first_year + 8:
            orders: dict[Power, Sequence[Order]] = {}
            for power in MAP.powers:
                orders |= orders_of_robots(RobotView(MAP, position, (power,)), number)
            if position.phase.kind is PhaseKind.MOVEMENT and position.phase.year >= MAP.first_year + 2:
                yield position, orders
                found += 1
                if found == count:
                    return
            resolution = adjudicate(MAP, position, orders)
            if resolution.over:
                break
            position = resolution.position


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
    """Return random orders: moves, some by convoy, and supports; a few units get none."""
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

"""Movement phases meant to go wrong: convoys that cross, paradoxes, circles, head-on battles, standoffs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from random import Random
from typing import get_type_hints

from judge.rules import Circumstances, Map, Options, Phase, Position, Power, Unit, UnitKind
from judge.rules.adjustments import adjustments
from judge.rules.convoys import on_some_route
from judge.rules.exchange import read_options, write_options
from judge.rules.options import PROFILES
from judge.rules.orders import Convoy, Disband, Hold, Move, MovementOrder, Order, Retreat, Support
from judge.rules.position import Location, PhaseKind, Province, province_of

CHOICES = {
    name: tuple(kind)
    for name, kind in get_type_hints(Options).items()
    if isinstance(kind, type) and issubclass(kind, StrEnum)
}
Orders = dict[Power, list[Order]]


def random_options(chance: Random) -> Options:
    """Return a profile, often with a few options changed."""
    options = chance.choice(list(PROFILES.values()))
    names = chance.sample(sorted(CHOICES), chance.choice([0, 0, 2, 5]))
    return read_options(_written(options) | {name: chance.choice(CHOICES[name]) for name in names})


def _written(options: Options) -> dict[str, object]:
    rules = write_options(options)
    return {"profile": rules} if isinstance(rules, str) else rules


def random_circumstances(map_: Map, chance: Random) -> Circumstances:
    """Return circumstances, mostly ordinary ones."""
    if chance.random() < 0.7:
        return Circumstances()
    some = chance.sample(map_.powers, 2)
    closed = chance.sample(sorted(map_.provinces), 3)
    return Circumstances(disorder=frozenset(some[:1]), unplayed=frozenset(some[1:]), closed=frozenset(closed))


def nasty_phase(map_: Map, chance: Random) -> tuple[Position, Orders]:
    """Crowd fleets into a few neighboring seas and armies along the coasts, with unkind orders."""
    seas = _neighboring_seas(map_, chance)
    shores = sorted({place for sea in seas for place in map_.borders[sea]} - map_.seas - set(seas))
    inland = sorted({province_of(here) for here in map_.army_borders} - set(shores) - set(seas))
    taken = [sea for sea in seas if chance.random() < 0.85]
    taken += chance.sample(shores, chance.randint(len(shores) // 3, len(shores)))
    taken += chance.sample(inland, min(len(inland), chance.randint(0, 4)))
    powers = chance.sample(map_.powers, min(len(map_.powers), chance.choice([1, 2, 3, 3, 4, 7])))
    units = {_unit_in(map_, place, chance): chance.choice(powers) for place in taken}
    orders: Orders = {}
    for order in _Unkind(map_, units, chance).orders():
        orders.setdefault(units[order.unit], []).append(order)
    return Position(Phase.parse("S1901M"), units), orders


def melee(map_: Map, chance: Random) -> tuple[Position, Orders]:
    """Crowd armies around one province, some of them moving head-on.

    The other armies support a move, or a neighbor that holds.
    """
    land = {province_of(here) for here in map_.army_borders}
    crowd = [chance.choice(sorted(land))]
    for _ in range(chance.randint(4, 14)):
        onward = {place for here in crowd for place in map_.borders[here]} & land - set(crowd)
        crowd += chance.sample(sorted(onward), min(1, len(onward)))
    powers = chance.sample(map_.powers, min(len(map_.powers), chance.choice([2, 3, 4])))
    units = {map_.units[UnitKind.ARMY][Location(place)]: chance.choice(powers) for place in crowd}
    standing = {unit.province: unit for unit in units}
    moves: dict[Unit, Move] = {}
    for unit in chance.sample(list(units), len(units) // 2):
        near = [to for to in map_.neighbors(unit) if province_of(to) in standing]
        meeting = [move.unit.location for move in moves.values() if move.goal == unit.province]
        if near:
            moves[unit] = Move(unit, chance.choice(meeting if meeting and chance.random() < 0.7 else near))
    orders: Orders = {}
    for unit, power in units.items():
        orders.setdefault(power, []).append(moves.get(unit) or _help(map_, unit, moves, standing, chance))
    return Position(Phase.parse("S1901M"), units), orders


def _help(
    map_: Map, unit: Unit, moves: dict[Unit, Move], standing: dict[Province, Unit], chance: Random
) -> MovementOrder:
    near = [other for place, other in standing.items() if place in map_.reach(unit)]
    helped = [move for move in moves.values() if move.goal in map_.reach(unit)]
    if helped and chance.random() < 0.6:
        move = chance.choice(helped)
        return Support(unit, move.unit, move.to)
    return Support(unit, chance.choice(near)) if near else Hold(unit)


def _neighboring_seas(map_: Map, chance: Random) -> list[Province]:
    seas = [chance.choice(sorted(map_.carriers))] if map_.carriers else []
    for _ in range(chance.choice([1, 2, 3, 4, 5, 7])):
        onward = {sea for here in seas for sea in map_.borders[here] & map_.carriers} - set(seas)
        seas += chance.sample(sorted(onward), min(1, len(onward)))
    return seas


def _unit_in(map_: Map, place: Province, chance: Random) -> Unit:
    kinds = [unit for table in map_.units.values() for unit in table.values() if unit.province == place]
    return chance.choice(sorted(kinds))


class _Unkind:
    """Chooses orders for one position, each in view of the earlier ones."""

    def __init__(self, map_: Map, units: dict[Unit, Power], chance: Random) -> None:
        self.map, self.units, self.chance = map_, units, chance
        self.ordered: dict[Unit, MovementOrder] = {}
        self.standing = {unit.province: unit for unit in units}

    def orders(self) -> Sequence[MovementOrder]:
        for army in self._shuffled(lambda unit: unit.kind is UnitKind.ARMY):
            if army not in self.ordered and self.chance.random() < 0.5:
                self._convoy(army)
        for order in tuple(self.ordered.values()):
            if isinstance(order, Move) and self.chance.random() < 0.8:
                self._turn_against_convoys(order)
        for unit in self._shuffled(lambda unit: unit not in self.ordered)[:6]:
            self._circle(unit)
        for unit in self._shuffled(lambda unit: unit not in self.ordered and bool(self.map.neighbors(unit))):
            if self.chance.random() < 0.45:
                self.ordered[unit] = Move(unit, self._goal(unit))
        for unit in self._shuffled(lambda unit: unit not in self.ordered):
            if self.chance.random() < 0.95:
                self.ordered[unit] = self._support(unit)
        return tuple(self.ordered.values())

    def _shuffled(self, suits: Callable[[Unit], bool]) -> list[Unit]:
        return self.chance.sample(suitable := [unit for unit in self.units if suits(unit)], len(suitable))

    def _convoy(self, army: Unit) -> None:
        free = frozenset(
            unit.province
            for unit in self.units
            if unit not in self.ordered and unit.kind is UnitKind.FLEET and unit.province in self.map.carriers
        )
        goals = [goal for goal in sorted(self.map.sea_borders) if goal not in self.map.seas and goal != army.province]
        for goal in self.chance.sample(goals, len(goals)):
            seas = on_some_route(self.map, free, army.province, goal)
            if seas and (goal in self.standing or self.chance.random() < 0.4):
                to = Location(goal)
                walks = goal in self.map.army_steps[army.location]
                self.ordered[army] = Move(army, to, by_convoy=walks and self.chance.random() < 0.7)
                for sea in sorted(seas):
                    if self.chance.random() < 0.95:
                        self.ordered[self.standing[sea]] = Convoy(self.standing[sea], army, to)
                return

    def _turn_against_convoys(self, landing: Move) -> None:
        """Let a unit where an army lands support a convoying fleet or its attacker."""
        helper = self.standing.get(landing.goal)
        if helper is None or helper in self.ordered:
            return
        fleets = [
            u
            for u, ordered in self.ordered.items()
            if isinstance(ordered, Convoy) and u.province in self.map.reach(helper)
        ]
        for fleet in self.chance.sample(fleets, len(fleets)):
            free = [u for u in self.units if u not in self.ordered and u != helper]
            attackers = [u for u in free if fleet.province in self.map.reach(u)]
            if attackers:
                attack = Move(self.chance.choice(attackers), fleet.location)
                self.ordered[attack.unit] = attack
                supports = self.chance.random() < 0.75
                self.ordered[helper] = Support(helper, attack.unit, attack.to) if supports else Support(helper, fleet)
                return

    def _circle(self, first: Unit) -> None:
        """Order three units to follow each other in a circle."""
        if self.chance.random() < 0.7:
            return
        free = [unit for unit in self.units if unit not in self.ordered and unit != first]
        for second in (unit for unit in free if unit.province in self.map.reach(first)):
            for third in (unit for unit in free if unit.province in self.map.reach(second) and unit != second):
                if third not in self.ordered and first.province in self.map.reach(third):
                    for unit, goal in ((first, second), (second, third), (third, first)):
                        self.ordered[unit] = Move(unit, self.map.coasts_in_reach(unit, goal.province)[0])
                    return

    def _goal(self, unit: Unit) -> Location:
        near = self.map.neighbors(unit)
        fleets = [to for to in near if isinstance(self._told_at(to), Convoy)]
        occupied = [to for to in near if province_of(to) in self.standing]
        wanted = {order.goal for order in self.ordered.values() if isinstance(order, Move)}
        contested = [to for to in near if province_of(to) in wanted]
        return self.chance.choice(self.chance.choice([some for some in (fleets, occupied, contested, near) if some]))

    def _told_at(self, place: Location) -> MovementOrder | None:
        unit = self.standing.get(province_of(place))
        return self.ordered.get(unit) if unit else None

    def _support(self, unit: Unit) -> MovementOrder:
        reach = self.map.reach(unit)
        attacks = [order for order in self.ordered.values() if isinstance(order, Move) and order.goal in reach]
        on_fleets = [order for order in attacks if isinstance(self._told_at(order.goal), Convoy)]
        staying = [other for other in self.units if other.province in reach and other != unit]
        if (on_fleets or attacks) and self.chance.random() < 0.75:
            move = self.chance.choice(on_fleets if on_fleets and self.chance.random() < 0.7 else attacks)
            return Support(unit, move.unit, move.to)
        if staying and self.chance.random() < 0.8:
            return Support(unit, self.chance.choice(staying))
        return Hold(unit)


# Whole games


def random_orders(map_: Map, position: Position, options: Options, chance: Random) -> Orders:
    """Return orders for any phase, most of them legal."""
    orders: Orders = {}
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            for order in _Unkind(map_, dict(position.units), chance).orders():
                orders.setdefault(position.units[order.unit], []).append(order)
        case PhaseKind.RETREAT:
            for unit, loss in position.dislodged.items():
                retreats: list[Order] = [Retreat(unit, to) for to in loss.retreats]
                orders.setdefault(loss.power, []).append(chance.choice([*retreats, *retreats, Disband(unit)]))
        case PhaseKind.ADJUSTMENT:
            for power, decision in adjustments(map_, position, options).items():
                asked = chance.randint(0, min(len(decision.options), abs(decision.count) + 1))
                orders[power] = chance.sample(decision.options, asked)
    return orders

"""Movement orders of a robot.

Each unit goes where it is worth most; the others support units that need help.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from judge.robots.values import Values
from judge.robots.view import RobotView
from judge.rules import Location, Province, Unit, UnitKind
from judge.rules.orders import Convoy, Hold, Move, MovementOrder, Support
from judge.rules.position import province_of

_WHIM, _RESTLESS, _MOST = 0.08, 0.01, 0.4
"""Random variation of worth: in the first year, more each year, and at most.

Without it, two robots would bounce in the same province forever.
"""
_IN_THE_WAY = 1.0
"""Cost of standing on one of its home centers in fall, which prevents a build."""
_CROSSING = 0.9
"""Worth of a crossing relative to a walk; the convoy may be broken."""
_CARRIERS_LOSS = 0.5
"""Share of what the carrying fleets could gain otherwise that a crossing costs."""
_PROBING = 0.25
"""How often an idle unit attacks without help; it may cut a support."""
_SIDING = 0.25
"""How often an idle unit otherwise supports a foreign attack.

On a board of single units no power wins without others.
"""


def moves(view: RobotView, chance: Random) -> list[MovementOrder]:
    """Return one order for each of the robot's units."""
    plan = _Plan(view, chance)
    for unit in plan.by_eagerness():
        plan.decide(unit)
    plan.help_out()
    return [plan.orders[unit] for unit in view.own]


class _Choice(NamedTuple):
    worth: float
    to: Location
    """The location after the phase: its present one, or one it can reach."""
    route: tuple[Unit, ...] = ()
    """The fleets that must carry it there."""


class _Plan:
    """The orders of a phase while they are being chosen."""

    def __init__(self, view: RobotView, chance: Random) -> None:
        self.view = view
        self.chance = chance
        self.values = Values(view)
        self.whim = min(_WHIM + _RESTLESS * view.turns, _MOST)
        self.orders: dict[Unit, MovementOrder] = {}
        self.at: Mapping[Province, Unit] = {unit.province: unit for unit in view.own}
        self.goals: dict[Province, Unit] = {}
        """Province → the robot's unit planned to stand there afterwards."""
        self.backed: dict[Unit, int] = {}
        """Unit → number of planned supports."""
        self.choices = {unit: self._choices(unit) for unit in view.own}

    # Choices of a unit

    def _choices(self, unit: Unit) -> list[_Choice]:
        """Return where it can be after the phase, best first.

        Crossings are added later, because they need fleets.
        """
        closed = self.view.circumstances.closed
        found = [_Choice(self._worth(unit, unit.location), unit.location)]
        found += [
            _Choice(self._worth(unit, to), to) for to in self.view.map.neighbors(unit) if province_of(to) not in closed
        ]
        return sorted(found, reverse=True)

    def _worth(self, unit: Unit, to: Location) -> float:
        worth = self.values.of(Unit(unit.kind, to))
        place = province_of(to)
        if self.view.is_fall and place in self.view.centers and not self.view.threats.get(place):
            homes = self.view.map.home_centers
            worth -= _IN_THE_WAY * any(place in homes[power] for power in self.view.powers)
        return worth * self.chance.uniform(1 - self.whim, 1 + self.whim)

    def by_eagerness(self) -> list[Unit]:
        """Return the units, those with the most to gain from their best choice first."""
        stays = {
            unit: next(choice.worth for choice in choices if choice.to == unit.location)
            for unit, choices in self.choices.items()
        }
        return sorted(self.choices, key=lambda unit: stays[unit] - self.choices[unit][0].worth)

    def _crossings(self, army: Unit) -> Iterator[_Choice]:
        """Yield where the robot's fleets without an order could carry an army."""
        sea_borders = self.view.map.sea_borders
        routes: dict[Province, tuple[Unit, ...]] = {army.province: ()}
        frontier = [army.province]
        walks = self.view.map.army_steps[army.location]
        for here in frontier:  # the list grows while it is read
            for sea in sorted(sea_borders.get(here, ())):
                fleet = self.at.get(sea)
                if fleet is not None and fleet not in self.orders and sea not in routes:
                    routes[sea] = (*routes[here], fleet)
                    frontier.append(sea)
        for to in sorted(self.view.map.army_borders):
            place = Province(to)
            ends = [sea for sea in sorted(sea_borders.get(place, ())) if sea in routes]
            if not ends or place in walks or place in (army.province, *self.view.circumstances.closed):
                continue
            route = min((routes[sea] for sea in ends), key=len)
            loss = sum(self.choices[fleet][0].worth - self._staying(fleet) for fleet in route)
            yield _Choice(self._worth(army, to) * _CROSSING - loss * _CARRIERS_LOSS, to, route)

    def _staying(self, unit: Unit) -> float:
        return next(choice.worth for choice in self.choices[unit] if choice.to == unit.location)

    # Decisions

    def decide(self, unit: Unit, waiting: frozenset[Unit] = frozenset()) -> None:
        """Give a unit its order; `waiting` are units whose decision depends on it."""
        if unit in self.orders:
            return
        choices = self.choices[unit]
        if unit.kind is UnitKind.ARMY and unit.province in self.view.map.sea_borders:
            choices = sorted([*choices, *self._crossings(unit)], reverse=True)
        for choice in choices:
            if self._takes(unit, choice, waiting):
                return
        self._stay(unit)

    def _takes(self, unit: Unit, choice: _Choice, waiting: frozenset[Unit]) -> bool:
        """Give the unit an order for that choice if possible; return whether it has one."""
        goal = province_of(choice.to)
        if goal == unit.province:
            return goal not in self.goals and self._stay(unit)
        standing = self.at.get(goal)
        if standing is not None and standing not in self.orders:
            if standing in waiting or choice.route:
                return False
            self.decide(standing, waiting | {unit})
            if unit in self.orders:  # it was called on to support
                return True
        if goal in self.goals:
            return not choice.route and self._backs(unit, goal)
        if standing is not None and self._swaps(standing, unit):
            return False
        helpers = self._helpers(unit, goal, waiting, choice.route) if goal in self.view.foreign else []
        if goal in self.view.foreign and not helpers:
            return False
        self._go(unit, choice)
        for helper in helpers[: self._needed(goal)]:
            self._back(helper, unit)
        return True

    def _swaps(self, standing: Unit, unit: Unit) -> bool:
        order = self.orders[standing]
        return isinstance(order, Move) and order.goal == unit.province

    def _stay(self, unit: Unit) -> bool:
        self.orders[unit] = Hold(unit)
        self.goals.setdefault(unit.province, unit)
        return True

    def _go(self, unit: Unit, choice: _Choice) -> None:
        self.orders[unit] = Move(unit, choice.to)
        self.goals[province_of(choice.to)] = unit
        for fleet in choice.route:
            self.orders[fleet] = Convoy(fleet, unit, choice.to)
            self.goals.setdefault(fleet.province, fleet)

    # Supports

    def _needed(self, goal: Province) -> int:
        """Return how many supports the unit planned for that province needs."""
        rivals = self.view.threats.get(goal, 0)
        if goal in self.view.foreign:
            return 1 + min(rivals, 2)
        unit = self.goals.get(goal)
        return max(0, rivals - 1) if unit is not None and unit.province == goal else rivals

    def _helpers(self, unit: Unit, goal: Province, waiting: frozenset[Unit], route: tuple[Unit, ...]) -> list[Unit]:
        """Return units without an order that could support an attack.

        Units with the least to gain elsewhere come first.
        """
        busy = {unit, *waiting, *route}
        found = [
            other
            for other in self.view.own
            if other not in self.orders and other not in busy and goal in self.view.map.reach(other)
        ]
        return sorted(found, key=lambda other: self.choices[other][0].worth - self._staying(other))

    def _backs(self, unit: Unit, goal: Province) -> bool:
        """Support the unit planned for that province if needed; return whether it did."""
        other = self.goals[goal]
        if isinstance(self.orders[other], Convoy) or goal not in self.view.map.reach(unit):
            return False
        if self.backed.get(other, 0) >= self._needed(goal):
            return False
        self._back(unit, other)
        return True

    def _back(self, unit: Unit, other: Unit) -> None:
        order = self.orders[other]
        self.orders[unit] = Support(unit, other, order.to if isinstance(order, Move) else None)
        self.backed[other] = self.backed.get(other, 0) + 1
        self.goals.setdefault(unit.province, unit)

    def help_out(self) -> None:
        """Let holding units support where that helps most, or try an attack."""
        for unit in self.view.own:
            if not isinstance(self.orders[unit], Hold) or self.backed.get(unit):
                continue
            around = [goal for goal in self.view.map.reach(unit) if self.goals.get(Province(goal)) not in (None, unit)]
            worth = {
                goal: self.view.threats.get(Province(goal), 0) + self.values.centers.get(Province(goal), 0.0)
                for goal in around
            }
            for goal in sorted(around, key=lambda goal: (-worth[goal], goal)):
                if self._backs(unit, Province(goal)):
                    break
            else:
                self._stir(unit)

    def _stir(self, unit: Unit) -> None:
        """Sometimes act where the robot's units alone cannot gain anything."""
        if self.chance.random() < _PROBING:
            self._probe(unit)
        elif self.chance.random() < _SIDING:
            self._side(unit)

    def _probe(self, unit: Unit) -> None:
        """Attack a foreign unit without help.

        A threatened center is left only for another center.
        """
        foreign, centers = set(self.view.foreign), self.view.map.supply_centers
        if self.view.threats.get(unit.province) and unit.province in centers:
            foreign &= centers
        targets = [choice for choice in self.choices[unit] if province_of(choice.to) in foreign]
        if targets and province_of(targets[0].to) not in self.goals:
            del self.goals[unit.province]
            self._go(unit, targets[0])

    def _side(self, unit: Unit) -> None:
        """Support an attack of one foreign power on another of at least its size."""
        sizes, owners, reach = self.values.sizes, self.view.position.units, self.view.map.reach
        found = [
            (sizes[owners[victim]], self.chance.random(), other, Location(goal))
            for goal, victim in self.view.foreign.items()
            if goal in reach(unit) and goal not in self.goals
            for other in self.view.foreign.values()
            if goal in reach(other)
            and owners[other] != owners[victim]
            and sizes[owners[other]] <= sizes[owners[victim]]
        ]
        if found:
            _, _, other, goal = max(found)
            self.orders[unit] = Support(unit, other, goal)

"""Whether an order is allowed, whatever others order; and what it means on this board.

A fleet may leave out a coast that is the only possible one, a wrong coast of the ordered or supported
unit is ignored (DATC 4.B.2, 4.B.5, 4.B.6); so a legal order comes back with the real unit and coast in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from judge.rules.adjustments import removable, room_for, strength_due
from judge.rules.map import Map
from judge.rules.options import STANDARD, BuildsWaivable, CoastRequired, Options
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.outcomes import Illegal, IllegalReason
from judge.rules.position import (
    Dislodgement,
    Location,
    PhaseKind,
    Position,
    Power,
    Province,
    Unit,
    UnitKind,
    province_of,
)


def check(map_: Map, position: Position, power: Power, order: Order, options: Options = STANDARD) -> Illegal | None:
    """Why the order is not allowed; None if it is."""
    meant = Referee(map_, position, options).meaning(power, order)
    return meant if isinstance(meant, Illegal) else None


@dataclass
class Referee:
    """Judges the orders of one position one by one, without looking at the others."""

    map: Map
    position: Position
    options: Options = STANDARD

    def __post_init__(self) -> None:
        """Make the look-ups that every order needs."""
        self.standing: Mapping[Province, Unit] = {unit.province: unit for unit in self.position.units}
        self.fleets_at_sea: frozenset[Province] = frozenset(
            place for place, unit in self.standing.items() if unit.kind is UnitKind.FLEET and self.map.is_sea(place)
        )

    def meaning(self, power: Power, order: Order) -> Order | Illegal:
        """The order with the real unit and coasts, or why it is not allowed."""
        match self.position.phase.kind:
            case PhaseKind.MOVEMENT:
                return self._in_movement(power, order)
            case PhaseKind.RETREAT:
                return self._in_retreat(power, order)
            case PhaseKind.ADJUSTMENT:
                return self._in_adjustment(power, order)

    # Movement phase

    def _in_movement(self, power: Power, order: Order) -> Order | Illegal:
        if not isinstance(order, Hold | Move | Support | Convoy):
            return Illegal(IllegalReason.WRONG_PHASE)
        unit = self._own_unit(power, order.unit)
        if isinstance(unit, Illegal):
            return unit
        match order:
            case Hold():
                return Hold(unit)
            case Move(_, to, by_convoy):
                return self._move(unit, to, by_convoy=by_convoy)
            case Support(_, supported, to):
                return self._support(unit, supported, to)
            case Convoy(_, army, to):
                return self._convoy(unit, army, to)
            case _:
                assert_never(order)

    def _own_unit(self, power: Power, named: Unit) -> Unit | Illegal:
        unit = self.standing.get(named.province)
        if unit is None:
            return Illegal(IllegalReason.NO_SUCH_UNIT, named.location)
        if self.position.units[unit] != power:
            return Illegal(IllegalReason.FOREIGN_UNIT, unit.location, unit)
        if unit.kind is not named.kind:
            return Illegal(IllegalReason.WRONG_KIND, unit.location, unit)
        return unit

    def _other_unit(self, named: Unit) -> Unit | Illegal:
        unit = self.standing.get(named.province)
        if unit is None:
            return Illegal(IllegalReason.NO_SUCH_UNIT, named.location)
        if unit.kind is not named.kind:
            return Illegal(IllegalReason.WRONG_KIND, unit.location, unit)
        return unit

    def _move(self, unit: Unit, to: Location, *, by_convoy: bool) -> Move | Illegal:
        goal = province_of(to)
        if goal not in self.map.provinces:
            return Illegal(IllegalReason.NO_BORDER, to)
        if goal == unit.province:
            return Illegal(IllegalReason.SAME_PROVINCE, to)
        if unit.kind is UnitKind.FLEET:
            where = self.fleet_goal(unit, to)
            return where if isinstance(where, Illegal) else Move(unit, where)
        walks = Location(goal) in self.map.neighbors(unit)
        if walks and not by_convoy:
            return Move(unit, Location(goal))
        if self.carriers(unit.province, goal):
            return Move(unit, Location(goal), by_convoy=walks)  # VIA is only said where one could walk
        overseas = goal in self.map.sea_borders and not self.map.is_sea(goal) and unit.province in self.map.sea_borders
        reason = IllegalReason.NO_CONVOY_ROUTE if overseas else IllegalReason.NO_BORDER
        return Illegal(reason, Location(goal))

    def fleet_goal(self, fleet: Unit, to: Location) -> Location | Illegal:
        """The very location a fleet told to go to `to` is to reach."""
        open_ = self.map.coasts_in_reach(fleet, province_of(to))
        if to in open_:
            return to
        if not open_:
            return Illegal(IllegalReason.NO_BORDER, to)
        if to != province_of(to):  # DATC 4.B.3: an impossible coast makes the order illegal
            return Illegal(IllegalReason.NO_SUCH_COAST, to)
        if len(open_) > 1 or self.options.coast_required is CoastRequired.ALWAYS:
            return Illegal(IllegalReason.COAST_NEEDED, to)
        return open_[0]

    def _support(self, unit: Unit, named: Unit, to: Location | None) -> Support | Illegal:
        supported = self._other_unit(named)
        if isinstance(supported, Illegal):
            return supported
        if supported == unit:
            return Illegal(IllegalReason.SUPPORTS_ITSELF, unit.location, unit)
        place = supported.province if to is None else province_of(to)
        if place not in self.map.reach.get(unit, frozenset()):
            return Illegal(IllegalReason.CANNOT_SUPPORT_THERE, Location(place), supported)
        if to is None:
            return Support(unit, supported)
        if place == supported.province:  # DATC 6.A.5
            return Illegal(IllegalReason.SAME_PROVINCE, to, supported)
        if not self._could_go(supported, to, without=unit.province):
            return Illegal(IllegalReason.SUPPORTED_CANNOT_GO, to, supported)
        return Support(unit, supported, Location(place) if supported.kind is UnitKind.ARMY else to)

    def _could_go(self, unit: Unit, to: Location, without: Province) -> bool:
        open_ = self.map.coasts_in_reach(unit, province_of(to))
        if unit.kind is UnitKind.FLEET:
            return to in open_ or (bool(open_) and to == province_of(to))
        # A supporter cannot be one of the fleets that carry the army.
        return bool(open_) or bool(self.carriers(unit.province, province_of(to), without=without))

    def _convoy(self, unit: Unit, named: Unit, to: Location) -> Convoy | Illegal:
        if unit.kind is not UnitKind.FLEET or not self.map.is_sea(unit.province):
            return Illegal(IllegalReason.NOT_AT_SEA, unit.location, unit)
        army = self._other_unit(named)
        if isinstance(army, Illegal):
            return army
        if army.kind is not UnitKind.ARMY:
            return Illegal(IllegalReason.WRONG_KIND, army.location, army)
        goal = province_of(to)
        if goal == army.province:
            return Illegal(IllegalReason.SAME_PROVINCE, to, army)
        if unit.province not in self.carriers(army.province, goal):
            return Illegal(IllegalReason.NO_CONVOY_ROUTE, Location(goal), army)
        return Convoy(unit, army, Location(goal))

    def carriers(self, start: Province, goal: Province, *, without: Province | None = None) -> frozenset[Province]:
        """The fleets at sea, `without` one, that lie on some possible convoy route between two coasts.

        A fleet the route does not need is on no route (DATC 6.G.19): routes are those in which no
        two fleets touch but neighbors in the chain.
        """
        if self.map.is_sea(start) or self.map.is_sea(goal):
            return frozenset()
        return routes_through(self.map, self.fleets_at_sea - {without}, start, goal)

    # Retreat phase

    def _in_retreat(self, power: Power, order: Order) -> Order | Illegal:
        if not isinstance(order, Retreat | Disband):
            return Illegal(IllegalReason.WRONG_PHASE)
        found = self._own_dislodged(power, order.unit)
        if isinstance(found, Illegal):
            return found
        unit, dislodgement = found
        if isinstance(order, Disband):
            return Disband(unit)
        open_ = [to for to in dislodgement.retreats if province_of(to) == province_of(order.to)]
        if order.to in open_:
            return Retreat(unit, order.to)
        named_coast = order.to != province_of(order.to)
        if unit.kind is UnitKind.ARMY and named_coast and open_:
            return Retreat(unit, open_[0])
        if not open_ or named_coast:
            reachable = province_of(order.to) in self.map.reach.get(unit, frozenset())
            return Illegal(IllegalReason.RETREAT_CLOSED if reachable else IllegalReason.NO_BORDER, order.to)
        if len(open_) > 1 or self.options.coast_required is CoastRequired.ALWAYS:
            return Illegal(IllegalReason.COAST_NEEDED, order.to)
        return Retreat(unit, open_[0])

    def _own_dislodged(self, power: Power, named: Unit) -> tuple[Unit, Dislodgement] | Illegal:
        for unit, dislodgement in self.position.dislodged.items():
            if unit.province == named.province and dislodgement.power == power:
                if unit.kind is not named.kind:
                    return Illegal(IllegalReason.WRONG_KIND, unit.location, unit)
                return unit, dislodgement
        standing = self.standing.get(named.province)
        if standing is not None and self.position.units[standing] == power:
            return Illegal(IllegalReason.NOT_DISLODGED, standing.location, standing)
        if any(unit.province == named.province for unit in self.position.dislodged):
            return Illegal(IllegalReason.FOREIGN_UNIT, named.location)
        return Illegal(IllegalReason.NO_SUCH_UNIT, named.location)

    # Adjustment phase

    def _in_adjustment(self, power: Power, order: Order) -> Order | Illegal:
        due = strength_due(self.position, power)
        match order:
            case Waive():
                if self.options.builds_waivable is BuildsWaivable.NO:
                    return Illegal(IllegalReason.WAIVING_FORBIDDEN)
                return order if due > 0 else Illegal(IllegalReason.NO_BUILD_LEFT)
            case Build(unit):
                refused = room_for(self.map, self.position, power, unit)
                if refused is not None:
                    return refused
                return order if due > 0 else Illegal(IllegalReason.NO_BUILD_LEFT)
            case Disband(named):
                unit_or_why = self._own_unit(power, named)
                if isinstance(unit_or_why, Illegal):
                    return unit_or_why
                if due >= 0 or unit_or_why not in removable(self.position, power):
                    return Illegal(IllegalReason.NO_REMOVAL_DUE)
                return Disband(unit_or_why)
            case _:
                return Illegal(IllegalReason.WRONG_PHASE)


def routes_through(map_: Map, fleets: Iterable[Province], start: Province, goal: Province) -> frozenset[Province]:
    """The seas on some route from coast to coast over `fleets` that needs every one of its fleets."""
    available = frozenset(fleets)
    touching_start = map_.sea_borders.get(start, frozenset()) & available
    touching_goal = map_.sea_borders.get(goal, frozenset()) & available
    if not touching_start or not touching_goal:
        return frozenset()
    on_route: set[Province] = set()

    def follow(route: tuple[Province, ...], closed: frozenset[Province]) -> None:
        here = route[-1]
        if here in touching_goal:
            on_route.update(route)
            return
        onward = (map_.sea_borders.get(here, frozenset()) & available) - closed
        for sea in onward:
            follow((*route, sea), closed | onward | {sea})

    for sea in touching_start:
        follow((sea,), touching_start)
    return frozenset(on_route)

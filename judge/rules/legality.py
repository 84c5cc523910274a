"""Legality of orders, independent of other orders, and what they mean on this board.

A legal order is returned with the real unit and coast in it. A fleet may leave out a coast that is the only
possible one, and a wrong coast of the ordered or supported unit is ignored (DATC 4.B.2, 4.B.5, 4.B.6).
"""

from __future__ import annotations

from typing import Final, TypeGuard

from judge.rules.adjustments import adjustment_due, leaderless, never_possible, room_for
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.convoys import on_some_route
from judge.rules.map import Map
from judge.rules.options import STANDARD, CoastRequired, ConvoyFallback, Options, ViaRequired, VoluntaryRemoval
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    Support,
    Waive,
)
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

_ARMY: Final = UnitKind.ARMY
_FLEET: Final = UnitKind.FLEET
_MOVEMENT_ORDERS: Final = (Move, Support, Hold, Convoy)
"""The classes of `MovementOrder`, the most frequent first."""


def check(
    map_: Map,
    position: Position,
    power: Power,
    order: Order,
    options: Options = STANDARD,
    circumstances: Circumstances = NORMAL,
) -> Illegal | None:
    """Return why the order is not allowed; None if it is."""
    meant = Referee(map_, position, options, circumstances).meaning(power, order)
    return meant if isinstance(meant, Illegal) else None


class Referee:
    """Judges the orders of one position, each without regard to the others."""

    def __init__(
        self,
        map_: Map,
        position: Position,
        options: Options = STANDARD,
        circumstances: Circumstances = NORMAL,
    ) -> None:
        self.map = map_
        self.army_steps, self.fleet_steps, self.fleet_reach = map_.army_steps, map_.fleet_steps, map_.fleet_reach
        self.position = position
        self.options = options
        self.circumstances = circumstances
        self.standing: dict[Province, Unit] = {}
        self.owners: dict[Province, Power] = {}
        self.whose: dict[str, Power] = {}
        """Unit text → its power; empty if provinces are closed or powers silent."""
        self._carriers: dict[tuple[Province, Province, Province | None], frozenset[Province]] = {}
        self._at_sea: frozenset[Province] | None = None
        self.closed = circumstances.closed
        self.silent = leaderless(map_, options, circumstances)
        self._steps, self._in_reach = map_.steps, map_.provinces_in_reach
        for unit, power in position.units.items():
            place = unit.province
            self.standing[place] = unit
            self.owners[place] = power
            self.whose[unit.text] = power
        if self.closed or self.silent:
            self.whose.clear()

    @property
    def fleets_at_sea(self) -> frozenset[Province]:
        """The provinces where fleets convoy, with a fleet in them."""
        if self._at_sea is None:
            self._at_sea = self._find_fleets_at_sea()
        return self._at_sea

    def _find_fleets_at_sea(self) -> frozenset[Province]:
        return frozenset(
            place for place in self.map.carriers.intersection(self.standing) if self.standing[place].kind is _FLEET
        )

    @property
    def removes_at_will(self) -> bool:
        """Whether a power may remove units it could keep."""
        return self.options.voluntary_removal is VoluntaryRemoval.YES

    def is_plain(self, order: Order, power: Power) -> TypeGuard[MovementOrder]:
        """Whether a movement order is surely legal exactly as written; a quick check.

        It is True for most orders. False means that `in_movement` must look.
        """
        if isinstance(order, Move):
            here = order.unit.text
            return self.whose.get(here) == power and order.to in self._steps[here] and not order.by_convoy
        if isinstance(order, Support):
            here, helped, to = order.unit.text, order.supported.text, order.to
            return (
                self.whose.get(here) == power
                and helped in self.whose
                and order.target in self._in_reach[here]
                and (to is None or (to in self._steps[helped] and helped != here))
            )
        return isinstance(order, Hold) and self.whose.get(order.unit.text) == power

    def meaning(self, power: Power, order: Order) -> Order | Illegal:
        """Return the order with the real unit and coasts, or why it is not allowed."""
        match self.position.phase.kind:
            case PhaseKind.MOVEMENT:
                return self.in_movement(power, order)
            case PhaseKind.RETREAT:
                return self._in_retreat(power, order)
            case PhaseKind.ADJUSTMENT:
                return self._in_adjustment(power, order)

    def _silenced(self, power: Power) -> Illegal:
        unplayed = power in self.circumstances.unplayed | self.map.unplayed
        return Illegal(IllegalReason.UNPLAYED_POWER if unplayed else IllegalReason.CIVIL_DISORDER)

    # Movement phase

    def in_movement(self, power: Power, order: Order) -> MovementOrder | Illegal:
        """Return the `meaning` of an order in a movement phase."""
        if power in self.silent:
            return self._silenced(power)
        if not isinstance(order, _MOVEMENT_ORDERS):
            return Illegal(IllegalReason.WRONG_PHASE)
        named = order.unit
        place = named.province
        unit = self.standing.get(place)
        if unit is None or unit.kind is not named.kind or self.owners[place] != power:
            return self._not_own(unit, named, power)
        # Most orders already say what they mean. They are returned unchanged, because values take time to make.
        if isinstance(order, Move):
            steps = self.army_steps if unit.kind is _ARMY else self.fleet_steps
            if (
                order.to in steps[unit.location]
                and named.location == unit.location
                and not order.by_convoy
                and order.goal not in self.closed
            ):
                return order
            return self._army_move(unit, order) if unit.kind is _ARMY else self._fleet_move(unit, order)
        if isinstance(order, Support):
            return self._support(unit, order)
        if isinstance(order, Hold):
            return order if named.location == unit.location else Hold(unit)
        return self._convoy(unit, order)

    def _not_own(self, unit: Unit | None, named: Unit, power: Power) -> Illegal:
        if unit is None or self.owners[unit.province] == power:
            return self._no_such_unit(unit, named)
        return Illegal(IllegalReason.FOREIGN_UNIT, unit.location, unit)

    def _no_such_unit(self, unit: Unit | None, named: Unit) -> Illegal:
        if unit is None:
            return Illegal(IllegalReason.NO_SUCH_UNIT, named.location)
        return Illegal(IllegalReason.WRONG_KIND, unit.location, unit)

    def _army_move(self, unit: Unit, order: Move) -> Move | Illegal:
        goal = order.goal
        refused = self._closed_to_all(unit, goal, order.to)
        if refused is not None:
            return refused
        walks = goal in self.army_steps[unit.location]
        if walks and not order.by_convoy:
            return Move(unit, goal)  # a coast written for an army is ignored (DATC 4.B.6)
        if self.carriers(unit.province, goal):
            says_via = self.options.via_required is ViaRequired.YES
            if says_via and not order.by_convoy:
                return Illegal(IllegalReason.VIA_NEEDED, goal, unit)
            return Move(unit, goal, by_convoy=walks or says_via)  # else VIA is only said where it could walk
        if walks and self.options.convoy_fallback is ConvoyFallback.LAND:
            return Move(unit, goal)
        borders = self.map.sea_borders
        overseas = walks or (goal in borders and not self.map.is_sea(goal) and unit.province in borders)
        return Illegal(IllegalReason.NO_CONVOY_ROUTE if overseas else IllegalReason.NO_BORDER, goal, unit)

    def _fleet_move(self, unit: Unit, order: Move) -> Move | Illegal:
        refused = self._closed_to_all(unit, order.goal, order.to)
        if refused is not None:
            return refused
        where = self.fleet_goal(unit, order.to)
        return where if isinstance(where, Illegal) else Move(unit, where)

    def _closed_to_all(self, unit: Unit, goal: Province, to: Location) -> Illegal | None:
        if goal == unit.province:
            return Illegal(IllegalReason.SAME_PROVINCE, to)
        if goal not in self.map.provinces:
            return Illegal(IllegalReason.NO_BORDER, to)
        return Illegal(IllegalReason.CLOSED_PROVINCE, to) if goal in self.closed else None

    def fleet_goal(self, fleet: Unit, to: Location) -> Location | Illegal:
        """Return the exact location of a fleet told to go to `to`, or why not."""
        province = province_of(to)
        if to in self.fleet_steps[fleet.location]:
            return to
        open_ = self.map.coasts_in_reach(fleet, province)
        if not open_:
            return Illegal(IllegalReason.NO_BORDER, to, fleet)
        if to != province:  # DATC 4.B.3: an impossible coast makes the order illegal
            return Illegal(IllegalReason.NO_SUCH_COAST, to)
        if len(open_) > 1 or self.options.coast_required is CoastRequired.ALWAYS:
            return Illegal(IllegalReason.COAST_NEEDED, to)
        return open_[0]

    def _support(self, unit: Unit, order: Support) -> Support | Illegal:
        named, to, place = order.supported, order.to, order.target
        supported = self.standing.get(named.province)
        if supported is None or supported.kind is not named.kind:
            taken = self.taken_for(supported, named, to)
            if taken is None:
                return self._no_such_unit(supported, named)
            supported = taken
        if supported is unit:
            return Illegal(IllegalReason.SUPPORTS_ITSELF, unit.location, unit)
        reach = self.army_steps if unit.kind is _ARMY else self.fleet_reach
        if place not in reach[unit.location]:
            return Illegal(IllegalReason.CANNOT_SUPPORT_THERE, place, supported)
        as_written = order.unit.location == unit.location and named.text == supported.text
        if to is None:
            return order if as_written else Support(unit, supported)
        if place == supported.province:  # DATC 6.A.5
            return Illegal(IllegalReason.SAME_PROVINCE, to, supported)
        if place in self.closed:
            return Illegal(IllegalReason.CLOSED_PROVINCE, to, supported)
        if not self._could_go(supported, to, place, without=unit.province):
            carries = self._could_go(supported, to, place)
            reason = IllegalReason.NEEDED_AS_CARRIER if carries else IllegalReason.SUPPORTED_CANNOT_GO
            return Illegal(reason, to, supported)
        if supported.kind is _ARMY and to != place:
            return Support(unit, supported, place)
        return order if as_written else Support(unit, supported, to)

    def taken_for(self, standing: Unit | None, named: Unit, to: Location | None = None) -> Unit | None:  # noqa: ARG002
        """Return the unit meant where no unit is as named; None if there is none.

        `to` is where the order helps it go. In fog a player need not know the kind of a unit they help (R-FOG-2).
        """
        return standing if self.options.fog.is_thick else None

    def _could_go(self, unit: Unit, to: Location, place: Province, without: Province | None = None) -> bool:
        if unit.kind is _FLEET:
            # A coast that is named must be in reach itself.
            return to in (self.fleet_reach if to == place else self.fleet_steps)[unit.location]
        # The supporter cannot be one of the fleets that carry the army.
        return place in self.army_steps[unit.location] or bool(self.carriers(unit.province, place, without=without))

    def _convoy(self, unit: Unit, order: Convoy) -> Convoy | Illegal:
        if unit.kind is not _FLEET or unit.province not in self.map.carriers:
            return Illegal(IllegalReason.NOT_AT_SEA, unit.location, unit)
        army = self.standing.get(order.army.province)
        if army is None or army.kind is not order.army.kind:
            taken = self.taken_for(army, order.army)
            if taken is None:
                return self._no_such_unit(army, order.army)
            army = taken
        if army.kind is not _ARMY:
            return Illegal(IllegalReason.WRONG_KIND, army.location, army)
        goal = province_of(order.to)
        if goal == army.province:
            return Illegal(IllegalReason.SAME_PROVINCE, order.to, army)
        if goal in self.closed:
            return Illegal(IllegalReason.CLOSED_PROVINCE, order.to, army)
        carriers = self.carriers(army.province, goal)
        if unit.province not in carriers:
            return Illegal(IllegalReason.OFF_ROUTE if carriers else IllegalReason.NO_CONVOY_ROUTE, goal, army)
        return Convoy(unit, army, goal)

    def carriers(self, start: Province, goal: Province, *, without: Province | None = None) -> frozenset[Province]:
        """Return the fleets at sea on some possible convoy route between two coasts.

        The fleet in `without` is not counted.
        """
        asked = (start, goal, without if without in self.fleets_at_sea else None)
        if asked not in self._carriers:
            fleets = self.fleets_at_sea - {without}
            self._carriers[asked] = on_some_route(self.map, fleets, start, goal)
        return self._carriers[asked]

    # Retreat phase

    def _in_retreat(self, power: Power, order: Order) -> Order | Illegal:
        if not isinstance(order, Retreat | Disband):
            return Illegal(IllegalReason.WRONG_PHASE)
        if power in self.silent:
            return self._silenced(power)
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
            reachable = province_of(order.to) in self.map.reach(unit)
            return Illegal(IllegalReason.RETREAT_CLOSED if reachable else IllegalReason.NO_BORDER, order.to, unit)
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
        if power in self.silent:
            return self._silenced(power)
        due = adjustment_due(self.position, power)
        at_will = self.removes_at_will
        if due < 0 and not at_will and isinstance(order, Build | Waive):
            at = order.unit.location if isinstance(order, Build) else None
            return Illegal(IllegalReason.REMOVAL_DUE, at, owner=power)
        match order:
            case Waive():
                refused = never_possible(self.map, self.options, power, order)
                if refused is not None:
                    return refused
                return order if due > 0 or at_will else Illegal(IllegalReason.NO_BUILD_LEFT)
            case Build(unit):
                # A power that may remove at will can make room by it; whether it did shows when all orders are known.
                foreign = [place for place, owner in self.owners.items() if not (at_will and owner == power)]
                refused = room_for(self.map, self.position, foreign, power, unit)
                if refused is not None:
                    return refused
                return order if due > 0 or at_will else Illegal(IllegalReason.NO_BUILD_LEFT)
            case Disband(named):
                standing = self.standing.get(named.province)
                if standing is None or standing.kind is not named.kind or self.owners[named.province] != power:
                    return self._not_own(standing, named, power)
                return Disband(standing) if due < 0 or at_will else Illegal(IllegalReason.NO_REMOVAL_DUE)
            case _:
                return Illegal(IllegalReason.WRONG_PHASE)

"""The movement phase: orders judged, decided, and told with their reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from judge.rules.adjustments import leaderless
from judge.rules.circumstances import Circumstances
from judge.rules.convoys import has_route
from judge.rules.decisions import NO_PROVINCES, Decisions
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import Options, RetreatToConvoyOrigin
from judge.rules.orders import Convoy, Hold, Move, MovementOrder, Order, Support
from judge.rules.outcomes import (
    Bounced,
    Cut,
    Destroyed,
    DestroyedReason,
    Dislodged,
    Disrupted,
    Illegal,
    IllegalReason,
    NoConvoy,
    NotCarried,
    Outcome,
    Unmatched,
    Verdict,
)
from judge.rules.position import Dislodgement, Position, Power, Province, Unit, UnitKind, province_of


@dataclass(frozen=True, slots=True)
class Moved:
    """What a movement phase leaves behind."""

    verdicts: tuple[Verdict, ...]
    units: Mapping[Unit, Power]
    dislodged: Mapping[Unit, Dislodgement]
    """Those with somewhere to go; the others are gone."""
    contested: frozenset[Province]


_ARMY = UnitKind.ARMY
_Judged = tuple[Power, Order, Illegal | Province]
"""An order as given, and why it is illegal or whose unit obeys it."""


def resolve_movement(
    map_: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options,
    circumstances: Circumstances,
) -> Moved:
    """Adjudicate a movement phase; the first legal order of a unit counts (DATC 6.D, 4.E)."""
    referee = Referee(map_, position, options, circumstances)
    effective: dict[Province, MovementOrder] = {}
    judged: list[_Judged] = []
    for power, its_orders in orders.items():
        for order in its_orders:
            meant = referee.in_movement(power, order)
            if isinstance(meant, Illegal):
                judged.append((power, order, meant))
                continue
            place = meant.unit.province
            if place in effective:
                judged.append((power, order, Illegal(IllegalReason.ORDERED_TWICE, place, meant.unit)))
            else:
                effective[place] = meant
                judged.append((power, meant, place))
    return _Movement(referee, effective).moved(judged)


class _Movement(Decisions):
    """The decisions of a phase, and the tale of it."""

    def moved(self, judged: Sequence[_Judged]) -> Moved:
        """Ask every question, and tell what stands where and why."""
        arrivals = {goal: place for place, goal in self.goal.items() if self.yes(place)}
        leaving = set(arrivals.values())
        standing = self.standing
        lost = {standing[goal]: place for goal, place in arrivals.items() if goal in standing and goal not in leaving}
        units = dict(self.position.units)
        for place in leaving:
            del units[standing[place]]
        for unit in lost:
            del units[unit]
        armies, fleets = self.map.armies, self.map.fleets
        for place in arrivals.values():
            move = self.orders[place]
            assert isinstance(move, Move)
            units[(armies if move.unit.kind is _ARMY else fleets)[move.to]] = self.power[place]
        occupied = (standing.keys() - leaving) | arrivals.keys()
        contested = frozenset(
            goal
            for goal, movers in self.movers_to.items()
            if goal not in occupied and any(self._prevents(mover) for mover in movers)
        )
        if not lost:
            return Moved(self._verdicts(judged, leaving, {}), units, {}, contested)
        shut = occupied | contested | self.circumstances.closed
        dislodged = {unit: self._dislodgement(unit, attacker, shut) for unit, attacker in lost.items()}
        abandoned = leaderless(self.options, self.circumstances)
        fates = {unit: self._fate(unit, loss, abandoned) for unit, loss in dislodged.items()}
        verdicts = self._verdicts(judged, leaving, {unit.province: fate for unit, fate in fates.items()})
        able = {unit: loss for unit, loss in dislodged.items() if len(fates[unit]) == 1}
        return Moved(verdicts, units, able, contested)

    def _dislodgement(self, unit: Unit, attacker: Province, shut: AbstractSet[Province]) -> Dislodgement:
        by_convoy = not self._by_land(attacker)
        if not (by_convoy and self.options.retreat_to_convoy_origin is RetreatToConvoyOrigin.YES):
            shut = shut | {attacker}
        retreats = tuple(to for to in self.map.neighbors(unit) if province_of(to) not in shut)
        return Dislodgement(self.power[unit.province], attacker, by_convoy, retreats)

    # Why

    def _fate(self, unit: Unit, loss: Dislodgement, abandoned: frozenset[Power]) -> tuple[Outcome, ...]:
        """What befell a dislodged unit; more than one outcome if it is gone for good."""
        attacker = loss.attacked_from
        head_on = self._head_to_head(attacker)
        against = self.defend_strength(unit.province) if head_on else self.hold_strength(unit.province)
        told = Dislodged(self.standing[attacker], attacker, self.attack_strength(attacker), against)
        if loss.power in abandoned:
            return (told, Destroyed(DestroyedReason.LEADERLESS))
        return (told,) if loss.retreats else (told, Destroyed(DestroyedReason.NOWHERE))

    def _verdicts(
        self,
        judged: Sequence[_Judged],
        leaving: AbstractSet[Province],
        fate_at: Mapping[Province, tuple[Outcome, ...]],
    ) -> tuple[Verdict, ...]:
        untold = dict(self.power)
        verdicts: list[Verdict] = []
        for power, order, found in judged:
            if isinstance(found, Illegal):
                outcomes: tuple[Outcome, ...] = (found, *self._fate_of_misled(power, order, untold, fate_at))
            else:
                del untold[found]
                why = None if found in leaving else self._why(found, order)
                outcomes = fate_at.get(found, ()) if why is None else (why, *fate_at.get(found, ()))
            verdicts.append(Verdict(power, order, outcomes))
        verdicts += [
            Verdict(power, Hold(self.standing[place]), fate_at.get(place, ()), given=False)
            for place, power in untold.items()
        ]
        return tuple(verdicts)

    def _fate_of_misled(
        self,
        power: Power,
        order: Order,
        untold: dict[Province, Power],
        fate_at: Mapping[Province, tuple[Outcome, ...]],
    ) -> tuple[Outcome, ...]:
        """What befell a unit is told once: with the order that counts, else, as here, with its first."""
        if not isinstance(order, MovementOrder):
            return ()
        place = order.unit.province
        if place in self.orders or untold.get(place) != power:
            return ()
        del untold[place]
        return fate_at.get(place, ())

    def _why(self, place: Province, order: Order) -> Outcome | None:
        """Why a legal order did not do what it says; None if it did."""
        if place in self.goal:
            return self._why_failed(place)
        if isinstance(order, Support):
            if place not in self.fitting or not self._is_matched(order):
                return Unmatched(order.supported, self.orders.get(order.supported.province))
            return None if self.yes(place) else self._why_cut(order)
        if isinstance(order, Convoy):
            army = order.army.province
            if not self._is_matched(order):
                return Unmatched(order.army, self.orders.get(army))
            if not self.yes(place):
                return Disrupted((order.unit,))
            return Disrupted(()) if army in self.disrupted and self._chain_holds(army) else None
        return None

    def _why_cut(self, support: Support) -> Cut:
        cutting = [a for a in self.movers_to[support.unit.province] if self._cuts(a, support)]
        return Cut(self.standing[min(cutting, key=lambda a: (not self.yes(a), a))])  # who dislodged it, if anybody

    def _why_failed(self, place: Province) -> Outcome:
        if place not in self.by_convoy or self.path(place):
            return self._bounce(place)
        fleets = self.convoyers.get(place, NO_PROVINCES)
        if not fleets:
            return NotCarried()
        told = tuple(self.standing[fleet] for fleet in sorted(fleets))
        if not has_route(self.map, fleets, place, self.goal[place]):
            return NoConvoy(told)
        return Disrupted(tuple(fleet for fleet in told if not self.yes(fleet.province)))

    def _bounce(self, place: Province) -> Bounced:
        goal = self.goal[place]
        full = self.defend_strength(place)
        against, by = 0, []
        rivals = self.movers_to[goal]
        for rival in sorted(rivals) if len(rivals) > 2 else rivals:
            if rival != place:
                strength = self.prevent_strength(rival)
                against = max(against, strength)
                if strength >= full:
                    by.append(self.standing[rival])
        if goal in self.power:
            strength = self.defend_strength(goal) if self._head_to_head(place) else self.hold_strength(goal)
            against = max(against, strength)
            if strength > full or (strength == full and not self._yields_to_equals(goal)):
                by.append(self.standing[goal])
        if not by:  # strong enough, but not against a unit of the power itself or of its helpers
            strength = self.attack_strength(place)
            return Bounced(goal, (self.standing[goal],), strength, self.hold_strength(goal), own_unit=True)
        return Bounced(goal, tuple(by), full, against)

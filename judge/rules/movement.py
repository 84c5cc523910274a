"""The movement phase: check orders, decide them, and give the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr

from judge.rules.circumstances import Circumstances
from judge.rules.convoys import has_route, on_some_route
from judge.rules.decisions import NO_PROVINCES, Decisions
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import Options, RetreatToConvoyOrigin
from judge.rules.orders import Convoy, Move, MovementOrder, Order, Support
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
    Strength,
    Unmatched,
    Verdict,
)
from judge.rules.position import Dislodgement, Position, Power, Province, Unit, UnitKind, province_of


class Moved(Struct, frozen=True, gc=False):
    """The board after a movement phase."""

    units: Mapping[Unit, Power]
    dislodged: Mapping[Unit, Dislodgement]
    """The dislodged units that may retreat; the others are gone."""
    contested: frozenset[Province]
    """The provinces a standoff left empty."""


_ARMY: Final = UnitKind.ARMY


def resolve_movement(
    map_: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options,
    circumstances: Circumstances,
) -> tuple[tuple[Verdict, ...], Moved]:
    """Return the verdicts, and the board afterwards.

    The first legal order of a unit counts (DATC 6.D, 4.E).
    """
    referee = Referee(map_, position, options, circumstances)
    verdicts, counting, line_of = _judged(referee, orders)
    movement = _Movement(referee, counting)
    moved = movement.moved()
    for place, outcomes in movement.tale.items():
        told = verdicts[line_of[place]]
        force_setattr(told, "outcomes", told.outcomes + outcomes)  # nothing else holds it yet
    return tuple(verdicts), moved


def _judged(
    referee: Referee, orders: Mapping[Power, Sequence[Order]]
) -> tuple[list[Verdict], dict[Province, MovementOrder], dict[Province, int]]:
    """Return a verdict for every order, the orders that count, and unit → verdict number.

    The verdict for a unit is that of the order that counts, else of its first order. A unit without orders gets a
    hold. Units are given by their province.
    """
    verdicts: list[Verdict] = []
    counting: dict[Province, MovementOrder] = {}
    line_of: dict[Province, int] = {}
    void: list[int] = []
    for power, its_orders in orders.items():
        for order in its_orders:
            meant = order if referee.is_plain(order, power) else referee.in_movement(power, order)
            if not isinstance(meant, Illegal):
                place = meant.unit.province
                if place not in counting:
                    counting[place] = meant
                    line_of[place] = len(verdicts)
                    verdicts.append(Verdict(power, meant))
                    continue
                meant = Illegal(IllegalReason.ORDERED_TWICE, place, meant.unit)
            void.append(len(verdicts))
            verdicts.append(Verdict(power, order, (meant,)))
    for line in void:
        power, order = verdicts[line].power, verdicts[line].order
        if isinstance(order, MovementOrder) and referee.owners.get(order.unit.province) == power:
            line_of.setdefault(order.unit.province, line)
    holds, standing, owners = referee.map.holds, referee.standing, referee.owners
    for place in [place for place in standing if place not in line_of]:
        line_of[place] = len(verdicts)
        verdicts.append(Verdict(owners[place], holds[standing[place].text], (), False))  # noqa: FBT003 - by its place
    return verdicts, counting, line_of


class _Movement(Decisions):
    """The decisions of a phase, and the outcomes of its orders."""

    tale: dict[Province, tuple[Outcome, ...]]
    """Outcomes by the province where the unit stood; set by `moved`."""

    def moved(self) -> Moved:
        """Decide every order and return the board afterwards; also sets `tale`."""
        standing = self.standing
        for place in [place for place in self.goal if place not in self.answers]:
            self.yes(place)
        arrivals = {goal: place for place, goal in self.goal.items() if self.answers[place]}
        leaving = frozenset(arrivals.values())
        lost = {standing[goal]: place for goal, place in arrivals.items() if goal in standing and goal not in leaving}
        units = self._units_after(arrivals, lost)
        left = [goal for goal in self.movers_to if goal not in arrivals and (goal not in standing or goal in leaving)]
        contested = frozenset([goal for goal in left if any(self.prevents(mover) for mover in self.movers_to[goal])])
        self.tale = self._failures(leaving)
        if not lost:
            return Moved(units, {}, contested)
        staying = [place for place in standing if place not in leaving]
        shut = {*staying, *arrivals, *contested, *self.circumstances.closed}
        able = {}
        for unit, attacker in lost.items():
            loss = self._dislodgement(unit, attacker, shut)
            fate = self._fate(loss)
            self.tale[unit.province] = self.tale.get(unit.province, ()) + fate
            if len(fate) == 1:
                able[unit] = loss
        return Moved(units, able, contested)

    def _units_after(self, arrivals: Mapping[Province, Province], lost: Iterable[Unit]) -> Mapping[Unit, Power]:
        units = dict(self.position.units)
        for place in arrivals.values():
            del units[self.standing[place]]
        for unit in lost:
            del units[unit]
        armies, fleets = self.map.armies, self.map.fleets
        for place in arrivals.values():
            move = self.orders[place]
            assert isinstance(move, Move)
            units[(armies if move.unit.kind is _ARMY else fleets)[move.to]] = self.power[place]
        return units

    def _dislodgement(self, unit: Unit, attacker: Province, shut: AbstractSet[Province]) -> Dislodgement:
        by_convoy = not self._by_land(attacker)
        if not (by_convoy and self.options.retreat_to_convoy_origin is RetreatToConvoyOrigin.YES):
            shut = shut | {attacker}
        retreats = tuple([to for to in self.map.neighbors(unit) if province_of(to) not in shut])
        return Dislodgement(self.power[unit.province], attacker, by_convoy, retreats)

    # Reasons

    def _fate(self, loss: Dislodgement) -> tuple[Outcome, ...]:
        """Return the outcomes of a dislodged unit; two if it has left the board."""
        attacker = loss.attacked_from
        dislodged = Dislodged(
            self.standing[attacker], attacker, self.attack_strength(attacker), self.defense_against(attacker)
        )
        if loss.power in self.silent:
            return (dislodged, Destroyed(DestroyedReason.LEADERLESS))
        return (dislodged,) if loss.retreats else (dislodged, Destroyed(DestroyedReason.NOWHERE))

    def _failures(self, leaving: AbstractSet[Province]) -> dict[Province, tuple[Outcome, ...]]:
        """Return why legal orders failed, by province."""
        failures: dict[Province, tuple[Outcome, ...]] = {
            place: (self._why_not_moved(place),) for place in self.goal if place not in leaving
        }
        for helper in self.helpers:
            place = helper.unit.province
            if place in self.unmatched:
                failures[place] = (self._unmatched(helper),)
            elif not (self.answers[place] if place in self.answers else self.yes(place)):
                failures[place] = (self._why_cut(helper) if isinstance(helper, Support) else Disrupted((helper.unit,)),)
        for other, places in self.hold_supports.items():
            if other in leaving or not self.can_be_helped_to_hold(other):
                failures |= {place: (Unmatched(self.standing[other], self.orders[other]),) for place in places}
        for army in self.disrupted:
            if self._chain_holds(army):
                for fleet in self.convoyers[army]:
                    failures.setdefault(fleet, (Disrupted(()),))
        return failures

    def _unmatched(self, helper: Support | Convoy) -> Unmatched:
        other = helper.supported if isinstance(helper, Support) else helper.army
        return Unmatched(other, self.orders.get(other.province))

    def _why_cut(self, support: Support) -> Cut:
        cutting = [a for a in self.movers_to[support.unit.province] if self._cuts(a, support)]
        dislodging = [a for a in cutting if self.yes(a)]
        return Cut(self.standing[min(dislodging or cutting)])

    def _why_not_moved(self, place: Province) -> Outcome:
        if place not in self.by_convoy or self.path(place):
            return self._bounce(place)
        fleets = self.convoyers.get(place, NO_PROVINCES)
        if not fleets:
            return NotCarried()
        carriers = tuple(self.standing[fleet] for fleet in sorted(fleets))
        if not has_route(self.map, fleets, place, self.goal[place]):
            return NoConvoy(carriers)
        needed = on_some_route(self.map, fleets, place, self.goal[place])
        return Disrupted(tuple(one for one in carriers if one.province in needed and not self.yes(one.province)))

    def _bounce(self, place: Province) -> Bounced:
        """Return what stopped a move, first compared with all its support.

        That is easier to follow. If all support would have been enough, or the unit in the goal stopped the move, only
        the strength that counts against that unit is told.
        """
        goal = self.goal[place]
        movers = self.movers_to[goal]
        if len(movers) > 1 and self._is_met_plainly(goal, movers):
            by = [*sorted(movers), goal] if goal in self.power else sorted(movers)
            return Bounced(goal, tuple([self.standing[one] for one in by if one != place]), 1, 1)
        full = strength = self.defend_strength(place)
        if len(movers) == 1:
            against = self.defense_against(place)
            if place in self.move_supports or self.beats(place, full, against):
                strength = self.attack_strength(place)
            return Bounced(goal, (self.standing[goal],), strength, against, strength < full)
        opposing = self._opposing(place)
        by = self._stopping(place, full, opposing)
        if goal in opposing and (not by or (place in self.move_supports and by == [goal])):
            strength = self.attack_strength(place)  # leave out what does not count against a unit of its own power
            by = self._stopping(place, strength, opposing) if strength else [goal]
        against = max([opposing[one] for one in by])
        strongest = [self.standing[one] for one in by if opposing[one] == against]
        return Bounced(goal, tuple(strongest), strength, against, strength < full)

    def _is_met_plainly(self, goal: Province, movers: Sequence[Province]) -> bool:
        """Whether a province is contested by land only, without any support.

        No mover to it is helped, and a unit that stands there and stays is not helped either. Then each counts 1. Most
        failed moves are of this kind, and the general way is slow.
        """
        helped = self.move_supports
        if self.counts_points or goal in self.hold_supports or goal in self.converted:
            return False
        if goal in self.goal and (self.yes(goal) or goal in helped):
            return False
        return helped.keys().isdisjoint(movers) and self.by_convoy.isdisjoint(movers)

    def _opposing(self, place: Province) -> Mapping[Province, Strength]:
        """Return what a move has to beat: unit → strength.

        First the rivals for the goal, sorted, then the unit that stands there.
        """
        goal = self.goal[place]
        opposing: dict[Province, Strength] = {
            rival: self.prevent_strength(rival) for rival in sorted(self.movers_to[goal]) if rival != place
        }
        if goal in self.power:
            opposing[goal] = self.defense_against(place)
        return opposing

    def _stopping(self, place: Province, attack: Strength, opposing: Mapping[Province, Strength]) -> list[Province]:
        """Return the opposing units that a move of that strength does not beat."""
        goal = self.goal[place]
        return [
            one
            for one, strength in opposing.items()
            if (strength >= attack if one != goal else not self.beats(place, attack, strength))
        ]

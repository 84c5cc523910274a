"""The movement phase: which moves succeed, which supports are cut, who is dislodged.

Every order is a question with the answer yes or no: does the move succeed, is the support given, does
the unit stay? An answer may turn on others, and these on the first, in two ways only:

* Moves in a circle. Each waits for the next; all step on, unless one is stopped by something else.
* Convoys. Whether a fleet stays may turn on support that is cut by an army which comes by sea. These
  questions are settled before all others, by tables (`judge.rules.paradoxes`); where they contradict
  each other the convoys are disrupted (Szykman's rule, DATC 4.A.2).

Functions are named after the decisions of the DATC, chapter 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from judge.rules.adjustments import leaderless
from judge.rules.circumstances import Circumstances
from judge.rules.convoys import has_route, on_some_route
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import (
    ConvoyFallback,
    ConvoyIntent,
    ConvoyMultiRoute,
    ConvoyParadox,
    DefensePoints,
    HoldSupportOfFailedMove,
    Options,
    OwnAttackCutsSupport,
    RetreatToConvoyOrigin,
    SupportConversion,
    SupportCutFromTarget,
    SupportOfNonholding,
)
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
from judge.rules.paradoxes import Answers, OpenQuestionError, settle, table
from judge.rules.position import Dislodgement, Position, Power, Province, Unit, UnitKind, province_of


@dataclass(frozen=True, slots=True)
class Moved:
    """What a movement phase leaves behind."""

    verdicts: tuple[Verdict, ...]
    units: Mapping[Unit, Power]
    dislodged: Mapping[Unit, Dislodgement]
    """Those with somewhere to go; the others are gone."""
    contested: frozenset[Province]


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


_ARMY = UnitKind.ARMY
_NO_PROVINCES: frozenset[Province] = frozenset()


class _Movement:
    """One movement phase while it is being resolved; every question is answered once and remembered."""

    def __init__(self, referee: Referee, orders: Mapping[Province, MovementOrder]) -> None:
        self.map = referee.map
        self.position = referee.position
        self.options = referee.options
        self.circumstances = referee.circumstances
        self.standing = referee.standing
        self.power = referee.owners
        self.orders = orders
        """Province → the order of its unit; a unit that is not there holds."""
        self.goal: dict[Province, Province] = {}
        self.movers_to: dict[Province, list[Province]] = {}
        self.convoyers: dict[Province, set[Province]] = {}
        """Army → the fleets told to carry it to its goal."""
        self.by_convoy: set[Province] = set()
        self.safe: dict[Province, bool] = {}
        """Of those, the armies whose convoy nobody attacks: whether it reaches the goal."""
        self.walkers: set[Province] = set()
        """Of those, the armies that walk if nobody carries them."""
        self.fitting: set[Province] = set()
        """The supports that fit the other order, as far as can be told before anything is resolved."""
        self.hold_supports: dict[Province, list[Province]] = {}
        self.move_supports: dict[Province, list[Province]] = {}
        self.converted: dict[Province, list[Province]] = {}
        """Unit → the supports of its own power for attacks on it, which turned to its defense."""
        self.answers: dict[Province, bool | None] = {}
        """Province → the answer to its question; None while it is being asked."""
        self.open: set[Province] = set()
        """The fleets of which it is not known yet whether they stay, while convoys are being settled."""
        self.disrupted: set[Province] = set()
        """Armies whose convoy is disrupted by Szykman's rule."""
        self._fit_together()
        self._answer_what_nobody_contests()
        self._settle_convoys()

    # What fits together, before anything is resolved

    def _fit_together(self) -> None:
        goals, movers_to, walkable = self.goal, self.movers_to, self.map.army_borders
        helpers: list[tuple[Province, Support | Convoy]] = []
        for place, order in self.orders.items():
            if isinstance(order, Move):
                goal = goals[place] = order.goal
                if goal in movers_to:
                    movers_to[goal].append(place)
                else:
                    movers_to[goal] = [place]
                if order.unit.kind is _ARMY and (order.by_convoy or goal not in walkable[place]):
                    self.by_convoy.add(place)
            elif not isinstance(order, Hold):
                helpers.append((place, order))
        for place, helper in helpers:
            if isinstance(helper, Convoy):
                if self._is_matched(helper):
                    self.convoyers.setdefault(helper.army.province, set()).add(place)
            elif self._may_count(helper):
                self.fitting.add(place)
                table = self.hold_supports if helper.to is None else self.move_supports
                table.setdefault(helper.supported.province, []).append(place)
                if self.options.support_conversion is not SupportConversion.NONE:
                    self._convert(place, helper)
        self.by_convoy.update(army for army in self.convoyers if self._wants_convoy(army))
        if self.options.convoy_fallback is ConvoyFallback.LAND:
            self.walkers.update(army for army in self.by_convoy if goals[army] in walkable[army])

    def _wants_convoy(self, place: Province) -> bool:
        """Whether an army that could walk, and does not say VIA, goes by convoy all the same."""
        fleets = self.convoyers[place]
        match self.options.convoy_intent:
            case ConvoyIntent.EXPLICIT:
                return False
            case ConvoyIntent.IMPLICIT:
                wished = True
            case ConvoyIntent.INTENT:
                wished = any(self.power[fleet] == self.power[place] for fleet in fleets)
        return wished and has_route(self.map, fleets, place, self.goal[place])

    def _may_count(self, support: Support) -> bool:
        """Whether it fits the other order, as far as can be told before anything is resolved."""
        told = self.orders.get(support.supported.province)
        if support.to is not None:
            # A support need not name the coast, but a coast that is named must be the move's (DATC 4.B.4).
            return isinstance(told, Move) and support.to in (told.to, told.goal)
        if isinstance(told, Move):
            return self.options.hold_support_of_failed_move is HoldSupportOfFailedMove.COUNTS
        if isinstance(told, Support | Convoy):
            return self.options.support_of_nonholding is SupportOfNonholding.ANY_UNMOVED_UNIT
        return True

    def _is_matched(self, order: Support | Convoy) -> bool:
        if isinstance(order, Convoy):
            return self.goal.get(order.army.province) == province_of(order.to)
        if order.unit.province not in self.fitting:
            return False
        return order.to is not None or order.target not in self.goal or not self.yes(order.target)

    def _convert(self, place: Province, support: Support) -> None:
        mover = support.supported.province
        target = self.goal.get(mover) if support.to is not None else None
        if target is None or self.power.get(target) != self.power[place]:
            return
        if self.options.support_conversion is SupportConversion.ALL or self.power[mover] == self.power[place]:
            self.converted.setdefault(target, []).append(place)

    def _answer_what_nobody_contests(self) -> None:
        """Most questions of a phase are no questions."""
        unmoved = self.orders.keys() - self.goal.keys() - self.movers_to.keys()
        self.answers = dict.fromkeys(unmoved, True)
        for army in self.by_convoy:
            fleets = self.convoyers.get(army, _NO_PROVINCES)
            if fleets <= unmoved:
                self.safe[army] = has_route(self.map, fleets, army, self.goal[army])
            else:
                self.open |= fleets - unmoved
        for goal, movers in self.movers_to.items():
            if len(movers) == 1 and goal not in self.power:
                mover = movers[0]
                if mover not in self.by_convoy or self.safe.get(mover):
                    self.answers[mover] = True

    def _settle_convoys(self) -> None:
        """Whether the attacked fleets stay that carry an army."""
        while self.open:
            stays, paradox = settle({fleet: table(self._stays(fleet)) for fleet in self.open})
            self.answers.update(stays)
            self.open -= stays.keys()
            # Szykman: the convoys of a paradox fail, nothing else.
            self.disrupted.update(army for army, fleets in self.convoyers.items() if fleets & paradox)

    def _stays(self, fleet: Province) -> Callable[[Answers], bool]:
        """Whether the fleet stays, given answers about others."""

        def ask(given: Answers) -> bool:
            settled = self.answers
            self.answers = {**settled, **given}
            try:
                return self._decide(fleet)
            finally:
                self.answers = settled

        return ask

    # Questions: one per province whose unit has an order that can fail

    def yes(self, place: Province) -> bool:
        """Whether the move succeeds, the support is given, the convoying or holding unit stays."""
        if place in self.answers:
            known = self.answers[place]
            return self._step_on(place) if known is None else known
        if place in self.open:
            raise OpenQuestionError(place)
        self.answers[place] = None
        answer = self.answers[place] = self._decide(place)
        return answer

    def _step_on(self, place: Province) -> bool:
        """A circle of moves: each succeeds if it would once the next one is gone, and the next one goes."""
        circle = [place]
        while (following := self.goal[circle[-1]]) != place:
            circle.append(following)
        self.answers[place] = True
        for _ in range(2):  # the second time round, everybody knows whether the first one is stopped
            for member in reversed(circle):
                self.answers[member] = self._decide(member)
        return self.answers[place] is True

    def _decide(self, place: Province) -> bool:
        if place in self.goal:
            return self._move_succeeds(place)
        order = self.orders.get(place)
        attackers = self.movers_to.get(place, ())
        if isinstance(order, Support):
            return not any(self._cuts(attacker, order) for attacker in attackers)
        return not any(self.yes(attacker) for attacker in attackers)

    def _move_succeeds(self, place: Province) -> bool:
        goal = self.goal[place]
        attack = self.attack_strength(place)
        if attack == 0:
            return False
        if goal in self.power:
            opposing = self.defend_strength(goal) if self._head_to_head(place) else self.hold_strength(goal)
            if attack < opposing or (attack == opposing and not self._yields_to_equals(goal)):
                return False
        rivals = self.movers_to[goal]
        return len(rivals) == 1 or all(attack > self.prevent_strength(rival) for rival in rivals if rival != place)

    def _yields_to_equals(self, place: Province) -> bool:
        if self.options.defense_points is DefensePoints.EQUAL:
            return False
        order = self.orders.get(place)
        return isinstance(order, Convoy) and self._is_matched(order)

    def _cuts(self, attacker: Province, support: Support) -> bool:
        place = support.unit.province
        own = self.power[attacker] == self.power[place]
        if own and self.options.own_attack_cuts_support is OwnAttackCutsSupport.NO:
            return False
        target = support.target
        if attacker == target and self.options.support_cut_from_target is SupportCutFromTarget.NO:
            return self.yes(attacker)  # only by dislodging (R-CUT-2)
        if support.to is not None and attacker in self.by_convoy and self._spares_attack_on(attacker, target):
            return False
        return self.path(attacker)

    def _spares_attack_on(self, army: Province, fleet: Province) -> bool:
        """Whether the convoyed army cannot cut support for an attack on a fleet of its own convoy (R-CON-8)."""
        fleets = self.convoyers.get(army, _NO_PROVINCES)
        if fleet not in fleets or self.options.convoy_paradox is ConvoyParadox.SZYKMAN:
            return False
        every_needed = self.options.convoy_multi_route is ConvoyMultiRoute.EVERY_ROUTE_NEEDED
        if every_needed or self.options.convoy_paradox is ConvoyParadox.ANY_CONVOYING_FLEET:
            return True
        others = {other for other in sorted(fleets) if other != fleet and self.yes(other)}
        return not has_route(self.map, others, army, self.goal[army])

    # Strengths (DATC 5.B)

    def path(self, place: Province) -> bool:
        """Whether the unit has a way to its goal."""
        return place not in self.by_convoy or place in self.walkers or self._carried(place)

    def _by_land(self, place: Province) -> bool:
        return place not in self.by_convoy or (place in self.walkers and not self._carried(place))

    def _carried(self, place: Province) -> bool:
        safe = self.safe.get(place)
        if safe is not None:
            return safe
        if place in self.disrupted:
            return False
        return self._chain_holds(place)

    def _chain_holds(self, place: Province) -> bool:
        fleets = self.convoyers.get(place, _NO_PROVINCES)
        goal = self.goal[place]
        if not has_route(self.map, fleets, place, goal):
            return False
        staying = {fleet for fleet in sorted(fleets) if self.yes(fleet)}
        if self.options.convoy_multi_route is ConvoyMultiRoute.EVERY_ROUTE_NEEDED:
            return on_some_route(self.map, fleets, place, goal) <= staying
        return has_route(self.map, staying, place, goal)

    def _head_to_head(self, place: Province) -> bool:
        goal = self.goal[place]
        return self.goal.get(goal) == place and (not self.by_convoy or (self._by_land(place) and self._by_land(goal)))

    def _given(self, supports: Sequence[Province], unless: Power | None = None) -> int:
        given = 0
        for place in supports:
            if self.power[place] != unless and self.yes(place):
                given += 1
        return given

    def attack_strength(self, place: Province) -> int:
        """1 and the supports; none against a unit of one's own power, nor help from the attacked power."""
        if place in self.by_convoy and not self.path(place):
            return 0
        goal = self.goal[place]
        supports = self.move_supports.get(place)
        defender = self.power.get(goal)
        if defender is not None and not (goal in self.goal and not self._head_to_head(place) and self.yes(goal)):
            if defender == self.power[place]:
                return 0
            return 1 + self._given(supports, unless=defender) if supports else 1
        return 1 + self._given(supports) if supports else 1

    def defend_strength(self, place: Province) -> int:
        """Of a unit in a head-to-head battle: 1 and the supports of its move."""
        return 1 + self._given(self.move_supports[place]) if place in self.move_supports else 1

    def prevent_strength(self, place: Province) -> int:
        """With which a mover keeps others out of its goal."""
        return self.defend_strength(place) if self._prevents(place) else 0

    def _prevents(self, place: Province) -> bool:
        if place in self.by_convoy and not self.path(place):
            return False
        return not (self._head_to_head(place) and self.yes(self.goal[place]))

    def hold_strength(self, place: Province) -> int:
        """With which a province resists being entered."""
        if place not in self.power or (place in self.goal and self.yes(place)):
            return 0
        supports = self.hold_supports.get(place)
        strength = 1 + self._given(supports) if supports else 1
        if place in self.converted:
            strength += self._given(self.converted[place])
        return strength

    # The result

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
        fleets = self.convoyers.get(place, _NO_PROVINCES)
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

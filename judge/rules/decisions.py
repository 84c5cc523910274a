"""The decisions of a movement phase: moves, supports, and fleets that stay.

Every order is a yes-or-no question: does the move succeed, is the support given, does the unit stay? An answer
may depend on others. A circular dependency arises in two ways only:

* Moves in a circle. Each waits for the next. All succeed, unless one is stopped by something else.
* Convoys. Whether a fleet stays may depend on support that is cut by an army that comes by sea. These
  questions are settled before all others, by tables (`judge.rules.paradoxes`). Where they contradict
  each other the convoys are disrupted (Szykman's rule, DATC 4.A.2).

Functions are named after the decisions of the DATC, chapter 5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from judge.rules.convoys import has_route, on_some_route
from judge.rules.legality import Referee
from judge.rules.options import (
    ConvoyFallback,
    ConvoyIntent,
    ConvoyMultiRoute,
    ConvoyParadox,
    DefensePoints,
    HoldSupportOfFailedMove,
    OwnAttackCutsSupport,
    SupportConversion,
    SupportCutFromTarget,
    SupportOfNonholding,
)
from judge.rules.orders import Convoy, Hold, Move, MovementOrder, Support
from judge.rules.outcomes import Strength
from judge.rules.paradoxes import Answers, OpenQuestionError, settle, table
from judge.rules.position import Power, Province, UnitKind, province_of

_ARMY: Final = UnitKind.ARMY
NO_PROVINCES: Final[frozenset[Province]] = frozenset()


class Decisions:
    """One movement phase being resolved; every question is answered once and cached."""

    def __init__(self, referee: Referee, orders: dict[Province, MovementOrder]) -> None:
        self.map = referee.map
        self.position = referee.position
        self.options = referee.options
        self.circumstances = referee.circumstances
        self.standing = referee.standing
        self.power = referee.owners
        self.silent = referee.silent
        self.orders = orders
        """Province → the order of its unit; a unit without an entry holds."""
        self.counts_points = referee.options.defense_points is DefensePoints.POINTS
        self.converts = referee.options.support_conversion is not SupportConversion.NONE
        self.goal: dict[Province, Province] = {}
        self.movers_to: dict[Province, list[Province]] = {}
        self.convoyers: dict[Province, set[Province]] = {}
        """Army → the fleets told to carry it to its goal."""
        self.by_convoy: set[Province] = set()
        self.safe: dict[Province, bool] = {}
        """Army in `by_convoy` with no fleet attacked → whether it reaches its goal."""
        self.walkers: set[Province] = set()
        """The armies in `by_convoy` that walk if they are not carried."""
        self.helpers: list[Support | Convoy] = []
        """The orders to support or to convoy."""
        self.unmatched: set[Province] = set()
        """Units whose support or convoy fits no order of the other unit, as first matched."""
        self.hold_supports: dict[Province, list[Province]] = {}
        self.move_supports: dict[Province, list[Province]] = {}
        self.converted: dict[Province, list[Province]] = {}
        """Unit → supports by its own power for attacks on it, turned into hold support."""
        self.answers: dict[Province, bool | None] = {}
        """Province → the answer to its question; None while it is being asked."""
        self.open: set[Province] = set()
        """Fleets not yet known to stay, while convoys are being settled."""
        self.disrupted: set[Province] = set()
        """Armies whose convoy is disrupted by Szykman's rule."""
        self._fit_together()
        self._answer_what_nobody_contests()
        self._settle_convoys()

    # Matching of orders, before anything is resolved

    def _fit_together(self) -> None:
        goals, movers_to, walkable = self.goal, self.movers_to, self.map.army_steps
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
                self.helpers.append(order)
        for helper in self.helpers:
            if isinstance(helper, Convoy):
                self._match_convoy(helper)
            else:
                self._match_support(helper)
        self.by_convoy.update(army for army in self.convoyers if self._wants_convoy(army))
        if self.by_convoy and self.options.convoy_fallback is ConvoyFallback.LAND:
            self.walkers.update(army for army in self.by_convoy if goals[army] in walkable[army])

    def _match_convoy(self, convoy: Convoy) -> None:
        army = convoy.army.province
        if self.goal.get(army) == province_of(convoy.to):
            self.convoyers.setdefault(army, set()).add(convoy.unit.province)
        else:
            self.unmatched.add(convoy.unit.province)

    def _match_support(self, support: Support) -> None:
        place, other = support.unit.province, support.supported.province
        ordered = self.orders.get(other)
        if support.to is not None:
            # A support need not name the coast, but a coast it names must be the move's (DATC 4.B.4).
            if not isinstance(ordered, Move) or support.to not in (ordered.to, ordered.goal):
                self.unmatched.add(place)
                return
            self.move_supports.setdefault(other, []).append(place)
            if self.converts:
                self._convert(support, ordered.goal)
        elif ordered is None or isinstance(ordered, Hold) or self._can_be_held_with(ordered):
            self.hold_supports.setdefault(other, []).append(place)
        else:
            self.unmatched.add(place)

    def _can_be_held_with(self, ordered: Move | Support | Convoy) -> bool:
        """Whether a unit ordered to do something other than hold can be hold-supported."""
        if isinstance(ordered, Move):
            return self.options.hold_support_of_failed_move is not HoldSupportOfFailedMove.VOID
        match self.options.support_of_nonholding:
            case SupportOfNonholding.ANY_UNMOVED_UNIT:
                return True
            case SupportOfNonholding.HOLDS_AND_MOVES_ONLY:
                return False
            case SupportOfNonholding.HOLDS_MOVES_AND_CUT_SUPPORTS:
                return isinstance(ordered, Support)

    def _convert(self, support: Support, target: Province) -> None:
        place, mover = support.unit.province, support.supported.province
        if self.power.get(target) == self.power[place] and (
            self.options.support_conversion is SupportConversion.ALL or self.power[mover] == self.power[place]
        ):
            self.converted.setdefault(target, []).append(place)

    def _wants_convoy(self, place: Province) -> bool:
        """Whether an army that could walk goes by convoy without saying VIA."""
        fleets = self.convoyers[place]
        match self.options.convoy_intent:
            case ConvoyIntent.EXPLICIT:
                return False
            case ConvoyIntent.IMPLICIT:
                wished = True
            case ConvoyIntent.INTENT:
                wished = any(self.power[fleet] == self.power[place] for fleet in fleets)
        return wished and has_route(self.map, fleets, place, self.goal[place])

    def _answer_what_nobody_contests(self) -> None:
        """Answer the questions that need no comparison of strengths; these are most of them."""
        for helper in self.helpers:
            if helper.unit.province not in self.movers_to:
                self.answers[helper.unit.province] = True
        for army in self.by_convoy:
            fleets = self.convoyers.get(army, NO_PROVINCES)
            attacked = fleets.intersection(self.movers_to)
            if attacked:
                self.open |= attacked
            else:
                self.safe[army] = has_route(self.map, fleets, army, self.goal[army])
        for goal, movers in self.movers_to.items():
            self._answer_where_all_is_plain(goal, movers)

    def _answer_where_all_is_plain(self, goal: Province, movers: Sequence[Province]) -> None:
        answers, helped = self.answers, self.move_supports
        if goal not in self.power:
            if len(movers) > 1:
                if helped.keys().isdisjoint(movers) and self.by_convoy.isdisjoint(movers):
                    answers.update(dict.fromkeys(movers, False))
            elif movers[0] not in self.by_convoy or self.safe.get(movers[0]):
                answers[movers[0]] = True
        elif goal not in self.goal and not self.counts_points:
            for mover in movers:
                if mover not in helped:
                    answers[mover] = False

    def _settle_convoys(self) -> None:
        """Decide whether the attacked fleets that carry an army stay."""
        while self.open:
            stays, paradox = settle({fleet: table(self._asking(fleet)) for fleet in self.open})
            self.answers.update(stays)
            self.open -= stays.keys()
            # Szykman: the convoys of a paradox fail, and nothing else does.
            self.disrupted.update(army for army, fleets in self.convoyers.items() if fleets & paradox)

    def _asking(self, fleet: Province) -> Callable[[Answers], bool]:
        """Return a function that says whether the fleet stays, given answers about others."""

        def ask(given: Answers) -> bool:
            settled = self.answers
            self.answers = {**settled, **given}
            try:
                return self._stays(fleet)
            finally:
                self.answers = settled

        return ask

    # Questions: one per province whose unit has an order that can fail

    def yes(self, place: Province) -> bool:
        """Whether the move succeeds, the support is given, the convoying or holding unit stays."""
        answers = self.answers
        if place in answers:
            known = answers[place]
            return self._step_on(place) if known is None else known
        if place in self.open:
            raise OpenQuestionError(place)
        answers[place] = None
        answer = answers[place] = self._move_succeeds(place) if place in self.goal else self._stays(place)
        return answer

    def _step_on(self, place: Province) -> bool:
        """Decide the moves of a circle; return the answer for `place`.

        Each move succeeds if it would once the next unit has left, and the next unit leaves.
        """
        circle = [place]
        while (following := self.goal[circle[-1]]) != place:
            circle.append(following)
        self.answers[place] = True
        for _ in range(2):  # in the second round every move knows whether the first one is stopped
            for member in reversed(circle):
                self.answers[member] = self._move_succeeds(member)
        return self.answers[place] is True

    def _stays(self, place: Province) -> bool:
        """Whether a support is given, or a unit that convoys or holds is not dislodged."""
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
        if goal in self.power and not self.beats(place, attack, self.defense_against(place)):
            return False
        rivals = self.movers_to[goal]
        return len(rivals) == 1 or all(attack > self.prevent_strength(rival) for rival in rivals if rival != place)

    def beats(self, place: Province, attack: Strength, defense: Strength) -> bool:
        """Whether a move of that strength beats the unit in its goal, head-on or there."""
        return attack > defense or (attack == defense and self.counts_points and not self._head_to_head(place))

    def _cuts(self, attacker: Province, support: Support) -> bool:
        """Whether the attack ends the support."""
        if self._cuts_by_dislodging_alone(attacker, support):
            return self._may_cut(attacker, support) and self.yes(attacker)
        return self._cuts_by_attacking(attacker, support)

    def _cuts_by_attacking(self, attacker: Province, support: Support) -> bool:
        """Whether the attack ends the support, successful or not."""
        if self._cuts_by_dislodging_alone(attacker, support) or not self._may_cut(attacker, support):
            return False
        target = support.target
        if support.to is not None and attacker in self.by_convoy and self._spares_attack_on(attacker, target):
            return False
        return self.path(attacker)

    def _cuts_by_dislodging_alone(self, attacker: Province, support: Support) -> bool:
        """Whether the attack comes from where the support goes (R-CUT-2)."""
        return attacker == support.target and self.options.support_cut_from_target is SupportCutFromTarget.NO

    def _may_cut(self, attacker: Province, support: Support) -> bool:
        own = self.power[attacker] == self.power[support.unit.province]
        return not own or self.options.own_attack_cuts_support is OwnAttackCutsSupport.YES

    def _spares_attack_on(self, army: Province, fleet: Province) -> bool:
        """Whether the convoyed army cannot cut support for an attack on its own convoy (R-CON-8).

        `fleet` is the attacked fleet.
        """
        fleets = self.convoyers.get(army, NO_PROVINCES)
        if fleet not in fleets or self.options.convoy_paradox is ConvoyParadox.SZYKMAN:
            return False
        every_needed = self.options.convoy_multi_route is ConvoyMultiRoute.EVERY_ROUTE_NEEDED
        if every_needed or self.options.convoy_paradox is ConvoyParadox.ANY_CONVOYING_FLEET:
            return True
        others = {other for other in sorted(fleets) if other != fleet and self.yes(other)}
        return not has_route(self.map, others, army, self.goal[army])

    # Strengths (DATC 5.B): numbers of units, with halves where a source counts points (`DefensePoints`)

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
        fleets = self.convoyers.get(place, NO_PROVINCES)
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
        """Return 1 plus the supports that count; 0 if it cannot attack.

        It cannot without a path, or against a unit of its own power that stays. Support by the attacked power does not
        count.
        """
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
        """Return the strength of a move in a head-to-head battle: 1 plus its supports."""
        return 1 + self._given(self.move_supports[place]) if place in self.move_supports else 1

    def defense_against(self, place: Province) -> Strength:
        """Return the strength a move has to beat in its goal, head-on or at home."""
        goal = self.goal[place]
        if not self._head_to_head(place):
            return self.hold_strength(goal)
        on_the_way = self.defend_strength(goal)
        counts_head_on = self.options.hold_support_of_failed_move is HoldSupportOfFailedMove.COUNTS_HEAD_ON_TOO
        if not counts_head_on or self.answers.get(goal):  # it got through, which takes more
            return on_the_way
        return max(on_the_way, self._strength_at_home(goal))  # it fights twice, and never adds the two strengths

    def prevent_strength(self, place: Province) -> int:
        """Return the strength with which a mover keeps others out of its goal."""
        return self.defend_strength(place) if self.prevents(place) else 0

    def prevents(self, place: Province) -> bool:
        """Whether a mover keeps others out of its goal at all."""
        if place in self.by_convoy and not self.path(place):
            return False
        return not (self._head_to_head(place) and self.yes(self.goal[place]))

    def hold_strength(self, place: Province) -> Strength:
        """Return the strength with which a province resists being entered."""
        if place not in self.power or (place in self.goal and self.yes(place)):
            return 0
        return self._strength_at_home(place)

    def _strength_at_home(self, place: Province) -> Strength:
        """Return the strength of a unit that stays, or whose move failed."""
        strength: Strength = 1.5 if self.counts_points and not self._carries(place) else 1
        if place in self.hold_supports and self.can_be_helped_to_hold(place):
            strength += self._given(self.hold_supports[place])
        if place in self.converted:
            strength += self._given(self.converted[place])
        return strength

    def _carries(self, place: Province) -> bool:
        return isinstance(self.orders.get(place), Convoy) and place not in self.unmatched

    def can_be_helped_to_hold(self, place: Province) -> bool:
        """Whether hold support counts for a unit that stays or whose move failed."""
        order, options = self.orders.get(place), self.options
        if isinstance(order, Move):
            too = options.hold_support_of_failed_move is HoldSupportOfFailedMove.COUNTS_HEAD_ON_TOO
            return too or not self._lost_head_on(place)
        if isinstance(order, Support) and options.support_of_nonholding is not SupportOfNonholding.ANY_UNMOVED_UNIT:
            return any(self._cuts_by_attacking(attacker, order) for attacker in self.movers_to.get(place, ()))
        return True

    def _lost_head_on(self, place: Province) -> bool:
        """Whether its head-on opponent is known to succeed, which keeps all others out."""
        opponent = self.goal[place]
        return bool(self.answers.get(opponent)) and self._head_to_head(place)

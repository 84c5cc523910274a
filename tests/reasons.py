"""Check the reasons of an adjudication, from the orders and their outcomes alone.

Nothing here asks the adjudicator: a support counts if its verdict says that it was given, a unit left if its verdict
says that it moved. Where an army may have gone by land or by sea, whatever its orders say, either is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.rules import Circumstances, Map, Options, Position, Power, Province, Resolution, Unit, adjudicate
from judge.rules.convoys import on_some_route
from judge.rules.options import (
    DefensePoints,
    HoldSupportOfFailedMove,
    OwnAttackCutsSupport,
    SupportConversion,
    SupportCutFromTarget,
)
from judge.rules.orders import Convoy, Move, Support
from judge.rules.outcomes import (
    Bounced,
    Cut,
    Dislodged,
    Disrupted,
    Illegal,
    NoConvoy,
    NotCarried,
    Outcome,
    Unmatched,
    Verdict,
)
from judge.rules.position import UnitKind
from tests.nasty import Orders


def check_reasons(position: Position, orders: Orders, options: Options, circumstances: Circumstances, map_: Map) -> int:
    """Check every reason in a movement phase; return how many of them state strengths."""
    stated = _Told(map_, options, position, adjudicate(map_, position, orders, options, circumstances))
    return sum(stated.check(place) for place in stated.verdicts)


class _Told:
    """A movement phase as its verdicts describe it."""

    def __init__(self, map_: Map, options: Options, position: Position, resolution: Resolution) -> None:
        self.map, self.options = map_, options
        self.units = {unit.province: unit for unit in position.units}
        self.power = {unit.province: power for unit, power in position.units.items()}
        self.verdicts: dict[Province, Verdict] = {}
        for verdict in resolution.verdicts:
            unit = getattr(verdict.order, "unit", None)
            if isinstance(unit, Unit) and not _has(verdict, Illegal) and self.power.get(unit.province) == verdict.power:
                self.verdicts.setdefault(unit.province, verdict)
        self.goal = {
            place: verdict.order.goal for place, verdict in self.verdicts.items() if isinstance(verdict.order, Move)
        }
        self.left = {place for place in self.goal if self.verdicts[place].succeeded}
        self.given = [
            verdict.order
            for verdict in self.verdicts.values()
            if isinstance(verdict.order, Support) and not _has(verdict, Cut, Unmatched)
        ]
        """The supports that count.

        A unit's support counts also if it was dislodged by an army whose own convoy was attacked (R-CON-8).
        """

    def check(self, place: Province) -> int:
        """Check the reasons of one verdict; return how many of them state strengths."""
        verdict = self.verdicts[place]
        for outcome in verdict.outcomes:
            context = f"{verdict.order}: {outcome}"
            match outcome:
                case Bounced():
                    assert any(self._stopped(place, outcome, head_on) for head_on in self._head_on(place)), context
                case Dislodged():
                    assert any(
                        self._lost(place, outcome, head_on) for head_on in self._head_on(outcome.attacked_from)
                    ), context
                case Cut():
                    assert self._was_cut(place, outcome), context
                case Unmatched():
                    assert self._fits_nothing(place, outcome), context
                case Disrupted():
                    assert all(_has(self.verdicts[fleet.province], Dislodged) for fleet in outcome.fleets), context
                    assert self._could_carry(place, outcome), context
                case _:
                    pass
        if isinstance(verdict.order, Support) and verdict.order in self.given:
            assert self._was_given(verdict.order), str(verdict.order)
        return sum(isinstance(outcome, Bounced | Dislodged) for outcome in verdict.outcomes)

    # Moves

    def _stopped(self, place: Province, outcome: Bounced, head_on: bool) -> bool:  # noqa: FBT001
        """Whether exactly these units stop the move, with these strengths."""
        attack, full = self._attack(place, head_on), self._full(place)
        if outcome.strength != (attack if outcome.own_unit else full) or (outcome.own_unit and attack == full):
            return False
        at = self.goal[place]
        stopping: dict[Province, float] = {}
        perhaps: set[Province] = set()
        if at in self.power and (head_on or at not in self.left):
            defense = self._defense(at, head_on)
            yields = self.options.defense_points is DefensePoints.POINTS and not head_on
            if defense > outcome.strength or (defense == outcome.strength and not yields):
                stopping[at] = defense
        if outcome.strength:  # else its own unit stops it, whatever others would do
            for rival, surely in self._rivals(place):
                if self._full(rival) >= outcome.strength:
                    stopping[rival] = self._full(rival)
                    perhaps |= set() if surely else {rival}
        by = {unit.province for unit in outcome.by}
        certain = stopping.keys() - perhaps
        strongest = {place for place, strength in stopping.items() if strength == outcome.against}
        return (
            outcome.at == at
            and bool(by)
            and strongest & certain <= by <= strongest
            and all(self.units[unit.province] == unit for unit in outcome.by)
            and all(stopping[one] <= outcome.against for one in certain)
        )

    def _lost(self, place: Province, outcome: Dislodged, head_on: bool) -> bool:  # noqa: FBT001
        """Whether that unit came in, with these strengths."""
        origin = outcome.attacked_from
        attack, defense = self._attack(origin, head_on), self._defense(place, head_on)
        enters_with_equals = self.options.defense_points is DefensePoints.POINTS and not head_on
        return (
            self.units[origin] == outcome.by
            and origin in self.left
            and self.goal[origin] == place
            and (outcome.strength, outcome.against) == (attack, defense)
            and (attack > defense or (attack == defense and enters_with_equals))
        )

    def _rivals(self, place: Province) -> Iterator[tuple[Province, bool]]:
        """Yield the other units that come to the goal, each with whether it surely blocks.

        A unit that was beaten on the way there by the unit of the goal does not.
        """
        for rival, goal in self.goal.items():
            verdict = self.verdicts[rival]
            if goal != self.goal[place] or rival == place or not self._arrives(rival):
                continue
            beaten = any(isinstance(o, Dislodged) and o.attacked_from == goal for o in verdict.outcomes)
            met = set(self._head_on(rival)) if beaten else {False}
            if False in met:
                yield rival, True not in met

    def _could_carry(self, place: Province, outcome: Disrupted) -> bool:
        """Whether each named fleet was ordered to carry the army.

        It must be part of a chain that needs it.
        """
        move = self.verdicts[place].order
        if not isinstance(move, Move):
            return True
        orders = [verdict.order for verdict in self.verdicts.values()]
        told = frozenset(
            order.unit.province
            for order in orders
            if isinstance(order, Convoy) and order.army == move.unit and order.to == move.to
        )
        return {fleet.province for fleet in outcome.fleets} <= on_some_route(self.map, told, place, move.goal)

    def _arrives(self, place: Province) -> bool:
        return not _has(self.verdicts[place], NotCarried, NoConvoy, Disrupted)

    def _head_on(self, place: Province) -> Iterable[bool]:
        """Whether a unit meets the unit of its goal on the way.

        Both answers are returned where an army may go by sea.
        """
        goal = self.goal[place]
        if self.goal.get(goal) != place:
            return (False,)
        seaborne = {self._by_sea(place), self._by_sea(goal)}
        return (False,) if True in seaborne else (True,) if seaborne == {False} else (True, False)

    def _by_sea(self, place: Province) -> bool | None:
        """Whether an army goes by sea; None if it may or may not."""
        order = self.verdicts[place].order
        assert isinstance(order, Move)
        if order.unit.kind is UnitKind.FLEET:
            return False
        if order.goal not in self.map.army_steps[place]:
            return True
        carried = any(
            isinstance(verdict.order, Convoy) and verdict.order.army.province == place and not _has(verdict, Unmatched)
            for verdict in self.verdicts.values()
        )
        return None if order.by_convoy or carried else False

    # Strengths

    def _full(self, place: Province) -> int:
        return 1 + sum(support.to is not None and support.supported.province == place for support in self.given)

    def _attack(self, place: Province, head_on: bool) -> int:  # noqa: FBT001
        """Return the attack strength, less supports that do not count against the goal's unit.

        This matters if the unit of the goal stays there or comes the other way.
        """
        goal = self.goal[place]
        owner = self.power.get(goal)
        if owner is None or (goal in self.left and not head_on):
            return self._full(place)
        if owner == self.power[place]:
            return 0
        return self._full(place) - sum(
            support.to is not None and support.supported.province == place and self._of(support) == owner
            for support in self.given
        )

    def _defense(self, place: Province, head_on: bool) -> float:  # noqa: FBT001
        order, points = self.verdicts[place].order if place in self.verdicts else None, self.options.defense_points
        carries = isinstance(order, Convoy) and not _has(self.verdicts[place], Unmatched)
        home = 1.5 if points is DefensePoints.POINTS and not carries else 1
        home += sum(self._holds(support, place) or self._turned_to(support, place) for support in self.given)
        if not head_on:
            return home
        if self.options.hold_support_of_failed_move is HoldSupportOfFailedMove.COUNTS_HEAD_ON_TOO:
            return max(self._full(place), home)
        return self._full(place)

    def _holds(self, support: Support, place: Province) -> bool:
        return support.to is None and support.supported.province == place

    def _turned_to(self, support: Support, place: Province) -> bool:
        """Whether support for a move against the supporter's own unit defends that unit (003 §6.3)."""
        if support.to is None or support.target != place or self._of(support) != self.power.get(place):
            return False
        match self.options.support_conversion:
            case SupportConversion.NONE:
                return False
            case SupportConversion.OWN_MOVES:
                return self.power[support.supported.province] == self._of(support)
            case SupportConversion.ALL:
                return True

    def _of(self, support: Support) -> Power:
        return self.power[support.unit.province]

    # Supports

    def _was_cut(self, place: Province, outcome: Cut) -> bool:
        support, attacker = self.verdicts[place].order, outcome.by.province
        assert isinstance(support, Support)
        if self.goal.get(attacker) != place or not self._arrives(attacker):
            return False
        own = self.power[attacker] == self.power[place]
        if own and self.options.own_attack_cuts_support is OwnAttackCutsSupport.NO:
            return False
        from_target = attacker == support.target and self.options.support_cut_from_target is SupportCutFromTarget.NO
        return attacker in self.left or not from_target

    def _was_given(self, support: Support) -> bool:
        """Whether a support that is said to be given could be given.

        No attack by land cuts it, and it fits what the supported unit did.
        """
        place, other = support.unit.province, support.supported.province
        for attacker in (attacker for attacker, goal in self.goal.items() if goal == place):
            own = self.power[attacker] == self.power[place]
            if own and self.options.own_attack_cuts_support is OwnAttackCutsSupport.NO:
                continue
            from_target = attacker == support.target and self.options.support_cut_from_target is SupportCutFromTarget.NO
            if self._by_sea(attacker) is False and (attacker in self.left or not from_target):
                return False
        if support.to is not None:
            return self.goal.get(other) == support.target
        return other not in self.left and not self._was_beaten_on_the_way(other)

    def _was_beaten_on_the_way(self, place: Province) -> bool:
        """Whether a unit lost a head-on battle in which hold support does not count."""
        losses = [o for o in self.verdicts[place].outcomes if isinstance(o, Dislodged)] if place in self.goal else []
        too = self.options.hold_support_of_failed_move is HoldSupportOfFailedMove.COUNTS_HEAD_ON_TOO
        return not too and any(set(self._head_on(loss.attacked_from)) == {True} for loss in losses)

    def _fits_nothing(self, place: Province, outcome: Unmatched) -> bool:
        """Whether the other unit was told this, and not what should have been helped."""
        helper, other = self.verdicts[place].order, outcome.other.province
        order = self.verdicts[other].order if other in self.verdicts and self.verdicts[other].given else None
        if outcome.instead != order or self.units[other] != outcome.other:
            return False
        assert isinstance(helper, Support | Convoy)
        return helper.to is None or not isinstance(order, Move) or helper.to != order.to


def _has(verdict: Verdict, *kinds: type[Outcome]) -> bool:
    return any(isinstance(outcome, kinds) for outcome in verdict.outcomes)

"""The movement phase: which moves succeed, which supports are cut, who is dislodged.

Every order is a question with the answer yes or no: does the move succeed, is the support given, does
the convoying fleet stay? An answer may depend on others, and these on the first. A question that
meets itself is guessed both ways: where both guesses lead to the same answer it is the answer; else
the orders form a circle of moves, which succeeds, or a convoy paradox, in which the convoys are
disrupted (Szykman's rule, DATC 4.A.2). Functions are named after the decisions of the DATC, chapter 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import ConvoyIntent, Options, OwnAttackCutsSupport, RetreatToConvoyOrigin, SupportCutFromTarget
from judge.rules.orders import Convoy, Hold, Move, MovementOrder, Order, Support
from judge.rules.outcomes import (
    Bounced,
    Cut,
    Destroyed,
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


def resolve_movement(map_: Map, position: Position, orders: Mapping[Power, Sequence[Order]], options: Options) -> Moved:
    """Adjudicate a movement phase; the first legal order of a unit counts (DATC 6.D, 4.E)."""
    referee = Referee(map_, position, options)
    effective: dict[Province, MovementOrder] = {unit.province: Hold(unit) for unit in position.units}
    judged: list[tuple[Power, Order, Illegal | None]] = []
    ordered: set[Province] = set()
    for power, its_orders in orders.items():
        for order in its_orders:
            meant = referee.meaning(power, order)
            if isinstance(meant, Illegal):
                judged.append((power, order, meant))
            elif isinstance(meant, Hold | Move | Support | Convoy):
                if meant.unit.province in ordered:
                    judged.append((power, order, Illegal(IllegalReason.ORDERED_TWICE, meant.unit.location, meant.unit)))
                    continue
                ordered.add(meant.unit.province)
                effective[meant.unit.province] = meant
                judged.append((power, meant, None))
    return _Movement(map_, position, effective, options).moved(judged)


@dataclass(frozen=True, slots=True)
class _Guess:
    """An answer that holds only if the guess at depth `rests_on` does."""

    answer: bool
    rests_on: int


_NOTHING_GUESSED = 1_000_000


class _Movement:
    """One movement phase while it is being resolved; every question is answered once and remembered."""

    def __init__(
        self, map_: Map, position: Position, orders: Mapping[Province, MovementOrder], options: Options
    ) -> None:
        self.map = map_
        self.position = position
        self.options = options
        self.orders = orders
        self.power = {unit.province: power for unit, power in position.units.items()}
        self.moves = {place: order for place, order in orders.items() if isinstance(order, Move)}
        self.goal = {place: province_of(move.to) for place, move in self.moves.items()}
        self.movers_to: dict[Province, list[Province]] = {}
        for place, goal in self.goal.items():
            self.movers_to.setdefault(goal, []).append(place)
        self.convoyers: dict[Province, frozenset[Province]] = self._matching_convoys()
        self.by_convoy = frozenset(place for place, move in self.moves.items() if self._goes_by_convoy(place, move))
        self.hold_supports: dict[Province, list[Province]] = {}
        self.move_supports: dict[Province, list[Province]] = {}
        for place, order in orders.items():
            if isinstance(order, Support) and self._is_matched(order):
                table = self.hold_supports if order.to is None else self.move_supports
                table.setdefault(order.supported.province, []).append(place)
        self.answers: dict[Province, bool] = {}
        self.guesses: dict[Province, _Guess] = {}
        self.lowest = _NOTHING_GUESSED
        """Depth of the outermost guess that was used since the question at hand began."""
        self.disrupted: set[Province] = set()
        """Armies whose convoy is disrupted by Szykman's rule."""

    # What fits together, before anything is resolved

    def _matching_convoys(self) -> dict[Province, frozenset[Province]]:
        fleets: dict[Province, set[Province]] = {}
        for place, order in self.orders.items():
            if isinstance(order, Convoy):
                army = order.army.province
                if self.goal.get(army) == province_of(order.to):
                    fleets.setdefault(army, set()).add(place)
        return {army: frozenset(places) for army, places in fleets.items()}

    def _goes_by_convoy(self, place: Province, move: Move) -> bool:
        if move.unit.kind is UnitKind.FLEET:
            return False
        if move.by_convoy or move.to not in self.map.neighbors(move.unit):
            return True
        fleets = self.convoyers.get(place, frozenset())
        match self.options.convoy_intent:
            case ConvoyIntent.EXPLICIT:
                return False
            case ConvoyIntent.IMPLICIT:
                return self._has_route(place, fleets)
            case ConvoyIntent.INTENT:
                wished = any(self.power[fleet] == self.power[place] for fleet in fleets)
                return wished and self._has_route(place, fleets)

    def _has_route(self, army: Province, fleets: frozenset[Province]) -> bool:
        goal = self.goal[army]
        waiting = list(fleets & self.map.sea_borders.get(army, frozenset()))
        seen = set(waiting)
        while waiting:
            here = waiting.pop()
            beyond = self.map.sea_borders.get(here, frozenset())
            if here in self.map.sea_borders[goal]:
                return True
            waiting += (beyond & fleets) - seen
            seen |= beyond
        return False

    def _is_matched(self, order: Support | Convoy) -> bool:
        if isinstance(order, Convoy):
            return self.goal.get(order.army.province) == province_of(order.to)
        move = self.moves.get(order.supported.province)
        if order.to is None or move is None:
            return order.to is None and move is None
        # A support need not name the coast, but a coast that is named must be the move's (DATC 4.B.4).
        return order.to in (move.to, province_of(move.to))

    # Questions: one per province whose unit has an order that can fail

    def yes(self, place: Province) -> bool:
        """Whether the move succeeds, the support is given, the convoying fleet stays."""
        known = self.answers.get(place)
        if known is not None:
            return known
        guess = self.guesses.get(place)
        if guess is not None:
            self.lowest = min(self.lowest, guess.rests_on)
            return guess.answer
        used_outside, depth = self.lowest, len(self.guesses)
        if_no = self._answer_if(place, depth, guess=False)
        if self.lowest > depth:
            self._settle(place, depth, answer=if_no)
        elif self.lowest < depth:  # part of a circle that began elsewhere
            self.guesses[place] = _Guess(if_no, self.lowest)
        elif if_no == self._answer_if(place, depth, guess=True):
            self._settle(place, depth, answer=if_no)
        else:
            self._break_circle(place, depth)
            self.lowest = used_outside
            return self.yes(place)
        self.lowest = min(used_outside, self.lowest) if self.lowest < depth else used_outside
        return if_no

    def _answer_if(self, place: Province, depth: int, *, guess: bool) -> bool:
        self._forget(depth)
        self.guesses[place] = _Guess(guess, depth)
        self.lowest = _NOTHING_GUESSED
        return self._decide(place)

    def _forget(self, depth: int) -> None:
        """Drop the guess made at a depth and all that rest on it."""
        for place in list(self.guesses)[depth:]:
            del self.guesses[place]

    def _settle(self, place: Province, depth: int, *, answer: bool) -> None:
        self._forget(depth)
        self.answers[place] = answer

    def _break_circle(self, place: Province, depth: int) -> None:
        circle = list(self.guesses)[depth:]
        self._forget(depth)
        armies = {
            order.army.province for member in circle if isinstance(order := self.orders[member], Convoy)
        } & self.by_convoy
        if armies - self.disrupted:
            self.disrupted |= armies  # Szykman: the convoys of a paradox fail, nothing else
        else:
            self.answers.update(dict.fromkeys((place, *circle), True))  # everybody in the circle steps on

    def _decide(self, place: Province) -> bool:
        match self.orders[place]:
            case Move():
                return self._move_succeeds(place)
            case Support() as support:
                return not any(self._cuts(attacker, support) for attacker in self.movers_to.get(place, ()))
            case _:
                return not any(self.yes(attacker) for attacker in self.movers_to.get(place, ()))

    def _move_succeeds(self, place: Province) -> bool:
        goal = self.goal[place]
        attack = self.attack_strength(place)
        if attack == 0:
            return False
        opposing = self.defend_strength(goal) if self._head_to_head(place) else self.hold_strength(goal)
        return attack > opposing and all(
            attack > self.prevent_strength(rival) for rival in self.movers_to[goal] if rival != place
        )

    def _cuts(self, attacker: Province, support: Support) -> bool:
        place = support.unit.province
        own = self.power[attacker] == self.power[place]
        if own and self.options.own_attack_cuts_support is OwnAttackCutsSupport.NO:
            return False
        target = support.supported.province if support.to is None else province_of(support.to)
        if attacker == target and self.options.support_cut_from_target is SupportCutFromTarget.NO:
            return self.yes(attacker)  # only by dislodging (R-CUT-2)
        return self.path(attacker)

    # Strengths (DATC 5.B)

    def path(self, place: Province) -> bool:
        """Whether the unit has a way to its goal: by convoy only if a chain of fleets holds."""
        if place not in self.by_convoy:
            return True
        if place in self.disrupted:
            return False
        return self._chain_holds(place) and place not in self.disrupted  # asking may have uncovered the paradox

    def _chain_holds(self, place: Province) -> bool:
        fleets = self.convoyers.get(place, frozenset())
        if not self._has_route(place, fleets):
            return False
        return self._has_route(place, frozenset(fleet for fleet in sorted(fleets) if self.yes(fleet)))

    def _head_to_head(self, place: Province) -> bool:
        goal = self.goal[place]
        return self.goal.get(goal) == place and place not in self.by_convoy and goal not in self.by_convoy

    def _given(self, supports: Sequence[Province], unless: Power | None = None) -> int:
        return sum(self.power[place] != unless and self.yes(place) for place in supports)

    def attack_strength(self, place: Province) -> int:
        """1 and the supports; none against a unit of one's own power, nor help from the attacked power."""
        if not self.path(place):
            return 0
        goal = self.goal[place]
        supports = self.move_supports.get(place, ())
        defender = self.power.get(goal)
        if defender is None or (goal in self.moves and not self._head_to_head(place) and self.yes(goal)):
            return 1 + self._given(supports)
        if defender == self.power[place]:
            return 0
        return 1 + self._given(supports, unless=defender)

    def defend_strength(self, place: Province) -> int:
        """Of a unit in a head-to-head battle."""
        return 1 + self._given(self.move_supports.get(place, ()))

    def prevent_strength(self, place: Province) -> int:
        """With which a mover keeps others out of its goal."""
        if not self.path(place):
            return 0
        if self._head_to_head(place) and self.yes(self.goal[place]):
            return 0
        return 1 + self._given(self.move_supports.get(place, ()))

    def hold_strength(self, place: Province) -> int:
        """With which a province resists being entered."""
        if place not in self.orders:
            return 0
        if place in self.moves:
            return 0 if self.yes(place) else 1
        return 1 + self._given(self.hold_supports.get(place, ()))

    # The result

    def moved(self, judged: Sequence[tuple[Power, Order, Illegal | None]]) -> Moved:
        """Ask every question, and tell what stands where and why."""
        for place, order in self.orders.items():
            if not isinstance(order, Hold):
                self.yes(place)
        arrivals = {self.goal[place]: place for place in self.moves if self.yes(place)}
        units: dict[Unit, Power] = {}
        lost: dict[Unit, Province] = {}
        for unit, power in self.position.units.items():
            place = unit.province
            if place in self.moves and self.yes(place):
                units[Unit(unit.kind, self.moves[place].to)] = power
            elif place in arrivals:
                lost[unit] = arrivals[place]
            else:
                units[unit] = power
        occupied = frozenset(unit.province for unit in units)
        contested = frozenset(
            goal
            for goal, movers in self.movers_to.items()
            if goal not in occupied and any(self.prevent_strength(mover) > 0 for mover in movers)
        )
        dislodged = {unit: self._dislodgement(unit, attacker, occupied | contested) for unit, attacker in lost.items()}
        verdicts = tuple(self._verdicts(judged, dislodged))
        able = {unit: loss for unit, loss in dislodged.items() if loss.retreats}
        return Moved(verdicts, units, able, contested)

    def _dislodgement(self, unit: Unit, attacker: Province, shut: frozenset[Province]) -> Dislodgement:
        by_convoy = attacker in self.by_convoy
        if not (by_convoy and self.options.retreat_to_convoy_origin is RetreatToConvoyOrigin.YES):
            shut |= {attacker}
        retreats = tuple(to for to in self.map.neighbors(unit) if province_of(to) not in shut)
        return Dislodgement(self.position.units[unit], attacker, by_convoy, retreats)

    # Why

    def _verdicts(
        self, judged: Sequence[tuple[Power, Order, Illegal | None]], dislodged: Mapping[Unit, Dislodgement]
    ) -> Iterator[Verdict]:
        unordered = dict(self.position.units)
        obeyed = {self._subject(power, order) for power, order, illegal in judged if illegal is None}
        for power, order, illegal in judged:
            unit = self._subject(power, order)
            fate: tuple[Outcome, ...] = ()
            # What befell a unit is told once: with the order that counts, else with its first.
            if unit in unordered and (illegal is None or unit not in obeyed):
                del unordered[unit]
                fate = self._fate(unit, dislodged)
            own = (illegal,) if illegal is not None else tuple(self._why(order))
            yield Verdict(power, order, (*own, *fate))
        for unit, power in unordered.items():
            yield Verdict(power, Hold(unit), self._fate(unit, dislodged), given=False)

    def _subject(self, power: Power, order: Order) -> Unit | None:
        if not isinstance(order, Hold | Move | Support | Convoy):
            return None
        place = order.unit.province
        return self.orders[place].unit if self.power.get(place) == power else None

    def _fate(self, unit: Unit, dislodged: Mapping[Unit, Dislodgement]) -> tuple[Outcome, ...]:
        loss = dislodged.get(unit)
        if loss is None:
            return ()
        attacker = loss.attacked_from
        head_on = self._head_to_head(attacker)
        against = self.defend_strength(unit.province) if head_on else self.hold_strength(unit.province)
        told = Dislodged(self.orders[attacker].unit, attacker, self.attack_strength(attacker), against)
        return (told,) if loss.retreats else (told, Destroyed())

    def _why(self, order: Order) -> Iterator[Outcome]:
        match order:
            case Move(unit):
                if not self.yes(unit.province):
                    yield self._why_failed(unit.province)
            case Support(unit, supported):
                if not self._is_matched(order):
                    yield Unmatched(supported, self.orders[supported.province])
                elif not self.yes(unit.province):
                    cutting = [a for a in self.movers_to[unit.province] if self._cuts(a, order)]
                    cutting.sort(key=self.yes, reverse=True)  # the one that dislodged it, if any
                    yield Cut(self.orders[cutting[0]].unit)
            case Convoy(unit, army):
                if not self._is_matched(order):
                    yield Unmatched(army, self.orders[army.province])
                elif not self.yes(unit.province):
                    yield Disrupted((unit,))
                elif army.province in self.disrupted and self._chain_holds(army.province):
                    yield Disrupted(())
            case _:
                return

    def _why_failed(self, place: Province) -> Outcome:
        if not self.path(place):
            fleets = self.convoyers.get(place, frozenset())
            if not fleets:
                return NotCarried()
            if not self._has_route(place, fleets):
                return NoConvoy()
            return Disrupted(tuple(self.orders[fleet].unit for fleet in sorted(fleets) if not self.yes(fleet)))
        return self._bounce(place)

    def _bounce(self, place: Province) -> Bounced:
        goal = self.goal[place]
        rivals: list[tuple[int, Province]] = [
            (self.prevent_strength(rival), rival) for rival in self.movers_to[goal] if rival != place
        ]
        if self._head_to_head(place):
            rivals.append((self.defend_strength(goal), goal))
        elif goal in self.orders:
            rivals.append((self.hold_strength(goal), goal))
        full = 1 + self._given(self.move_supports.get(place, ()))
        against = max((strength for strength, _ in rivals), default=0)
        if full > against:  # strong enough, but not against a unit of the power itself or of its helpers
            return Bounced(
                goal, (self.orders[goal].unit,), self.attack_strength(place), self.hold_strength(goal), own_unit=True
            )
        by = tuple(self.orders[rival].unit for strength, rival in rivals if strength >= full)
        return Bounced(goal, by, full, against)

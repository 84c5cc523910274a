"""A second, simplest way to adjudicate movement: orders ask each other.

Where they ask in a circle, an answer is guessed. It knows the standard rules only and shares nothing with `judge.rules`
but the board and the orders. Every order has one answer: a move succeeds, a support is given, a convoying fleet stays,
any other unit stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.rules import Map, Position, Power, Unit, UnitKind
from judge.rules.orders import Convoy, Hold, Move, MovementOrder, Support
from judge.rules.position import Province, province_of


class Reference:
    """One phase; `orders` are legal, at most one for each unit."""

    def __init__(self, map_: Map, position: Position, orders: Mapping[Unit, MovementOrder]) -> None:
        self.map, self.power = map_, position.units
        self.at = {unit.province: unit for unit in position.units}
        self.orders = {unit: orders.get(unit, Hold(unit)) for unit in position.units}
        self.moves = {unit: order for unit, order in self.orders.items() if isinstance(order, Move)}
        self.carried = {unit for unit in self.moves if self._goes_by_convoy(unit)}
        self.known: dict[Unit, bool] = {}
        self.guessed: dict[Unit, bool] = {}
        self.used: set[Unit] = set()
        """The guesses that the current answer depends on."""
        self.depends: list[tuple[Unit, frozenset[Unit]]] = []
        """Answers found so far that depend on guesses."""

    def after(self) -> tuple[dict[Unit, Power], set[Unit]]:
        """Return the units where they stand afterwards, and the dislodged units where they stood."""
        gone = {unit for unit in self.power if not self._moves(unit) and self._attacked_with_success(unit.province)}
        stay = {self._moved(unit): power for unit, power in self.power.items() if unit not in gone}
        return stay, gone

    def _moved(self, unit: Unit) -> Unit:
        return Unit(unit.kind, self.moves[unit].to) if self._moves(unit) else unit

    # Answers

    def answer(self, unit: Unit) -> bool:
        """Whether the order of a unit succeeds; in circles, both guesses are tried."""
        if unit in self.known:
            return self.known[unit]
        if unit in self.guessed:
            self.used.add(unit)
            return self.guessed[unit]
        outside, before = self.used, len(self.depends)
        value, used = self._judge_guessing(unit, guess=False)
        if unit in used:
            other, more = self._judge_guessing(unit, guess=True)
            used = (used | more) - {unit}
            if value is not other:
                circle = {unit, *(asked for asked, on in self.depends[before:] if unit in on)}
                value = self._settled(unit, circle, for_good=not used)
        self.used = outside | used
        if used:
            self.depends.append((unit, frozenset(used)))
        else:
            self.known[unit] = value
        return value

    def _judge_guessing(self, unit: Unit, *, guess: bool) -> tuple[bool, set[Unit]]:
        """Return the answer under a guess for the unit, and the guesses it depends on."""
        self.guessed[unit], self.used = guess, set()
        value = self._judge(unit)
        del self.guessed[unit]
        return value, self.used

    def _settled(self, unit: Unit, circle: set[Unit], *, for_good: bool) -> bool:
        """Fail the convoys of a paradox; without convoys, let all units of the circle move."""
        fleets = {one for one in circle if isinstance(self.orders[one], Convoy)}
        decided = dict.fromkeys(fleets or circle & self.moves.keys(), not fleets)
        if for_good:
            self.known |= decided
            return decided[unit] if unit in decided else self._judge(unit)
        outside = self.guessed
        self.guessed = outside | decided
        value = decided[unit] if unit in decided else self._judge(unit)
        self.guessed = outside
        return value

    def _judge(self, unit: Unit) -> bool:
        match self.orders[unit]:
            case Move():
                return self._succeeds(unit)
            case Support() as support:
                return self._is_given(support)
            case _:
                return not self._attacked_with_success(unit.province)

    # Moves

    def _moves(self, unit: Unit) -> bool:
        return unit in self.moves and self.answer(unit)

    def _into(self, place: Province) -> Iterator[Unit]:
        return (unit for unit, move in self.moves.items() if move.goal == place)

    def _attacked_with_success(self, place: Province) -> bool:
        return any(self.answer(unit) for unit in self._into(place))

    def _against(self, unit: Unit) -> Unit | None:
        """Return the unit that moves head-on against this one."""
        other = self.at.get(self.moves[unit].goal)
        if other is None or other not in self.moves or self.moves[other].goal != unit.province:
            return None
        return None if {unit, other} & self.carried else other

    def _succeeds(self, unit: Unit) -> bool:
        goal = self.moves[unit].goal
        strength = self._attack(unit)
        head_on = self._against(unit)
        held = 1 + len(self._supports(head_on)) if head_on is not None else self._hold(goal)
        others = [self._prevent(other) for other in self._into(goal) if other != unit]
        return strength > max([held, *others])

    def _attack(self, unit: Unit) -> int:
        if not self._has_path(unit):
            return 0
        standing = self.at.get(self.moves[unit].goal)
        supports = self._supports(unit)
        if standing is None or (self._against(unit) is None and self._moves(standing)):
            return 1 + len(supports)
        if self.power[standing] == self.power[unit]:
            return 0
        return 1 + sum(self.power[helper] != self.power[standing] for helper in supports)

    def _hold(self, place: Province) -> int:
        unit = self.at.get(place)
        if unit is None:
            return 0
        if unit in self.moves:
            return 0 if self._moves(unit) else 1
        return 1 + len(self._supports(unit))

    def _prevent(self, unit: Unit) -> int:
        head_on = self._against(unit)
        if not self._has_path(unit) or (head_on is not None and self._moves(head_on)):
            return 0
        return 1 + len(self._supports(unit))

    # Supports

    def _supports(self, unit: Unit) -> list[Unit]:
        """Return the units that support what a unit does."""
        goal = self.moves[unit].goal if unit in self.moves else None
        return [
            helper
            for helper, order in self.orders.items()
            if isinstance(order, Support) and order.supported.province == unit.province
            if (None if order.to is None else province_of(order.to)) == goal and self.answer(helper)
        ]

    def _is_given(self, support: Support) -> bool:
        unit = support.unit
        target = None if support.to is None else province_of(support.to)
        for attacker in self._into(unit.province):
            if self.power[attacker] == self.power[unit]:
                continue
            if self.answer(attacker) or (attacker.province != target and self._has_path(attacker)):
                return False
        return True

    # Convoys

    def _goes_by_convoy(self, unit: Unit) -> bool:
        move = self.moves[unit]
        if unit.kind is UnitKind.FLEET:
            return False
        if move.by_convoy or move.goal not in self.map.reach(unit):
            return True
        fleets = self._fleets(unit)
        return any(self.power[fleet] == self.power[unit] for fleet in fleets) and self._joined(unit, fleets)

    def _fleets(self, army: Unit) -> list[Unit]:
        return [
            fleet
            for fleet, order in self.orders.items()
            if isinstance(order, Convoy) and order.army == army and province_of(order.to) == self.moves[army].goal
        ]

    def _has_path(self, unit: Unit) -> bool:
        return unit not in self.carried or self._joined(unit, [f for f in self._fleets(unit) if self.answer(f)])

    def _joined(self, army: Unit, fleets: list[Unit]) -> bool:
        """Whether fleets join the place of an army to its goal."""
        here, free = {army.province}, {fleet.province for fleet in fleets}
        goal, reached = self.moves[army].goal, set[Province]()
        while here:
            here = {sea for sea in free for place in here if sea in self.map.sea_borders.get(place, ())}
            free -= here
            reached |= here
        return any(goal in self.map.borders[sea] and sea in self.map.sea_borders.get(goal, ()) for sea in reached)

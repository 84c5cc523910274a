"""Fog (R-FOG): positions and results without what a power cannot see.

Readers of a game with fog get only what these functions return. Nothing else can leak.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from dataclasses import replace as changed

from msgspec.structs import replace

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import STANDARD, Fog, Options
from judge.rules.orders import Build, Move, Retreat
from judge.rules.outcomes import Illegal, IllegalReason, Outcome, Resolution, Unexplained, Verdict
from judge.rules.position import Dislodgement, Location, Position, Power, Province, Unit, UnitKind, province_of
from judge.rules.soundness import vouch_for

_OF_OWN_ORDERS = frozenset(
    (
        *(IllegalReason.ORDERED_TWICE, IllegalReason.NO_BUILD_LEFT, IllegalReason.NO_REMOVAL_DUE),
        *(IllegalReason.REMOVAL_DUE, IllegalReason.WRONG_PHASE, IllegalReason.WAIVING_FORBIDDEN),
    )
)
"""Reasons that depend on a player's own orders only."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """The viewing powers and the fog of the game; a stranger has no powers."""

    map: Map
    powers: Collection[Power]
    fog: Fog

    def in_sight(self, position: Position) -> frozenset[Province]:
        """Return the provinces in which these powers see units and owners."""
        if self.fog is Fog.NONE:
            return frozenset(self.map.provinces)
        if self.fog is Fog.OWN:
            return frozenset()
        here = {unit.province for unit, power in position.units.items() if power in self.powers}
        here |= {unit.province for unit, loss in position.dislodged.items() if loss.power in self.powers}
        here |= {center for center, power in (position.centers or {}).items() if power in self.powers}
        return frozenset(here).union(*(self.map.borders[place] for place in here))

    def unseen(self, position: Position) -> frozenset[Province]:
        """Return the provinces out of sight in which a foreign unit may stand."""
        own = {unit.province for unit, power in position.units.items() if power in self.powers}
        return frozenset(self.map.provinces) - self.in_sight(position) - own

    def position(self, position: Position) -> Position:
        """Return the position as these powers see it, as a smaller Position."""
        if self.fog is Fog.NONE:
            return position
        there = self.in_sight(position)
        centers = position.centers
        seen = Position(
            position.phase,
            {unit: power for unit, power in position.units.items() if power in self.powers or unit.province in there},
            None if centers is None else {c: p for c, p in centers.items() if p in self.powers or c in there},
            {
                unit: self._loss(unit, loss, there)
                for unit, loss in position.dislodged.items()
                if loss.power in self.powers or unit.province in there
            },
            position.contested & there,
        )
        vouch_for(self.map, seen)
        return seen

    def played(
        self, resolution: Resolution, options: Options = STANDARD, circumstances: Circumstances = NORMAL
    ) -> Resolution:
        """Return a phase as these powers see it.

        It holds the results of their own orders, and the foreign moves, retreats and builds in sight.
        """
        before, after = resolution.before, resolution.position
        if self.fog is Fog.NONE or before is None:
            return resolution
        referee = GuessingReferee(self.map, self.position(before), options, circumstances, self.unseen(before))
        left, reached = self.in_sight(before), self.in_sight(after)
        verdicts = (
            self._own(verdict, referee) if verdict.power in self.powers else _watched(verdict, left, reached)
            for verdict in resolution.verdicts
        )
        return replace(
            resolution,
            verdicts=tuple(verdict for verdict in verdicts if verdict is not None),
            before=self._before(before, after),
            position=self.position(after),
            contested=resolution.contested & reached,
            adjustments={},
        )

    def _before(self, before: Position, after: Position) -> Position:
        """Return the position before a phase, with the owners needed for comparison afterwards.

        A center that was out of sight before has the owner it is seen to have now.
        """
        seen, now = self.position(before), self.position(after)
        own = {center for center, power in (before.centers or {}).items() if power in self.powers}
        known = self.in_sight(before) | own
        owners = {c: (before.centers or {}).get(c) if c in known else p for c, p in (now.centers or {}).items()}
        owners |= {c: (before.centers or {})[c] for c in own}
        centers = {center: power for center, power in owners.items() if power is not None}
        seen = changed(seen, centers=None if before.centers is None else centers)
        vouch_for(self.map, seen)
        return seen

    def _own(self, verdict: Verdict, referee: GuessingReferee) -> Verdict:
        """Return a verdict on a player's order, with the reason only if visible."""
        if not verdict.outcomes:
            return verdict
        meant = referee.meaning(verdict.power, verdict.order)

        def told(outcome: Outcome) -> Outcome:
            if isinstance(outcome, Illegal) and isinstance(meant, Illegal):
                return meant
            is_own = isinstance(outcome, Illegal) and outcome.reason in _OF_OWN_ORDERS
            return outcome if is_own else Unexplained(outcome.result)

        return replace(verdict, outcomes=tuple(map(told, verdict.outcomes)))

    def _loss(self, unit: Unit, loss: Dislodgement, there: frozenset[Province]) -> Dislodgement:
        """Return a dislodged unit without an attacker that came from out of sight.

        Its own player learns where it may retreat; others do not.
        """
        if loss.power not in self.powers:
            loss = changed(loss, retreats=())
        if loss.attacked_from in there:
            return loss
        open_ = {province_of(to) for to in loss.retreats}
        closed = sorted(self.map.borders[unit.province] - open_)
        # The rules want an origin of the attack: any border that is closed to the retreat reveals nothing.
        return changed(loss, attacked_from=closed[0], by_convoy=False) if closed else loss


def _watched(verdict: Verdict, left: Collection[Province], reached: Collection[Province]) -> Verdict | None:
    """Return what a foreign unit did in sight, else None.

    A power never learns of a foreign order that failed.
    """
    if verdict.outcomes:
        return None
    match verdict.order:
        case Move(unit, to) if unit.province in left and province_of(to) in reached:
            return Verdict(verdict.power, Move(unit, to))
        case Retreat(unit, to) if unit.province in left and province_of(to) in reached:
            return verdict
        case Build(unit) if unit.province in reached:
            return verdict
        case _:
            return None


class GuessingReferee(Referee):
    """Judges orders by what their player sees.

    An order is illegal only if no arrangement of unseen units would allow it.
    """

    def __init__(
        self,
        map_: Map,
        position: Position,
        options: Options = STANDARD,
        circumstances: Circumstances = NORMAL,
        unseen: frozenset[Province] = frozenset(),
    ) -> None:
        super().__init__(map_, position, options, circumstances)
        self.unseen = unseen

    def _find_fleets_at_sea(self) -> frozenset[Province]:
        """Return the provinces where a fleet convoys, or may do so out of sight."""
        seen = (place for place, unit in self.standing.items() if unit.kind is UnitKind.FLEET)
        return self.map.carriers & (self.unseen | frozenset(seen))

    def taken_for(self, standing: Unit | None, named: Unit, to: Location | None = None) -> Unit | None:
        """Return the unit an order mentions; an unseen unit is taken as named."""
        if standing is not None or named.province not in self.unseen:
            return super().taken_for(standing, named, to)
        coasts = self.map.provinces[named.province].coasts if named.province in self.map.provinces else ()
        possible = [unit for unit in _variants(named, coasts) if self.map.can_stand(unit)]
        going = (unit for unit in possible if to is not None and province_of(to) in self._in_reach[unit.text])
        return next(iter((*going, *possible)), None)


def _variants(named: Unit, coasts: Iterable[Location]) -> Iterable[Unit]:
    yield named
    for coast in coasts:
        yield Unit(named.kind, coast)

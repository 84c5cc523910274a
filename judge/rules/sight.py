"""What a power sees in a game with fog: the position with all that is out of sight left out.

Every reader of such a game gets what these functions return in place of the whole, so nothing else can leak.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import STANDARD, Fog, Options
from judge.rules.position import Dislodgement, Location, Position, Power, Province, Unit, UnitKind, province_of
from judge.rules.soundness import vouch_for


@dataclass(frozen=True, slots=True)
class Eyes:
    """Who looks at a board, and how far they see; no powers: a stranger."""

    map: Map
    powers: Collection[Power]
    fog: Fog

    def in_sight(self, position: Position) -> frozenset[Province]:
        """Return the provinces in which these powers see everything that stands there, and who owns them."""
        if self.fog is Fog.NONE:
            return frozenset(self.map.provinces)
        if self.fog is Fog.OWN:
            return frozenset()
        here = {unit.province for unit, power in position.units.items() if power in self.powers}
        here |= {unit.province for unit, loss in position.dislodged.items() if loss.power in self.powers}
        here |= {center for center, power in (position.centers or {}).items() if power in self.powers}
        return frozenset(here).union(*(self.map.borders[place] for place in here))

    def unseen(self, position: Position) -> frozenset[Province]:
        """Return the provinces in which a foreign unit may stand that these powers do not see."""
        own = {unit.province for unit, power in position.units.items() if power in self.powers}
        return frozenset(self.map.provinces) - self.in_sight(position) - own

    def position(self, position: Position) -> Position:
        """Return the position as these powers see it: its own kind of value, with less in it."""
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

    def _loss(self, unit: Unit, loss: Dislodgement, there: frozenset[Province]) -> Dislodgement:
        """Return a dislodged unit: its player knows where it may go, but not what came from out of sight."""
        if loss.power not in self.powers:
            loss = replace(loss, retreats=())
        if loss.attacked_from in there:
            return loss
        open_ = {province_of(to) for to in loss.retreats}
        closed = sorted(self.map.borders[unit.province] - open_)
        # The rules want an attacker from somewhere: any border that is no way out says nothing.
        return replace(loss, attacked_from=closed[0], by_convoy=False) if closed else loss


class GuessingReferee(Referee):
    """Judges orders by what their player sees: only what is impossible whatever stands out of sight is not allowed."""

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

    @cached_property
    def fleets_at_sea(self) -> frozenset[Province]:
        """The provinces where a fleet convoys, or may do so out of sight."""
        seen = (place for place, unit in self.standing.items() if unit.kind is UnitKind.FLEET)
        return self.map.carriers & (self.unseen | frozenset(seen))

    def taken_for(self, standing: Unit | None, named: Unit, to: Location | None = None) -> Unit | None:
        """Return the unit that an order mentions; out of sight it is believed to be as it is named."""
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

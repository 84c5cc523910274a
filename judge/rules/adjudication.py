"""A phase from position and orders to outcomes and the next position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judge.rules.adjustments import adjustments, default_removals, leaderless, owners_after, strength_due
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.ending import Ending, eliminated, ending
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.movement import Moved, resolve_movement
from judge.rules.options import STANDARD, AdjustmentSeason, Options, OwnershipSeason
from judge.rules.orders import Build, Disband, Order
from judge.rules.outcomes import Adjustment, Illegal, IllegalReason, Resolution, Verdict
from judge.rules.position import Phase, PhaseKind, Position, Power, Province, Season, Unit
from judge.rules.retreats import resolve_retreats


def adjudicate(
    map_: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options = STANDARD,
    circumstances: Circumstances = NORMAL,
) -> Resolution:
    """Adjudicate the phase the position stands in.

    Orders are taken power by power as they come; what is illegal is an outcome, never an error.
    A phase in which nobody could decide anything is left out.
    """
    table = _Table(map_, position, options, circumstances)
    phase = position.phase
    match phase.kind:
        case PhaseKind.MOVEMENT:
            moved = resolve_movement(map_, position, orders, options, circumstances)
            if not moved.dislodged:
                return table.turn_over(moved.verdicts, moved.units)
            return table.retreats_due(moved)
        case PhaseKind.RETREAT:
            return table.turn_over(*resolve_retreats(map_, position, orders, options, circumstances))
        case PhaseKind.ADJUSTMENT:
            return table.adjusted(*resolve_adjustments(map_, position, orders, options, circumstances))


def resolve_adjustments(
    map_: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options,
    circumstances: Circumstances,
) -> tuple[tuple[Verdict, ...], Mapping[Unit, Power]]:
    """Builds and removals: the first legal ones count (DATC 4.D.4–4.D.6), missing removals are made by rule."""
    referee = Referee(map_, position, options, circumstances)
    units = dict(position.units)
    verdicts: list[Verdict] = []
    for power in [*orders, *(power for power in map_.powers if power not in orders)]:
        due = strength_due(position, power)
        occupied = {unit.province for unit in units}
        built: set[Province] = set()
        told: dict[int, Verdict] = {}
        # Removals first: where they are free they make room for builds, elsewhere no power has both.
        for number, order in sorted(
            enumerate(orders.get(power, ())), key=lambda item: not isinstance(item[1], Disband)
        ):
            meant = referee.meaning(power, order)
            if isinstance(meant, Disband):
                meant = _removal(meant, units, due, at_will=referee.removes_at_will)
            elif not isinstance(meant, Illegal) and due <= 0:
                meant = Illegal(IllegalReason.NO_BUILD_LEFT)
            elif isinstance(meant, Build) and meant.unit.province in occupied:
                twice = meant.unit.province in built
                reason = IllegalReason.ORDERED_TWICE if twice else IllegalReason.CENTER_OCCUPIED
                meant = Illegal(reason, meant.unit.location, meant.unit if twice else None)
            if isinstance(meant, Illegal):
                told[number] = Verdict(power, order, (meant,))
                continue
            if isinstance(meant, Build):
                units[meant.unit] = power
                occupied.add(meant.unit.province)
                built.add(meant.unit.province)
            elif isinstance(meant, Disband):
                del units[meant.unit]
                occupied.remove(meant.unit.province)
            due += 1 if isinstance(meant, Disband) else -1
            told[number] = Verdict(power, meant)
        verdicts += [told[number] for number in sorted(told)]
        if due < 0:
            left = [unit for unit in default_removals(map_, position, power, options) if unit in units]
            for unit in left[:-due]:
                del units[unit]
                verdicts.append(Verdict(power, Disband(unit), given=False))
    return tuple(verdicts), units


def _removal(meant: Disband, units: Mapping[Unit, Power], due: int, *, at_will: bool) -> Disband | Illegal:
    if meant.unit not in units:
        return Illegal(IllegalReason.ORDERED_TWICE, meant.unit.location, meant.unit)
    return meant if due < 0 or at_will else Illegal(IllegalReason.NO_REMOVAL_DUE)


@dataclass(frozen=True, slots=True)
class _Table:
    """A phase that is being closed: what follows from the units left on the board."""

    map: Map
    before: Position
    options: Options
    circumstances: Circumstances

    def retreats_due(self, moved: Moved) -> Resolution:
        """What follows a movement phase with dislodged units that have somewhere to go."""
        phase = replace(self.before.phase, kind=PhaseKind.RETREAT)
        after = Position(phase, moved.units, self.before.centers, moved.dislodged, moved.contested)
        return self._resolution(moved.verdicts, after)

    def turn_over(self, verdicts: tuple[Verdict, ...], units: Mapping[Unit, Power]) -> Resolution:
        """What follows the last movement or retreat of a turn: ownership, adjustments, or the next turn."""
        phase, centers = self.before.phase, self.before.centers
        fall = phase.season is not Season.SPRING
        settles = fall or self.options.ownership_season is OwnershipSeason.SPRING_TOO
        adjusts = fall or self.options.adjustment_season is AdjustmentSeason.SPRING_TOO
        if centers is None or not (settles or adjusts):
            return self._resolution(verdicts, Position(self._next_turn(), units, centers))
        settled = Position(phase, units, centers)
        if settles:
            centers = owners_after(self.map, settled, self.options, self.circumstances)
            settled = Position(phase, units, centers)
            end = ending(self.map, settled, self.options, self.circumstances)
            if end is not None:
                return self._resolution(verdicts, settled, end)
        if adjusts:
            decisions = adjustments(self.map, settled, self.options, self.circumstances)
            if decisions or self._removals_by_rule(settled):
                season = Season.WINTER if fall else Season.SPRING
                winter = Position(Phase(season, phase.year, PhaseKind.ADJUSTMENT), units, centers)
                return self._resolution(verdicts, winter, decisions=decisions)
            return self.adjusted(verdicts, units, centers)
        return self._resolution(verdicts, Position(self._next_turn(), units, centers))

    def adjusted(
        self,
        verdicts: tuple[Verdict, ...],
        units: Mapping[Unit, Power],
        centers: Mapping[Province, Power] | None = None,
    ) -> Resolution:
        """What follows adjustments, or a turn in which there was nothing to adjust."""
        centers = self.before.centers if centers is None else centers
        settled = Position(self.before.phase, units, centers)
        end = ending(self.map, settled, self.options, self.circumstances, adjusted=True)
        if end is not None:
            return self._resolution(verdicts, settled, end)
        return self._resolution(verdicts, Position(self._next_turn(), units, centers), adjusted=True)

    def _removals_by_rule(self, settled: Position) -> bool:
        idle = leaderless(self.options, self.circumstances)
        return any(strength_due(settled, power) < 0 for power in idle)

    def _next_turn(self) -> Phase:
        phase = self.before.phase
        if phase.season is Season.SPRING:
            return Phase(Season.FALL, phase.year, PhaseKind.MOVEMENT)
        return Phase(Season.SPRING, phase.year + 1, PhaseKind.MOVEMENT)

    def _resolution(
        self,
        verdicts: tuple[Verdict, ...],
        after: Position,
        end: Ending | None = None,
        decisions: Mapping[Power, Adjustment] | None = None,
        *,
        adjusted: bool = False,
    ) -> Resolution:
        return Resolution(
            self.before.phase,
            verdicts,
            after,
            over=end.over if end else None,
            winner=end.winner if end else None,
            winning_player=end.player if end else None,
            eliminated=eliminated(self.before, after, self.options, self.circumstances, adjusted=adjusted),
            adjustments=decisions or {},
            before=self.before,
        )

"""Adjudication of a phase: position and orders in, outcomes and next position out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.adjustments import adjustment_due, adjustments, leaderless, owners_after
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.ending import Ending, eliminated, ending
from judge.rules.map import Map
from judge.rules.movement import Moved, resolve_movement
from judge.rules.options import STANDARD, AdjustmentSeason, Options, OwnershipSeason
from judge.rules.orders import Order
from judge.rules.outcomes import Adjustment, Resolution, Verdict
from judge.rules.position import Phase, PhaseKind, Position, Power, Province, Season, Unit
from judge.rules.retreats import resolve_retreats
from judge.rules.soundness import check_position, check_terms, vouch_for
from judge.rules.winter import resolve_adjustments


def adjudicate(
    map_: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options = STANDARD,
    circumstances: Circumstances = NORMAL,
) -> Resolution:
    """Adjudicate the phase of the position.

    Orders are taken power by power as they come; an illegal order is an outcome, never an error.
    A phase in which no power could decide anything is skipped. In fog it is kept, because its absence would tell
    something (R-FOG-4). Raises PositionError for a position that cannot be on this board, or for a power or
    province it does not have; NotationError if `options` are not Options.
    """
    check_position(map_, position)
    check_terms(map_, orders, options, circumstances)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            verdicts, moved = resolve_movement(map_, position, orders, options, circumstances)
            table = _Table(map_, position, options, circumstances, moved.contested)
            if not (moved.dislodged or options.fog.is_thick):
                return table.turn_over(verdicts, moved.units)
            return table.retreats_due(verdicts, moved)
        case PhaseKind.RETREAT:
            retreated = resolve_retreats(map_, position, orders, options, circumstances)
            return _Table(map_, position, options, circumstances).turn_over(*retreated)
        case PhaseKind.ADJUSTMENT:
            adjusted = resolve_adjustments(map_, position, orders, options, circumstances)
            return _Table(map_, position, options, circumstances).adjusted(*adjusted)


class _Table:
    """A phase being closed, which derives the result from the units left on the board.

    A plain class: mypyc leaves the `__init__` of a dataclass to the interpreter.
    """

    def __init__(
        self,
        map_: Map,
        before: Position,
        options: Options,
        circumstances: Circumstances,
        contested: frozenset[Province] = frozenset(),
    ) -> None:
        self.map = map_
        self.before = before
        self.options = options
        self.circumstances = circumstances
        self.contested = contested

    def retreats_due(self, verdicts: tuple[Verdict, ...], moved: Moved) -> Resolution:
        """Return the result of a movement phase after which dislodged units may retreat."""
        phase = Phase(self.before.phase.season, self.before.phase.year, PhaseKind.RETREAT)
        after = Position(phase, moved.units, self.before.centers, moved.dislodged, moved.contested)
        return self._resolution(verdicts, after)

    def turn_over(self, verdicts: tuple[Verdict, ...], units: Mapping[Unit, Power]) -> Resolution:
        """Return the result of the last movement or retreat phase of a turn.

        Next come ownership, adjustments, or the next turn.
        """
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
            if decisions or self._removals_by_rule(settled) or self.options.fog.is_thick:
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
        """Return the result after adjustments, or when there was nothing to adjust."""
        centers = self.before.centers if centers is None else centers
        settled = Position(self.before.phase, units, centers)
        end = ending(self.map, settled, self.options, self.circumstances, adjusted=True)
        if end is not None:
            return self._resolution(verdicts, settled, end)
        return self._resolution(verdicts, Position(self._next_turn(), units, centers), adjusted=True)

    def _played_by(self, player: str) -> tuple[Power, ...]:
        powers = self.circumstances.players[player]
        return tuple(power for power in powers if power not in self.circumstances.unplayed | self.map.unplayed)

    def _removals_by_rule(self, settled: Position) -> bool:
        idle = leaderless(self.map, self.options, self.circumstances)
        return any(adjustment_due(settled, power) < 0 for power in idle)

    def _next_turn(self) -> Phase:
        return self.map.turn_after(self.before.phase)

    def _resolution(
        self,
        verdicts: tuple[Verdict, ...],
        after: Position,
        end: Ending | None = None,
        decisions: Mapping[Power, Adjustment] | None = None,
        *,
        adjusted: bool = False,
    ) -> Resolution:
        vouch_for(self.map, after)
        return Resolution(
            self.before.phase,
            verdicts,
            after,
            over=end.over if end else None,
            winner=end.winner if end else None,
            winning_player=end.player if end else None,
            winning_powers=self._played_by(end.player) if end and end.player is not None else (),
            eliminated=eliminated(self.map, self.before, after, self.options, self.circumstances, adjusted=adjusted),
            contested=self.contested,
            adjustments=decisions or {},
            before=self.before,
        )

"""A phase from position and orders to outcomes and the next position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.rules.adjustments import adjustments, default_removals, owners_after, strength_due
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.movement import resolve_movement
from judge.rules.options import STANDARD, Options
from judge.rules.orders import Build, Disband, Order
from judge.rules.outcomes import Adjustment, Illegal, IllegalReason, Resolution, Verdict
from judge.rules.position import GameOver, Phase, PhaseKind, Position, Power, Season, Unit
from judge.rules.retreats import resolve_retreats


def adjudicate(
    map_: Map, position: Position, orders: Mapping[Power, Sequence[Order]], options: Options = STANDARD
) -> Resolution:
    """Adjudicate the phase the position stands in.

    Orders are taken power by power as they come; what is illegal is an outcome, never an error.
    A phase in which nobody could decide anything is left out.
    """
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            moved = resolve_movement(map_, position, orders, options)
            after = replace(position, units=moved.units, dislodged=moved.dislodged, contested=moved.contested)
            if moved.dislodged:
                retreats = replace(position.phase, kind=PhaseKind.RETREAT)
                return Resolution(position.phase, moved.verdicts, replace(after, phase=retreats))
            return _turn_over(map_, position, after, moved.verdicts)
        case PhaseKind.RETREAT:
            verdicts, units = resolve_retreats(map_, position, orders, options)
            return _turn_over(map_, position, replace(position, units=units), verdicts)
        case PhaseKind.ADJUSTMENT:
            verdicts, units = resolve_adjustments(map_, position, orders, options)
            spring = Phase(Season.SPRING, position.phase.year + 1, PhaseKind.MOVEMENT)
            after = replace(position, units=units, phase=spring)
            return Resolution(position.phase, verdicts, after, eliminated=_gone(position, after))


def resolve_adjustments(
    map_: Map, position: Position, orders: Mapping[Power, Sequence[Order]], options: Options
) -> tuple[tuple[Verdict, ...], Mapping[Unit, Power]]:
    """Builds and removals: the first legal ones count (DATC 4.D.4–4.D.6), missing removals are made by rule."""
    referee = Referee(map_, position, options)
    units = dict(position.units)
    verdicts: list[Verdict] = []
    for power in [*orders, *(power for power in map_.powers if power not in orders)]:
        due = strength_due(position, power)
        touched: set[str] = set()
        for order in orders.get(power, ()):
            meant = referee.meaning(power, order)
            if not isinstance(meant, Illegal) and due == 0:
                spent = IllegalReason.NO_REMOVAL_DUE if isinstance(meant, Disband) else IllegalReason.NO_BUILD_LEFT
                meant = Illegal(spent)
            if isinstance(meant, Build | Disband) and meant.unit.province in touched:
                meant = Illegal(IllegalReason.ORDERED_TWICE, meant.unit.location, meant.unit)
            if isinstance(meant, Illegal):
                verdicts.append(Verdict(power, order, (meant,)))
                continue
            if isinstance(meant, Build):
                units[meant.unit] = power
                touched.add(meant.unit.province)
            elif isinstance(meant, Disband):
                del units[meant.unit]
                touched.add(meant.unit.province)
            due += 1 if isinstance(meant, Disband) else -1
            verdicts.append(Verdict(power, meant))
        if due < 0:
            spared = [unit for unit in position.units_of(power) if unit not in units]
            for unit in default_removals(map_, position, power, -due, spared):
                del units[unit]
                verdicts.append(Verdict(power, Disband(unit), given=False))
    return tuple(verdicts), units


def _turn_over(map_: Map, before: Position, after: Position, verdicts: tuple[Verdict, ...]) -> Resolution:
    """What follows the last movement or retreat of a turn: the fall, or ownership and winter."""
    phase = before.phase
    settled = replace(after, dislodged={}, contested=frozenset())
    if phase.season is Season.SPRING:
        settled = replace(settled, phase=Phase(Season.FALL, phase.year, PhaseKind.MOVEMENT))
        return Resolution(phase, verdicts, settled, eliminated=_gone(before, settled))
    if before.centers is None:
        settled = replace(settled, phase=Phase(Season.SPRING, phase.year + 1, PhaseKind.MOVEMENT))
        return Resolution(phase, verdicts, settled)
    settled = replace(settled, centers=owners_after(map_, settled))
    winner = _winner(map_, settled)
    if winner is not None:
        return Resolution(phase, verdicts, settled, GameOver.COMPLETED, winner, eliminated=_gone(before, settled))
    decisions: Mapping[Power, Adjustment] = adjustments(map_, settled)
    if decisions:
        settled = replace(settled, phase=Phase(Season.WINTER, phase.year, PhaseKind.ADJUSTMENT))
    else:
        settled = replace(settled, phase=Phase(Season.SPRING, phase.year + 1, PhaseKind.MOVEMENT))
    return Resolution(phase, verdicts, settled, eliminated=_gone(before, settled), adjustments=decisions)


def _winner(map_: Map, position: Position) -> Power | None:
    """The power that owns enough centers (R-GAME-3)."""
    for power in map_.powers:
        if len(position.centers_of(power)) >= map_.victory_centers:
            return power
    return None


def _gone(before: Position, after: Position) -> tuple[Power, ...]:
    """Powers that had units or centers before the phase and have neither after it."""

    def alive(position: Position) -> set[Power]:
        return {
            *position.units.values(),
            *(position.centers or {}).values(),
            *(loss.power for loss in position.dislodged.values()),
        }

    return tuple(sorted(alive(before) - alive(after)))

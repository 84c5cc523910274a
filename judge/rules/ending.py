"""The end of a game, and eliminations before it (R-GAME-3 to 7, R-ELIM)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.map import Map
from judge.rules.options import DrawRule, Elimination, Options, VictoryMeasure
from judge.rules.position import GameOver, Position, Power, Province, Season

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Ending:
    """A decided game; with no winner, a short game ended in a tie."""

    winner: Power | None = None
    player: str | None = None
    """The winning player, where a player's powers are counted together."""
    over: GameOver = GameOver.COMPLETED


def ending(
    map_: Map, position: Position, options: Options, circumstances: Circumstances, *, adjusted: bool = False
) -> Ending | None:
    """Return the ending if the game ends with this position, else None.

    Ownership is settled in the position. `adjusted`: the units are adjusted, too.
    """
    if position.centers is None:
        return None
    if options.victory_measure is VictoryMeasure.CENTERS:
        nobodys = circumstances.unplayed | circumstances.vacant | map_.unplayed
        owned = Counter(owner for owner in position.centers.values() if owner not in nobodys)
        leader = _leader(owned)
        if leader is not None and owned[leader] >= map_.victory_centers:
            return Ending(leader)
    elif adjusted:
        standing = _units(map_, position, circumstances)
        leader = _leader(standing)
        if leader is not None and standing[leader] >= map_.victory_units and not circumstances.players:
            return Ending(leader)
        for player, powers in circumstances.players.items():
            if sum(standing[power] for power in powers) >= map_.victory_units:
                return Ending(player=player)
    if adjusted and options.short_game is not None and position.phase.season is not Season.SPRING:
        return _short_ending(map_, position, circumstances) if position.phase.year >= options.short_game else None
    return None


def _short_ending(map_: Map, position: Position, circumstances: Circumstances) -> Ending:
    """Return the ending of a short game (R-GAME-7).

    The player with the most units over all their powers wins. In a tie there is no winner. A power that is listed for
    no player counts as a player of its own. A power that is vacant or unplayed never wins.
    """
    standing = _units(map_, position, circumstances)
    ends = {
        Ending(player=player): sum(standing.pop(power, 0) for power in powers)
        for player, powers in circumstances.players.items()
    }
    return _leader(ends | {Ending(power): count for power, count in standing.items()}) or Ending()


def _units(map_: Map, position: Position, circumstances: Circumstances) -> Counter[Power]:
    """Count the units of each played power; vacant and unplayed powers cannot win."""
    nobodys = circumstances.unplayed | circumstances.vacant | map_.unplayed
    return Counter(power for power in position.units.values() if power not in nobodys)


def _leader(counts: Mapping[_T, int]) -> _T | None:
    """Return the one with the most; None for a tie or if all are 0."""
    most = max(counts.values(), default=0)
    leaders = [one for one, count in counts.items() if count == most]
    return leaders[0] if len(leaders) == 1 and most else None


def draw_shared_by(
    map_: Map, position: Position, agreeing: Collection[Power], options: Options
) -> tuple[Power, ...] | None:
    """Return the powers that share a draw if `agreeing` agree, sorted; None if too few.

    Unanimous: all powers with units must agree (R-GAME-5). Armistice: the agreeing powers must together own
    `armistice_centers` centers (R-GAME-6).
    """
    alive = tuple(sorted({*position.units.values(), *_retreating(position)} - map_.unplayed))
    match options.draw_rule:
        case DrawRule.UNANIMOUS:
            return alive if alive and set(alive) <= set(agreeing) else None
        case DrawRule.ARMISTICE:
            owned = sum(owner in agreeing for owner in (position.centers or {}).values())
            return tuple(sorted(set(agreeing))) if owned >= map_.armistice_centers else None


def eliminated(
    map_: Map,
    before: Position,
    after: Position,
    options: Options,
    circumstances: Circumstances = NORMAL,
    *,
    adjusted: bool = False,
) -> tuple[Power, ...]:
    """Return the powers eliminated between two positions, sorted.

    A power is out when it has neither units nor centers. Under house rules it is also out when it has no unit
    once units are `adjusted`, or no unit and no home center (R-ELIM-1, R-ELIM-2). A power that is out by a house
    rule must be listed as unplayed from then on, because the position does not show it. Without ownership no power
    goes out.
    """
    if after.centers is None:
        return ()
    units_before, units_after = len(before.units) + len(before.dislodged), len(after.units) + len(after.dislodged)
    if before.centers is after.centers and units_before == units_after and not adjusted:
        return ()  # no power lost anything
    have_units, own = {*after.units.values(), *_retreating(after)}, {*after.centers.values()}
    gone = {*before.units.values(), *_retreating(before), *(before.centers or {}).values()} - have_units
    unitless = (gone | (own - have_units)) - circumstances.unplayed - map_.unplayed
    match options.elimination:
        case Elimination.NONE_STATED:
            out = gone - own - map_.unplayed
        case Elimination.NO_UNITS_AFTER_ADJUSTMENT:
            out = unitless if adjusted else gone - own - map_.unplayed
        case Elimination.NO_UNITS_NO_HOME:
            out = unitless if adjusted else {one for one in unitless if not _can_return(map_, after.centers, one)}
    return tuple(sorted(out))


def _can_return(map_: Map, centers: Mapping[Province, Power], power: Power) -> bool:
    """Whether a power owns a center where it may build in the next adjustment phase."""
    return any(centers.get(home) == power for home in map_.build_centers.get(power, ()))


def _retreating(position: Position) -> set[Power]:
    """Return the powers with dislodged units."""
    return {loss.power for loss in position.dislodged.values()}

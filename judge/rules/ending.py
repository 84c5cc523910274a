"""How a game ends, and who is out before it does (R-GAME-3 to 7, R-ELIM)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.map import Map
from judge.rules.options import DrawRule, Elimination, Options, VictoryMeasure
from judge.rules.position import GameOver, PhaseKind, Position, Power, Season

_UNITS_TO_WIN = 24
CENTERS_FOR_ARMISTICE = 23


@dataclass(frozen=True, slots=True)
class Ending:
    """The game is decided; without a winner, a short game ended in a tie."""

    winner: Power | None = None
    player: str | None = None
    """Who won, where a player's powers are counted together."""
    over: GameOver = GameOver.COMPLETED


def ending(
    map_: Map, position: Position, options: Options, circumstances: Circumstances, *, adjusted: bool = False
) -> Ending | None:
    """Whether the game ends with this position, once ownership is settled or the units are `adjusted`."""
    if position.centers is None:
        return None
    if options.victory_measure is VictoryMeasure.CENTERS_18:
        owned = Counter(position.centers.values())
        leader = _leader(owned)
        if leader is not None and owned[leader] >= map_.victory_centers:
            return Ending(leader)
    elif adjusted:
        standing = Counter(position.units.values())
        leader = _leader(standing)
        if leader is not None and standing[leader] >= _UNITS_TO_WIN and not circumstances.players:
            return Ending(leader)
        for player, powers in circumstances.players.items():
            if sum(standing[power] for power in powers) >= _UNITS_TO_WIN:
                return Ending(player=player)
    if adjusted and options.short_game is not None and position.phase.season is not Season.SPRING:
        return _short_ending(position) if position.phase.year >= options.short_game else None
    return None


def _short_ending(position: Position) -> Ending:
    """The owner of most units wins; a tie is nobody's victory (R-GAME-7)."""
    return Ending(_leader(Counter(position.units.values())))


def _leader(counts: Counter[Power]) -> Power | None:
    """Who has most; None if several have, or nobody has any."""
    first = counts.most_common(2)
    return first[0][0] if first and (len(first) == 1 or first[0][1] > first[1][1]) else None


def draw_shared_by(position: Position, agreeing: Collection[Power], options: Options) -> tuple[Power, ...] | None:
    """The powers that share a draw if these agree to it, sorted; None if they are not enough.

    Unanimous: everybody who has units (R-GAME-5). Armistice: owners of 23 centers together (R-GAME-6).
    """
    alive = tuple(sorted({*position.units.values(), *(loss.power for loss in position.dislodged.values())}))
    match options.draw_rule:
        case DrawRule.UNANIMOUS:
            return alive if alive and set(alive) <= set(agreeing) else None
        case DrawRule.ARMISTICE_23:
            owned = sum(owner in agreeing for owner in (position.centers or {}).values())
            return tuple(sorted(set(agreeing))) if owned >= CENTERS_FOR_ARMISTICE else None


def eliminated(
    before: Position,
    after: Position,
    options: Options,
    circumstances: Circumstances = NORMAL,
    *,
    adjusted: bool = False,
) -> tuple[Power, ...]:
    """The powers that went out between two positions, sorted.

    Out is who has neither units nor centers; under one house rule also who has no unit left once
    units are `adjusted` (R-ELIM-1, R-ELIM-2). Who is out by that rule must be said to be unplayed
    from then on, as the position does not tell. Without ownership nobody goes out.
    """
    if after.centers is None:
        return ()
    units_before, units_after = len(before.units) + len(before.dislodged), len(after.units) + len(after.dislodged)
    if before.centers is after.centers and units_before == units_after and not adjusted:
        return ()  # nobody lost anything
    had_units = {*before.units.values(), *(loss.power for loss in before.dislodged.values())}
    have_units = {*after.units.values(), *(loss.power for loss in after.dislodged.values())}
    out = {*had_units, *(before.centers or {}).values()} - have_units - set(after.centers.values())
    if adjusted and options.elimination is Elimination.NO_UNITS_AFTER_ADJUSTMENT:
        winter = before.phase.kind is PhaseKind.ADJUSTMENT  # it may have come there without units
        out |= (had_units | set(before.centers.values() if winter and before.centers else ())) - have_units
        out -= circumstances.unplayed
    return tuple(sorted(out))

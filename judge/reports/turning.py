"""The turning points of a finished game, chosen only by counting centers and eliminations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from judge.rules.map import Map
from judge.rules.position import Phase, Power, Province

_MOST = 3
_HOME, _OUT = 2, 3
"""The weight of a home center, and of an elimination; any other center weighs 1."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Who owned the centers before and after a phase."""

    phase: Phase
    before: Mapping[Province, Power]
    after: Mapping[Province, Power]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A phase in which a power lost centers to others."""

    phase: Phase
    loser: Power
    centers: tuple[Province, ...]
    winners: tuple[Power, ...]
    is_out: bool
    """Whether these were its last centers."""
    weight: int

    @property
    def several(self) -> bool:
        """Whether it lost more than one center."""
        return len(self.centers) > 1


def turning_points(board: Map, turns: Iterable[Turn]) -> tuple[TurningPoint, ...]:
    """Return the three heaviest losses of one power in one phase, in playing order.

    Each phase has at most one. A center that a power loses to another weighs 1, a home center of the loser 2, an
    elimination 3 more. Of equal losses the earlier counts, and in one phase that of the power named first on the board.
    """
    heaviest = [max(losses, key=lambda one: one.weight) for turn in turns if (losses := list(_losses(board, turn)))]
    chosen = sorted(heaviest, key=lambda one: -one.weight)[:_MOST]
    return tuple(sorted(chosen, key=lambda one: one.phase.order_key))


def _losses(board: Map, turn: Turn) -> Iterator[TurningPoint]:
    """Yield what each power lost to others in a phase."""
    for loser in board.powers:
        lost = {
            center: turn.after[center]
            for center, owner in sorted(turn.before.items())
            if owner == loser and turn.after.get(center, loser) != loser
        }
        if lost:
            is_out = loser not in turn.after.values()
            homes = sum(center in board.home_centers[loser] for center in lost)
            weight = len(lost) + (_HOME - 1) * homes + _OUT * is_out
            winners = tuple(power for power in board.powers if power in lost.values())
            yield TurningPoint(turn.phase, loser, tuple(lost), winners, is_out, weight)

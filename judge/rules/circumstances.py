"""Circumstances of a phase: missing players, closed provinces, declined centers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.rules.position import Power, Province


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What differs from a game in which people play all powers and send orders."""

    disorder: frozenset[Power] = frozenset()
    """Powers in civil disorder; an option says what that means (R-NMR)."""
    unplayed: frozenset[Power] = frozenset()
    """Powers without a player: their units hold, and are disbanded when dislodged (R-MULTI-1)."""
    closed: frozenset[Province] = frozenset()
    """Provinces that no unit may enter (R-MULTI-6)."""
    declined: Mapping[Power, frozenset[Province]] = field(default_factory=dict)
    """Centers a power does not want to take when the turn ends (R-OWN-3)."""
    players: Mapping[str, tuple[Power, ...]] = field(default_factory=dict)
    """Player → their powers, where a player has several; victory may be counted per player."""
    vacant: frozenset[Power] = frozenset()
    """Powers whose player has left (R-GAME-7).

    Their orders count, but they cannot win: a game is won by players.
    """


NORMAL = Circumstances()
"""No special circumstances."""

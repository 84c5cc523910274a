"""What sets a phase apart from one of a plain game of seven: who is missing, what is closed, what was declined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.rules.position import Power, Province


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Empty for a game in which all powers are played by people who send orders."""

    disorder: frozenset[Power] = frozenset()
    """Powers in civil disorder; what that means is an option (R-NMR)."""
    unplayed: frozenset[Power] = frozenset()
    """Powers nobody plays: their units stand, and are disbanded when dislodged (R-MULTI-1)."""
    closed: frozenset[Province] = frozenset()
    """Provinces nobody may enter (R-MULTI-6)."""
    declined: Mapping[Power, frozenset[Province]] = field(default_factory=dict)
    """Centers a power does not want to take when the turn ends (R-OWN-3)."""
    players: Mapping[str, tuple[Power, ...]] = field(default_factory=dict)
    """Who plays what, where a player has several powers; victory may be counted per player."""
    vacant: frozenset[Power] = frozenset()
    """Powers whose player has left: their orders count, but a game is won by players (R-GAME-7)."""


NORMAL = Circumstances()
"""Nothing out of the ordinary."""

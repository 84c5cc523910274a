"""Who plays what when fewer play than the board has powers (R-MULTI)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from judge.rules.circumstances import Circumstances
from judge.rules.position import Power, Province


@dataclass(frozen=True, slots=True)
class SetUp:
    """A way to share a board's powers among players."""

    name: str
    start_year: int
    assignments: tuple[tuple[Power, ...], ...]
    """The powers of the first player, of the second, and so on."""
    unplayed: frozenset[Power] = frozenset()
    """Their units stand, and are disbanded when dislodged (R-MULTI-1)."""
    closed: frozenset[Province] = frozenset()
    """Land of a neutral power, which nobody may enter (R-MULTI-6)."""
    tossed: tuple[Power, int] | None = None
    """A power that joins the winner of a coin toss, made before the adjustments of that year (R-MULTI-6)."""

    def joined_by(self, winner: int) -> SetUp:
        """The set-up from the next spring on, when the player of that index won the toss.

        Raises ValueError if there is nothing to toss for.
        """
        if self.tossed is None:
            raise ValueError(f"no coin is tossed in the game for {self.name}")
        power, _ = self.tossed
        assignments = tuple(
            (*powers, power) if index == winner else powers for index, powers in enumerate(self.assignments)
        )
        return replace(self, assignments=assignments, unplayed=self.unplayed - {power}, closed=frozenset(), tossed=None)

    def circumstances(self, players: Collection[str]) -> Circumstances:
        """What the set-up means for adjudication, the players named in the order of the assignments."""
        shared: Mapping[str, tuple[Power, ...]] = dict(zip(players, self.assignments, strict=True))
        return Circumstances(unplayed=self.unplayed, closed=self.closed, players=shared)

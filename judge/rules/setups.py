"""Assignments of powers for games with fewer players than powers (R-MULTI)."""

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
    """Land of a neutral power, closed to all units (R-MULTI-6)."""
    tossed: tuple[Power, int] | None = None
    """A power that joins the winner of a coin toss, and the year.

    The toss is made before the adjustments of that year (R-MULTI-6).
    """

    def joined_by(self, winner: int) -> SetUp:
        """Return the set-up from the next spring on, with the tossed power given to `winner`.

        `winner` is the index of the player who won the toss. Raises ValueError if there is nothing to toss for.
        """
        if self.tossed is None:
            raise ValueError(f"no coin is tossed in the game for {self.name}")
        power, _ = self.tossed
        assignments = tuple(
            (*powers, power) if index == winner else powers for index, powers in enumerate(self.assignments)
        )
        return replace(self, assignments=assignments, unplayed=self.unplayed - {power}, closed=frozenset(), tossed=None)

    def circumstances(self, players: Collection[str]) -> Circumstances:
        """Return the circumstances for adjudication; `players` are in the order of the assignments."""
        shared: Mapping[str, tuple[Power, ...]] = dict(zip(players, self.assignments, strict=True))
        return Circumstances(unplayed=self.unplayed, closed=self.closed, players=shared)

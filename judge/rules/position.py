"""Positions on the board: units, phases, ownership."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import lru_cache
from typing import NewType

from judge.errors import NotationError, quoted
from judge.rules.values import value

Power = NewType("Power", str)
"""One of the powers of the map, such as `FRANCE`."""

Location = NewType("Location", str)
"""A province or, where a fleet must choose, one coast of it: `PAR`, `SPA/NC`."""

Province = NewType("Province", Location)
"""A province by its code, such as `SPA`.

It counts once for occupation, whatever its coasts.
"""


CODE, COAST = "[A-Z0-9]{2,5}", "[A-Z]{2}"
"""Patterns for the code of a province and for that of a coast."""


def province_of(location: Location) -> Province:
    """The province a location lies in: `SPA/NC` lies in `SPA`."""
    # NewType is a call at run time, and this is the most called function of the code base.
    return location if "/" not in location else location[: location.index("/")]  # type: ignore[return-value]


class UnitKind(StrEnum):
    """Army or fleet."""

    ARMY = "A"
    FLEET = "F"


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """A unit, by its kind and location.

    >>> str(Unit(UnitKind.FLEET, Location("SPA/NC")))
    'F SPA/NC'
    """

    kind: UnitKind
    location: Location
    province: Province = field(init=False, repr=False, compare=False)
    """The province the unit occupies."""
    text: str = field(init=False, repr=False, compare=False)
    """The unit in strict notation: `F SPA/NC`."""

    def __post_init__(self) -> None:
        """Compute the fields that are read far more often than units are made."""
        object.__setattr__(self, "province", province_of(self.location))
        object.__setattr__(self, "text", f"{self.kind} {self.location}")

    def __hash__(self) -> int:
        return hash(self.location)  # a string caches its hash; units are looked up many times in every phase

    def __str__(self) -> str:
        return self.text


class Season(StrEnum):
    """The two turns of a year, and the winter in which builds are made."""

    SPRING = "S"
    FALL = "F"
    WINTER = "W"


class PhaseKind(StrEnum):
    """What is decided in a phase."""

    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"


_YEAR = r"((?!0000|999999)(?:[0-9]{4}|[1-9][0-9]{4,5}))"
"""A year from 1 to 999998, in its only spelling.

The last year has none after it.
"""
LAST_YEAR = 999_998
_PHASES_REMEMBERED = 2**10
_PHASE = re.compile(rf"(?:([SF]){_YEAR}([MR])|([SW]){_YEAR}(A))")


@value
class Phase:
    """A phase of the game.

    >>> str(Phase.parse("S1901M"))
    'S1901M'

    A spring adjustment phase, which some house rules know, is `S1901A`.
    """

    season: Season
    year: int
    kind: PhaseKind

    @classmethod
    @lru_cache(maxsize=_PHASES_REMEMBERED)
    def parse(cls, text: str) -> Phase:
        """Read `S1901M`; raises NotationError."""
        match = _PHASE.fullmatch(text)
        if match is None:
            raise NotationError(f"{quoted(text)} is not a phase such as S1901M")
        season, year, kind = (word for word in match.groups() if word)
        return cls(Season(season), int(year), PhaseKind(kind))

    @property
    def order_key(self) -> tuple[int, int, int]:
        """Return a key that sorts phases in the order of play."""
        return (self.year, "SFW".index(self.season), "MRA".index(self.kind))

    def __str__(self) -> str:
        return self.season + f"{self.year:04}" + self.kind  # the texts of enums are added faster than formatted


class GameOver(Enum):
    """Takes the place of the next phase when a game is decided."""

    COMPLETED = "COMPLETED"


@value
class Dislodgement:
    """A unit that lost its province and has to retreat or disband."""

    power: Power
    attacked_from: Province
    by_convoy: bool
    """Whether the attacker came by convoy.

    Then its origin is open to the retreat under some rules.
    """
    retreats: tuple[Location, ...]
    """The locations open to it, sorted."""


@value
class Position:
    """All that the rules need to know between two phases.

    `units` do not include the dislodged ones, which are in `dislodged`. `contested` are the
    provinces a standoff of the last movement phase left empty. `centers` maps every *owned*
    center to its owner; None means a phase without ownership and adjustments.
    """

    phase: Phase
    units: Mapping[Unit, Power]
    centers: Mapping[Province, Power] | None = None
    dislodged: Mapping[Unit, Dislodgement] = field(default_factory=dict)
    contested: frozenset[Province] = frozenset()
    sound_on: object = field(default=None, init=False, compare=False, repr=False)
    """The map on which `judge.rules.soundness` has checked it, to check it only once."""

    def units_of(self, power: Power) -> tuple[Unit, ...]:
        """Return the standing units of a power, sorted by location."""
        return tuple(sorted((u for u, p in self.units.items() if p == power), key=lambda u: u.location))

    def dislodged_powers(self) -> Mapping[Unit, Power]:
        """Return the dislodged units and their powers."""
        return {unit: loss.power for unit, loss in self.dislodged.items()}

    def centers_of(self, power: Power) -> tuple[Province, ...]:
        """Return the centers a power owns, sorted."""
        return tuple(sorted(c for c, p in (self.centers or {}).items() if p == power))

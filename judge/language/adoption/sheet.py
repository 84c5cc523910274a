"""What a text says about a running game: units, centers, players and phase, by power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from judge.commands import SettingValue
from judge.rules.map import USUAL_BOARD
from judge.rules.position import Location, Phase, Power, Province, Unit

AS_SHOWN, MENDED = "AS SHOWN", "MENDED"
"""Lines that the judge itself writes into such a text.

The first says that the master agrees to it. Lines below the second replace those above it.
"""


@dataclass(frozen=True, slots=True)
class Lost:
    """A dislodged unit."""

    unit: Unit
    came_from: Province | None = None
    """Where the attack came from; None if the text does not say so."""
    retreats: tuple[Location, ...] | None = None
    """Where it may go; None if the text does not say so."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a text says; powers are listed only with the parts that it states.

    Units may stand where none can, and provinces need not be centers: the text is checked later.
    """

    board: str = USUAL_BOARD
    phase: Phase | None = None
    units: Mapping[Power, tuple[Unit, ...]] = field(default_factory=dict)
    centers: Mapping[Power, tuple[Province, ...]] = field(default_factory=dict)
    lost: Mapping[Power, tuple[Lost, ...]] = field(default_factory=dict)
    players: Mapping[Power, str] = field(default_factory=dict)
    """The players' addresses."""
    settings: Mapping[str, SettingValue] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    """Lines that speak of units or centers, and were not understood."""
    agreed: bool = False
    """Whether the master has agreed to it."""

    def mended_by(self, other: Sheet) -> Sheet:
        """Return this sheet with the parts that another one states in place of its own."""
        return replace(
            other,
            board=self.board if other.board == USUAL_BOARD else other.board,
            phase=other.phase or self.phase,
            units={**self.units, **other.units},
            centers={**self.centers, **other.centers},
            lost={**self.lost, **other.lost},
            players={**self.players, **other.players},
            settings={**self.settings, **other.settings},
        )


def in_lines(sheet: Sheet) -> str:
    """Write a sheet as lines that `read_sheet` reads as the same sheet."""
    board = [f"board: {sheet.board}"] if sheet.board != USUAL_BOARD else []
    head = [*board, *(f"{name}: {value.text}" for name, value in sheet.settings.items() if name != "board")]
    phase = [f"Phase: {sheet.phase}"] if sheet.phase is not None else []
    named = chain(sheet.units, sheet.centers, sheet.lost, sheet.players)
    return "\n".join([*head, *phase, *(_line(sheet, power) for power in dict.fromkeys(named))])


def _line(sheet: Sheet, power: Power) -> str:
    parts = [f"units: {_listed(sheet.units[power])}"] if power in sheet.units else []
    for one in sheet.lost.get(power, ()):
        came_from = f" from {one.came_from}" if one.came_from is not None else ""
        to = f" to {_listed(one.retreats)}" if one.retreats is not None else ""
        parts.append(f"dislodged: {one.unit}{came_from}{to}")
    if power in sheet.lost and not sheet.lost[power]:
        parts.append("dislodged: none")
    parts += [f"centers: {_listed(sheet.centers[power])}"] if power in sheet.centers else []
    parts += [sheet.players[power]] if power in sheet.players else []
    return f"{power}: {'; '.join(parts)}"


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values)) or "none"


def living(sheet: Sheet) -> frozenset[Power]:
    """Return the powers that have a unit or a center."""
    parts = (sheet.units, sheet.centers, sheet.lost)
    return frozenset(power for part in parts for power, values in part.items() if values)

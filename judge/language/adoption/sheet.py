"""What a text says about a running game: units, centers, players and phase, by power."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

from judge.commands import SettingValue
from judge.rules.map import USUAL_BOARD
from judge.rules.position import Location, Phase, Power, Province, Unit

AS_SHOWN, MENDED, LEFT_UNREAD = "AS SHOWN", "MENDED", "LEFT UNREAD"
"""Lines that the judge itself writes into such a text.

The first says that the master agrees to it. Lines below the second replace those above it. Below the third stand the
lines of an earlier text that are still unread.
"""
MOST_UNREAD = 12
_UNREAD = re.compile(r"(?:([^:]+) )?(units|centers|dislodged): (.+)")


class Part(StrEnum):
    """What a line or the lines below a heading list."""

    UNITS = "units"
    CENTERS = "centers"
    LOST = "dislodged"
    ORDERS = "orders"


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that speaks of units or centers, and was not understood."""

    text: str
    power: Power | None = None
    """The power that it is about; None if the text does not say so."""
    part: Part = Part.UNITS

    @classmethod
    def of(cls, written: str) -> Unread:
        """Read what `str` writes, or any other line."""
        match = _UNREAD.fullmatch(written)
        return cls(match[3], Power(match[1]) if match[1] else None, Part(match[2])) if match else cls(written)

    def __str__(self) -> str:
        about = f"{self.power} {self.part}" if self.power is not None else self.part
        return f"{about}: {self.text}"


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
    unread: tuple[Unread, ...] = ()
    agreed: bool = False
    """Whether the master has agreed to it."""

    def mended_by(self, other: Sheet) -> Sheet:
        """Return this sheet with the parts that another one states in place of its own.

        Lines that were not understood remain until the other one says something about the same.
        """
        unread = (*other.unread, *(one for one in self.unread if not other._is_about(one)))
        return replace(
            other,
            board=self.board if other.board == USUAL_BOARD else other.board,
            phase=other.phase or self.phase,
            units={**self.units, **other.units},
            centers={**self.centers, **other.centers},
            lost={**self.lost, **other.lost},
            players={**self.players, **other.players},
            settings={**self.settings, **other.settings},
            unread=tuple(dict.fromkeys(unread))[:MOST_UNREAD],
        )

    def _is_about(self, line: Unread) -> bool:
        """Whether this sheet states, or tries to state, what a line is about."""
        if line.power is None:
            return False
        stated = {Part.CENTERS: self.centers, Part.LOST: self.lost}.get(line.part, self.units)
        tried = {(one.power, one.part) for one in self.unread}
        return line.power in stated or (line.power, line.part) in tried


def in_lines(sheet: Sheet) -> str:
    """Write a sheet as lines that `read_sheet` reads as the same sheet."""
    board = [f"board: {sheet.board}"] if sheet.board != USUAL_BOARD else []
    head = [*board, *(f"{name}: {value.text}" for name, value in sheet.settings.items() if name != "board")]
    phase = [f"Phase: {sheet.phase}"] if sheet.phase is not None else []
    named = chain(sheet.units, sheet.centers, sheet.lost, sheet.players)
    unread = [LEFT_UNREAD, *map(str, sheet.unread)] if sheet.unread else []
    return "\n".join([*head, *phase, *(_line(sheet, power) for power in dict.fromkeys(named)), *unread])


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

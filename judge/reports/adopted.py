"""View of a position to be adopted, in lines that can be mailed again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.language.adoption import Fault, Lost
from judge.reports.sections import AdoptedPosition
from judge.rules.map import load_map
from judge.rules.position import Phase, Power


@dataclass(frozen=True, slots=True)
class AdoptedRow:
    """What was read for one power.

    A part that the text does not state is None.
    """

    power: Power
    units: tuple[str, ...] | None
    centers: tuple[str, ...] | None
    lost: tuple[Lost, ...]
    player: str


@dataclass(frozen=True, slots=True)
class AdoptedPositionView:
    """What was read, power by power, and what is wrong or missing in it."""

    game: str
    phase: Phase | None
    rows: tuple[AdoptedRow, ...]
    forbidding: tuple[Fault, ...]
    """Faults without which the game can begin."""
    doubtful: tuple[Fault, ...]


def adopted_view(section: AdoptedPosition) -> AdoptedPositionView:
    """Return the section as its template needs it."""
    sheet = section.sheet
    named = {*sheet.units, *sheet.centers, *sheet.lost, *sheet.players}
    rows = tuple(
        AdoptedRow(
            power,
            _texts(sheet.units.get(power)),
            _texts(sheet.centers.get(power)),
            sheet.lost.get(power, ()),
            sheet.players.get(power, ""),
        )
        for power in load_map(sheet.board).powers
        if power in named
    )
    forbidding = tuple(one for one in section.faults if one.forbids)
    doubtful = tuple(one for one in section.faults if not one.forbids)
    return AdoptedPositionView(section.game, sheet.phase, rows, forbidding, doubtful)


def _texts(values: Sequence[object] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(map(str, values))

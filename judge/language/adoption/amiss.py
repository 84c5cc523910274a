"""What is wrong or missing in a position that a game is adopted from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import repeat

from judge.errors import JudgeError
from judge.language.adoption.sheet import Sheet, living
from judge.rules.exchange import read_task
from judge.rules.map import Map, load_map
from judge.rules.position import Location, PhaseKind, Position, Power, Province, Unit, UnitKind


class Amiss(StrEnum):
    """Kinds of faults."""

    UNREAD = "unread"
    """A line speaks of units or centers, and was not understood."""
    NO_PHASE = "no-phase"
    NO_UNITS = "no-units"
    NO_CENTERS = "no-centers"
    COAST = "coast"
    """A fleet stands on one of several coasts."""
    STAND = "stand"
    """The unit cannot stand there: an army at sea, a fleet inland."""
    TWO_UNITS = "two-units"
    TWO_OWNERS = "two-owners"
    NO_CENTER = "no-center"
    """A province that is no supply center."""
    ORIGIN = "origin"
    """The text does not tell where the attack on a dislodged unit came from."""
    NONE_LOST = "none-lost"
    """A retreat phase without a dislodged unit."""
    LOST = "lost"
    """A dislodged unit in another phase."""
    NOTHING_DUE = "nothing-due"
    """An adjustment phase in which no power may build or must remove."""
    BROKEN = "broken"
    """The position is impossible for another reason."""
    FOG = "fog"
    TWICE = "twice"
    """One address for the powers of several players."""
    MANY = "many"
    """A power has more units than centers."""
    OUT_WITH_PLAYER = "out-with-player"
    """A power that is out has an address."""
    NO_PLAYER = "no-player"
    OUT = "out"


DOUBTFUL = frozenset((Amiss.UNREAD, Amiss.MANY, Amiss.OUT_WITH_PLAYER, Amiss.NO_PLAYER, Amiss.OUT))
"""Faults with which a game can begin nevertheless."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, with what its wording needs."""

    kind: Amiss
    power: Power | None = None
    unit: Unit | None = None
    places: tuple[Location, ...] = ()
    powers: tuple[Power, ...] = ()
    units: int = 0
    centers: int = 0
    text: str = ""

    @property
    def forbids(self) -> bool:
        """Whether the game cannot begin with it."""
        return self.kind not in DOUBTFUL


def amiss_in(sheet: Sheet, *, is_foggy: bool, groups: Sequence[Sequence[Power]]) -> tuple[Fault, ...]:
    """Return all faults, those that forbid a beginning first.

    `groups`: the powers of each player.
    """
    found = tuple(dict.fromkeys(_faults(sheet, load_map(sheet.board), is_foggy=is_foggy, groups=groups)))
    if not any(fault.forbids for fault in found):
        position = position_on(sheet)
        found = (position, *found) if isinstance(position, Fault) else found
    return tuple(sorted(found, key=lambda fault: not fault.forbids))


def position_on(sheet: Sheet) -> Position | Fault:
    """Return the position of a sheet, with the retreats that the text does not tell."""
    line = {
        "board": sheet.board,
        "phase": str(sheet.phase),
        "units": {power: [str(unit) for unit in units] for power, units in sheet.units.items()},
        "centers": {power: list(centers) for power, centers in sheet.centers.items()},
        "dislodged": {
            power: {
                str(one.unit): {"from": one.came_from}
                | ({"retreats": list(one.retreats)} if one.retreats is not None else {})
                for one in lost
            }
            for power, lost in sheet.lost.items()
        },
    }
    try:
        return read_task(line).position
    except JudgeError as error:
        return Fault(Amiss.BROKEN, text=str(error))


def may_stand_on(sheet: Sheet) -> Sheet:
    """Return the sheet with all that can stand on the board, to be shown."""
    map_ = load_map(sheet.board)
    taken: set[Province] = set()
    units: dict[Power, tuple[Unit, ...]] = {}
    for power, several in sheet.units.items():
        fit = {unit.province: unit for unit in several if map_.can_stand(unit) and unit.province not in taken}
        taken.update(fit)
        units[power] = tuple(fit.values())
    owned: set[Province] = set()
    centers: dict[Power, tuple[Province, ...]] = {}
    for power, its in sheet.centers.items():
        centers[power] = tuple(one for one in its if one in map_.supply_centers and one not in owned)
        owned.update(centers[power])
    is_of_retreats = sheet.phase is not None and sheet.phase.kind is PhaseKind.RETREAT
    lost = {power: tuple(one for one in its if one.came_from is not None) for power, its in sheet.lost.items()}
    phase = sheet.phase or map_.first_phase()
    return replace(sheet, phase=phase, units=units, centers=centers, lost=lost if is_of_retreats else {})


def _faults(sheet: Sheet, map_: Map, *, is_foggy: bool, groups: Sequence[Sequence[Power]]) -> Iterator[Fault]:
    if sheet.phase is None:
        yield Fault(Amiss.NO_PHASE)
    if not any(sheet.units.values()):
        yield Fault(Amiss.NO_UNITS)
    if not any(sheet.centers.values()):
        yield Fault(Amiss.NO_CENTERS)
    yield from _of_units(sheet, map_)
    yield from _of_centers(sheet, map_)
    yield from _of_the_phase(sheet)
    if is_foggy:
        yield Fault(Amiss.FOG)
    yield from _of_players(sheet, map_, groups)
    yield from (Fault(Amiss.UNREAD, text=line.text) for line in sheet.unread)


def _of_units(sheet: Sheet, map_: Map) -> Iterator[Fault]:
    standing = [(power, unit) for power, units in sheet.units.items() for unit in units]
    lost = [(power, one) for power, several in sheet.lost.items() for one in several]
    for power, unit in (*standing, *((power, one.unit) for power, one in lost)):
        coasts = map_.provinces[unit.province].coasts
        if unit.kind is UnitKind.FLEET and coasts and unit.location not in coasts:
            yield Fault(Amiss.COAST, power, unit, coasts)
        elif not map_.can_stand(unit):
            yield Fault(Amiss.STAND, power, unit)
    for province, count in Counter(unit.province for _, unit in standing).items():
        if count > 1:
            powers = tuple(dict.fromkeys(power for power, unit in standing if unit.province == province))
            yield Fault(Amiss.TWO_UNITS, places=(province,), powers=powers)
    for power, one in lost:
        if one.came_from is None:
            yield Fault(Amiss.ORIGIN, power, one.unit)
    for power, units in sheet.units.items():
        own = len(units) + len(sheet.lost.get(power, ()))
        centers = len(sheet.centers.get(power, ()))
        is_winter = sheet.phase is not None and sheet.phase.kind is PhaseKind.ADJUSTMENT
        if any(sheet.centers.values()) and own > centers and not is_winter:
            yield Fault(Amiss.MANY, power, units=own, centers=centers)


def _of_centers(sheet: Sheet, map_: Map) -> Iterator[Fault]:
    owners = [(center, power) for power, centers in sheet.centers.items() for center in centers]
    for center, count in Counter(center for center, _ in owners).items():
        powers = tuple(power for one, power in owners if one == center)
        if center not in map_.supply_centers:
            yield Fault(Amiss.NO_CENTER, powers[0], places=(center,))
        elif count > 1:
            yield Fault(Amiss.TWO_OWNERS, places=(center,), powers=powers)


def _of_the_phase(sheet: Sheet) -> Iterator[Fault]:
    lost = [(power, one.unit) for power, several in sheet.lost.items() for one in several]
    match sheet.phase.kind if sheet.phase is not None else None:
        case PhaseKind.RETREAT if not lost:
            yield Fault(Amiss.NONE_LOST)
        case PhaseKind.ADJUSTMENT if all(map(_is_even, repeat(sheet), living(sheet))):
            yield Fault(Amiss.NOTHING_DUE)
        case PhaseKind.MOVEMENT | PhaseKind.ADJUSTMENT if lost:
            yield Fault(Amiss.LOST, *lost[0])


def _is_even(sheet: Sheet, power: Power) -> bool:
    return len(sheet.units.get(power, ())) == len(sheet.centers.get(power, ()))


def _of_players(sheet: Sheet, map_: Map, groups: Sequence[Sequence[Power]]) -> Iterator[Fault]:
    alive = living(sheet)
    for address in dict.fromkeys(sheet.players.values()):
        powers = tuple(power for power, one in sheet.players.items() if one == address)
        if sum(not set(powers).isdisjoint(group) for group in groups) > 1:
            yield Fault(Amiss.TWICE, powers=powers, text=address)
    for power, address in sheet.players.items():
        if power not in alive:
            yield Fault(Amiss.OUT_WITH_PLAYER, power, text=address)
    led = {power for group in groups if not sheet.players.keys().isdisjoint(group) for power in group}
    if alone := tuple(power for group in groups for power in group if power in alive and power not in led):
        yield Fault(Amiss.NO_PLAYER, powers=alone)
    if out := tuple(power for power in map_.powers if power not in alive):
        yield Fault(Amiss.OUT, powers=out)

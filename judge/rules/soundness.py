"""Checks that a position is possible on its board.

Each position is checked once. The positions that `adjudicate` makes are marked as checked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from judge.errors import NotationError, PositionError, quoted
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.convoys import has_route
from judge.rules.map import Map
from judge.rules.options import Options
from judge.rules.position import Dislodgement, PhaseKind, Position, Province, Unit, UnitKind, province_of

_ARMY: Final = UnitKind.ARMY


def check_position(map_: Map, position: Position) -> None:
    """Raise PositionError unless units, owners and losses are possible on this board.

    The message names what is wrong.
    """
    if position.sound_on is map_:
        return
    armies, fleets = map_.armies, map_.fleets
    for unit in position.units:
        if unit.location not in (armies if unit.kind is _ARMY else fleets):
            raise PositionError(why_not_there(map_, unit))
    if len({unit.province for unit in position.units}) < len(position.units):
        raise PositionError(f"two units stand in {_twice(position.units)}")
    check_powers(map_, position.units.values())
    if position.centers is not None:
        if not position.centers.keys() <= map_.supply_centers:
            raise PositionError(f"{min(position.centers.keys() - map_.supply_centers)} is not a supply center")
        check_powers(map_, position.centers.values())
    check_provinces(map_, position.contested)
    check_losses(map_, position)


def check_losses(map_: Map, position: Position) -> None:
    """Do the rest of `check_position`, for units, owners and provinces known to exist."""
    if position.centers is None and position.phase.kind is PhaseKind.ADJUSTMENT:
        raise PositionError("an adjustment phase needs 'centers'")
    if position.dislodged:
        _check_dislodged(map_, position)
    vouch_for(map_, position)


def vouch_for(map_: Map, position: Position) -> None:
    """Mark the position as possible on this board."""
    object.__setattr__(position, "sound_on", map_)


def check_terms(map_: Map, powers: Iterable[str], options: object, circumstances: Circumstances) -> None:
    """Check that the board has these powers and provinces, and that `options` are Options.

    Raises PositionError for a power or province the board does not have, NotationError for wrong options.
    """
    if not isinstance(options, Options):
        raise NotationError(f"{quoted(options)} are no options")
    check_powers(map_, powers)
    if circumstances is NORMAL:
        return
    check_powers(map_, circumstances.disorder | circumstances.unplayed | circumstances.vacant)
    check_powers(map_, circumstances.declined)
    for played in circumstances.players.values():
        check_powers(map_, played)
    for provinces in (circumstances.closed, *circumstances.declined.values()):
        check_provinces(map_, provinces)


def check_powers(map_: Map, powers: Iterable[str]) -> None:
    """Raise PositionError if the board does not have one of these powers."""
    known = map_.powers_by_name
    unknown = [power for power in powers if power not in known]
    if unknown:
        raise PositionError(f"unknown power {quoted(min(unknown))}; there are {', '.join(map_.powers)}")


def check_provinces(map_: Map, provinces: Collection[Province]) -> None:
    """Raise PositionError if the board does not have one of these provinces."""
    if provinces and not map_.provinces.keys() >= set(provinces):
        raise PositionError(f"unknown province {quoted(min(set(provinces) - map_.provinces.keys()))}")


def why_not_there(map_: Map, unit: Unit) -> str:
    """Return why the unit cannot stand at its location."""
    info = map_.provinces.get(unit.province)
    if info is None:
        return f"{unit}: unknown province {str(unit.province)!r}"
    if unit.kind is UnitKind.FLEET and info.coasts and unit.location == unit.province:
        return f"{unit}: a fleet stands on one of the coasts {', '.join(info.coasts)}"
    return f"{unit}: {'an army' if unit.kind is _ARMY else 'a fleet'} cannot stand there"


def _twice(units: Iterable[Unit]) -> str:
    seen: dict[Province, Unit] = {}
    for unit in units:
        if seen.setdefault(unit.province, unit) is not unit:
            return f"{unit.province}: {seen[unit.province]} and {unit}"
    raise AssertionError


def _check_dislodged(map_: Map, position: Position) -> None:
    if position.phase.kind is not PhaseKind.RETREAT:
        raise PositionError(f"{next(iter(position.dislodged))}: a dislodged unit can only be there in a retreat phase")
    if len({unit.province for unit in position.dislodged}) < len(position.dislodged):
        raise PositionError(f"two units were dislodged in {_twice(position.dislodged)}")
    occupied = {unit.province for unit in position.units} | position.contested
    for unit, loss in position.dislodged.items():
        if not map_.can_stand(unit):
            raise PositionError(why_not_there(map_, unit))
        check_powers(map_, [loss.power])
        check_provinces(map_, [loss.attacked_from])
        _check_attack(map_, unit, loss)
        for to in loss.retreats:
            if to not in map_.neighbors(unit):
                raise PositionError(f"{unit} cannot retreat to {to}: no border leads there")
            if province_of(to) in occupied:
                raise PositionError(f"{unit} cannot retreat to {to}: it is occupied or contested")
            if province_of(to) == loss.attacked_from and not loss.by_convoy:
                raise PositionError(f"{unit} cannot retreat to {to}: the attack came from there")


def _check_attack(map_: Map, unit: Unit, loss: Dislodgement) -> None:
    """Raise PositionError unless a unit can have attacked from there.

    It can have come over a border, or be an army that came by convoy from coast to coast.
    """
    start, goal = loss.attacked_from, unit.province
    by_sea = start != goal and not {start, goal} & map_.seas and has_route(map_, map_.carriers, start, goal)
    if start not in map_.borders[goal] and not by_sea:
        raise PositionError(f"{unit} cannot have been dislodged from {start}: no border and no convoy leads from there")

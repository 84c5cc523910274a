"""Reads lines into values; null is the same as a missing key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar

from msgspec import Struct

from judge.errors import NotationError, PositionError, quoted
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.convoys import on_some_route
from judge.rules.exchange.known import Table, read_center, read_location, read_province, read_standing, tables
from judge.rules.exchange.options import Json, read_option, read_options
from judge.rules.map import USUAL_BOARD, Map, load_map
from judge.rules.options import STANDARD, DeclineOwnership, Options, RetreatToConvoyOrigin
from judge.rules.orders import Order
from judge.rules.outcomes import RULES_REVISION
from judge.rules.position import (
    Dislodgement,
    Location,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Unit,
    UnitKind,
    province_of,
)
from judge.rules.soundness import check_losses

_Meant = TypeVar("_Meant")
_Key = TypeVar("_Key", bound=str)
_CIRCUMSTANCES: Final = tuple(field.name for field in fields(Circumstances))


class Task(Struct, frozen=True, gc=False):
    """The contents of a line: a position, the orders and the rules."""

    id: Any
    map: Map
    position: Position
    orders: Mapping[Power, Sequence[Order]]
    options: Options
    circumstances: Circumstances


def read_task(line: Json, revision: int = RULES_REVISION) -> Task:
    """Read an input line; raises NotationError or PositionError, naming the faulty word.

    `revision` is the revision of the rules under which the line was written: profiles have changed since.
    """
    board = _text(_given(line, "board", USUAL_BOARD), "board")
    known, map_ = tables(board), load_map(board)
    phase = Phase.parse(_text(line.get("phase"), "phase"))
    circumstances = _circumstances(map_, line)
    options = read_options(_given(line, "rules", "standard"), revision)
    if _given(line, "end_year", None) is not None:
        options = replace(options, short_game=read_option("short_game", line["end_year"]))
    if circumstances.declined and options.decline_ownership is DeclineOwnership.NO:
        raise PositionError("'declined' needs the option decline_ownership = yes")
    if options.players != STANDARD.players and options.players not in map_.setups:
        raise NotationError(f"players cannot be {quoted(options.players)}; it is one of {', '.join(map_.setups)}")
    contested = frozenset([read_province(map_, text) for text in _texts(line, "contested")])
    if phase.kind is not PhaseKind.RETREAT:
        contested = frozenset()  # the line is an output line, whose standoffs belong to the phase before
    centers = None if line.get("centers") is None else _centers(map_, line, known.centers)
    position = Position(phase, _units(map_, line, known.units), centers, contested=contested)
    if _object(line, "dislodged"):
        aftermath = _Aftermath(map_, position, options, circumstances.closed)
        dislodged = _dislodged(map_, line, aftermath)
        if dislodged:
            position = replace(position, dislodged=dislodged)
    check_losses(map_, position)
    orders = _looked_up(map_, line, known.orders)
    return Task(line.get("id"), map_, position, orders, options, circumstances)


def _given(line: Mapping[_Key, Any], key: _Key, otherwise: object) -> object:
    value = line.get(key)
    return otherwise if value is None else value


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{quoted(key)} must be text, not {quoted(value)}")
    return value


def _texts(line: Mapping[_Key, Any], key: _Key, within: str | None = None) -> list[str]:
    value = _given(line, key, [])
    if type(value) is not list:
        raise NotationError(f"{within or quoted(key)} must hold lists of text, not {quoted(value)}")
    for item in value:
        if type(item) is not str:
            raise NotationError(f"{quoted(f'an item of {within or key}')} must be text, not {quoted(item)}")
    return value


def _object(line: Json, key: str) -> Json:
    value = _given(line, key, {})
    if not isinstance(value, dict):
        raise NotationError(f"{quoted(key)} must be an object, not {quoted(value)}")
    return value


def _by_power(map_: Map, line: Json, key: str) -> Mapping[Power, Any]:
    """Return the values of an object in the line by power.

    The keys are the board's own strings, which compare faster.
    """
    return {_power(map_, power, key): its for power, its in _object(line, key).items()}


def _power(map_: Map, name: str, key: str) -> Power:
    power = map_.powers_by_name.get(name)
    if power is None:
        raise NotationError(f"unknown power {quoted(name)} in {quoted(key)}; there are {', '.join(map_.powers)}")
    return power


def _circumstances(map_: Map, line: Json) -> Circumstances:
    if line.keys().isdisjoint(_CIRCUMSTANCES):
        return NORMAL
    players = {
        player: tuple(sorted(_power(map_, name, "players") for name in _texts(_object(line, "players"), player)))
        for player in _object(line, "players")
    }
    shared = Counter(power for powers in players.values() for power in powers)
    for power, count in shared.items():
        if count > 1:
            raise PositionError(f"{power} stands twice in 'players'")
    declined = {
        power: frozenset(
            read_center(map_, text) for text in _texts(_by_power(map_, line, "declined"), power, "declined")
        )
        for power in _by_power(map_, line, "declined")
    }
    return Circumstances(
        disorder=frozenset(_power(map_, name, "disorder") for name in _texts(line, "disorder")),
        unplayed=frozenset(_power(map_, name, "unplayed") for name in _texts(line, "unplayed")),
        closed=frozenset(read_province(map_, text) for text in _texts(line, "closed")),
        declined=declined,
        vacant=frozenset(_power(map_, name, "vacant") for name in _texts(line, "vacant")),
        players=players,
    )


def _looked_up(map_: Map, line: Json, table: Table[_Meant]) -> Mapping[Power, Sequence[_Meant]]:
    """Return power → the values its texts stand for."""
    given, powers, meant = _object(line, table.key), map_.powers_by_name, table.__getitem__
    found: dict[Power, Sequence[_Meant]] = {}
    try:
        for name, texts in given.items():
            if type(texts) is not list:
                break
            found[powers[name]] = tuple(map(meant, texts))
        else:
            return found
    except (KeyError, TypeError):
        pass  # an unknown power, or a list of lists: the code below raises the error that says which
    return {_power(map_, name, table.key): tuple(map(meant, _texts(given, name, table.key))) for name in given}


def _units(map_: Map, line: Json, table: Table[Unit]) -> Mapping[Unit, Power]:
    given = _looked_up(map_, line, table)
    units = {unit: power for power, its_units in given.items() for unit in its_units}
    if len({unit.province for unit in units}) < sum(map(len, given.values())):
        second = _second((unit.province, unit) for its_units in given.values() for unit in its_units)
        raise PositionError(f"{second}: two units stand in {second.province}")
    return units


def _centers(map_: Map, line: Json, table: Table[Province]) -> Mapping[Province, Power]:
    given = _looked_up(map_, line, table)
    owners = {center: power for power, centers in given.items() for center in centers}
    if len(owners) < sum(map(len, given.values())):
        twice = _second((center, center) for centers in given.values() for center in centers)
        both = [power for power, centers in given.items() for center in centers if center == twice]
        raise PositionError(f"{twice} stands twice in {quoted(table.key)}: {both[0]} and {both[1]}")
    return owners


def _second(keyed: Iterable[tuple[str, _Meant]]) -> _Meant:
    """Return the first value whose key came before."""
    seen: set[str] = set()
    for key, one in keyed:
        if key in seen:
            return one
        seen.add(key)
    raise AssertionError


def _dislodged(map_: Map, line: Json, aftermath: _Aftermath) -> Mapping[Unit, Dislodgement]:
    losses: dict[Unit, Dislodgement] = {}
    for power in _by_power(map_, line, "dislodged"):
        its_losses = _object(line["dislodged"], power)
        for text in its_losses:
            unit = read_standing(map_, text)
            if unit.province in {other.province for other in losses}:
                raise PositionError(f"{text}: two units were dislodged in {unit.province}")
            losses[unit] = aftermath.loss(unit, power, _object(its_losses, text))
    return losses


@dataclass(frozen=True, slots=True)
class _Aftermath:
    """Where a dislodged unit may retreat, given the units that stand now."""

    map: Map
    standing: Position
    options: Options
    closed: frozenset[Province]

    def loss(self, unit: Unit, power: Power, facts: Json) -> Dislodgement:
        """Read what a line tells of a dislodged unit; missing retreats are derived."""
        attacked_from = read_province(self.map, _text(facts.get("from"), "from"))
        if facts.get("retreats") is None:
            by_convoy = _flag(facts, "by_convoy", otherwise=False)
            return Dislodgement(power, attacked_from, by_convoy, self._ways(unit, attacked_from, by_convoy=by_convoy))
        named = tuple(sorted({read_location(self.map, to) for to in _texts(facts, "retreats")}))
        plausible = attacked_from in map(province_of, named) and self._may_have_come_by_sea(
            attacked_from, unit.province
        )
        by_convoy = _flag(facts, "by_convoy", otherwise=plausible)
        ways = self._ways(unit, attacked_from, by_convoy=by_convoy)
        for to in named:
            if to not in self.map.neighbors(unit):
                raise PositionError(f"{unit} cannot retreat to {to}: no border leads there")
            if to not in ways:
                from_there = "the attack came from there, or " if province_of(to) == attacked_from else ""
                raise PositionError(f"{unit} cannot retreat to {to}: {from_there}it is occupied, contested or closed")
        return Dislodgement(power, attacked_from, by_convoy, named)

    def _ways(self, unit: Unit, attacked_from: Province, *, by_convoy: bool) -> tuple[Location, ...]:
        shut = {other.province for other in self.standing.units} | self.standing.contested | self.closed
        if not (by_convoy and self.options.retreat_to_convoy_origin is RetreatToConvoyOrigin.YES):
            shut.add(attacked_from)
        return tuple(to for to in self.map.neighbors(unit) if province_of(to) not in shut)

    def _may_have_come_by_sea(self, start: Province, goal: Province) -> bool:
        """Whether the fleets that stand there now may have carried an army."""
        fleets = self.map.carriers & {one.province for one in self.standing.units if one.kind is UnitKind.FLEET}
        return self.map.armies.get(goal) in self.standing.units and bool(on_some_route(self.map, fleets, start, goal))


def _flag(facts: Json, key: str, *, otherwise: bool) -> bool:
    value = _given(facts, key, otherwise)
    if not isinstance(value, bool):
        raise NotationError(f"{quoted(key)} must be true or false, not {quoted(value)}")
    return value

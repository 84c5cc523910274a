"""One phase as a line of JSON: what `judge adjudicate` reads and writes, and what reports carry.

The shape is close to the states of the `diplomacy` package; the keys are described in `docs/adjudicate.md`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from judge.errors import JudgeError, NotationError, PositionError, quoted
from judge.rules.adjudication import adjudicate
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.convoys import on_some_route
from judge.rules.map import Map, boards, load_map
from judge.rules.notation import read_order, read_unit, write_order
from judge.rules.options import PROFILES, STANDARD, DeclineOwnership, Options, RetreatToConvoyOrigin, option_kinds
from judge.rules.orders import Build, Order, Waive
from judge.rules.outcomes import RULES_REVISION, Illegal, Outcome, Resolution, Verdict
from judge.rules.position import (
    LAST_YEAR,
    Dislodgement,
    Location,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Unit,
    province_of,
)
from judge.rules.soundness import check_position

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Task:
    """A line that was read: a position, the orders for it, the rules to go by."""

    id: object
    map: Map
    position: Position
    orders: Mapping[Power, Sequence[Order]]
    options: Options
    circumstances: Circumstances


def adjudicate_line(
    text: str | bytes, why: Callable[[Outcome, str], str], number: int | None = None
) -> tuple[str, bool]:
    """Adjudicate one line; the second value is False where the line could not be read.

    `why` words an outcome on the board of a name; `number` is that of the line, for the error.
    """
    id_ = None
    try:
        line = _parsed(text if isinstance(text, str) else _decoded(text))
        id_ = _printable(line.get("id"))
        task = read_task(line)
    except JudgeError as error:
        where = "" if number is None else f"line {number}: "
        return _in_one_line({"id": id_, "error": f"{where}{error}"}), False
    resolution = adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)
    board = str(_given(line, "board", "standard"))
    return _in_one_line(write_result(resolution, lambda outcome: why(outcome, board), id_)), True


def _decoded(raw: bytes) -> str:
    """The text of a line; raises NotationError, as nothing that was guessed can come back unchanged."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotationError(f"no UTF-8: the byte {raw[error.start]:#04x} at column {error.start + 1}") from error


def _printable(id_: object) -> object:
    """The `id`, if it can be written as it was read; raises NotationError where it is nested as deep as can be read."""
    try:
        json.dumps(id_)
    except RecursionError as error:
        raise NotationError("the 'id' is nested too deeply") from error
    return id_


def _parsed(text: str) -> Json:
    """The object a line holds; raises NotationError."""
    try:
        line = json.loads(
            text, parse_constant=_number, parse_float=_number, parse_int=_integer, object_pairs_hook=_keys_once
        )
    except RecursionError as error:
        raise NotationError("the line is nested too deeply") from error
    except json.JSONDecodeError as error:
        rest = quoted(text[error.pos : error.pos + _LONGEST_REST].rstrip())
        raise NotationError(f"not a line of JSON: {error.msg} at column {error.pos + 1}, {rest}") from error
    except ValueError as error:
        raise NotationError(f"not a line of JSON: {error}") from error
    if not isinstance(line, dict):
        raise NotationError(f"a line must be a JSON object, not {quoted(line)}")
    return line


def _keys_once(pairs: Sequence[tuple[str, object]]) -> Json:
    """An object of JSON; raises NotationError for a key that stands twice, as only one of them could count."""
    line = dict(pairs)
    if len(line) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise NotationError(f"the key {quoted(twice)} stands twice")
    return line


def _number(text: str) -> float:
    """A number that can be written as JSON again; raises ValueError for 1e999 and NaN."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:_LONGEST_REST]} is no number")
    return number


def _integer(text: str) -> int:
    """A number of any length worth writing down; raises ValueError for others."""
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"{text[:10]}… has {len(text)} digits")
    return int(text)


_LONGEST_REST = 60
_MOST_DIGITS = 1000


def _in_one_line(line: Json) -> str:
    written = json.dumps(line, ensure_ascii=False)
    # Half of a surrogate pair can be read from JSON, but not be written as UTF-8.
    return written if written.isascii() or not _SURROGATES.search(written) else json.dumps(line)


_SURROGATES = re.compile("[\ud800-\udfff]")


def read_task(line: Json) -> Task:
    """Read an input line; raises NotationError or PositionError, naming the word it stumbled on."""
    map_ = _map(line)
    phase = Phase.parse(_text(line.get("phase"), "phase"))
    circumstances = _circumstances(map_, line)
    options = read_options(_given(line, "rules", "standard"))
    if _given(line, "end_year", None) is not None:
        options = replace(options, short_game=read_option("short_game", line["end_year"]))
    if circumstances.declined and options.decline_ownership is DeclineOwnership.NO:
        raise PositionError("'declined' needs the option decline_ownership = yes")
    if options.players not in (STANDARD.players, *map_.setups):
        raise NotationError(f"players cannot be {quoted(options.players)}; it is one of {', '.join(map_.setups)}")
    contested = frozenset(_province(map_, text) for text in _texts(line, "contested"))
    if phase.kind is not PhaseKind.RETREAT:
        contested = frozenset()  # it is an output line, which tells of the phase before
    centers = _centers(map_, line, "centers") if _given(line, "centers", None) is not None else None
    standing = Position(phase, _units(map_, line), centers, contested=contested)
    aftermath = _Aftermath(map_, standing, options, circumstances.closed)
    position = replace(standing, dislodged=_dislodged(map_, line, aftermath))
    check_position(map_, position)
    orders = {
        Power(power): tuple(_order(map_, text) for text in _texts(_by_power(map_, line, "orders"), power, "orders"))
        for power in _by_power(map_, line, "orders")
    }
    return Task(line.get("id"), map_, position, orders, options, circumstances)


def read_options(rules: object) -> Options:
    """The options of a profile's name, or of `{"profile": …, option: value}`; raises NotationError."""
    if isinstance(rules, str):
        rules = {"profile": rules}
    if not isinstance(rules, dict):
        raise NotationError("'rules' must be the name of a profile or an object")
    changes = dict(rules)
    profile = changes.pop("profile", "standard")
    if not isinstance(profile, str) or profile not in PROFILES:
        raise NotationError(f"unknown rule profile {quoted(profile)}; there are {', '.join(PROFILES)}")
    return replace(PROFILES[profile], **{name: read_option(name, value) for name, value in changes.items()})


def read_option(name: str, value: object) -> Any:  # noqa: ANN401 - as many types as there are options
    """The value of one option; raises NotationError, naming the values there are."""
    kind = option_kinds().get(name)
    if kind is None:
        raise NotationError(f"unknown rule option {quoted(name)}")
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if not isinstance(value, str) or value not in list(kind):
            raise NotationError(f"{name} cannot be {quoted(value)}; it is one of {', '.join(kind)}")
        return kind(value)
    if kind is str and isinstance(value, str):
        return value
    if kind == int | None and (value is None or (type(value) is int and 0 < value <= LAST_YEAR)):
        return value
    raise NotationError(f"{name} cannot be {quoted(value)}; it is {'a name' if kind is str else 'a year or null'}")


def write_options(options: Options) -> str | Json:
    """The shortest `rules` value that reads back as these options."""

    def differing(profile: Options) -> Json:
        names = [field.name for field in fields(Options)]
        return {name: getattr(options, name) for name in names if getattr(options, name) != getattr(profile, name)}

    nearest = min(PROFILES, key=lambda name: len(differing(PROFILES[name])))
    changed = differing(PROFILES[nearest])
    return {"profile": nearest, **changed} if changed else nearest


def write_position(position: Position) -> Json:
    """`phase`, `units`, `dislodged`, `centers` and `contested` of a line."""
    line: Json = {"phase": str(position.phase)} | _write_board(position)
    return line


def write_task(
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options,
    circumstances: Circumstances = NORMAL,
) -> Json:
    """An input line that reads back as these arguments."""
    written = {power: [write_order(order) for order in its_orders] for power, its_orders in orders.items()}
    line = write_position(position) | {"orders": written, "rules": write_options(options)}
    return line | _write_circumstances(circumstances)


def _write_circumstances(circumstances: Circumstances) -> Json:
    sets = {name: sorted(getattr(circumstances, name)) for name in ("disorder", "unplayed", "closed")}
    tables = {
        "declined": {power: sorted(centers) for power, centers in circumstances.declined.items()},
        "players": {player: list(powers) for player, powers in circumstances.players.items()},
    }
    return {name: value for name, value in (sets | tables).items() if value}


def write_result(resolution: Resolution, why: Callable[[Outcome], str], id_: object = None) -> Json:
    """An output line; given new `orders`, and its `next` as `phase`, it is an input line."""
    after = resolution.position
    counting = _counting(resolution)
    line: Json = {
        "id": id_,
        "phase": str(resolution.phase),
        "next": resolution.over.value if resolution.over else str(after.phase),
        **_write_board(after),
        "contested": sorted(resolution.contested),
        "results": {str(unit): list(verdict.results) for unit, verdict in counting.items()},
        "why": {str(unit): _in_words(verdict, why) for unit, verdict in counting.items() if verdict.outcomes},
        "orders": [_write_verdict(verdict, why) for verdict in resolution.verdicts if verdict.given],
    }
    if resolution.adjustments:
        line["adjust"] = {
            power: {"count": decision.count, "options": [write_order(order) for order in decision.options]}
            for power, decision in resolution.adjustments.items()
        }
    if resolution.phase.kind is PhaseKind.ADJUSTMENT:
        line["automatic"] = [
            {"power": verdict.power, "order": write_order(verdict.order)}
            for verdict in resolution.verdicts
            if not verdict.given
        ]
    if resolution.eliminated:
        line["eliminated"] = list(resolution.eliminated)
    if resolution.winner or resolution.winning_player:
        line["winner"] = resolution.winner or resolution.winning_player
    if resolution.winning_powers:
        line["won_with"] = {power: len(after.units_of(power)) for power in resolution.winning_powers}
    line["rules_revision"] = RULES_REVISION
    return line


def _write_verdict(verdict: Verdict, why: Callable[[Outcome], str]) -> Json:
    return {
        "power": verdict.power,
        "order": write_order(verdict.order),
        "results": list(verdict.results),
        "why": _in_words(verdict, why),
    }


def _counting(resolution: Resolution) -> Mapping[Unit, Verdict]:
    """Every unit as it stood, or was built, → the verdict on its order that counted.

    That is its power's legal order; if there is none, the illegal one with which its fate is told.
    """
    before = resolution.before
    counting: dict[Unit, Verdict] = {}
    if before is None:
        return counting
    owners = before.units if before.phase.kind is not PhaseKind.RETREAT else before.dislodged_powers()
    at = {unit.province: unit for unit in owners}
    for verdict in resolution.verdicts:
        if isinstance(verdict.order, Waive):
            continue
        named = verdict.order.unit
        unit = named if isinstance(verdict.order, Build) else at.get(named.province)
        if unit is None or owners.get(unit, verdict.power) != verdict.power:
            continue  # nobody's unit, or another power's
        if unit not in counting or (_is_illegal(counting[unit]) and not _is_illegal(verdict)):
            counting[unit] = verdict
    return counting


def _is_illegal(verdict: Verdict) -> bool:
    return any(isinstance(outcome, Illegal) for outcome in verdict.outcomes)


def _in_words(verdict: Verdict, why: Callable[[Outcome], str]) -> str:
    return "; ".join(why(outcome) for outcome in verdict.outcomes)


def _write_board(position: Position) -> Json:
    board: Json = {"units": {}, "dislodged": {}}
    for unit, power in sorted(position.units.items(), key=lambda item: (item[1], item[0].location)):
        board["units"].setdefault(power, []).append(str(unit))
    for unit, loss in position.dislodged.items():
        facts: Json = {"from": loss.attacked_from, "retreats": list(loss.retreats)}
        if loss.by_convoy:
            facts["by_convoy"] = True
        board["dislodged"].setdefault(loss.power, {})[str(unit)] = facts
    if position.centers is not None:
        board["centers"] = {}
        for center, power in sorted(position.centers.items()):
            board["centers"].setdefault(power, []).append(center)
    board["contested"] = sorted(position.contested)
    return board


# Reading the parts of a line; null is as good as leaving a key out


def _given(line: Json, key: str, otherwise: object) -> object:
    value = line.get(key)
    return otherwise if value is None else value


def _map(line: Json) -> Map:
    name = _given(line, "board", "standard")
    if not isinstance(name, str) or name not in boards():
        raise NotationError(f"unknown board {quoted(name)}; there is {', '.join(boards())}")
    return load_map(name)


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{quoted(key)} must be text, not {quoted(value)}")
    return value


def _texts(line: Json, key: str, within: str | None = None) -> list[str]:
    value = _given(line, key, [])
    if not isinstance(value, list):
        raise NotationError(f"{within or quoted(key)} must hold lists of text, not {quoted(value)}")
    return [_text(item, f"an item of {within or key}") for item in value]


def _object(line: Json, key: str) -> Json:
    value = _given(line, key, {})
    if not isinstance(value, dict):
        raise NotationError(f"{quoted(key)} must be an object, not {quoted(value)}")
    return value


def _by_power(map_: Map, line: Json, key: str) -> Json:
    value = _object(line, key)
    for power in value:
        _power(map_, power, key)
    return value


def _power(map_: Map, name: str, key: str) -> Power:
    if name not in map_.powers:
        raise NotationError(f"unknown power {quoted(name)} in {quoted(key)}; there are {', '.join(map_.powers)}")
    return Power(name)


def _circumstances(map_: Map, line: Json) -> Circumstances:
    players = {
        player: tuple(sorted(_power(map_, name, "players") for name in _texts(_object(line, "players"), player)))
        for player in _object(line, "players")
    }
    shared = Counter(power for powers in players.values() for power in powers)
    for power, count in shared.items():
        if count > 1:
            raise PositionError(f"{power} stands twice in 'players'")
    declined = {
        Power(power): frozenset(
            _center(map_, text) for text in _texts(_by_power(map_, line, "declined"), power, "declined")
        )
        for power in _by_power(map_, line, "declined")
    }
    return Circumstances(
        disorder=frozenset(_power(map_, name, "disorder") for name in _texts(line, "disorder")),
        unplayed=frozenset(_power(map_, name, "unplayed") for name in _texts(line, "unplayed")),
        closed=frozenset(_province(map_, text) for text in _texts(line, "closed")),
        declined=declined,
        players=players,
    )


def _province(map_: Map, text: str) -> Province:
    if text not in map_.provinces:
        raise NotationError(f"unknown province {quoted(text)}")
    return province_of(Location(text))


def _center(map_: Map, text: str) -> Province:
    if _province(map_, text) not in map_.supply_centers:
        raise PositionError(f"{text} is not a supply center")
    return province_of(Location(text))


def _centers(map_: Map, line: Json, key: str) -> Mapping[Province, Power]:
    owners: dict[Province, Power] = {}
    for power in _by_power(map_, line, key):
        for text in _texts(line[key], power, key):
            center = _center(map_, text)
            if center in owners:
                raise PositionError(f"{text} stands twice in {quoted(key)}: {owners[center]} and {power}")
            owners[center] = Power(power)
    return owners


def _location(map_: Map, text: str) -> Location:
    info = map_.provinces[_province(map_, text[:3])]
    if text not in (info.code, *info.coasts):
        raise NotationError(f"{quoted(text)} is not a coast of {info.name}")
    return Location(text)


def _standing(map_: Map, text: str) -> Unit:
    unit = read_unit(text)
    _location(map_, unit.location)
    return unit


def _units(map_: Map, line: Json) -> Mapping[Unit, Power]:
    units: dict[Unit, Power] = {}
    occupied: set[Province] = set()
    for power in _by_power(map_, line, "units"):
        for text in _texts(line["units"], power, "units"):
            unit = _standing(map_, text)
            if unit.province in occupied:
                raise PositionError(f"{text}: two units stand in {unit.province}")
            occupied.add(unit.province)
            units[unit] = Power(power)
    return units


def _order(map_: Map, text: str) -> Order:
    order = read_order(text)
    for place in (getattr(order, "unit", None), getattr(order, "supported", None), getattr(order, "army", None)):
        if place is not None:
            _province(map_, place.province)
    to = getattr(order, "to", None)
    if to is not None:
        _province(map_, province_of(to))
    return order


def _dislodged(map_: Map, line: Json, aftermath: _Aftermath) -> Mapping[Unit, Dislodgement]:
    losses: dict[Unit, Dislodgement] = {}
    for power in _by_power(map_, line, "dislodged"):
        its_losses = _object(line["dislodged"], power)
        for text in its_losses:
            unit = _standing(map_, text)
            if unit.province in {other.province for other in losses}:
                raise PositionError(f"{text}: two units were dislodged in {unit.province}")
            losses[unit] = aftermath.loss(unit, Power(power), _object(its_losses, text))
    return losses


@dataclass(frozen=True, slots=True)
class _Aftermath:
    """What a dislodged unit finds around it."""

    map: Map
    standing: Position
    options: Options
    closed: frozenset[Province]

    def loss(self, unit: Unit, power: Power, facts: Json) -> Dislodgement:
        """What a line tells of a dislodged unit; its retreats are derived if they are not given."""
        attacked_from = _province(self.map, _text(facts.get("from"), "from"))
        if facts.get("retreats") is None:
            by_convoy = _flag(facts, "by_convoy", otherwise=False)
            return Dislodgement(power, attacked_from, by_convoy, self._ways(unit, attacked_from, by_convoy=by_convoy))
        named = tuple(sorted({_location(self.map, to) for to in _texts(facts, "retreats")}))
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
        """Whether the fleets that stand there now can have carried an army."""
        fleets = frozenset(unit.province for unit in self.standing.units if self.map.is_sea(unit.province))
        return self.map.armies.get(goal) in self.standing.units and bool(on_some_route(self.map, fleets, start, goal))


def _flag(facts: Json, key: str, *, otherwise: bool) -> bool:
    value = _given(facts, key, otherwise)
    if not isinstance(value, bool):
        raise NotationError(f"{quoted(key)} must be true or false, not {quoted(value)}")
    return value

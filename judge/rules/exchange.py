"""One phase as a line of JSON: what `judge adjudicate` reads and writes, and what reports carry.

The shape is close to the states of the `diplomacy` package; the keys are described in `docs/adjudicate.md`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache
from typing import Any, get_type_hints

from judge.errors import JudgeError, NotationError, PositionError
from judge.rules.adjudication import adjudicate
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.map import Map, load_map
from judge.rules.notation import read_order, read_unit, write_order
from judge.rules.options import PROFILES, DeclineOwnership, Options
from judge.rules.orders import Order, Waive
from judge.rules.outcomes import RULES_REVISION, Illegal, Outcome, Resolution, Verdict
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


def adjudicate_line(text: str, why: Callable[[Outcome], str]) -> tuple[str, bool]:
    """Adjudicate one line; the second value is False where the line could not be read.

    `why` words an outcome.
    """
    id_ = None
    try:
        line = json.loads(text)
        if not isinstance(line, dict):
            raise NotationError("a line must be a JSON object")
        id_ = line.get("id")
        task = read_task(line)
    except (JudgeError, ValueError) as error:
        return json.dumps({"id": id_, "error": str(error)}, ensure_ascii=False), False
    resolution = adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)
    return json.dumps(write_result(resolution, why, id_), ensure_ascii=False), True


def read_task(line: Json) -> Task:
    """Read an input line; raises NotationError or PositionError, naming the word it stumbled on."""
    map_ = _map(line)
    phase = Phase.parse(_text(line.get("phase"), "phase"))
    units = {
        _standing(map_, text): Power(power)
        for power, texts in _by_power(map_, line, "units").items()
        for text in _texts(texts, "units")
    }
    _check_occupation(line, units)
    centers = None
    if line.get("centers") is not None:
        centers = {
            _center(map_, text): Power(power)
            for power, texts in _by_power(map_, line, "centers").items()
            for text in _texts(texts, "centers")
        }
    contested = frozenset(_province(map_, text) for text in _texts(line.get("contested", []), "contested"))
    position = Position(phase, units, centers, {}, contested)
    position = replace(position, dislodged=_dislodged(map_, line, position))
    orders = {
        Power(power): tuple(_order(map_, text) for text in _texts(texts, "orders"))
        for power, texts in _by_power(map_, line, "orders").items()
    }
    if phase.kind is PhaseKind.ADJUSTMENT and centers is None:
        raise PositionError("an adjustment phase needs 'centers'")
    options = read_options(line.get("rules", "standard"))
    if line.get("end_year") is not None:
        options = replace(options, short_game=read_option("short_game", line["end_year"]))
    circumstances = _circumstances(map_, line)
    if circumstances.declined and options.decline_ownership is DeclineOwnership.NO:
        raise PositionError("'declined' needs the option decline_ownership = yes")
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
        raise NotationError(f"unknown rule profile {profile!r}; there are {', '.join(PROFILES)}")
    return replace(PROFILES[profile], **{name: read_option(name, value) for name, value in changes.items()})


@cache
def _option_kinds() -> Mapping[str, Any]:
    return get_type_hints(Options)


def read_option(name: str, value: object) -> Any:  # noqa: ANN401 - as many types as there are options
    """The value of one option; raises NotationError, naming the values there are."""
    kind = _option_kinds().get(name)
    if kind is None:
        raise NotationError(f"unknown rule option {name!r}")
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if not isinstance(value, str) or value not in list(kind):
            raise NotationError(f"{name} cannot be {value!r}; it is one of {', '.join(kind)}")
        return kind(value)
    if kind is str and isinstance(value, str):
        return value
    if kind == int | None and (value is None or type(value) is int):
        return value
    raise NotationError(f"{name} cannot be {value!r}; it is {'a name' if kind is str else 'a year or null'}")


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
    counting: dict[str, Verdict] = {}
    lines = []
    for verdict in resolution.verdicts:
        text = write_order(verdict.order)
        if verdict.given:
            told = _in_words(verdict, why)
            lines.append({"power": verdict.power, "order": text, "results": list(verdict.results), "why": told})
        if not isinstance(verdict.order, Waive):
            unit = str(verdict.order.unit)
            if unit not in counting or _is_illegal(counting[unit]):
                counting[unit] = verdict
    line: Json = {
        "id": id_,
        "phase": str(resolution.phase),
        "next": resolution.over.value if resolution.over else str(after.phase),
        **_write_board(after),
        "results": {unit: list(verdict.results) for unit, verdict in counting.items()},
        "why": {unit: _in_words(verdict, why) for unit, verdict in counting.items() if verdict.outcomes},
        "orders": lines,
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
    line["rules_revision"] = RULES_REVISION
    return line


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


# Reading the parts of a line


def _map(line: Json) -> Map:
    name = line.get("board", "standard")
    if not isinstance(name, str) or not name.isalnum():
        raise NotationError(f"{name!r} is not the name of a board")
    return load_map(name)


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{key!r} must be text, not {value!r}")
    return value


def _texts(value: object, key: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise NotationError(f"{key!r} must hold lists of text, not {value!r}")
    return value


def _by_power(map_: Map, line: Json, key: str) -> Json:
    value = line.get(key) or {}
    if not isinstance(value, dict):
        raise NotationError(f"{key!r} must be an object, power by power")
    for power in value:
        if power not in map_.powers:
            raise NotationError(f"unknown power {power!r} in {key!r}; there are {', '.join(map_.powers)}")
    return value


def _circumstances(map_: Map, line: Json) -> Circumstances:
    players = line.get("players") or {}
    if not isinstance(players, dict):
        raise NotationError("'players' must be an object, player by player")
    return Circumstances(
        disorder=_powers(map_, line, "disorder"),
        unplayed=_powers(map_, line, "unplayed"),
        closed=frozenset(_province(map_, text) for text in _texts(line.get("closed", []), "closed")),
        declined={
            Power(power): frozenset(_center(map_, text) for text in _texts(texts, "declined"))
            for power, texts in _by_power(map_, line, "declined").items()
        },
        players={player: tuple(sorted(_powers(map_, players, player))) for player in players},
    )


def _powers(map_: Map, line: Json, key: str) -> frozenset[Power]:
    names = _texts(line.get(key) or [], key)
    for name in names:
        if name not in map_.powers:
            raise NotationError(f"unknown power {name!r} in {key!r}; there are {', '.join(map_.powers)}")
    return frozenset(map(Power, names))


def _province(map_: Map, text: str) -> Province:
    if text not in map_.provinces:
        raise NotationError(f"unknown province {text!r}")
    return province_of(Location(text))


def _center(map_: Map, text: str) -> Province:
    if _province(map_, text) not in map_.supply_centers:
        raise PositionError(f"{text} is not a supply center")
    return province_of(Location(text))


def _location(map_: Map, text: str) -> Location:
    info = map_.provinces[_province(map_, text[:3])]
    if text not in (info.code, *info.coasts) and info.coasts:
        raise NotationError(f"{text!r} is not a coast of {info.name}")
    return Location(text)


def _standing(map_: Map, text: str) -> Unit:
    unit = read_unit(text)
    _location(map_, unit.location)
    if not map_.can_stand(unit):
        kind = "an army" if unit.kind is UnitKind.ARMY else "a fleet"
        raise PositionError(f"{text}: {kind} cannot stand there")
    return unit


def _order(map_: Map, text: str) -> Order:
    order = read_order(text)
    for place in (getattr(order, "unit", None), getattr(order, "supported", None), getattr(order, "army", None)):
        if place is not None:
            _province(map_, place.province)
    to = getattr(order, "to", None)
    if to is not None:
        _province(map_, province_of(to))
    return order


def _check_occupation(line: Json, units: Mapping[Unit, Power]) -> None:
    listed = sum(len(texts) for texts in (line.get("units") or {}).values())
    provinces = {unit.province: unit for unit in units}
    if len(provinces) < listed:
        seen: set[str] = set()
        for texts in line["units"].values():
            for text in texts:
                if text[2:5] in seen:
                    raise PositionError(f"{text}: two units stand in {text[2:5]}")
                seen.add(text[2:5])


def _dislodged(map_: Map, line: Json, position: Position) -> Mapping[Unit, Dislodgement]:
    losses = {}
    shut = {unit.province for unit in position.units} | position.contested
    for power, its_losses in _by_power(map_, line, "dislodged").items():
        if not isinstance(its_losses, dict):
            raise NotationError("'dislodged' must map units to what befell them")
        for text, facts in its_losses.items():
            unit = _standing(map_, text)
            attacked_from = _province(map_, _text(facts.get("from"), "from"))
            by_convoy = bool(facts.get("by_convoy", False))
            if "retreats" in facts:
                retreats = tuple(_location(map_, to) for to in _texts(facts["retreats"], "retreats"))
            else:
                closed = shut if by_convoy else shut | {attacked_from}
                retreats = tuple(to for to in map_.neighbors(unit) if province_of(to) not in closed)
            losses[unit] = Dislodgement(Power(power), attacked_from, by_convoy, retreats)
    return losses

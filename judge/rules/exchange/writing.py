"""Writes values as lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Final, get_args

import msgspec
from msgspec import Raw, Struct

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.exchange.options import Json, write_options
from judge.rules.notation import write_order
from judge.rules.options import Options
from judge.rules.orders import Build, Order, Waive
from judge.rules.outcomes import RULES_REVISION, Illegal, Outcome, Reason, Resolution, Unexplained, Verdict
from judge.rules.position import PhaseKind, Position, Power, Province


def write_position(position: Position) -> Json:
    """Return `phase`, `units`, `dislodged`, `centers` and `contested` of a line."""
    line: Json = {"phase": str(position.phase)} | _write_board(position)
    return line


def write_task(
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    options: Options,
    circumstances: Circumstances = NORMAL,
) -> Json:
    """Return an input line that reads back as these arguments."""
    written = {power: [write_order(order) for order in its_orders] for power, its_orders in orders.items()}
    line = write_position(position) | {"orders": written, "rules": write_options(options)}
    return line | _write_circumstances(circumstances)


def _write_circumstances(circumstances: Circumstances) -> Json:
    sets = {name: sorted(getattr(circumstances, name)) for name in ("disorder", "unplayed", "closed", "vacant")}
    tables = {
        "declined": {power: sorted(centers) for power, centers in circumstances.declined.items()},
        "players": {player: list(powers) for player, powers in circumstances.players.items()},
    }
    return {name: value for name, value in (sets | tables).items() if value}


def write_result(resolution: Resolution, why: Callable[[Reason], str], id_: object = None) -> Json:
    """Return an output line as an object."""
    line: Json = json.loads(write_result_line(resolution, why, id_))
    return line


class _Told(Struct, frozen=True, gc=False):
    """An order and its outcome, an item of `orders`."""

    power: Power
    order: str
    results: Sequence[str] = ()
    why: str = ""


def write_result_line(resolution: Resolution, why: Callable[[Reason], str], id_: object = None) -> str:
    """Write an output line.

    Given new `orders`, and its `next` as `phase`, it is an input line.
    """
    after = resolution.position
    results: dict[str, Sequence[str]] = {}
    whys: dict[str, str] = {}
    orders: list[_Told] = []
    verdicts = resolution.verdicts
    fates = _fates(resolution) if _any_illegal(verdicts) else None
    for number, verdict in enumerate(verdicts):
        order = verdict.order
        words, reasons = _words(verdict, why)
        unit = ""
        if fates is not None:
            unit = fates.get(number, "")
        elif not isinstance(order, Waive):
            unit = order.unit.text
        if unit:
            results[unit] = words
            if reasons:
                whys[unit] = reasons
        if verdict.given:
            orders.append(_Told(verdict.power, order.text, words, reasons))
    line: Json = {
        "id": Raw(in_json(id_).encode()),
        "phase": str(resolution.phase),
        "next": resolution.over.value if resolution.over else str(after.phase),
        "units": _units_by_power(after),
        "dislodged": _write_dislodged(after),
    }
    if after.centers is not None:
        line["centers"] = _centers_by_power(after.centers)
    line["contested"] = sorted(resolution.contested)
    line.update(results=results, why=whys, orders=orders)
    line.update(_rest(resolution))
    return _ENCODER.encode(line).decode()


_ENCODER: Final = msgspec.json.Encoder()


def _words(verdict: Verdict, why: Callable[[Reason], str]) -> tuple[Sequence[str], str]:
    """Return the result words of an order, and its reasons as text."""
    outcomes = verdict.outcomes
    if verdict.by_rule is None:
        if not outcomes:
            return _SUCCESS, ""
        if len(outcomes) == 1:
            return _ONE_WORD[type(outcomes[0])], why(outcomes[0])
    return verdict.results, "; ".join(map(why, verdict.reasons))


_SUCCESS: Final[tuple[str, ...]] = ()
_ONE_WORD: Final = {kind: (kind.result,) for kind in get_args(Outcome) if kind is not Unexplained}


def _rest(resolution: Resolution) -> Json:
    """Return the keys that only some phases have, and the revision."""
    rest: Json = {}
    if resolution.adjustments:
        rest["adjust"] = {
            power: {"count": decision.count, "options": [order.text for order in decision.options]}
            for power, decision in resolution.adjustments.items()
        }
    if resolution.phase.kind is PhaseKind.ADJUSTMENT:
        rest["automatic"] = [
            {"power": verdict.power, "order": verdict.order.text}
            for verdict in resolution.verdicts
            if not verdict.given
        ]
    if resolution.eliminated:
        rest["eliminated"] = list(resolution.eliminated)
    if resolution.winner or resolution.winning_player:
        rest["winner"] = resolution.winner or resolution.winning_player
    if resolution.winning_powers:
        units = resolution.position
        rest["won_with"] = {power: len(units.units_of(power)) for power in resolution.winning_powers}
    rest["rules_revision"] = RULES_REVISION
    return rest


def in_json(value: object) -> str:
    """Write as JSON, unescaped; as ASCII if a lone surrogate cannot be encoded.

    Half of a surrogate pair can be read but not written.
    """
    if type(value) is int:
        return str(value)
    written = _ANYTHING.encode(value)
    return json.dumps(value) if not written.isascii() and _SURROGATES.search(written) else written


_ANYTHING: Final = json.JSONEncoder(ensure_ascii=False)
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")


def _any_illegal(verdicts: Sequence[Verdict]) -> bool:
    """Whether some order was illegal; if none was, each verdict is about another unit."""
    return Illegal in {type(verdict.outcomes[0]) for verdict in verdicts if verdict.outcomes}


def _fates(resolution: Resolution) -> Mapping[int, str]:
    """Return number of a verdict → the unit whose fate it tells.

    The unit is written as it stood or was built. Its fate is told with its power's legal order, or, if there is
    none, with an illegal one.
    """
    before, verdicts = resolution.before, resolution.verdicts
    counting: dict[str, int] = {}
    if before is None:
        return {}
    owners = before.units if before.phase.kind is not PhaseKind.RETREAT else before.dislodged_powers()
    at = {unit.province: (unit.text, owner) for unit, owner in owners.items()}
    for number, verdict in enumerate(verdicts):
        power, order = verdict.power, verdict.order
        if isinstance(order, Waive):
            continue
        if isinstance(order, Build):
            unit, owner = order.unit.text, owners.get(order.unit, power)
        else:
            unit, owner = at.get(order.unit.province, _NOBODY)
        if owner != power:
            continue  # the unit belongs to no power or to another one
        counted = counting.setdefault(unit, number)
        if counted != number and _is_illegal(verdicts[counted].outcomes) and not _is_illegal(verdict.outcomes):
            counting[unit] = number
    return {number: unit for unit, number in counting.items()}


_NOBODY: Final = ("", Power(""))


def _is_illegal(outcomes: Sequence[Outcome]) -> bool:
    return isinstance(outcomes[0], Illegal) if len(outcomes) == 1 else any(isinstance(one, Illegal) for one in outcomes)


def _write_board(position: Position) -> Json:
    board: Json = {"units": _units_by_power(position), "dislodged": _write_dislodged(position)}
    if position.centers is not None:
        board["centers"] = _centers_by_power(position.centers)
    board["contested"] = sorted(position.contested)
    return board


def _units_by_power(position: Position) -> Mapping[str, Sequence[str]]:
    """Return power → its units in notation, sorted by location."""
    units: dict[str, list[str]] = {power: [] for power in sorted({*position.units.values()})}
    for unit, power in position.units.items():
        units[power].append(unit.text)
    for its_units in units.values():
        its_units.sort(key=_where)
    return units


_where = itemgetter(slice(2, None))


def _centers_by_power(owners: Mapping[Province, Power]) -> Mapping[str, Sequence[str]]:
    """Return power → its centers, sorted; powers are sorted by their first center."""
    centers: dict[str, list[str]] = {}
    for center in sorted(owners):
        centers.setdefault(owners[center], []).append(center)
    return centers


def _write_dislodged(position: Position) -> Json:
    dislodged: Json = {}
    for unit, loss in position.dislodged.items():
        facts: Json = {"from": loss.attacked_from, "retreats": list(loss.retreats)}
        if loss.by_convoy:
            facts["by_convoy"] = True
        dislodged.setdefault(loss.power, {})[unit.text] = facts
    return dislodged

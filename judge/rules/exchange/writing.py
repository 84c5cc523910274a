"""Values into lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import get_args

import msgspec

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.exchange.options import Json, write_options
from judge.rules.notation import write_order
from judge.rules.options import Options
from judge.rules.orders import Build, Order, Waive
from judge.rules.outcomes import RULES_REVISION, Illegal, Outcome, Resolution
from judge.rules.position import PhaseKind, Position, Power, Province, Unit

_CLAUSES_REMEMBERED = 2**14


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
    sets = {name: sorted(getattr(circumstances, name)) for name in ("disorder", "unplayed", "closed", "vacant")}
    tables = {
        "declined": {power: sorted(centers) for power, centers in circumstances.declined.items()},
        "players": {player: list(powers) for player, powers in circumstances.players.items()},
    }
    return {name: value for name, value in (sets | tables).items() if value}


def write_result(resolution: Resolution, why: Callable[[Outcome], str], id_: object = None) -> Json:
    """What an output line holds."""
    line: Json = json.loads(write_result_line(resolution, why, id_))
    return line


def write_result_line(resolution: Resolution, why: Callable[[Outcome], str], id_: object = None) -> str:
    """An output line; given new `orders`, and its `next` as `phase`, it is an input line.

    It is put together from texts, which takes half as long as making a dictionary and writing that; powers, places and
    orders hold nothing that JSON has to write in another way.
    """
    after, verdicts, counting = resolution.position, resolution.verdicts, _counting(resolution)
    told = [_told(verdict.outcomes, why) if verdict.outcomes else _DONE for verdict in verdicts]
    results = [f'"{unit}": {told[number][0]}' for unit, number in counting.items()]
    reasons = [f'"{unit}": {told[number][1]}' for unit, number in counting.items() if verdicts[number].outcomes]
    orders = [
        f'{{"power": "{verdict.power}", "order": "{verdict.order.text}", {in_full}}}'
        for verdict, (_, _, in_full) in zip(verdicts, told, strict=True)
        if verdict.given
    ]
    centers = "" if after.centers is None else f', "centers": {_in_lists(_centers_by_power(after.centers))}'
    return (
        f'{{"id": {in_json(id_)}, "phase": "{resolution.phase}", '
        f'"next": "{resolution.over.value if resolution.over else after.phase}", '
        f'"units": {_in_lists(_units_by_power(after))}, "dislodged": {_plain_json(_write_dislodged(after))}{centers}, '
        f'"contested": {_plain_json(sorted(resolution.contested))}, '
        f'"results": {{{", ".join(results)}}}, "why": {{{", ".join(reasons)}}}, "orders": [{", ".join(orders)}], '
        f"{_plain_json(_rest(resolution))[1:]}"
    )


def _rest(resolution: Resolution) -> Json:
    """What stands in the lines of some phases only, and the revision."""
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


def _plain_json(value: Json | Sequence[str]) -> str:
    """Of texts and whole numbers of ours."""
    if not value:
        return str(value)  # an empty list or object is written alike
    return msgspec.json.format(_PLAIN_ENCODER.encode(value), indent=0).decode()


_PLAIN_ENCODER = msgspec.json.Encoder()


def in_json(value: object) -> str:
    """As JSON, in letters as they are; in ASCII where half of a surrogate pair can be read, but not be written."""
    if type(value) is int:
        return str(value)
    written = _ENCODER.encode(value)
    return json.dumps(value) if not written.isascii() and _SURROGATES.search(written) else written


_ENCODER = json.JSONEncoder(ensure_ascii=False)
_SURROGATES = re.compile("[\ud800-\udfff]")


def _in_lists(by_power: Mapping[str, Sequence[str]]) -> str:
    """Power by power, none of them without any."""
    return "{" + ", ".join([f'"{power}": ["{_BETWEEN.join(texts)}"]' for power, texts in by_power.items()]) + "}"


_BETWEEN = '", "'
_DONE = ("[]", '""', '"results": [], "why": ""')


def _told(outcomes: Sequence[Outcome], why: Callable[[Outcome], str]) -> tuple[str, str, str]:
    """What became of an order as JSON: as words for programs, as a clause for people, and both as `orders` have it."""
    if len(outcomes) == 1:
        words, clause = _ONE_WORD[outcomes[0].result], _clause(why(outcomes[0]))
    else:
        words = f'["{_BETWEEN.join([outcome.result for outcome in outcomes])}"]'
        clause = _clause("; ".join([why(outcome) for outcome in outcomes]))
    return words, clause, f'"results": {words}, "why": {clause}'


_ONE_WORD = {kind.result: f'["{kind.result}"]' for kind in get_args(Outcome)}
_clause = lru_cache(maxsize=_CLAUSES_REMEMBERED)(in_json)


def _counting(resolution: Resolution) -> Mapping[str, int]:
    """Every unit as it stood, or was built, → which of the verdicts counted.

    That is the one on its power's legal order; if there is none, on the illegal one with which its fate is told.
    """
    before, verdicts = resolution.before, resolution.verdicts
    counting: dict[str, int] = {}
    if before is None:
        return counting
    failed = [verdict.outcomes for verdict in verdicts if verdict.outcomes]
    orders = [verdict.order for verdict in verdicts]
    if not any(map(_is_illegal, failed)):
        # Each is about a unit of its own, as of two orders for a unit the second is illegal.
        return {order.unit.text: number for number, order in enumerate(orders) if not isinstance(order, Waive)}
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
            continue  # nobody's unit, or another power's
        counted = counting.setdefault(unit, number)
        if counted != number and _is_illegal(verdicts[counted].outcomes) and not _is_illegal(verdict.outcomes):
            counting[unit] = number
    return counting


_NOBODY = ("", Power(""))


def _is_illegal(outcomes: Sequence[Outcome]) -> bool:
    return isinstance(outcomes[0], Illegal) if len(outcomes) == 1 else any(isinstance(one, Illegal) for one in outcomes)


def _write_board(position: Position) -> Json:
    board: Json = {"units": _units_by_power(position), "dislodged": _write_dislodged(position)}
    if position.centers is not None:
        board["centers"] = _centers_by_power(position.centers)
    board["contested"] = sorted(position.contested)
    return board


def _units_by_power(position: Position) -> Mapping[str, Sequence[str]]:
    """Power → its units as they are written, by where they stand."""
    units: dict[str, list[Unit]] = {power: [] for power in sorted({*position.units.values()})}
    for unit, power in position.units.items():
        units[power].append(unit)
    return {power: [unit.text for unit in sorted(its_units, key=_location)] for power, its_units in units.items()}


_location = attrgetter("location")


def _centers_by_power(owners: Mapping[Province, Power]) -> Mapping[str, Sequence[str]]:
    """Power → its centers, sorted; whose comes first comes first."""
    centers: dict[str, list[str]] = {power: [] for power in owners.values()}
    for center, power in owners.items():
        centers[power].append(center)
    for its_centers in centers.values():
        its_centers.sort()
    return dict(sorted(centers.items(), key=_second))


_second = itemgetter(1)


def _write_dislodged(position: Position) -> Json:
    dislodged: Json = {}
    for unit, loss in position.dislodged.items():
        facts: Json = {"from": loss.attacked_from, "retreats": list(loss.retreats)}
        if loss.by_convoy:
            facts["by_convoy"] = True
        dislodged.setdefault(loss.power, {})[unit.text] = facts
    return dislodged

"""Values into lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.exchange.options import Json, write_options
from judge.rules.notation import write_order
from judge.rules.options import Options
from judge.rules.orders import Build, Order, Waive
from judge.rules.outcomes import RULES_REVISION, Illegal, Outcome, Resolution, Verdict
from judge.rules.position import PhaseKind, Position, Power, Unit


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
    """An output line; given new `orders`, and its `next` as `phase`, it is an input line."""
    after = resolution.position
    counting = _counting(resolution)
    told = {id(verdict): _told(verdict, why) for verdict in resolution.verdicts}
    line: Json = {
        "id": id_,
        "phase": str(resolution.phase),
        "next": resolution.over.value if resolution.over else str(after.phase),
        **_write_board(after),
        "contested": sorted(resolution.contested),
        "results": {unit.text: told[id(verdict)][0] for unit, verdict in counting.items()},
        "why": {unit.text: told[id(verdict)][1] for unit, verdict in counting.items() if verdict.outcomes},
        "orders": [_write_verdict(verdict, *told[id(verdict)]) for verdict in resolution.verdicts if verdict.given],
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


def _told(verdict: Verdict, why: Callable[[Outcome], str]) -> tuple[list[str], str]:
    """What became of an order, as words for programs and as a clause for people."""
    if not verdict.outcomes:
        return [], ""
    return [outcome.result for outcome in verdict.outcomes], "; ".join([why(outcome) for outcome in verdict.outcomes])


def _write_verdict(verdict: Verdict, results: list[str], why: str) -> Json:
    return {"power": verdict.power, "order": write_order(verdict.order), "results": results, "why": why}


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
        power, order, _, _ = verdict
        if isinstance(order, Waive):
            continue
        unit = order.unit if isinstance(order, Build) else at.get(order.unit.province)
        if unit is None or owners.get(unit, power) != power:
            continue  # nobody's unit, or another power's
        counted = counting.setdefault(unit, verdict)
        if counted is not verdict and _is_illegal(counted) and not _is_illegal(verdict):
            counting[unit] = verdict
    return counting


def _is_illegal(verdict: Verdict) -> bool:
    return any(isinstance(outcome, Illegal) for outcome in verdict.outcomes)


def _write_board(position: Position) -> Json:
    board: Json = {"units": {}, "dislodged": {}}
    standing = [(power, unit.location, unit.text) for unit, power in position.units.items()]
    for power, _, text in sorted(standing):
        board["units"].setdefault(power, []).append(text)
    for unit, loss in position.dislodged.items():
        facts: Json = {"from": loss.attacked_from, "retreats": list(loss.retreats)}
        if loss.by_convoy:
            facts["by_convoy"] = True
        board["dislodged"].setdefault(loss.power, {})[unit.text] = facts
    if position.centers is not None:
        board["centers"] = {}
        for center, power in sorted(position.centers.items()):
            board["centers"].setdefault(power, []).append(center)
    board["contested"] = sorted(position.contested)
    return board

"""The JSON attachment of a mail: facts that any reader can check (`docs/facts.md`)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, assert_never

import msgspec

from judge import __version__
from judge import commands as c
from judge.games.events import GameEnded, GameStarted, PhaseClosed
from judge.games.game import Game, GameState, Seat
from judge.games.scores import scores
from judge.games.sight import must_be_a_view
from judge.mail.letters import Attachment
from judge.mail.proof import token_for
from judge.reports.clauses import reasons_on
from judge.reports.readers import Reader
from judge.rules.exchange import read_options, write_options, write_position, write_result, write_task
from judge.rules.map import USUAL_BOARD
from judge.rules.notation import write_order
from judge.rules.options import Options
from judge.rules.orders import Order
from judge.rules.outcomes import Resolution
from judge.rules.position import Position, Power
from judge.service.lots import facts_of_lots
from judge.service.post.written import written_in, written_on_file
from judge.storage import Work
from judge.storage.records import ClosedPhase, LogEntry

Facts: TypeAlias = dict[str, Any]
FORMAT = "judge facts 1"
_SETS = ("disorder", "unplayed")
"""Circumstances whose changes are steps.

A step is written for each power that entered or left one of these since the phase before.
"""


def facts_of(work: Work, event: GameStarted | PhaseClosed | GameEnded) -> tuple[Attachment, ...]:
    """Return the JSON attachments of a report.

    That of a closed phase is already on record.
    In fog, `event` is what the reader sees. The end of the game then brings all phases.
    """
    game = event.game
    must_be_a_view(game)
    lifted = game.state is GameState.FINISHED and game.settings.rules.fog.is_thick
    whole = (_attached(f"{game.name}-whole.json", _whole(work, event)),) if lifted else ()
    match event:
        case GameStarted():
            content = _opening(event) if game.sight is None else _seen(event, "start", facts_of_lots(game))
            return (_attached(f"{game.name}-start.json", content),)
        case GameEnded():
            return (_attached(f"{game.name}-end.json", _end(work, event)), *whole)
        case PhaseClosed():
            closed = work.records.latest(game.name)
            assert closed is not None
            seen = _phase_seen(event, closed.record) if game.sight is not None else closed.record
            return (_attached(f"{game.name}-{event.phase}.json", seen), *whole)


def put_on_record(work: Work, secret: bytes, event: PhaseClosed) -> None:
    """Save a closed phase, with the steps since the phase before."""
    before = work.records.latest(event.game.name)
    record = phase_record(event, secret, _steps(work.records.entries(event.game), before), before)
    work.records.close(event, msgspec.json.encode(record).decode(), written_in(event))


def on_file(game: Game, secret: bytes, reader: Reader, now: datetime) -> Attachment | None:
    """Return the attachment of a receipt: the reader's orders on file, sealed.

    Return None if the reader has nothing to order, or wants no such files.
    """
    seats = [game.seat(power) for power in reader.powers if power in game.deciding] if game.is_running else []
    if not seats or not reader.person.preferences.facts:
        return None
    phase = str(game.position.phase)
    filed = {seat.power: _filed(game, secret, seat) for seat in seats}
    content = _head("receipt", game, now) | {"phase": phase, "filed": filed}
    return _attached(f"{game.name}-{phase}-receipt.json", content)


def seal(salt: str, orders: Sequence[str]) -> str:
    """Hash orders on file, independent of their sequence.

    Without the salt, the orders cannot be guessed by trying.
    """
    return hashlib.sha256("\n".join([salt, *sorted(orders)]).encode()).hexdigest()


def phase_record(event: PhaseClosed, secret: bytes, steps: Sequence[Facts], before: ClosedPhase | None) -> Facts:
    """Build the record of a phase.

    It holds input and output of `judge adjudicate`, the steps, the seals and the next phase.
    """
    game, id_ = event.game, f"{event.game.name} {event.phase}"
    orders: dict[Power, list[Order]] = {}
    for verdict in event.resolution.verdicts:
        if verdict.given:
            orders.setdefault(verdict.power, []).append(verdict.order)
    given = {power: orders[power] for power in game.map.powers if power in orders}
    task = write_task(event.before, given, game.settings.rules, event.circumstances)
    record = _head("phase", game, event.at) | {
        "version": __version__,
        "input": {"id": id_} | _board(game) | task,
        "output": write_result(event.resolution, reasons_on(game.settings.map), id_) | _board(game),
    }
    record["steps"] = [*steps, *_changes(before.record if before else None, record, event.at)]
    record["filed"] = {
        power: _sealed(_salt(secret, game, str(event.phase), power, event.opened_at), task["orders"].get(power, []))
        for power in game.map.powers
        if power in task["orders"] or game.settings.rules.fog.is_thick  # in fog no seal must tell who ordered
    }
    return record | facts_of_lots(game, event.phase) | _ended(game) | _next(game)


def revision_of(record: Mapping[str, Any]) -> int:
    """Return the revision of the rules that a phase was played with."""
    return int(record["output"].get("rules_revision", 1))


def rules_of(record: Mapping[str, Any]) -> Options:
    """Return the rules of a phase; a profile means what it meant in that revision."""
    return read_options(record["input"]["rules"], revision_of(record))


def _opening(event: GameStarted) -> Facts:
    game = event.game
    task = write_task(game.position, {}, game.settings.rules, game.circumstances)
    line = {"id": f"{game.name} {game.position.phase}"} | _board(game) | task
    return _head("start", game, event.at) | {"input": line} | facts_of_lots(game) | _next(game)


def _phase_seen(event: PhaseClosed, record: Mapping[str, Any]) -> Facts:
    """Return a phase as a reader saw it, with the hashes of all orders.

    Salts and orders come at the end of the game.
    """
    hashes = {power: sealed["hash"] for power, sealed in record["filed"].items()}
    rest = {"version": __version__, "orders": orders_told(event.resolution), "filed": hashes}
    rest |= {name: record[name] for name in ("lot", "coin") if name in record}
    return _seen(event, str(event.phase), rest)


def orders_told(resolution: Resolution) -> list[Facts]:
    """Write the orders of a phase, as far as they are seen."""
    return [
        {"power": verdict.power, "order": verdict.order.text, "results": list(verdict.results)}
        for verdict in resolution.verdicts
        if verdict.given
    ]


def _seen(event: GameStarted | PhaseClosed, phase: str, rest: Facts) -> Facts:
    game = event.game
    assert game.sight is not None
    line = _board(game) | write_seen(game.position, game.sight.powers) | {"rules": write_options(game.settings.rules)}
    head = _head("seen", game, event.at) | {"phase": phase, "powers": list(game.sight.powers)}
    return head | rest | {"position": line} | _next(game)


def write_seen(position: Position, powers: Collection[Power]) -> Facts:
    """Write a position as these powers see it.

    For dislodged units of their own it tells the retreats, but not what attacked them.
    """
    line = write_position(position)
    lost = {
        power: {unit: {"retreats": facts["retreats"]} if power in powers else {} for unit, facts in units.items()}
        for power, units in line["dislodged"].items()
    }
    return line | {"dislodged": lost}


def _whole(work: Work, event: PhaseClosed | GameEnded | GameStarted) -> Facts:
    """Return all phases of a game that was played in fog."""
    phases = sorted((one.record for one in work.records.versions(event.game.name)), key=lambda record: record["at"])
    return _head("whole", event.game, event.at) | {"phases": phases}


def _end(work: Work, event: GameEnded) -> Facts:
    """Return the position of a phase that was not played because the game ended."""
    game = event.game
    steps = _steps(work.records.entries(game), work.records.latest(game.name))
    position = _board(game) | write_position(game.position)
    lots = facts_of_lots(game, game.position.phase)
    return _head("end", game, event.at) | {"position": position, "steps": steps} | lots | _ended(game) | _next(game)


def _head(kind: str, game: Game, at: datetime) -> Facts:
    return {"format": FORMAT, "kind": kind, "game": game.name, "at": at.isoformat()}


def _board(game: Game) -> Facts:
    """Name the board, unless it is the usual one."""
    return {"board": game.settings.map} if game.settings.map != USUAL_BOARD else {}


def _ended(game: Game) -> Facts:
    if game.ended is None:
        return {}
    ended = {"how": game.ended.value, "winner": game.winner, "sharers": list(game.sharers)}
    got = {score.power: float(score.shown) for score in scores(game)}
    return {"ended": ended | ({"scores": {"system": game.settings.scores.value, "points": got}} if got else {})}


def _next(game: Game) -> Facts:
    over = game.state is GameState.FINISHED
    return {
        "next": None if over else str(game.position.phase),
        "deadline": game.clock.deadline.isoformat() if game.clock.deadline else None,
    }


# Orders on file


def _filed(game: Game, secret: bytes, seat: Seat) -> Facts:
    orders = sorted(write_order(filed.order) for filed in seat.filed.orders)
    salt = _salt(secret, game, str(game.position.phase), seat.power, game.clock.opened_at)
    return {"orders": orders, **_sealed(salt, orders), **written_on_file(seat)}


def _salt(secret: bytes, game: Game, phase: str, power: Power, opened_at: datetime | None) -> str:
    """Return a salt for a power's orders.

    The power learns it in the open phase, and everyone in its report. Reopening the phase changes it.
    """
    return token_for(secret, "on file", game.name, phase, power, opened_at)


def _sealed(salt: str, orders: Sequence[str]) -> Facts:
    return {"salt": salt, "hash": seal(salt, orders)}


# Steps: changes between two phases, besides orders


def _steps(entries: Iterable[LogEntry], before: ClosedPhase | None) -> list[Facts]:
    """Read the steps since the last closed phase from the log.

    Readers count a repeated step once.
    """
    later = [entry for entry in entries if before is None or entry.at >= before.closed_at]
    return [step | {"at": entry.at.isoformat()} for entry in later for step in _step(entry)]


def _step(entry: LogEntry) -> Sequence[Facts]:
    match entry.command:
        case c.Rollback(phase):
            return ({"step": "rollback", "phase": str(phase)},)
        case c.Redo() | c.Unstart() | c.Import():
            return ({"step": type(entry.command).__name__.lower()},)
        case c.Adopt():
            return ({"step": "import"},)
        case c.OrderFor(power=power):
            return ({"step": "correction", "power": power},)
        case c.Put() | c.Take() | c.Own():
            return (_on_the_board(entry.command),)
        case c.Robot(powers):
            return [{"step": "seat", "power": power} for power in powers]
        case c.Eject() | c.Replace() | c.MakeDummy() | c.Resign() | c.TakeOver():
            whose = getattr(entry.command, "power", None) or entry.power
            return ({"step": "seat", "power": whose},) if whose is not None else ()
        case _:
            return ()


def _on_the_board(command: c.Put | c.Take | c.Own) -> Facts:
    match command:
        case c.Put(unit, power):
            return {"step": "put", "unit": str(unit), "power": power}
        case c.Take(unit):
            return {"step": "take", "unit": str(unit)}
        case c.Own(center, power):
            return {"step": "own", "center": center, "power": power}
        case _:
            assert_never(command)


def _changes(before: Mapping[str, Any] | None, record: Mapping[str, Any], at: datetime) -> list[Facts]:
    """Return steps for changed rules, and for powers that entered or left one of `_SETS`."""
    line = record["input"]
    earlier = {"unplayed": line.get("unplayed")} if before is None else before["input"]
    changes = [
        {"step": name, "power": power, "on": power in line.get(name, ()), "at": at.isoformat()}
        for name in _SETS
        for power in sorted(set(earlier.get(name) or ()) ^ set(line.get(name, ())))
    ]
    if before is not None and rules_of(before) != rules_of(record):
        changes.append({"step": "rules", "rules": line["rules"], "at": at.isoformat()})
    return changes


def _attached(filename: str, content: Mapping[str, Any]) -> Attachment:
    return Attachment(filename, "application/json", msgspec.json.format(msgspec.json.encode(content), indent=1))

"""`judge inspect`: what the judge would make of a mail, changing nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from judge.commands import Command, Give
from judge.errors import ConfigError
from judge.language import Context, ReadLine, read
from judge.mail.letters import MailKind, RawMail
from judge.mail.reading import Reader
from judge.rules.exchange import read_options, read_task
from judge.rules.map import Map, load_map
from judge.rules.notation import write_order
from judge.rules.orders import Order, Waive
from judge.rules.position import Position, Power

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


def read_contexts(path: Path) -> Mapping[str, dict[str, Any]]:
    """File name → the line that gives that mail its board; raises ConfigError."""
    try:
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return {line["file"]: line for line in lines}
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError((f"{path} is not a file of contexts: {error!r}",)) from error


def inspect_file(path: Path, contexts: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """One mail as an object of kind, sender, own text, orders and lines."""
    given = contexts.get(str(path)) or contexts.get(path.name) or {}
    sent = list(given.get("sent", ()))
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError((f"{path} cannot be read: {error.strerror}",)) from error
    raw = RawMail(content, "inspect", _UNDATED, None, ())
    # What is sent along is what the mail answers, whatever Message-ID it names.
    letter = Reader(frozenset()).read(raw, lambda _: sent)
    lines: tuple[ReadLine, ...] = ()
    if letter.kind is MailKind.PERSON:
        lines = read(letter.own_text, _context(given, letter.own_text))
    requests = [request for line in lines for request in line.requests]
    return {
        "file": str(path),
        "kind": letter.kind.value,
        "from": letter.sender,
        "subject": letter.subject,
        "own_text": letter.own_text,
        "orders": _on_file(requests),
        "lines": [_line(line) for line in lines],
    }


def _context(given: Mapping[str, Any], text: str) -> Context:
    if "position" in given:
        task = read_task({"orders": {}, **given["position"]})
        powers = (Power(given["power"]),) if given.get("power") else ()
        return Context(task.map, task.position, powers, read_options(given["position"].get("rules", "standard")))
    map_ = load_map()
    position = map_.start()
    return Context(map_, position, _power_that_fits(map_, position, text))


def _power_that_fits(map_: Map, position: Position, text: str) -> tuple[Power, ...]:
    """The power whose units most of the orders are for."""
    requests = [request for line in read(text, Context(map_, position)) for request in line.requests]
    owners = {unit.province: power for unit, power in position.units.items()}
    votes: dict[Power, int] = {}
    for request in requests:
        if isinstance(request, Give) and not isinstance(request.order, Waive):
            power = owners.get(request.order.unit.province)
            if power is not None:
                votes[power] = votes.get(power, 0) + 1
    return (max(votes, key=lambda power: votes[power]),) if votes else ()


def _on_file(requests: list[Command]) -> list[str]:
    """The orders that would be on file, the last word per unit, in the order of the last words."""
    kept: dict[object, Order] = {}
    for number, request in enumerate(requests):
        if isinstance(request, Give):
            order = request.order
            subject: object = number if isinstance(order, Waive) else order.unit.province
            kept.pop(subject, None)
            kept[subject] = order
    return [write_order(order) for order in kept.values()]


def _line(line: ReadLine) -> dict[str, Any]:
    understood = [_understood(request) for request in line.requests]
    return {
        "line": line.number,
        "text": line.text,
        "understood": "; ".join(understood) or None,
        "fault": line.faults[0].kind.value if line.faults else None,
    }


def _understood(request: Command) -> str:
    if isinstance(request, Give):
        return write_order(request.order)
    return type(request).__name__.upper()

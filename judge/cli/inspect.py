"""`judge inspect`: show how the judge would read a mail, changing nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Exit

from judge.boards.operators import known_board
from judge.cli.terminal import with_progress
from judge.commands import (
    Clear,
    Command,
    Doubted,
    ForPhase,
    ForPower,
    Give,
    Perhaps,
)
from judge.errors import ConfigError, JudgeError
from judge.games import Game, GameState, MailContext, PersonId, Request, handle
from judge.games.filing import subject_of
from judge.games.game import Seat
from judge.games.terms import Settings
from judge.language import Context, ReadLine, read, unused
from judge.language.look_alikes import is_a_power, is_an_office
from judge.language.writing import command_line
from judge.mail.letters import Letter, MailKind, RawMail
from judge.mail.own_words import own_words
from judge.mail.reading import MailReader
from judge.rules.exchange import read_task
from judge.rules.map import USUAL_BOARD, Map, load_map
from judge.rules.notation import write_order
from judge.rules.orders import Order, Waive
from judge.rules.position import Power
from judge.service.talk.named import named_in
from judge.service.talk.vocabulary import vocabulary_on

_OF_ORDERS = Give | Doubted | ForPhase | ForPower
_ASKED_FIRST = Doubted | Perhaps
_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


def inspect(
    files: list[Path],
    context: Annotated[Path | None, typer.Option(help="JSON Lines with the position of each mail.")] = None,
    board: Annotated[
        str, typer.Option(help="Of mails without a position, and of positions that name none.")
    ] = USUAL_BOARD,
) -> None:
    """Show how the judge would read mails, changing nothing."""
    known_board(board)
    contexts = read_contexts(context) if context else {}
    good = True
    for file in with_progress(files, "reading", len(files)):
        try:
            made = inspect_file(file, contexts, board)
        except BadPositionError as error:
            made, good = {"file": str(file), "error": str(error)}, False
        print(json.dumps(made, ensure_ascii=False), flush=True)
    if not good:
        raise Exit(1)


def read_contexts(path: Path) -> Mapping[str, dict[str, Any]]:
    """Return file name → the line that gives that mail its board; raises ConfigError."""
    try:
        lines = [json.loads(line) for line in path.read_text("utf-8-sig").splitlines() if line.strip()]
        contexts = {str(line["file"]): line for line in lines}
    except OSError as error:
        raise ConfigError((f"{path} cannot be read: {error.strerror}",)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError((f"{path} holds a line that is no context: {error}",)) from error
    for name, context in contexts.items():
        if not isinstance(context.get("position", {}), dict) or not isinstance(context.get("sent", []), list):
            raise ConfigError((f"{path}: the position of {name} must be an object, and what was sent a list",))
    return contexts


class BadPositionError(JudgeError):
    """The board given in a context is impossible."""


def inspect_file(path: Path, contexts: Mapping[str, dict[str, Any]], board: str = USUAL_BOARD) -> dict[str, Any]:
    """Return one mail as an object: sender, own text, orders, commands, and lines as read.

    `commands` would be carried out; `offered` only after a YES. A mail without a position is read at the start of
    `board`. Raises ConfigError, and BadPositionError if the contexts give an impossible position for this mail.
    """
    given = contexts.get(str(path)) or contexts.get(path.name) or {}
    context = _context(path, given, board) if "position" in given else Context(load_map(board))
    vocabulary = vocabulary_on(lambda: context.map.name)
    sent = list(given.get("sent", ()))
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError((f"{path} cannot be read: {error.strerror}",)) from error
    raw = RawMail(content, "inspect", _UNDATED, None, ())
    letter = MailReader(frozenset(), vocabulary).read(raw, lambda _: sent)
    if letter.in_reply_to is None:  # `sent` counts as the answered mail, whatever its Message-ID
        own = own_words(letter.text, vocabulary, sent)
        letter = replace(letter, own_text=own.text, set_aside=own.set_aside)
    lines: tuple[ReadLine, ...] = ()
    orders: Sequence[Order] = ()
    named, text = _named(letter)
    if letter.kind is MailKind.PERSON:
        if "position" not in given:
            context = _guessed(given, text, context.map)
        context = replace(context, answers_report=bool(sent))
        lines = read(text, context)
        requests = [request for line in lines for request in line.requests]
        orders = _on_file(requests, context) if "position" in given else _last_words(requests, context)
    return {
        "file": str(path),
        "kind": letter.kind.value,
        "from": letter.sender,
        "as": named,
        "subject": letter.subject,
        "own_text": letter.own_text,
        "orders": [write_order(order) for order in orders],
        "commands": [
            command_line(one)
            for line in lines
            for one in line.requests
            if not isinstance(one, _OF_ORDERS | _ASKED_FIRST)
        ],
        "offered": [command_line(one) for line in lines for one in line.requests if isinstance(one, Perhaps)],
        "asked": [line.text for line in lines if _is_asked(line)],
        "unused": list(unused(lines, context)),
        "lines": [_line(line) for line in lines],
    }


def _named(letter: Letter) -> tuple[str, str]:
    """Return the person that a mail names, as in `AS Ben:`, and the text below.

    The name is "" if there is none. In the text, an empty line stands for each line that is left out.
    """
    named = named_in(letter, ())
    if named is None or is_a_power(named[0]) or is_an_office(named[0]):
        return "", letter.own_text
    name, below = named
    return name, "\n" * (letter.own_text.count("\n") - below.count("\n")) + below


def _context(path: Path, given: Mapping[str, Any], board: str) -> Context:
    try:
        task = read_task({"board": board, **given["position"], "orders": {}})
    except JudgeError as error:
        raise BadPositionError(f"the position for {path.name} is wrong: {error}") from error
    power = given.get("power")
    if power is not None and power not in task.map.powers:
        raise BadPositionError(f"the position for {path.name} is wrong: there is no power {power!r}")
    return Context(task.map, task.position, (Power(power),) if power else task.map.powers, task.options)


def _guessed(given: Mapping[str, Any], text: str, map_: Map) -> Context:
    """Return the start of a board, for the power with most ordered units."""
    position = map_.start()
    if given.get("power") in map_.powers:
        return Context(map_, position, (Power(given["power"]),))
    owners = {unit.province: power for unit, power in position.units.items()}
    votes: Counter[Power] = Counter()
    for request in (request for line in read(text, Context(map_, position)) for request in line.requests):
        if isinstance(request, Give) and not isinstance(request.order, Waive):
            votes.update([owners[request.order.unit.province]] if request.order.unit.province in owners else [])
    return Context(map_, position, tuple(power for power, _ in votes.most_common(1)))


def _on_file(requests: Sequence[Command], context: Context) -> list[Order]:
    """Return the orders on file in a game at that position, after all requests."""
    me = PersonId(1)
    seats = tuple(Seat(power, me if power in context.powers else None) for power in context.map.powers)
    settings = Settings(map=context.map.name, rules=context.options)
    game = Game("inspect", settings, PersonId(2), GameState.ACTIVE, context.board, seats)
    mail = MailContext(mail=1, line="", received_at=_UNDATED)
    for request in requests:
        match request:
            case ForPhase(phase):
                mail = replace(mail, meant_phase=phase)
            case ForPower(power):
                mail = replace(mail, power=power)
            case Give() | Clear():
                game = handle(Request(game, me, request, mail, _UNDATED)).game
            case _:
                pass
    return [filed.order for seat in game.seats for filed in seat.filed.orders]


def _last_words(requests: Sequence[Command], context: Context) -> list[Order]:
    """Return the last order for each unit, if phase and game are unknown."""
    kept: dict[object, Order] = {}
    foreign = {unit.province for unit, owner in context.board.units.items() if owner not in context.powers}
    for number, request in enumerate(requests):
        match request:
            case Clear(None):
                kept.clear()
            case Clear(unit) if unit is not None:
                kept.pop(unit.province, None)
            case Give(otherwise=(_, *_)):
                pass  # for a later phase, or one of several
            case Give(Waive() as order):
                kept[number] = order
            case Give(order):
                kept.pop(subject_of(order), None)
                if not context.powers or subject_of(order) not in foreign:
                    kept[subject_of(order)] = order
            case _:
                pass
    return list(kept.values())


def _is_asked(line: ReadLine) -> bool:
    """Whether the sender would be asked what a line means."""
    return bool(line.faults) or any(isinstance(request, _ASKED_FIRST) for request in line.requests)


def _line(line: ReadLine) -> dict[str, Any]:
    understood = [command_line(one) for one in line.requests if not isinstance(one, _ASKED_FIRST)]
    return {
        "line": line.number,
        "text": line.text,
        "understood": "; ".join(understood) or None,
        "fault": line.faults[0].kind.value if line.faults else _doubt(line),
    }


def _doubt(line: ReadLine) -> str | None:
    """Return why a faultless line is asked about: a doubtful order or guessed command."""
    kinds = {type(request) for request in line.requests}
    return "doubted" if Doubted in kinds else "offered" if Perhaps in kinds else None

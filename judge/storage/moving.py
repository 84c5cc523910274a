"""Move a game to another judge as a file, without its people and secrets."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from judge.errors import NotationError
from judge.games.game import Game, GameState, Seat
from judge.games.person import PersonId
from judge.games.schedule import paused
from judge.games.terms import Settings
from judge.rules.exchange import read_task, write_position
from judge.storage.fields import COURSE, SETTINGS
from judge.storage.records import Records, read_command, write_command

_FORMAT: Literal["judge game 1"] = "judge game 1"


class _Closed(BaseModel):
    phase: str
    closed_at: datetime
    record: dict[str, Any]


class _Logged(BaseModel):
    at: datetime
    phase: str
    power: str | None
    entry: dict[str, Any]


class _File(BaseModel):
    """The content of the file."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["judge game 1"] = _FORMAT
    game: str
    state: GameState
    settings: dict[str, Any]
    position: dict[str, Any]
    winner: str | None
    course: dict[str, Any]
    dummies: list[str]
    history: list[_Closed]
    log: list[_Logged]


def write_game(game: Game, records: Records, now: datetime) -> bytes:
    """Return a game as JSON, its clock stopped; no names, addresses or orders on file."""
    stopped = paused(game, now) if game.state is GameState.ACTIVE else game
    file = _File(
        game=game.name,
        state=stopped.state,
        settings=json.loads(SETTINGS.dump_json(game.settings)),
        position=write_position(game.position),
        winner=game.winner,
        course=json.loads(COURSE.take(_without_people(stopped))),
        dummies=[seat.power for seat in game.seats if seat.is_dummy],
        history=[
            _Closed(phase=str(one.phase), closed_at=one.closed_at, record=dict(one.record))
            for one in records.phases(game.name)
        ],
        log=[
            _Logged(at=one.at, phase=str(one.phase), power=one.power, entry=json.loads(written))
            for one in records.entries(game)
            for written in (write_command(one.command, by_vote=one.by_vote),)
        ],
    )
    return file.model_dump_json(indent=1).encode()


def _without_people(game: Game) -> Game:
    """Return the game without what it remembers of persons, whose ids mean others elsewhere.

    The secret behind its lots stays here, too.
    """
    chance = replace(game.chance, root="", words=())
    asked = replace(game, invitations=(), petitions=(), master_offers=(), coach_offers=(), searches=(), sittings=())
    seen = replace(asked, arrivals=(), asked_whether_there=(), stood=(), draw_confirmed=(), saw=(), played=())
    return replace(seen, chance=chance, writers=())


def read_game(content: bytes, name: str, master: PersonId) -> tuple[Game, _File]:
    """Read a game from a file, under a new name, its seats vacant; raises NotationError."""
    try:
        file = _File.model_validate_json(content)
        settings: Settings = SETTINGS.validate_python(file.settings)
        task = read_task(file.position | {"board": settings.map, "orders": {}})
        game = Game(
            name=name,
            settings=settings,
            master=master,
            state=file.state,
            position=task.position,
            seats=tuple(Seat(power, is_dummy=power in file.dummies, serial=1) for power in task.map.powers),
        )
        for logged in file.log:
            read_command(json.dumps(logged.entry))
        return COURSE.put(game, json.dumps(file.course)), file
    except (ValidationError, NotationError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise NotationError(str(error).splitlines()[0]) from error


def put_records(records: Records, game: Game, file: _File) -> None:
    """Store the record and the log of a game that came as a file."""
    for closed in file.history:
        records.put(game.name, closed.phase, closed.closed_at, json.dumps(closed.record, ensure_ascii=False))
    for logged in file.log:
        entry = {name: value for name, value in logged.entry.items() if name != "master"}  # a person elsewhere
        records.put_log(game.name, logged.at, logged.phase, logged.power, json.dumps(entry))

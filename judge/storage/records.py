"""Records of a game: closed phases, the log, diaries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
from pydantic import TypeAdapter
from sqlalchemy import Connection, bindparam, func, insert, select, update

from judge import commands
from judge.commands import (
    AsWritten,
    Coach,
    Command,
    Eject,
    HandOver,
    Invite,
    Object,
    Promote,
    Replace,
    SetDeadline,
    TakeOver,
)
from judge.games.events import GameNews, Happened, Logged, PhaseClosed
from judge.games.game import Game
from judge.games.person import PersonId
from judge.games.reopening import Past
from judge.rules.exchange import read_task
from judge.rules.position import GameOver, Phase, Power
from judge.storage import tables as t
from judge.storage.packing import pack, unpack
from judge.storage.prepared import Prepared, Row

Written: TypeAlias = Mapping[str, Mapping[str, str]]
"""Power → order in strict notation → the line the player wrote for it."""


class Undone(IntEnum):
    """Whether a closed phase still counts."""

    NO = 0
    CAN_BE_REDONE = 1
    FOR_EVER = 2


@dataclass(frozen=True, slots=True)
class ClosedPhase:
    """A phase on record."""

    phase: Phase
    closed_at: datetime
    record: Mapping[str, Any]
    """The JSON attached to its report."""
    place: int
    """Index among all phases ever recorded in its game, from 0; withdrawn ones keep theirs."""
    counts: bool = True
    """Whether it counts: no rollback has withdrawn it."""
    written: Written = field(default_factory=dict)
    """Lines that are more than a spelling of their order; not in its report."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A public act of a master or a player.

    A master's words to some powers are for these alone.
    """

    at: datetime
    phase: Phase
    power: Power | None
    command: Command | Happened
    by_vote: bool = False
    """Whether the players decided it by vote; `power` had proposed it."""
    master: PersonId | None = None
    """The master who did it; None for a player, and in entries of older versions."""


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    """A line of a player's diary."""

    person: PersonId
    at: datetime
    phase: Phase
    text: str


_COUNTS = (t.history.c.game == bindparam("game"), t.history.c.undone == Undone.NO)
_ALL = select(t.history).where(*_COUNTS).order_by(t.history.c.place)
_VERSIONS = select(t.history).where(t.history.c.game == bindparam("game")).order_by(t.history.c.place)
_LATEST = Prepared(select(t.history).where(*_COUNTS).order_by(t.history.c.place.desc()).limit(1))
_WRITTEN = select(func.count()).select_from(t.history).where(t.history.c.game == bindparam("in_game"))
_NEW = ("game", "phase", "closed_at", "record", "packed", "undone", "written")
_PUT = Prepared(
    insert(t.history)
    .values({name: bindparam(name) for name in _NEW} | {"place": _WRITTEN.scalar_subquery()})
    .returning(t.history.c.place)
)
_LOG = Prepared(select(t.log).where(t.log.c.game == bindparam("game")).order_by(t.log.c.id))
_MARK = Prepared(
    update(t.history)
    .where(t.history.c.game == bindparam("in_game"), t.history.c.undone == bindparam("before"))
    .values(undone=bindparam("after"))
)


class Records:
    """The records of a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._just_closed: dict[str, ClosedPhase] = {}

    def close(self, event: PhaseClosed, record: str, written: Written | None = None) -> None:
        """Record a closed phase; an earlier rollback can no longer be redone."""
        game = event.game.name
        self._mark(game, Undone.CAN_BE_REDONE, Undone.FOR_EVER)
        place = self._put(game, str(event.phase), event.at, record, written)
        whole = ClosedPhase(event.phase, event.at, msgspec.json.decode(record), place, written=written or {})
        self._just_closed[game] = whole

    def put(self, game: str, phase: str, closed_at: datetime, record: str) -> None:
        """Append a closed phase to the others."""
        self._just_closed.pop(game, None)
        self._put(game, phase, closed_at, record)

    def _put(self, game: str, phase: str, closed_at: datetime, record: str, written: Written | None = None) -> int:
        """Insert a phase and return its place."""
        values = {"game": game, "in_game": game, "phase": phase, "closed_at": closed_at}
        values |= {"record": "", "packed": pack(record.encode()), "undone": Undone.NO}
        values["written"] = msgspec.json.encode(written).decode() if written else None
        return int(_PUT.value(self.connection, values))

    def phases(self, game: str) -> tuple[ClosedPhase, ...]:
        """Return every closed phase that counts, in order."""
        return tuple(map(_closed, self.connection.execute(_ALL, {"game": game}).mappings()))

    def versions(self, game: str) -> tuple[ClosedPhase, ...]:
        """Return every closed phase in order of play, including those withdrawn by a rollback."""
        return tuple(map(_closed, self.connection.execute(_VERSIONS, {"game": game}).mappings()))

    def replaced_at(self, game: str, phase: Phase) -> datetime | None:
        """Return when the last withdrawn version of a phase was closed, or None."""
        is_one = (t.history.c.game == game, t.history.c.phase == str(phase), t.history.c.undone != Undone.NO)
        latest = select(t.history.c.closed_at).where(*is_one).order_by(t.history.c.place.desc()).limit(1)
        return self.connection.execute(latest).scalar_one_or_none()

    def at(self, game: str, place: int) -> ClosedPhase:
        """Return a recorded phase, whether it still counts or not."""
        one = select(t.history).where(t.history.c.game == bindparam("game"), t.history.c.place == bindparam("place_"))
        return _closed(self.connection.execute(one, {"game": game, "place_": place}).mappings().one())

    def latest(self, game: str) -> ClosedPhase | None:
        """Return the last closed phase that counts; None before the first."""
        if game in self._just_closed:
            return self._just_closed[game]
        row = _LATEST.row(self.connection, {"game": game})
        return _closed(row) if row is not None else None

    def closed_at(self, game: str, phase: Phase) -> datetime | None:
        """Return when a phase was closed; None if it was not."""
        return next((closed.closed_at for closed in self.phases(game) if closed.phase == phase), None)

    # Rolling back

    def past(self, game: str, phase: Phase) -> Past | None:
        """Return a closed phase with its position and orders, or None."""
        found = next((closed for closed in self.phases(game) if closed.phase == phase), None)
        if found is None:
            return None
        return replace(past_of(found.record), written=found.written)

    def before_rollback(self, game: str) -> Past | None:
        """Return the phase open at the last rollback; None if that cannot be redone."""
        rows = self._redoable(game)
        if not rows:
            return None
        return following(json.loads(rows[-1]))

    def _redoable(self, game: str) -> list[str]:
        found = select(t.history).where(t.history.c.game == game, t.history.c.undone == Undone.CAN_BE_REDONE)
        return list(map(_record, self.connection.execute(found.order_by(t.history.c.place)).mappings()))

    def roll_back(self, game: str, phase: Phase) -> None:
        """Withdraw a phase and all after it, to be played again."""
        self._mark(game, Undone.CAN_BE_REDONE, Undone.FOR_EVER)
        first = select(func.max(t.history.c.place)).where(
            t.history.c.game == game, t.history.c.phase == str(phase), t.history.c.undone == Undone.NO
        )
        place = self.connection.execute(first).scalar_one()
        later = (t.history.c.game == game, t.history.c.place >= place, t.history.c.undone == Undone.NO)
        self.connection.execute(update(t.history).where(*later).values(undone=Undone.CAN_BE_REDONE))

    def redo(self, game: str) -> None:
        """Undo the last rollback: the withdrawn phases count again."""
        self._mark(game, Undone.CAN_BE_REDONE, Undone.NO)

    def forget_rollback(self, game: str) -> None:
        """Note that the game restarts: an earlier rollback can no longer be redone."""
        self._mark(game, Undone.CAN_BE_REDONE, Undone.FOR_EVER)

    def _mark(self, game: str, before: Undone, after: Undone) -> None:
        self._just_closed.pop(game, None)
        _MARK.change_soon(self.connection, {"in_game": game, "before": before, "after": after})

    # The log

    def log(self, event: GameNews | Logged) -> None:
        """Append an event to the game's log, without the addresses it names."""
        self.put_log(event.game.name, event.at, str(event.game.position.phase), event.power, entry_of(event))

    def put_log(self, game: str, at: datetime, phase: str, power: str | None, entry: str) -> None:
        """Append a line to a log."""
        values = {"game": game, "at": at, "phase": phase, "power": power, "entry": entry}
        self.connection.execute(insert(t.log).values(**values))

    def entries(self, game: Game) -> tuple[LogEntry, ...]:
        """Return the log of a game, oldest first."""
        return tuple(
            LogEntry(
                row["at"],
                Phase.parse(row["phase"]),
                Power(row["power"]) if row["power"] else None,
                without_address(read_command(row["entry"])),  # entries of older versions have one
                is_by_vote(row["entry"]),
                _master_of(row["entry"]),
            )
            for row in _LOG.rows(self.connection, {"game": game.name})
        )

    # Diaries

    def note(self, game: Game, person: PersonId, text: str, now: datetime) -> None:
        """Append a line to a player's diary."""
        values = {"game": game.name, "person": person, "at": now, "phase": str(game.position.phase), "text": text}
        self.connection.execute(insert(t.note).values(**values))

    def diary(self, game: str, person: PersonId) -> tuple[DiaryEntry, ...]:
        """Return a player's diary, oldest first."""
        found = select(t.note).where(t.note.c.game == game, t.note.c.person == person).order_by(t.note.c.id)
        return tuple(
            DiaryEntry(PersonId(row["person"]), row["at"], Phase.parse(row["phase"]), row["text"])
            for row in self.connection.execute(found).mappings()
        )


def _closed(row: Row) -> ClosedPhase:
    record, counts = msgspec.json.decode(_record(row)), row["undone"] == Undone.NO
    written = msgspec.json.decode(row["written"]) if row["written"] else {}
    return ClosedPhase(Phase.parse(row["phase"]), row["closed_at"], record, row["place"], counts, written)


def _record(row: Row) -> str:
    """Return the record of a row; early rows are not packed."""
    return str(row["record"]) if row["packed"] is None else unpack(row["packed"]).decode()


def past_of(record: Mapping[str, Any]) -> Past:
    """Return the position and orders of a closed phase from its record."""
    task = read_task(record["input"])
    orders = {power: tuple(given) for power, given in task.orders.items()}
    terms = task.circumstances
    return Past(task.position, orders, terms.disorder, terms.unplayed, terms.declined)


def following(record: Mapping[str, Any]) -> Past | None:
    """Return the phase that opened after a closed one; None if the game was over."""
    output, terms = record["output"], read_task(record["input"]).circumstances
    if output["next"] == GameOver.COMPLETED.value:
        return None
    position = read_task(output | {"phase": output["next"], "orders": {}}).position
    out = terms.unplayed | {Power(power) for power in output.get("eliminated", ())}
    return Past(position, {}, terms.disorder, out)


def without_address(command: Command | Happened) -> Command | Happened:
    """Remove the address from a command: the log is public and moves with the game."""
    if isinstance(command, Coach | Replace | Promote | HandOver | Invite | Eject) and command.address:
        return replace(command, address="…")
    return command


def entry_of(event: GameNews | Logged) -> str:
    """Return an event as a stored line of the log.

    A deadline gets its date and UTC, because words such as `Fri 21:00` depend on the writer's zone.
    """
    command, game = without_address(event.command), event.game
    if isinstance(command, SetDeadline) and game.clock.deadline is not None:
        command = replace(command, moment=AsWritten(f"{game.clock.deadline.astimezone(UTC):%Y-%m-%d %H:%M} UTC"))
    by_vote = isinstance(event, GameNews) and event.by_vote
    return write_command(command, by_vote=by_vote, master=None if by_vote else _master_acting(event))


def _master_acting(event: GameNews | Logged) -> PersonId | None:
    """Return the master who acted as a master or took a seat, else None.

    That is public even where players are anonymous.
    """
    command, game = event.command, event.game
    if isinstance(command, Happened | Object):  # the objecting player is secret in anonymous games
        return None
    if isinstance(command, TakeOver) and event.power is not None:
        holder = game.seat(event.power).holder
        return holder if holder in game.masters else None
    return event.by if event.power is None and event.by in game.masters else None


def write_command(command: Command | Happened, *, by_vote: bool = False, master: PersonId | None = None) -> str:
    """Return a command as JSON; of a time, only the words are kept."""
    values = {field.name: getattr(command, field.name) for field in fields(command)}
    plain = {name: value.text if isinstance(value, AsWritten) else value for name, value in values.items()}
    return json.dumps(
        {"command": type(command).__name__, **_ANYTHING.dump_python(plain, mode="json")}
        | ({"by_vote": True} if by_vote else {})
        | ({"master": master} if master is not None else {}),
        ensure_ascii=False,
    )


def read_command(text: str) -> Command | Happened:
    """Read a command that `write_command` wrote."""
    values = json.loads(text)
    name = values.pop("command")
    values.pop("by_vote", None)
    values.pop("master", None)
    kind: Any = Happened if name == Happened.__name__ else getattr(commands, name)
    hints = get_type_hints(kind)
    command: Command | Happened = kind(**{name: _read(value, hints[name]) for name, value in values.items()})
    return command


def is_by_vote(text: str) -> bool:
    """Whether the players decided a line of the log by vote."""
    return bool(json.loads(text).get("by_vote"))


def _master_of(text: str) -> PersonId | None:
    master = json.loads(text).get("master")
    return PersonId(master) if master is not None else None


def _read(value: object, hint: Any) -> object:  # noqa: ANN401 - the type of a field
    if value is None and type(None) in get_args(hint):
        return None
    is_time = any(get_origin(one) is AsWritten for one in (hint, *get_args(hint)))
    return AsWritten(_TEXT.validate_python(value)) if is_time else TypeAdapter(hint).validate_python(value)


_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
_TEXT = TypeAdapter(str)

"""Read and write games as rows."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Result,
    RowMapping,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from judge.errors import ConflictError
from judge.games.clock import Clock
from judge.games.filed import FiledOrder, OnFile, Planned, Replaced
from judge.games.game import Applicant, Game, GameState, Seat
from judge.games.listing import Shelf, shelf_of
from judge.games.person import PersonId
from judge.games.terms import Settings
from judge.rules.exchange import write_position
from judge.rules.map import is_readable
from judge.rules.notation import read_order, read_unit, write_order
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.position import Dislodgement, Location, Phase, PhaseKind, Position, Power, Province
from judge.storage import tables as t
from judge.storage.fields import CONDUCT, COURSE, SETTINGS
from judge.storage.known_games import KnownGames
from judge.storage.prepared import Prepared, Row, rows_of_each
from judge.storage.waking import CloseGame, Wake

_UNIT_ORDERS: Mapping[str, type[Hold | Disband | Build]] = {"hold": Hold, "disband": Disband, "build": Build}

_GAME = Prepared(select(t.game).where(t.game.c.name == bindparam("name")))
_VERSION = Prepared(select(t.game.c.version).where(t.game.c.name == bindparam("name")))
_PARTS = tuple(
    Prepared(select(part).where(part.c.game == bindparam("name")).order_by(part.c.place))
    for part in (t.seat, t.filed_order, t.member)
)
_VERSIONS = select(t.game.c.name, t.game.c.version).where(t.game.c.name.in_(bindparam("names", expanding=True)))
_GAMES = select(t.game).where(t.game.c.name.in_(bindparam("names", expanding=True)))
_PARTS_OF_MANY = tuple(
    select(part).where(part.c.game.in_(bindparam("names", expanding=True))).order_by(part.c.place)
    for part in (t.seat, t.filed_order, t.member)
)


class Games:
    """The games of a unit of work."""

    def __init__(self, connection: Connection, wake: Wake, known: KnownGames) -> None:
        self.connection = connection
        self.wake = wake
        self.known = known
        self.loaded: dict[str, Game] = {}
        """Games as they stand in the database; `save` writes only the difference."""
        self.written: set[str] = set()
        self.expected: dict[str, int] = {}
        """Game → its version, prefetched by `expect`."""

    def get(self, name: str) -> Game | None:
        """Return the game of that name, or None."""
        known = self.known.get(name) if name not in self.loaded else None
        if known is not None and known.version == (self.expected.pop(name, None) or self._version(name)):
            self.loaded[name] = known
        if name not in self.loaded:
            # The version is read again last: another worker may change the game while its parts are read.
            rows, *parts, versions = rows_of_each(self.connection, (_GAME, *_PARTS, _VERSION), {"name": name})
            if not rows or not versions:
                return None
            if versions[0]["version"] != rows[0]["version"]:
                return self.get(name)
            self.loaded[name] = _read(rows[0], *parts)
            self.known.put(self.loaded[name])
        return self.loaded[name]

    def expect(self, names: Collection[str]) -> None:
        """Prefetch the versions of cached games that will be needed soon, pipelined with other statements."""
        for name in names:
            if name not in self.loaded and self.known.get(name) is not None:
                _VERSION.ask_soon(self.connection, {"name": name}, partial(self._expect, name))

    def _expect(self, name: str, versions: Sequence[Row]) -> None:
        for row in versions:
            self.expected[name] = row["version"]

    def _were_changed(self, versions: Mapping[str, int]) -> bool:
        """Whether one of these games was changed while its parts were read."""
        found = self.connection.execute(_VERSIONS, {"names": list(versions)})
        return {row.name: row.version for row in found} != versions

    def current(self, known: Game) -> Game | None:
        """Return the current state of a game: the same object if it has not changed."""
        if self._version(known.name) == known.version:
            self.loaded[known.name] = known
        return self.get(known.name)

    def _version(self, name: str) -> int | None:
        version: int | None = _VERSION.value(self.connection, {"name": name})
        return version

    def committed(self) -> None:
        """Put the games that were written and are now committed into the shared cache."""
        for name in self.written:
            self.known.put(self.loaded[name])
        self.written.clear()

    def add(self, game: Game) -> None:
        """Write a new game; raises ConflictError if the name is taken."""
        try:
            with self.connection.begin_nested():  # a savepoint: earlier statements stay
                self.connection.execute(insert(t.game).values(**_game_row(game)))
        except IntegrityError as error:
            raise ConflictError(f"there is a game {game.name!r} already") from error
        self._write_parts(replace(game, seats=(), applicants=(), observers=()), game, members=True)
        self.loaded[game.name] = game
        self.written.add(game.name)

    def save(self, game: Game) -> Game:
        """Write what changed and return the game with its new version.

        Raises ConflictError, now or at the commit.
        """
        assert game.sight is None, "a view of a game in fog is not the game"
        before = self.get(game.name)
        if before is None or before.version != game.version:
            raise ConflictError(f"the game {game.name!r} was changed by somebody else")
        after = replace(game, version=before.version + 1)
        # Most mails bring orders only: settings, position and the columns with an index are then unchanged.
        is_same_board = before.settings == after.settings and before.position == after.position
        listed, was_listed = _listed_row(after), _listed_row(before)
        statement, row = _SAVE_COURSE, _course_row(after)
        if listed != was_listed or not is_same_board:
            statement, row = _SAVE_REST, row | listed
        if not is_same_board:
            statement, row = _SAVE, row | _board_row(after)
        values = {f"new_{name}": value for name, value in row.items()}
        values |= {"key": game.name, "before": before.version}
        statement.change_one(self.connection, values, f"the game {game.name!r} was changed by somebody else")
        self._write_parts(before, after, members=_members(before) != _members(after))
        if listed["due"] is not None and listed["due"] != was_listed["due"]:
            self.wake(CloseGame(after.name, listed["due"]))
        self.loaded[game.name] = after
        self.written.add(game.name)
        return after

    def due(self, now: datetime) -> tuple[str, ...]:
        """Return the games whose open phase may be closed, longest due first."""
        found = select(t.game.c.name).where(t.game.c.due <= now).order_by(t.game.c.due)
        return tuple(self.connection.execute(found).scalars())

    def many(self, names: Sequence[str]) -> tuple[Game, ...]:
        """Return these games, in that order, with as many queries as for one game.

        Games whose board is missing or faulty are left out: they must not break a list of all games.
        """
        missing = [name for name in names if name not in self.loaded]
        if missing:
            rows = self.connection.execute(_GAMES, {"names": missing}).mappings().all()
            parts = [_by_game(self.connection.execute(part, {"names": missing})) for part in _PARTS_OF_MANY]
            if self._were_changed({row["name"]: row["version"] for row in rows}):
                return self.many(names)
            for row in rows:
                self.loaded[row["name"]] = _read(row, *(part.get(row["name"], ()) for part in parts))
        found = [self.loaded[name] for name in names if name in self.loaded]
        return tuple(game for game in found if is_readable(game.settings.map))

    def names(self, states: Iterable[GameState], after: str = "", limit: int = 100) -> tuple[str, ...]:
        """Return the next games in these states, sorted by name."""
        found = select(t.game.c.name).where(t.game.c.state.in_([str(s) for s in states]), t.game.c.name > after)
        return tuple(self.connection.execute(found.order_by(t.game.c.name).limit(limit)).scalars())

    def on_shelves(
        self, shelves: Collection[Shelf], person: PersonId | None, start: int, limit: int
    ) -> tuple[tuple[str, ...], int]:
        """Return a page of the games that LIST shows under these heads, and their total.

        A person's own unfinished games are included even if they are hidden.
        """
        shown: ColumnElement[bool] = t.game.c.shelf.in_(sorted(map(int, shelves)))
        if person is not None:
            own = select(t.member.c.game).where(t.member.c.person == person)
            unshown = (t.game.c.shelf == int(Shelf.HIDDEN)) & (t.game.c.state != GameState.FINISHED.value)
            shown |= unshown & t.game.c.name.in_(own)
        total = self.connection.execute(select(func.count()).select_from(t.game).where(shown)).scalar_one()
        page = select(t.game.c.name).where(shown).order_by(t.game.c.shelf, t.game.c.name).offset(start).limit(limit)
        return tuple(self.connection.execute(page).scalars()), total

    def inviting(self, address: str) -> tuple[str, ...]:
        """Return the unfinished games that may reserve a seat for an address."""
        written = json.dumps(address, ensure_ascii=False)
        found = select(t.game.c.name).where(
            t.game.c.state != GameState.FINISHED.value, t.game.c.course.contains(written, autoescape=True)
        )
        return tuple(self.connection.execute(found.order_by(t.game.c.name)).scalars())

    def with_outage(self) -> tuple[str, ...]:
        """Return the running games whose deadline was moved because of an outage of the judge."""
        return self._holding("before_outage", t.game.c.state == GameState.ACTIVE.value)

    def with_insight(self) -> tuple[str, ...]:
        """Return the unfinished games in which a person saw others' orders or left a seat.

        Only what happened in a phase that is still open counts.
        """
        is_open = t.game.c.state != GameState.FINISHED.value
        return (*self._holding('"saw"', is_open), *self._holding('"played"', is_open))

    def _holding(self, field: str, where: ColumnElement[bool]) -> tuple[str, ...]:
        found = select(t.game.c.name).where(where, t.game.c.course.contains(field, autoescape=True))
        return tuple(self.connection.execute(found.order_by(t.game.c.name)).scalars())

    def of_person(self, person: PersonId) -> tuple[str, ...]:
        """Return the unfinished games a person has a part in."""
        found = (
            select(t.member.c.game)
            .join(t.game, t.game.c.name == t.member.c.game)
            .where(t.member.c.person == bindparam("person"), t.game.c.state != GameState.FINISHED.value)
            .distinct()
            .order_by(t.member.c.game)
        )
        return tuple(self.connection.execute(found, {"person": person}).scalars())

    def masters(self) -> tuple[PersonId, ...]:
        """The masters and co-masters of unfinished games and of games with objections.

        Boards of one person are left out.
        """
        member = t.member.c
        matters = or_(t.game.c.state != GameState.FINISHED.value, _HAS_OBJECTIONS)
        found = (
            select(member.person)
            .join(t.game, t.game.c.name == member.game)
            .where(member.role.in_(("master", "co-master")), matters)
            .where(~member.game.startswith(Game.SANDBOX, autoescape=True))
            .distinct()
        )
        return tuple(map(PersonId, self.connection.execute(found).scalars()))

    def objected_to(self, master: PersonId) -> tuple[str, ...]:
        """Return the finished games of a master or co-master with objections, decided or not."""
        member = t.member.c
        found = (
            select(member.game)
            .join(t.game, t.game.c.name == member.game)
            .where(member.person == master, member.role.in_(("master", "co-master")))
            .where(t.game.c.state == GameState.FINISHED.value, _HAS_OBJECTIONS)
            .distinct()
            .order_by(member.game)
        )
        return tuple(self.connection.execute(found).scalars())

    def finished_of(self, master: PersonId, limit: int) -> tuple[str, ...]:
        """Return the finished games of a master, latest first."""
        found = select(t.game.c.name).where(t.game.c.master == master, t.game.c.state == GameState.FINISHED.value)
        latest = found.order_by(t.game.c.opened_at.desc().nulls_last(), t.game.c.name).limit(limit)
        return tuple(self.connection.execute(latest).scalars())

    # Writing

    def _write_parts(self, before: Game, after: Game, *, members: bool) -> None:
        known = {seat.power: seat for seat in before.seats}
        if known.keys() != {seat.power for seat in after.seats}:  # the board was changed
            self.connection.execute(delete(t.seat).where(t.seat.c.game == after.name))
            known = {}
        is_new_phase = before.position.phase != after.position.phase or not known
        if is_new_phase:
            self._clear_orders(after.name)
        others = [(known[seat.power], seat) for seat in after.seats if known.get(seat.power, seat) is not seat]
        if changed := [seat for old, seat in others if _kept(old) != _kept(seat)]:
            _SAVE_SEAT.change_each(self.connection, [_new_seat_row(after.name, seat) for seat in changed])
        for place, seat in enumerate(after.seats):
            if seat.power not in known:
                self.connection.execute(
                    insert(t.seat).values(game=after.name, power=seat.power, place=place, **_seat_row(seat))
                )
            on_file = _on_file(known[seat.power]) if seat.power in known and not is_new_phase else _NOTHING_ON_FILE
            if on_file != _on_file(seat):
                if on_file != _NOTHING_ON_FILE:
                    self._clear_orders_of(after.name, seat.power)
                self._write_orders(after, seat)
        if members:
            self.connection.execute(delete(t.member).where(t.member.c.game == after.name))
            self.connection.execute(insert(t.member), _members(after))

    def _clear_orders(self, name: str) -> None:
        _CLEAR_ALL_ORDERS.change_soon(self.connection, {"in_game": name})

    def _clear_orders_of(self, name: str, power: Power) -> None:
        _CLEAR_ORDERS.change_soon(self.connection, {"in_game": name, "of_power": power})

    def _write_orders(self, game: Game, seat: Seat) -> None:
        rows = enumerate(_filed_rows(seat, game.position.phase))
        filed = [{"game": game.name, "power": seat.power, "place": place, **row} for place, row in rows]
        _FILE_ORDERS.change_each(self.connection, filed)


_HAS_OBJECTIONS = t.game.c.course.contains('"objections"', autoescape=True)
_SAVE_SEAT = Prepared(
    update(t.seat)
    .where(t.seat.c.game == bindparam("in_game"), t.seat.c.power == bindparam("of_power"))
    .values({name: bindparam(f"new_{name}") for name in ("holder", "serial", "ready", "conduct")})
)
_CLEAR_ALL_ORDERS = Prepared(delete(t.filed_order).where(t.filed_order.c.game == bindparam("in_game")))
_CLEAR_ORDERS = Prepared(
    delete(t.filed_order).where(
        t.filed_order.c.game == bindparam("in_game"), t.filed_order.c.power == bindparam("of_power")
    )
)
_FILE_ORDERS = Prepared(insert(t.filed_order))


def _read(row: Row, seats: Iterable[Row], filed: Iterable[Row], members: Collection[Row]) -> Game:
    """Build a game from its row and the rows of its parts."""
    orders: dict[str, list[Row]] = {}
    for order in filed:
        orders.setdefault(order["power"], []).append(order)
    game = Game(
        name=row["name"],
        settings=_read_settings(row["settings"]),
        master=PersonId(row["master"]),
        state=GameState(row["state"]),
        position=_read_position(row["position"]),
        seats=tuple(_read_seat(seat, orders.get(seat["power"], ()), row["phase"]) for seat in seats),
        applicants=tuple(_read_applicant(m) for m in members if m["role"] == "applicant"),
        observers=tuple(PersonId(m["person"]) for m in members if m["role"] == "observer"),
        co_masters=tuple(PersonId(m["person"]) for m in members if m["role"] == "co-master"),
        clock=Clock(opened_at=row["opened_at"], deadline=row["deadline"], closing_since=row["closing_since"]),
        winner=Power(row["winner"]) if row["winner"] else None,
        version=row["version"],
    )
    return COURSE.put(game, row["course"])


def _by_game(rows: Result[Any]) -> dict[str, list[RowMapping]]:
    found: dict[str, list[RowMapping]] = {}
    for row in rows.mappings():
        found.setdefault(row["game"], []).append(row)
    return found


def _read_position(text: str) -> Position:
    """Read a position that `write_position` wrote, without validating it."""
    line: dict[str, Any] = json.loads(text)
    phase = Phase.parse(line["phase"])
    centers: dict[str, list[str]] | None = line.get("centers")
    return Position(
        phase,
        {read_unit(unit): Power(power) for power, units in line["units"].items() for unit in units},
        None
        if centers is None
        else {_province(place): Power(power) for power, its in centers.items() for place in its},
        {
            read_unit(unit): Dislodgement(
                Power(power),
                _province(loss["from"]),
                bool(loss.get("by_convoy")),
                tuple(map(Location, loss["retreats"])),
            )
            for power, losses in line["dislodged"].items()
            for unit, loss in losses.items()
        },
        frozenset(map(_province, line["contested"])) if phase.kind is PhaseKind.RETREAT else frozenset(),
    )


def _province(place: str) -> Province:
    return Province(Location(place))


def _read_seat(row: Row, orders: Iterable[Row], open_: str) -> Seat:
    filed: dict[str, list[tuple[Row, FiledOrder]]] = {"open": [], "planned": [], "replaced": []}
    for order in orders:
        otherwise = tuple(map(read_order, order["otherwise"].split(_ELSE))) if order["otherwise"] else ()
        one = FiledOrder(_read_order(order), order["line"], order["mail"], otherwise)
        filed[order["standing"]].append((order, one))
    seat = Seat(
        Power(row["power"]),
        PersonId(row["holder"]) if row["holder"] is not None else None,
        row["serial"],
        filed=OnFile(
            ready=row["ready"],
            orders=tuple(one for _, one in filed["open"]),
            planned=tuple(Planned(Phase.parse(order["phase"]), one) for order, one in filed["planned"]),
            replaced=tuple(
                Replaced(one, order["replaced_by"], None if order["phase"] == open_ else Phase.parse(order["phase"]))
                for order, one in filed["replaced"]
            ),
        ),
    )
    return CONDUCT.put(seat, row["conduct"])


_ELSE = "; "
"""Between the orders of a list of preferences, each in strict notation."""
_on_file = attrgetter("filed.orders", "filed.planned", "filed.replaced")
_NOTHING_ON_FILE: tuple[object, ...] = ((), (), ())
_kept = attrgetter("holder", "serial", "filed.ready", *CONDUCT.paths.values())
"""The fields that the row of a seat stores."""


def _filed_rows(seat: Seat, open_: Phase) -> list[dict[str, Any]]:
    """Return the rows of a seat's orders: on file, planned, and replaced ones for UNDO."""
    on_file = [("open", open_, filed, None) for filed in seat.filed.orders]
    on_file += [("planned", plan.phase, plan.filed, None) for plan in seat.filed.planned]
    gone = [("replaced", one.phase or open_, one.filed, one.by) for one in seat.filed.replaced]
    return [
        {
            "standing": standing,
            "phase": str(phase),
            "line": filed.line,
            "mail": filed.mail,
            "replaced_by": by,
            "otherwise": _ELSE.join(map(write_order, filed.otherwise)) or None,
            **_order_row(filed.order),
        }
        for standing, phase, filed, by in (*on_file, *gone)
    ]


def _order_row(order: Order) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": type(order).__name__.lower(), "unit": None, "other": None, "target": None}
    row["by_convoy"] = isinstance(order, Move) and order.by_convoy
    match order:
        case Waive():
            pass
        case Support(unit, other, to) | Convoy(unit, other, to):
            row |= {"unit": str(unit), "other": str(other), "target": to}
        case Move(unit, to) | Retreat(unit, to):
            row |= {"unit": str(unit), "target": to}
        case Hold(unit) | Disband(unit) | Build(unit):
            row["unit"] = str(unit)
    return row


def _read_order(row: Row) -> Order:
    if row["kind"] == "waive":
        return Waive()
    unit = read_unit(row["unit"])
    target = Location(row["target"]) if row["target"] else None
    match row["kind"]:
        case "support":
            return Support(unit, read_unit(row["other"]), target)
        case "convoy" if target is not None:
            return Convoy(unit, read_unit(row["other"]), target)
        case "move" if target is not None:
            return Move(unit, target, row["by_convoy"])
        case "retreat" if target is not None:
            return Retreat(unit, target)
        case kind:
            return _UNIT_ORDERS[kind](unit)


def _seat_row(seat: Seat) -> dict[str, Any]:
    return {
        "holder": seat.holder,
        "serial": seat.serial,
        "ready": seat.filed.ready,
        "conduct": CONDUCT.take(seat),
    }


def _new_seat_row(game: str, seat: Seat) -> dict[str, Any]:
    return {"in_game": game, "of_power": seat.power} | {f"new_{name}": one for name, one in _seat_row(seat).items()}


def _read_applicant(row: Row) -> Applicant:
    """Read an applicant; `wish` is e.g. "2 FRANCE,ITALY!".

    The number of seats comes first if it is above one. A promised power ends in an exclamation mark.
    """
    seats, _, wishes = (row["wish"] or "").rpartition(" ")
    promised = next((Power(wish.rstrip("!")) for wish in wishes.split(",") if wish.endswith("!")), None)
    wished = tuple(Power(wish.rstrip("!")) for wish in wishes.split(",") if wish)
    return Applicant(PersonId(row["person"]), wished, int(seats or 1), promised)


def _wish(applicant: Applicant) -> str | None:
    seats = f"{applicant.seats} " if applicant.seats > 1 else ""
    wishes = (f"{wish}!" if wish == applicant.promised else wish for wish in applicant.wishes)
    return seats + ",".join(wishes) or None


def _members(game: Game) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"person": game.master, "role": "master", "wish": None}]
    rows += [{"person": a.person, "role": "applicant", "wish": _wish(a)} for a in game.applicants]
    rows += [{"person": one, "role": "co-master", "wish": None} for one in game.co_masters]
    rows += [{"person": observer, "role": "observer", "wish": None} for observer in game.observers]
    holders = dict.fromkeys(seat.holder for seat in game.seats if seat.holder is not None)
    rows += [{"person": holder, "role": "player", "wish": None} for holder in holders]
    sitters = dict.fromkeys(one.sitter for one in game.sittings if one.sitter is not None)
    rows += [{"person": sitter, "role": "sitter", "wish": None} for sitter in sitters]
    return [row | {"game": game.name, "place": place} for place, row in enumerate(rows)]


def _board_row(game: Game) -> dict[str, Any]:
    return {
        "settings": SETTINGS.dump_json(game.settings, exclude_defaults=False).decode(),
        "phase": str(game.position.phase),
        "position": msgspec.json.encode(write_position(game.position)).decode(),
    }


def _course_row(game: Game) -> dict[str, Any]:
    return {"version": game.version, "course": COURSE.take(game)}


def _listed_row(game: Game) -> dict[str, Any]:
    """Return the columns by which games are found and listed."""
    return {
        "state": game.state.value,
        "master": game.master,
        "opened_at": game.clock.opened_at,
        "deadline": game.clock.deadline,
        "closing_since": game.clock.closing_since,
        "due": game.wakes,
        "winner": game.winner,
        "shelf": int(shelf_of(game)),
    }


_COURSE = ("version", "course")
_LISTED = ("state", "master", "opened_at", "deadline", "closing_since", "due", "winner", "shelf")
_BOARD = ("settings", "phase", "position")
_SAVED = update(t.game).where(t.game.c.name == bindparam("key"), t.game.c.version == bindparam("before"))
_SAVE_COURSE, _SAVE_REST, _SAVE = (
    Prepared(_SAVED.values({name: bindparam(f"new_{name}") for name in names}))
    for names in (_COURSE, (*_COURSE, *_LISTED), (*_COURSE, *_LISTED, *_BOARD))
)


def _game_row(game: Game) -> dict[str, Any]:
    return {"name": game.name} | _course_row(game) | _listed_row(game) | _board_row(game)


@lru_cache(maxsize=256)
def _read_settings(text: str) -> Settings:
    """Read settings; those that a newer version added get their defaults in older games."""
    return SETTINGS.validate_json(text)

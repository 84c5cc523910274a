"""The operator's commands on games: list, show, hand over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from judge.cli.common import ConfigFile, given_config, refuse
from judge.cli.terminal import AsJson, Column, show_json, show_rows
from judge.games import Game, GameState, Seat
from judge.games.game import Applicant
from judge.storage import Store

_GAMES = (
    Column("game", "game", gives_way=True),
    Column("state", "state"),
    Column("phase", "phase"),
    Column("deadline", "deadline (UTC)"),
    Column("players", "players", is_number=True),
    Column("board", "board", gives_way=True),
    Column("rules", "rules", gives_way=True),
)
_SEATS = (
    Column("power", "power"),
    Column("address", "player", gives_way=True),
    Column("centers", "centers", is_number=True),
    Column("units", "units", is_number=True),
    Column("orders", "orders", is_number=True),
    Column("ready", "ready"),
)
_JOINED = (
    Column("address", "joined", gives_way=True),
    Column("wishes", "wishes"),
    Column("seats", "seats", is_number=True),
)


def games(config: ConfigFile = None, as_json: AsJson = False) -> None:
    """List all games."""
    with closing(Store.open(given_config(config).database.url)) as store:
        show_rows(_GAMES, [_row(game) for game in _all_games(store)], as_json=as_json)


def _all_games(store: Store) -> Iterator[Game]:
    """Yield all games, read in batches, so that a running judge can write in between."""
    after = ""
    while True:
        with store.look() as work:
            found = work.games.many(work.games.names(GameState, after))
        if not found:
            return
        yield from found
        after = found[-1].name


def _row(game: Game) -> dict[str, object]:
    return {
        "game": game.name,
        "state": game.state.value,
        "phase": str(game.position.phase),
        "deadline": game.clock.deadline,
        "players": sum(seat.holder is not None for seat in game.seats) + sum(one.seats for one in game.applicants),
        "board": game.settings.map,
        "rules": game.settings.profile,
    }


def show(name: str, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """Show one game: seats, readiness, number of orders on file. No orders."""
    with Store.open(given_config(config).database.url).look() as work:
        game = work.games.get(name.lower())
        if game is None:
            refuse(f"there is no game {name!r}")
        holders = [seat.holder for seat in game.seats if seat.holder]
        people = work.people.many([*holders, *(one.person for one in game.applicants), game.master])
    master = people[game.master].address
    seats = [_seat(game, seat, people[seat.holder].address if seat.holder else None) for seat in game.seats]
    joined = [_applicant(one, people[one.person].address) for one in game.applicants]
    if as_json:
        show_json({**_row(game), "master": master, "joined": joined, "seats": seats})
        return
    deadline = f"{game.clock.deadline:%Y-%m-%d %H:%M} UTC" if game.clock.deadline else "-"
    print(f"{game.name}: {game.state.value}, {game.position.phase}, master {master}")
    print(f"deadline {deadline}, rules {game.settings.profile}")
    show_rows(_JOINED if joined else _SEATS, joined or seats, as_json=False)


def _applicant(applicant: Applicant, address: str) -> dict[str, object]:
    return {"address": address, "wishes": ", ".join(applicant.wishes) or None, "seats": applicant.seats}


def _seat(game: Game, seat: Seat, address: str | None) -> dict[str, object]:
    return {
        "power": str(seat.power),
        "address": address,
        "centers": len(game.position.centers_of(seat.power)),
        "units": len(game.position.units_of(seat.power)),
        "orders": len(seat.filed.orders),
        "ready": seat.filed.ready,
    }


def hand_over(name: str, address: str, config: ConfigFile = None) -> None:
    """Make another person the master of a game whose master has vanished.

    Everyone in the game is told.
    """
    # slow to import, and to list games needs no letters
    from judge.service.engine.assemble import make_letter_writer  # noqa: PLC0415
    from judge.service.engine.clock import Clock  # noqa: PLC0415
    from judge.service.post.telling import give_to  # noqa: PLC0415

    settings = given_config(config)
    with closing(Store.open(settings.database.url)) as store, store.work() as work:
        game = work.games.get(name.lower())
        person = work.people.by_address(address)
        if game is None:
            refuse(f"there is no game {name!r}")
        if person is None:
            refuse(f"nobody is registered as {address}")
        give_to(work, make_letter_writer(work, settings), game, person, Clock(settings.clock.offset_file)())
        work.commit()
    print(f"{person.address} is the master of {game.name} now")

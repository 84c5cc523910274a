"""What the operator sees of games, and does to them."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime

from judge.cli.common import ConfigFile, given_config, refuse
from judge.games import GameState
from judge.service.engine.assemble import make_letter_writer
from judge.service.engine.clock import Clock
from judge.service.post.telling import give_to
from judge.storage import Store


def games(config: ConfigFile = None) -> None:
    """List all games."""
    with Store.open(given_config(config).database.url).work() as work:
        for game in work.games.listing(GameState):
            print(f"{game.name:20} {game.state.value:9} {game.position.phase} {_moment(game.deadline)}")


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else "-"


def show(name: str, config: ConfigFile = None) -> None:
    """Show one game: seats, who is ready, how much is on file. No orders."""
    with Store.open(given_config(config).database.url).work() as work:
        game = work.games.get(name.lower())
        if game is None:
            refuse(f"there is no game {name!r}")
        people = work.people.many([seat.holder for seat in game.seats if seat.holder] + [game.master])
        print(f"{game.name}: {game.state.value}, {game.position.phase}, master {people[game.master].address}")
        print(f"deadline {_moment(game.deadline)}, rules {game.settings.profile}")
        for seat in game.seats:
            holder = people[seat.holder].address if seat.holder else "-"
            centers = len(game.position.centers_of(seat.power))
            print(f"  {seat.power:8} {holder:32} centers {centers:2} orders {len(seat.orders):2} ready {seat.ready}")


def hand_over(name: str, address: str, config: ConfigFile = None) -> None:
    """Make somebody else the master of a game whose master has vanished; everybody in it is told."""
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

"""Public archive of finished games: what it shows, and the folder it is written to."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from judge import __version__
from judge.commands import Language
from judge.errors import ConfigError
from judge.games import Game, GameState, PersonId
from judge.games.choices import ScoreSystem
from judge.games.game import Seat
from judge.games.publishing import is_published
from judge.games.scores import scores
from judge.games.withdrawn import Withdrawal
from judge.reports.archive import game_file, index_file
from judge.reports.sections import YearOfCenters
from judge.reports.site import (
    SCRIPTS,
    ArchivedGame,
    ArchivedPerson,
    ArchivedPhase,
    ArchivedPress,
    ArchivedSeat,
    ArchivedStatement,
    document_pages,
    front_page,
    game_boards,
    game_pages,
    game_pictures,
    index_page,
    script,
)
from judge.rules.adjudication import adjudicate
from judge.rules.exchange import read_task
from judge.rules.position import Phase
from judge.service.post.past import centers_by_year, versions
from judge.storage import Store, Work
from judge.storage.publications import KeptWords
from judge.storage.records import ClosedPhase

_LIST = ".judge-site.json"
"""The list of the site's own files.

Only these files are ever removed. Unchanged pictures are not drawn again.
"""


def archived_games(store: Store, now: datetime) -> tuple[ArchivedGame, ...]:
    """Return the finished games that LIST showed publicly.

    Games that ended before their first phase closed are left out.
    Each game is read in its own unit of work and adjudicated afterwards. A running judge never waits.
    """
    games = []
    for name in _finished(store):
        with store.look() as work:
            read = [
                (
                    game,
                    tuple(versions(work, game)),
                    centers_by_year(work, game),
                    _named(work, game),
                    _said(work, game, now),
                )
                for game in work.games.many([name])
            ]
        games += [
            _archived(game, phases, years, people, said)
            for game, phases, years, people, said in read
            if years and game.settings.listed
        ]
    return tuple(games)


def _named(work: Work, game: Game) -> Mapping[PersonId, ArchivedPerson]:
    """Return the master and the players of a game who want to be named."""
    holders = (seat.holder for seat in game.seats if seat.holder is not None)
    people = work.people.many([game.master, *holders])
    return {id_: ArchivedPerson(id_, one.public_name) for id_, one in people.items() if one.public_name}


def _said(work: Work, game: Game, now: datetime) -> Sequence[KeptWords]:
    """Return the closing statements of a game, and its press once that is published.

    A person who was erased since the last backup counts as a no.
    """
    shows_press = is_published(game, now) and not any(one.is_erased for one in work.people.many(game.writers).values())
    return [one for one in work.publications.of(game.name) if one.is_statement or shows_press]


def _finished(store: Store) -> Iterator[str]:
    """Yield the names of all finished games, reading them in batches."""
    after = ""
    while True:
        with store.look() as work:
            names = work.games.names((GameState.FINISHED,), after)
        if not names:
            return
        yield from names
        after = names[-1]


def _archived(
    game: Game,
    closed: Sequence[tuple[ClosedPhase, Withdrawal | None]],
    years: Sequence[YearOfCenters],
    people: Mapping[PersonId, ArchivedPerson],
    said: Sequence[KeptWords],
) -> ArchivedGame:
    systems = (system for system in ScoreSystem if system is not ScoreSystem.NONE)
    return ArchivedGame(
        name=game.name,
        board=game.settings.map,
        profile=game.settings.profile,
        options=game.settings.changed_options,
        how=game.ended,
        winner=game.winner,
        sharers=game.sharers,
        position=game.position,
        phases=tuple(_phase(one) for one, withdrawn in closed if withdrawn is None),
        withdrawn=tuple(_withdrawn(closed)),
        zone=game.settings.zone,
        years=tuple(years),
        score_system=game.settings.scores,
        scores=scores(game),
        press=game.settings.press,
        is_anonymous=game.settings.anonymous,
        scores_by={system: scores(game, system) for system in systems},
        seats=tuple(_seat(seat, people) for seat in game.seats if seat.power not in game.set_up.unplayed),
        master=people.get(game.master),
        statements=_statements(game, said),
        messages=_messages(said),
    )


def _statements(game: Game, said: Sequence[KeptWords]) -> tuple[ArchivedStatement, ...]:
    """Return the closing statements in the order of the board."""
    found = {one.power: one.text for one in said if one.is_statement}
    return tuple(ArchivedStatement(seat.power, found[seat.power]) for seat in game.seats if seat.power in found)


def _messages(said: Sequence[KeptWords]) -> tuple[ArchivedPress, ...] | None:
    press = (one for one in said if not one.is_statement)
    return tuple(ArchivedPress(one.phase, one.power, one.to, one.about, one.text) for one in press) or None


def _seat(seat: Seat, people: Mapping[PersonId, ArchivedPerson]) -> ArchivedSeat:
    player = people.get(seat.holder) if seat.holder is not None else None
    return ArchivedSeat(seat.power, player, seat.is_robot, is_vacant=seat.holder is None and not seat.is_robot)


def _withdrawn(versions: Sequence[tuple[ClosedPhase, Withdrawal | None]]) -> Iterator[ArchivedPhase]:
    """Yield the versions that a rollback withdrew, numbered within each phase."""
    count: Counter[Phase] = Counter()
    for closed, withdrawn in versions:
        if withdrawn is not None:
            count[closed.phase] += 1
            yield replace(_phase(closed), withdrawn=withdrawn, version=count[closed.phase])


def _phase(closed: ClosedPhase) -> ArchivedPhase:
    """Adjudicate the phase again: its record gives reasons in one language only."""
    task = read_task(dict(closed.record["input"]))
    resolution = adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)
    record = {name: closed.record[name] for name in ("input", "output")}
    return ArchivedPhase(closed.phase, closed.closed_at, resolution, record=record)


@dataclass(frozen=True, slots=True)
class Written:
    """The result of writing a site."""

    games: int
    drawn: int
    """How many of the games had their pictures drawn."""


def write_site(folder: Path, games: Sequence[ArchivedGame], address: str = "") -> Written:
    """Write the site and remove its outdated files.

    Raises ConfigError if the folder holds anything else.
    `address`: where the site is on the web, for the pictures beside links; "" if it is not on the web.
    """
    before = _list_of(folder)
    state = {game.name: _fingerprint(game) for game in games}
    site = _Site(folder)
    for name in SCRIPTS:
        site.put(name, script(name))
    site.put("index.html", front_page())
    site.put("games.json", index_file(games))
    drawn = 0
    for language in Language:
        site.put(f"{language.value}/index.html", index_page(games, language, address))
        for name, page in document_pages(language, address):
            site.put(f"{language.value}/{name}", page)
    for game in games:
        site.put(f"games/{game.name}.json", game_file(game))
        kept = [file for file in before["files"] if _is_picture_of(game, file) and (folder / file).is_file()]
        is_new = before["games"].get(game.name) != state[game.name] or not kept
        drawn += is_new
        for file, content in _files(game, address, with_pictures=is_new):
            site.put(file, content)
        site.files += [] if is_new else kept
    site.close(before["files"], state)
    return Written(len(games), drawn)


def _files(game: ArchivedGame, address: str, *, with_pictures: bool) -> Iterator[tuple[str, bytes]]:
    for name, content in game_boards(game) if with_pictures else ():
        yield f"maps/{game.name}/{name}", content
    for language in Language:
        below = f"{language.value}/{game.name}"
        for name, content in game_pages(game, language, address):
            yield f"{below}/{name}", content
        for name, content in game_pictures(game, language) if with_pictures else ():
            yield f"{below}/{name}", content


def _is_picture_of(game: ArchivedGame, file: str) -> bool:
    parts = file.split("/")
    return len(parts) == 3 and parts[1] == game.name and not parts[2].endswith(".html")


def _fingerprint(game: ArchivedGame) -> str:
    return hashlib.sha256(f"{__version__}\n{game}".encode()).hexdigest()


@dataclass(slots=True)
class _Site:
    """A folder that is being written."""

    folder: Path
    files: list[str] = field(default_factory=list)

    def put(self, file: str, content: bytes) -> None:
        """Write a file in one step: a web server never serves half of it."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_bytes(content)
        fresh.replace(path)
        self.files.append(file)

    def close(self, before: Sequence[str], games: dict[str, str]) -> None:
        """Remove files that no longer belong to the site; write the list of the others."""
        for file in sorted(set(before) - set(self.files), reverse=True):
            path = self.folder / file
            path.unlink(missing_ok=True)
            if path.parent != self.folder and path.parent.is_dir() and not any(path.parent.iterdir()):
                path.parent.rmdir()
        content = {"files": sorted(self.files), "games": games}
        (self.folder / _LIST).write_text(json.dumps(content, indent=1), "utf-8")


def _list_of(folder: Path) -> dict[str, Any]:
    """Return what the site held when it was last written.

    Raises ConfigError for a folder that the site did not write.
    """
    nothing: dict[str, Any] = {"files": [], "games": {}}
    if not folder.exists():
        return nothing
    if (folder / _LIST).is_file():
        found: dict[str, Any] = json.loads((folder / _LIST).read_text("utf-8"))
        return found
    if not folder.is_dir() or any(folder.iterdir()):
        raise ConfigError((f"{folder} is no folder of `judge site`, and not empty",))
    return nothing

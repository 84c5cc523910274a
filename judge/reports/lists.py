"""The lists of LIST and GAMES.

LIST shows what a reader may know of open games. GAMES shows what the reader's own games need from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.commands import Language, ListKind
from judge.games.game import Game
from judge.games.matters import requests, votes_due
from judge.games.person import Person
from judge.games.seats import vacancies
from judge.games.terms import Settings
from judge.reports.readers import Reader, Role
from judge.reports.sections import GamesPage, OwnGames
from judge.reports.views import GameView, StatusView, game_view, status_view
from judge.rules.position import Power


@dataclass(frozen=True, slots=True)
class ListedGame:
    """What anyone may know of a listed game."""

    game: GameView
    settings: Settings
    vacant: tuple[tuple[Power, int | None], ...]
    """The powers that need a player, and how many centers each owns."""
    language: Language
    """The master's language."""
    master: str
    has_house_rules: bool


@dataclass(frozen=True, slots=True)
class GamesPageView:
    """A page of games, and how to see the others."""

    rows: tuple[ListedGame, ...]
    kind: ListKind
    page: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class OwnGame:
    """One of the reader's games."""

    powers: tuple[Power, ...]
    is_master: bool
    lacks: int
    """How many of the reader's units lack an order; builds and removals still to decide."""
    status: StatusView
    votes: int = 0
    """How many proposals wait for the reader's vote."""
    requests: int = 0
    """How many requests for a seat wait for the reader, who is a master."""

    @property
    def questions(self) -> int:
        """How many questions about the reader's orders are open."""
        return sum(len(own.questions) for own in self.status.own)


@dataclass(frozen=True, slots=True)
class OwnGamesView:
    """All games of the reader."""

    rows: tuple[OwnGame, ...]


def games_page_view(page: GamesPage) -> GamesPageView:
    """Return what LIST shows."""
    return GamesPageView(
        tuple(_listed(game, page) for game in page.games), page.kind, page.page, page.pages, page.total
    )


def _listed(game: Game, page: GamesPage) -> ListedGame:
    master = page.masters[game.master]
    vacant = vacancies(game) if game.is_running else ()
    return ListedGame(
        game_view(game),
        game.settings,
        tuple((power, len(game.position.centers_of(power)) if game.sight is None else None) for power in vacant),
        master.language,
        master.name,
        game.house_rules.exist,
    )


def own_games_view(own: OwnGames, now: datetime) -> OwnGamesView:
    """Return what GAMES shows, the nearest deadline first."""
    ordered = sorted(own.games, key=lambda game: (game.clock.deadline is None, game.clock.deadline or now, game.name))
    return OwnGamesView(tuple(own_game(game, own.reader, now) for game in ordered))


def own_game(game: Game, reader: Person, now: datetime) -> OwnGame:
    """Return a game in which the reader takes part."""
    powers = tuple(seat.power for seat in game.seats_of(reader.id))
    is_master = reader.id in game.masters
    role = Role.MASTER if is_master else Role.PLAYER if powers else Role.OBSERVER
    status = status_view(game, Reader(reader, role, powers), now)
    lacks = sum(abs(orders.to_decide) or len(orders.unordered) for orders in status.own)
    votes, asking = votes_due(game, reader.id), requests(game, reader.id)
    return OwnGame(powers, is_master, lacks, status, len(votes), len(asking))

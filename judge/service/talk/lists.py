"""LIST and GAMES: a page of games is a few queries, however many there are."""

from __future__ import annotations

from judge import commands as c
from judge.games.answers import Answer, GamesListed, Shown
from judge.games.listing import SHELVES
from judge.reports.sections import GamesPage, OwnGames
from judge.service.talk.handling import MailHandling

PAGE = 25


def list_games(handling: MailHandling, request: c.ListGames | c.MyGames) -> Answer:
    """The games there are, or the sender's own."""
    return _own_games(handling, request) if isinstance(request, c.MyGames) else _page(handling, request)


def _page(handling: MailHandling, request: c.ListGames) -> Answer:
    """The games anybody may join or watch, and those of the sender that are not shown to everybody."""
    games = handling.work.games
    is_all = request.kind is c.ListKind.ALL
    person = handling.person.id if handling.is_registered and handling.is_proved and is_all else None
    page = request.page or 1
    names, total = games.on_shelves(SHELVES[request.kind], person, (page - 1) * PAGE, PAGE)
    pages = max(1, -(-total // PAGE))
    if total and page > pages:  # nobody has to guess how many there are
        page = pages
        names, total = games.on_shelves(SHELVES[request.kind], person, (page - 1) * PAGE, PAGE)
    if names:
        found = tuple(handling.games.get(game.name, game) for game in games.many(names))
        masters = handling.work.people.many(game.master for game in found)
        handling.sections.append(GamesPage(found, masters, request.kind, page, pages, total))
    return GamesListed(request.kind, are_any=bool(names))


def _own_games(handling: MailHandling, request: c.MyGames) -> Answer:
    """The unfinished games the sender has a part in."""
    names = handling.work.games.of_person(handling.person.id) if handling.is_registered else ()
    found = tuple(handling.games.get(game.name, game) for game in handling.work.games.many(names))
    handling.sections.append(OwnGames(found, handling.person))
    return Shown(request)

"""HELP, LIST, BOARDS and GAMES.

A page of games takes a few queries, however many games there are.
"""

from __future__ import annotations

from judge import commands as c
from judge.games.answers import Answer, GamesListed, HelpShown, Shown
from judge.games.listing import SHELVES
from judge.games.request import table
from judge.games.sight import seen_as, seen_by
from judge.reports.sections import BoardsPage, GamesPage, OwnGames
from judge.resources import boards
from judge.service.post.pictures import illustrated, of_boards
from judge.service.talk.handling import MailHandling
from judge.service.talk.request import MailRequest, on

PAGE = 25


def show_help(asked: MailRequest[c.Help]) -> Answer:
    """Show a page of HELP.

    It is about the board of the line's game, else about those of all games of the sender.
    """
    handling, name = asked.handling, asked.item.scope.game
    game = handling.known(name) if name is not None else None
    games = [game] if game is not None else handling.own_games() if handling.is_registered else []
    return HelpShown(asked.command.topic, tuple(dict.fromkeys(one.settings.map for one in games)))


def list_games(asked: MailRequest[c.ListGames]) -> Answer:
    """List the games that any sender may join or watch.

    A list of all games includes the sender's own unlisted games.
    """
    handling, request = asked.handling, asked.command
    games = handling.work.games
    is_all = request.kind is c.ListKind.ALL
    person = handling.person.id if handling.is_registered and handling.is_proved and is_all else None
    page = request.page or 1
    names, total = games.on_shelves(SHELVES[request.kind], person, (page - 1) * PAGE, PAGE)
    pages = max(1, -(-total // PAGE))
    if total and page > pages:  # beyond the end: show the last page
        page = pages
        names, total = games.on_shelves(SHELVES[request.kind], person, (page - 1) * PAGE, PAGE)
    if names:
        found = tuple(handling.games.get(game.name, game) for game in games.many(names))
        masters = handling.work.people.many(game.master for game in found)
        found = tuple(seen_as(game, ()) for game in found)
        handling.sections.append(GamesPage(found, masters, request.kind, page, pages, total))
    return GamesListed(request.kind, are_any=bool(names))


def list_boards(asked: MailRequest[c.ListBoards]) -> Answer:
    """List the boards that a game can be played on."""
    handling = asked.handling
    handling.sections.append(BoardsPage(tuple(boards())))
    if handling.config.delivery.pictures and handling.is_proved:
        handling.illustrations += illustrated(handling.work, of_boards(), handling.person)
    return Shown(asked.command)


def list_own_games(asked: MailRequest[c.MyGames]) -> Answer:
    """List the unfinished games the sender takes part in."""
    return show_own_games(asked.handling, asked.command)


def show_own_games(handling: MailHandling, command: c.MyGames | c.Status) -> Answer:
    """Show a table of the unfinished games the sender takes part in.

    A mail that asks for it again gets one table, as the games stand at last.
    """
    names = handling.work.games.of_person(handling.person.id) if handling.is_registered else ()
    found = tuple(handling.games.get(game.name, game) for game in handling.work.games.many(names))
    found = tuple(seen_by(game, handling.person.id) for game in found)
    table_, sections = OwnGames(found, handling.person), handling.sections
    shown = (place for place, section in enumerate(sections) if isinstance(section, OwnGames))
    place = next(shown, len(sections))
    sections[place : place + 1] = [table_]
    return Shown(command)


HANDLERS = table(
    on(c.Help, show_help), on(c.ListGames, list_games), on(c.ListBoards, list_boards), on(c.MyGames, list_own_games)
)

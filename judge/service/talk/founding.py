"""New games: created, or brought from another judge."""

from __future__ import annotations

from judge import commands as c
from judge.errors import NotationError
from judge.games import create, refusals
from judge.games.answers import Answer, Done
from judge.games.events import GameNews
from judge.games.refusals import Refused
from judge.games.setup import is_name
from judge.service.talk.handling import MailHandling
from judge.storage.moving import put_records, read_game


def found_game(handling: MailHandling, request: c.Create | c.Import) -> Answer:
    """Open a new game, or go on with one from elsewhere."""
    return create_game(handling, request) if isinstance(request, c.Create) else import_game(handling, request)


def create_game(handling: MailHandling, request: c.Create) -> Answer:
    """Create a game; whoever asks is its master."""
    why_not = _why_no_new_game(handling, request.game.lower())
    if why_not is not None:
        return why_not
    made = create(request, handling.person.id, handling.config.judge.zone)
    if isinstance(made, Refused):
        return made
    handling.found(made.game)
    return made.answer


def import_game(handling: MailHandling, request: c.Import) -> Answer:
    """Take a game from another judge; whoever brings it is its master."""
    name = request.game.lower()
    why_not = _why_no_new_game(handling, name)
    if why_not is not None:
        return why_not
    if not handling.letter.files:
        return Refused(refusals.NoFile(name))
    try:
        game, file = read_game(handling.letter.files[0].content, name, handling.person.id)
    except NotationError as error:
        return Refused(refusals.BadFile(str(error)))
    handling.found(game)
    put_records(handling.work.records, game, file)
    handling.work.records.log(GameNews(game, request, handling.now))
    return Done(request)


def why_no_founder(handling: MailHandling) -> Refused | None:
    """Why the sender may open no game; None if he may."""
    creators = handling.config.games.creators
    may = "*" in creators or handling.person.address in creators
    return None if may else Refused(refusals.MayNotCreate())


def _why_no_new_game(handling: MailHandling, name: str) -> Refused | None:
    why_not = why_no_founder(handling)
    if why_not is not None:
        return why_not
    if handling.work.games.get(name) is not None:
        return Refused(refusals.NameTaken(name))
    return None if is_name(name) else Refused(refusals.BadName(name))

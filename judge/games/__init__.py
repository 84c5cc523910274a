"""Games as people play them: creating, joining, ordering, closing phases. Pure; `now` is an argument."""

from judge.games.closing import close, moved_back, remind
from judge.games.context import MailContext
from judge.games.game import Game, GameState, Seat
from judge.games.handled import Handled
from judge.games.handling import handle, not_taken
from judge.games.person import Person, PersonId
from judge.games.persons import change, clean_name
from judge.games.request import LookedUp, Request
from judge.games.setup import create, join
from judge.games.terms import Settings
from judge.games.unsettled import lacking

__all__ = [
    "Game",
    "GameState",
    "Handled",
    "LookedUp",
    "MailContext",
    "Person",
    "PersonId",
    "Request",
    "Seat",
    "Settings",
    "change",
    "clean_name",
    "close",
    "create",
    "handle",
    "join",
    "lacking",
    "moved_back",
    "not_taken",
    "remind",
]

"""Questions: commands that show something."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from judge.commands.card import RUNNING, STARTED, Card, Part, Permitted
from judge.rules.orders import Order
from judge.rules.position import Phase, Power
from judge.rules.values import value

__all__ = [
    "Calendar",
    "Help",
    "HelpTopic",
    "History",
    "ListBoards",
    "ListGames",
    "ListKind",
    "MyGames",
    "Replay",
    "ShowLog",
    "ShowMap",
    "ShowOrders",
    "ShowRules",
    "ShowSeason",
    "Status",
    "Summary",
    "WhatIf",
    "Who",
]


class HelpTopic(StrEnum):
    """General HELP topics, besides the single commands."""

    START = "start"
    ORDERS = "orders"
    COMMANDS = "commands"
    SETTINGS = "settings"
    MASTER = "master"
    PLACES = "places"
    ANSWERS = "answers"
    TUTORIAL = "tutorial"
    PLAY = "play"
    FAQ = "faq"
    ONE_ADDRESS = "one address"
    FIRST_GAME = "first game"
    HOUSE_RULES = "house rules"


@value
class Status:
    """STATUS [game]: show the game's state, the orders on file and what is missing."""

    card = Card(is_question=True, stands_beside=True)

    game: str | None = None


@value
class ShowRules:
    """RULES [game]: show its settings in words."""

    card = Card(is_question=True)

    game: str | None = None


@value
class ShowOrders:
    """ORDERS [ardennes]: show the sender's orders on file as written.

    They are shown for this phase and later ones.
    """

    card = Card(Permitted.PLAYER, RUNNING, is_question=True, shows=Part.OWN_ORDERS)

    game: str | None = None


@value
class History:
    """HISTORY [ardennes] [from [to]]: show the results of closed phases."""

    card = Card(is_question=True, shows=Part.HISTORY)

    first: Phase | None = None
    last: Phase | None = None
    game: str | None = None


@value
class Summary:
    """SUMMARY [ardennes]: show centers by year, and who played which power."""

    card = Card(is_question=True, shows=Part.CENTERS)

    game: str | None = None


@value
class ShowMap:
    """MAP [ardennes] [phase] [svg]: show the present position, or a closed phase with its orders."""

    card = Card(is_question=True, shows=Part.BOARD)

    phase: Phase | None = None
    as_svg: bool = False
    """As a vector file that can be enlarged."""
    game: str | None = None


@value
class Replay:
    """REPLAY [ardennes]: show the game as an animation, and its centers as a chart."""

    card = Card(states=STARTED, is_question=True, shows=Part.REPLAY)

    game: str | None = None


@value
class Who:
    """WHO [ardennes]: show the players."""

    card = Card(Permitted.MEMBER, is_question=True, shows=Part.PLAYERS)

    game: str | None = None


@value
class ShowSeason:
    """TABLE [ardennes] [2]: show the results of the master's finished games by person."""

    card = Card(Permitted.MEMBER, is_question=True, shows=Part.SEASON)

    game: str | None = None
    page: int | None = None
    """None for the first page."""


@value
class ShowLog:
    """LOG [ardennes]: show what the master did, and why."""

    card = Card(Permitted.MEMBER, is_question=True, shows=Part.LOG)

    game: str | None = None


@value
class Calendar:
    """CALENDAR [ardennes]: attach the deadline as a calendar event."""

    card = Card(Permitted.MEMBER, RUNNING, is_question=True)

    game: str | None = None


@value
class WhatIf:
    """WHATIF … END WHATIF: show how the phase would be adjudicated with these orders.

    Only the sender sees it.
    """

    card = Card(Permitted.PLAYER, RUNNING, is_question=True)

    orders: tuple[tuple[Power | None, Order], ...] = ()
    """Empty: the sender's orders on file, while all other units hold."""


class ListKind(StrEnum):
    """Which games LIST shows."""

    ALL = "all"
    VACANT = "vacant"
    """Running games with a power that needs a player."""
    NEW = "new"
    """Games that can be joined before they start."""


@value
class ListGames:
    """LIST [vacant|new] [2]: show the games to join or watch, a page at a time."""

    card = Card(needs_proof=False)

    kind: ListKind = ListKind.ALL
    page: int | None = None
    """None for the first page."""


@value
class ListBoards:
    """BOARDS: show the boards that a game can be played on."""

    card = Card(needs_proof=False)


@value
class MyGames:
    """GAMES: show the sender's games, and what to do in each."""

    card = Card(is_question=True)


@value
class Help:
    """HELP [topic]: show help."""

    card = Card(needs_proof=False)

    topic: str = HelpTopic.START
    """A HelpTopic, or the name of a command as in `docs/commands.md`."""


General: TypeAlias = ListGames | ListBoards | MyGames | Help
OfAGame: TypeAlias = (
    Status
    | ShowRules
    | ShowOrders
    | History
    | Summary
    | ShowMap
    | Replay
    | Who
    | ShowSeason
    | ShowLog
    | Calendar
    | WhatIf
)

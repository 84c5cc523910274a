"""Questions: what the judge is asked to show."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from judge.commands.card import RUNNING, STARTED, Card, Part, Permitted
from judge.rules.orders import Order
from judge.rules.position import Phase, Power

__all__ = [
    "Calendar",
    "Help",
    "HelpTopic",
    "History",
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
    """What HELP can be asked about, beside the single commands."""

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
    FIRST_GAME = "first game"
    HOUSE_RULES = "house rules"


@dataclass(frozen=True, slots=True)
class Status:
    """STATUS [game]: the state of the game, what is on file, what lacks."""

    card = Card(is_question=True, stands_beside=True)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowRules:
    """RULES [game]: its settings, in words."""

    card = Card(is_question=True)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowOrders:
    """ORDERS [ardennes]: all that is on file, for this phase and later ones, as it was written."""

    card = Card(Permitted.PLAYER, RUNNING, is_question=True, shows=Part.OWN_ORDERS)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """HISTORY [ardennes] [from [to]]: what happened in closed phases."""

    card = Card(is_question=True, shows=Part.HISTORY)

    first: Phase | None = None
    last: Phase | None = None
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """SUMMARY [ardennes]: centers year by year, and who played what."""

    card = Card(is_question=True, shows=Part.CENTERS)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowMap:
    """MAP [ardennes] [phase] [svg]: the board as it is, or a closed phase with its orders."""

    card = Card(is_question=True, shows=Part.BOARD)

    phase: Phase | None = None
    as_svg: bool = False
    """As a file that can be enlarged at will."""
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """REPLAY [ardennes]: the whole game as one picture that moves, and its centers as a chart."""

    card = Card(states=STARTED, is_question=True, shows=Part.REPLAY)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class Who:
    """WHO [ardennes]: who plays."""

    card = Card(Permitted.MEMBER, is_question=True, shows=Part.PLAYERS)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowSeason:
    """TABLE [ardennes] [2]: what the finished games of the game's master brought to whom."""

    card = Card(Permitted.MEMBER, is_question=True, shows=Part.SEASON)

    game: str | None = None
    page: int | None = None
    """The first, if none is named."""


@dataclass(frozen=True, slots=True)
class ShowLog:
    """LOG [ardennes]: what the master did, and why."""

    card = Card(Permitted.MEMBER, is_question=True, shows=Part.LOG)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class Calendar:
    """CALENDAR [ardennes]: the deadline, for a calendar."""

    card = Card(Permitted.MEMBER, RUNNING, is_question=True)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """WHATIF … END WHATIF: how the phase would come out, for the asker alone."""

    card = Card(Permitted.PLAYER, RUNNING, is_question=True)

    orders: tuple[tuple[Power | None, Order], ...] = ()
    """None: the asker's orders on file against holds."""


class ListKind(StrEnum):
    """Which games LIST tells of."""

    ALL = "all"
    VACANT = "vacant"
    """Those that run, and want a player for a power."""
    NEW = "new"
    """Those that one can join before they start."""


@dataclass(frozen=True, slots=True)
class ListGames:
    """LIST [vacant|new] [2]: the games one can join or watch, some at a time."""

    card = Card(needs_proof=False)

    kind: ListKind = ListKind.ALL
    page: int | None = None
    """The first, if none is named."""


@dataclass(frozen=True, slots=True)
class MyGames:
    """GAMES: the sender's own games, and what each wants of him."""

    card = Card(is_question=True)


@dataclass(frozen=True, slots=True)
class Help:
    """HELP [topic]."""

    card = Card(needs_proof=False)

    topic: str = HelpTopic.START
    """A HelpTopic, or the name of a command as in `docs/commands.md`."""


General: TypeAlias = ListGames | MyGames | Help
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

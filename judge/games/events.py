"""What happened, and what each request is answered: values that reports put into words.

An *answer* goes to the one who asked, in the reply to his mail. An *event* concerns others too.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from judge.commands import Command, Guessed, HelpTopic, Language, Misnamed
from judge.games.game import Game, PersonId
from judge.rules.orders import Order
from judge.rules.outcomes import Illegal, Resolution
from judge.rules.position import Location, Phase, Position, Power, Unit


class RefusalReason(StrEnum):
    """Why a request was not done; `subject` of the Refused carries the word it is about."""

    NO_SUCH_GAME = "no-such-game"
    WHICH_GAME = "which-game"
    """The mail is about no game in particular, and the command needs one."""
    NAME_TAKEN = "name-taken"
    BAD_NAME = "bad-name"
    BAD_SETTING = "bad-setting"
    MAY_NOT_CREATE = "may-not-create"
    GAME_STARTED = "game-started"
    GAME_NOT_STARTED = "game-not-started"
    GAME_FINISHED = "game-finished"
    POWER_TAKEN = "power-taken"
    ALREADY_IN = "already-in"
    NOT_A_PLAYER = "not-a-player"
    NOT_YOUR_POWER = "not-your-power"
    NOT_THE_MASTER = "not-the-master"
    WRONG_PHASE = "wrong-phase"
    """The order or command names, or answers the report of, a phase that is not open."""
    WHICH_PHASE = "which-phase"
    """The phase opened only just now, and the mail does not say that it is the one that is meant."""
    WRONG_KIND_OF_ORDER = "wrong-kind-of-order"
    """A move in a retreat phase, a build in a movement phase …"""
    FOREIGN_UNIT = "foreign-unit"
    NO_SUCH_UNIT = "no-such-unit"
    WRONG_KIND = "wrong-kind"
    """The unit that stands there is of the other kind; `instead` is that unit."""
    NOT_DISLODGED = "not-dislodged"
    """A retreat of a unit that may stay where it is."""
    SUPERSEDED = "superseded"
    """A mail that came later ordered that unit already; `instead` is that order."""
    ALREADY_CLOSED = "already-closed"
    """PROCESS of a phase that is over; `instead` is the open one."""
    NOTHING_TO_CLEAR = "nothing-to-clear"
    NOTHING_TO_DECIDE = "nothing-to-decide"
    CLOSING = "closing"
    """The phase is being closed; the mail came after the last READY or the deadline."""
    UNKNOWN_ZONE = "unknown-zone"
    BAD_PERSON_NAME = "bad-person-name"


@dataclass(frozen=True, slots=True)
class Refused:
    """Not done, and why."""

    reason: RefusalReason
    subject: str = ""
    instead: str = ""
    """What would have been right: the open phase, the names to choose from."""


@dataclass(frozen=True, slots=True)
class Filed:
    """The order is on file."""

    power: Power
    order: Order
    replaced: tuple[Order, ...] = ()
    """What is no longer on file because of it."""
    warning: Illegal | None = None
    """On file, but it will be void as things stand (the rule book publishes it all the same)."""
    retreats: tuple[Location, ...] = ()
    """Where the unit may go, if the order is a retreat that will be void."""
    misnamed: tuple[Misnamed, ...] = ()
    """Units that were said to be another power's than they are."""
    guessed: tuple[Guessed, ...] = ()
    """Misspelled words, and what they were taken for."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """These orders are no longer on file."""

    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class ReadySet:
    """READY or NOT READY was noted."""

    ready: bool
    waiting_for: int
    """How many other powers are not ready yet."""
    unordered: int = 0
    """Units of the sender without an order; in an adjustment phase builds or removals not ordered."""


@dataclass(frozen=True, slots=True)
class Created:
    """A game was created."""

    game: Game


@dataclass(frozen=True, slots=True)
class Joined:
    """The sender is in."""

    game: str
    power: Power | None
    seats_left: int


@dataclass(frozen=True, slots=True)
class Observing:
    """The sender gets the public reports."""

    game: str


@dataclass(frozen=True, slots=True)
class StatusShown:
    """STATUS: the game itself, shown as far as the reader may see."""

    game: Game


@dataclass(frozen=True, slots=True)
class GamesListed:
    """LIST."""

    games: tuple[Game, ...]


@dataclass(frozen=True, slots=True)
class HelpShown:
    """HELP."""

    topic: HelpTopic


@dataclass(frozen=True, slots=True)
class LanguageSet:
    """From this reply on."""

    language: Language


@dataclass(frozen=True, slots=True)
class ZoneSet:
    """Times are shown in that zone."""

    zone: str


@dataclass(frozen=True, slots=True)
class NameSet:
    """The others see that name."""

    name: str


@dataclass(frozen=True, slots=True)
class Closing:
    """PROCESS accepted: the phase closes in a moment."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Noted:
    """GAME, PHASE and power headings: they steer what follows and need no answer of their own."""

    command: Command


Answer: TypeAlias = (
    Refused
    | Filed
    | Cleared
    | ReadySet
    | Created
    | Joined
    | Observing
    | StatusShown
    | GamesListed
    | HelpShown
    | LanguageSet
    | ZoneSet
    | NameSet
    | Closing
    | Noted
)


@dataclass(frozen=True, slots=True)
class GameStarted:
    """All seats are taken; everybody gets the opening report."""

    game: Game
    at: datetime


@dataclass(frozen=True, slots=True)
class PhaseClosed:
    """A phase was adjudicated; `game` stands in the next phase, or is finished."""

    game: Game
    phase: Phase
    before: Position
    resolution: Resolution
    at: datetime
    missing: tuple[Power, ...] = ()
    """Powers that had something to order and sent nothing."""


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """Told to the master while the game fills up."""

    game: Game
    person: PersonId
    power: Power | None


Event: TypeAlias = GameStarted | PhaseClosed | PlayerJoined


@dataclass(frozen=True, slots=True)
class Lacking:
    """A seat that may still have to send something before the phase closes."""

    power: Power
    units: tuple[Unit, ...]
    """Units without an order (movement, retreat); in an adjustment phase the units that could be removed."""
    count: int = 0
    """Adjustment phase: builds (positive) or removals (negative) still to be ordered."""

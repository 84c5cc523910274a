"""Longer answers; each is a section of a receipt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import TypeAlias

from judge.commands import Language, ListKind, Object
from judge.games.events import Happened
from judge.games.findings import Finding
from judge.games.game import Game
from judge.games.person import Person, PersonId, Record
from judge.games.scores import one_decimal
from judge.games.withdrawn import Withdrawal
from judge.language.adoption import Fault, Sheet
from judge.reports.ballots import VotesView
from judge.reports.terms import TermsView
from judge.reports.turning import TurningPoint
from judge.rules.orders import Order
from judge.rules.outcomes import Verdict
from judge.rules.position import Phase, Power


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """The player of a power."""

    power: Power
    name: str
    """Empty if the power has no player, or if that is secret."""
    address: str = ""
    """Only if the game shows addresses."""
    is_vacant: bool = False
    is_robot: bool = False
    record: Record | None = None
    """How reliable the player is; None if the reader may not know who plays."""
    has_sitter: bool = False
    sitter: str = ""
    """The sitter's name; empty if the reader may not know it."""
    coach: str | None = None
    """The name of their coach, "" if that is secret; None without a coach."""


@dataclass(frozen=True, slots=True)
class Players:
    """The answer to WHO: the people of a game."""

    game: str
    master: str
    rows: tuple[PlayerRow, ...]
    applicants: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    """For masters: the addresses of people who wait to be let in."""
    robots: tuple[Power, ...] = ()
    """The powers played by robots; only before the start."""
    observers: int = 0
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """An action of a master or a player."""

    at: datetime
    phase: Phase
    power: Power | None
    """The power of the player; None for the master."""
    command: str
    reason: str
    happened: Happened | None = None
    """Set if it happened by the rules and no person did it."""
    by_vote: bool = False
    """The players decided it by vote; `power` had proposed it."""
    objection: Object | None = None
    """A player's objection."""
    master: str = ""
    """The name of the master who did it.

    It is "" for a player, and where the name is not known.
    """


@dataclass(frozen=True, slots=True)
class Log:
    """The answer to LOG."""

    lines: tuple[LogLine, ...]
    zone: str


@dataclass(frozen=True, slots=True)
class YearOfCenters:
    """How many centers each power owned at the end of a year.

    The year before the first one stands for the start.
    """

    year: int
    centers: Mapping[Power, int]


@dataclass(frozen=True, slots=True)
class PastPhase:
    """What happened in a closed phase."""

    phase: Phase
    orders: Mapping[Power, tuple[tuple[str, tuple[str, ...]], ...]]
    """Power → order in strict notation, and its results as words of `judge adjudicate`."""
    withdrawn: Withdrawal | None = None
    """The rollback that withdrew these results; None if they count."""
    written: Mapping[Power, Mapping[str, str]] = field(default_factory=dict)
    """Power → order → the line written for it, unless it is just another spelling.

    It holds only lines that the reader may know.
    """


@dataclass(frozen=True, slots=True)
class Past:
    """The answer to HISTORY or SUMMARY."""

    phases: tuple[PastPhase, ...]
    centers: tuple[YearOfCenters, ...] = ()
    """The centers year by year, for SUMMARY."""
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class OwnOrder:
    """An order on file, with the line it came from."""

    phase: Phase
    power: Power
    preferences: tuple[Order, ...]
    """Only one for the open phase."""
    line: str


@dataclass(frozen=True, slots=True)
class OwnOrdersOnFile:
    """The answer to ORDERS."""

    orders: tuple[OwnOrder, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to PREVIEW or WHATIF: the result if the phase were closed."""

    phase: Phase
    verdicts: tuple[Verdict, ...]
    unsettled: tuple[tuple[Power, tuple[Finding, ...]], ...] = ()
    """For a master: what is still unsettled, power by power."""


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's season."""

    place: int
    player: str
    games: int
    won: int
    shared: int
    points: Fraction

    @property
    def shown(self) -> str:
        """Return the points of the player."""
        return one_decimal(self.points)


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The answer to TABLE: the finished games of one master."""

    master: str
    games: int
    rows: tuple[SeasonRow, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Diary:
    """The answer to NOTE: the reader's diary."""

    entries: tuple[tuple[Phase, str], ...]


@dataclass(frozen=True, slots=True)
class LetterBack:
    """The full text of a letter that was not sent, for its sender."""

    text: str


@dataclass(frozen=True, slots=True)
class SharedDiary:
    """A diary that a player publishes at the end."""

    who: str
    entries: tuple[tuple[Phase, str], ...]


@dataclass(frozen=True, slots=True)
class Retrospect:
    """The part of the last report about the whole game."""

    years: tuple[YearOfCenters, ...] = ()
    diaries: tuple[SharedDiary, ...] = ()
    turning_points: tuple[TurningPoint, ...] = ()
    site: str = ""
    """The address of the archive that shows the game; "" for none."""


NO_RETROSPECT = Retrospect()


@dataclass(frozen=True, slots=True)
class Board:
    """The answer to MAP: where all units stand."""

    game: Game


@dataclass(frozen=True, slots=True)
class SettingsInWords:
    """The answer to RULES or CHECK SETTINGS."""

    game: Game
    upcoming: tuple[datetime, ...]
    zone: str
    language: Language
    asked: tuple[tuple[Power, int], ...] = ()
    """The powers that have a decision in the open phase, and for how many units."""
    tells_house_rules: bool = True
    """The reader is registered."""


@dataclass(frozen=True, slots=True)
class GamesPage:
    """The answer to LIST: some of the games."""

    games: tuple[Game, ...]
    masters: Mapping[PersonId, Person]
    kind: ListKind
    page: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class BoardsPage:
    """The answer to BOARDS: the names of all boards."""

    boards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnGames:
    """The answer to GAMES: the reader's own games."""

    games: tuple[Game, ...]
    reader: Person


@dataclass(frozen=True, slots=True)
class PowerAddress:
    """A private address of the reader; a mail to it is press to a power."""

    power: Power | None
    """None for the address of all."""
    address: str
    href: str


@dataclass(frozen=True, slots=True)
class Addresses:
    """The answer to ADDRESSES: the reader's private addresses in a game."""

    game: str
    powers: tuple[Power, ...]
    """The reader's own."""
    rows: tuple[PowerAddress, ...]


@dataclass(frozen=True, slots=True)
class AdoptedPosition:
    """The answer to ADOPT: what was read, and what is wrong or missing in it."""

    game: str
    sheet: Sheet
    faults: tuple[Fault, ...]


Section: TypeAlias = (
    Addresses
    | AdoptedPosition
    | Players
    | Log
    | Past
    | OwnOrdersOnFile
    | VotesView
    | Outcome
    | Diary
    | LetterBack
    | Board
    | SettingsInWords
    | GamesPage
    | BoardsPage
    | OwnGames
    | SeasonTable
    | TermsView
)

"""Answers to requests, for the reply to the sender: values that reports put into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeAlias

from judge.commands import (
    Announce,
    Broadcast,
    CastVote,
    Command,
    Concede,
    Doubt,
    Elect,
    Guessed,
    InAllGames,
    Language,
    ListKind,
    Misnamed,
    Press,
    PressOrOrders,
    PressToCoach,
    PressToMaster,
    Propose,
    SettingValue,
    VoteDraw,
)
from judge.games.findings import Finding, Lacking
from judge.games.game import Game
from judge.games.hours import DeadlineOffer
from judge.games.refusals import Refused
from judge.rules.orders import Order
from judge.rules.outcomes import Illegal, Resolution
from judge.rules.position import Location, Phase, Power


@dataclass(frozen=True, slots=True)
class Filed:
    """The order is on file."""

    power: Power
    order: Order
    replaced: tuple[tuple[Order, ...], ...] = ()
    """Orders that this one removed from the file, each with the preferences behind it."""
    warning: Illegal | None = None
    """Why the order will be void as things stand; it is on file nevertheless.

    The rule book has such orders published, too.
    """
    retreats: tuple[Location, ...] = ()
    """Possible retreats of the unit, if the order is a retreat that will be void."""
    misnamed: tuple[Misnamed, ...] = ()
    """Units that the sender named as another power's."""
    guessed: tuple[Guessed, ...] = ()
    """Misspelled words, and how they were read."""
    phase: Phase | None = None
    """The later phase it is kept for; None for the open one."""
    otherwise: tuple[Order, ...] = ()
    """The other preferences: for a later phase, those behind it; else those not taken."""
    returns: bool = False
    """The order ends the civil disorder of the power (R-NMR-2)."""
    keeps: bool = False
    """The order ends the offer of the seat to others."""

    @property
    def preferences(self) -> tuple[Order, ...]:
        """The order and its other preferences."""
        return (self.order, *self.otherwise)

    @property
    def on_file(self) -> tuple[Order, ...]:
        """What is on file: for a later phase all preferences, else the order alone."""
        return (self.order,) if self.phase is None else self.preferences


@dataclass(frozen=True, slots=True)
class Asked:
    """The order may not be meant; it is filed once its sender confirms it."""

    number: int
    """The number of the question."""
    order: Order
    doubt: Doubt
    because: str
    """The words that make it doubtful."""
    is_more: bool
    """The question already covers another order."""


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """The orders of a question are on file, or dropped."""

    filed: tuple[Filed, ...] = ()
    dropped: tuple[Order, ...] = ()
    lines: tuple[str, ...] = ()
    """Refused lines that are dropped."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """Orders were removed from the file."""

    orders: tuple[Order, ...]
    lines: tuple[str, ...] = ()
    """Refused lines that are dropped."""


@dataclass(frozen=True, slots=True)
class ReadySet:
    """READY or NOT READY was noted."""

    ready: bool
    waiting_for: int
    """How many other powers are not ready yet."""
    closes_early: bool
    """Whether the phase closes before its deadline when all players are ready."""
    has_deadline: bool
    blocked_by: tuple[Finding, ...] = ()
    """Findings that keep READY from counting."""
    missing: tuple[Lacking, ...] = ()
    """Missing orders although READY counts."""
    counts: bool = True
    """Whether READY counts already.

    If not, it counts once nothing blocks it, or once the player repeats it.
    """
    tells: bool = True
    """Whether the game tells how many are not ready yet."""
    closes_at: datetime | None = None
    """When the phase closes, if all players are ready.

    It may be later than now, because phases must stay open for some time.
    """
    moved: bool = False
    """The player is away, and their READY or NOT READY has moved the deadline."""
    keeps: tuple[Power, ...] = ()
    """The player's seats that are no longer on offer."""


@dataclass(frozen=True, slots=True)
class SeatKept:
    """READY of a player with nothing to order keeps their seats.

    The seats are no longer on offer.
    """

    powers: tuple[Power, ...]
    phase: Phase


@dataclass(frozen=True, slots=True)
class Undone:
    """The orders of the last mail are off file, and those it replaced are back.

    Each comes with the preferences behind it.
    """

    gone: tuple[tuple[Order, ...], ...]
    back: tuple[tuple[Order, ...], ...]
    lines: tuple[str, ...] = ()
    """Refused lines that are dropped."""


@dataclass(frozen=True, slots=True)
class AbsenceSet:
    """The absence of the sender is set; without a time it has ended."""

    start: datetime | None
    end: datetime | None
    deadline: datetime | None
    """The new deadline, if this absence or its end moved the deadline."""
    is_later: bool
    """The deadline is later than it would be without absences."""
    zone: str = "UTC"
    """The time zone in which the sender writes times."""
    left: timedelta | None = None
    """How long the game still waits for the sender this year.

    None means that the game has no limit.
    """
    per_phase: timedelta = timedelta()
    """How long a phase waits at most."""
    goes_on: datetime | None = None
    """When a phase may first close while the sender is still away.

    None means that the whole absence is waited for.
    """
    power: Power | None = None
    """The power whose absence the master has ended."""
    was_away: bool = True
    """An absence was on file."""
    ends_sitting: bool = False
    """A sitter played for the sender, or had agreed to, and does not any more."""


@dataclass(frozen=True, slots=True)
class SitterInvited:
    """The absence of the sender is set, and a person is asked to play meanwhile."""

    absence: AbsenceSet
    address: str
    shows_press: bool = False


@dataclass(frozen=True, slots=True)
class SittingAgreed:
    """The sender will play the seats of an absent player."""

    game: str
    powers: tuple[Power, ...]
    start: datetime
    end: datetime
    zone: str
    begins: bool
    """It begins now."""


@dataclass(frozen=True, slots=True)
class Voted:
    """A vote was noted."""

    command: VoteDraw | Concede | Elect | Propose | CastVote
    agreeing: int
    """How many powers agree now."""
    needed: int
    """How many more powers are needed; 0 if the game ends with this vote.

    For an armistice these are centers.
    """
    in_centers: bool = False
    number: int = 0
    """The number of the proposal."""
    is_lost: bool = False
    """Too many voted against it."""
    is_held: bool = False
    """The vote is told and counts when the phase closes."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Press went out."""

    to: tuple[Power, ...]
    """Empty if it went to all players or to the master."""
    command: Press | Broadcast | PressToMaster | PressToCoach | Announce
    ran_on: bool = False
    """No end was marked, so the press reached to the end of the mail."""


@dataclass(frozen=True, slots=True)
class Done:
    """The command was carried out."""

    command: Command
    moment: datetime | None = None
    """The current deadline."""
    about: str = ""
    """The result, where the command does not name it."""


@dataclass(frozen=True, slots=True)
class DoneInAll:
    """The command was carried out in several games."""

    command: InAllGames
    games: tuple[str, ...]
    left: tuple[str, ...] = ()
    """The sender's other running games, where it could not be done."""


@dataclass(frozen=True, slots=True)
class Overridden:
    """A later line of the same mail contradicts this one, and counts instead."""

    by: Command


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """The same question is asked further down in the mail, and answered there."""


@dataclass(frozen=True, slots=True)
class AskedToConfirm:
    """The command cannot be undone, so a mail asks the sender to confirm it."""

    command: Command
    address: str
    """The address that mail went to."""


@dataclass(frozen=True, slots=True)
class DidYouMean:
    """Words may mean a command, which is carried out once the sender says YES."""

    command: Command
    at: datetime
    """When the words came; `tuesday` means the next one after this moment."""
    zone: str
    """The time zone in which the sender writes times."""
    left_out: tuple[str, ...] = ()
    """Words of the sender that the command takes no account of."""


@dataclass(frozen=True, slots=True)
class AskedWhich:
    """The sender is asked whether a letter is press, or partly orders and commands."""

    command: PressOrOrders
    as_press: Sent | Refused | None
    """The answer it would get as press."""


@dataclass(frozen=True, slots=True)
class SettingsShown:
    """RULES, CHECK SETTINGS: what the settings mean."""

    game: Game
    upcoming: tuple[datetime, ...] = ()
    """The next deadlines, if no phase closes early."""
    asked: tuple[tuple[Power, int], ...] = ()
    """CHECK SETTINGS: powers that decide in the open phase, with numbers of units."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The answer to the command is a separate part of the reply."""

    command: Command


@dataclass(frozen=True, slots=True)
class Supposed:
    """PREVIEW, WHATIF: how the phase would be adjudicated."""

    game: Game
    resolution: Resolution
    unsettled: tuple[tuple[Power, tuple[Finding, ...]], ...] = ()
    """PREVIEW: findings of each power that block READY, and missing orders."""


@dataclass(frozen=True, slots=True)
class Created:
    """A game was created."""

    game: Game
    written: Mapping[str, SettingValue] = field(default_factory=dict)
    """The settings of the mail, by names of `judge.settings`."""


@dataclass(frozen=True, slots=True)
class AdoptionShown:
    """A position to be adopted was read; the receipt shows it."""

    name: str
    """The name of the game."""
    lines: str
    """The position in lines, as the master may send them again."""
    is_possible: bool
    """Whether the game can begin in it."""
    is_agreed: bool = False
    """Whether the master had agreed to it."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """A game goes on here as soon as its players have accepted."""

    game: Game


@dataclass(frozen=True, slots=True)
class Appears:
    """How others see a person: by name, by number of joining, or by power."""

    name: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Joined:
    """The sender has joined."""

    game: str
    power: Power | None
    seats_left: int
    by_lot: bool = False
    """The sender asked for a power, but powers are drawn when the game starts (R-ASSIGN-1)."""
    powers: tuple[Power, ...] = ()
    """The powers the sender plays, once that is known."""
    after_somebody: bool = False
    """The sender took over a seat of a running game."""
    inherits: bool = False
    """Orders of the previous player are on file."""
    has_more_time: bool = False
    """The deadline moved so that the sender has half of the phase."""
    left: timedelta | None = None
    """The time that the phase stays open once the paused game goes on."""
    appears: Appears | None = None
    """The name the others see for the sender; None in a game without names."""


@dataclass(frozen=True, slots=True)
class DataShown:
    """All data stored about the sender is in a file; these are the amounts."""

    name: str
    address: str
    games: tuple[str, ...]
    notes: int
    received: int
    """Mails from the sender."""
    sent: int
    """Mails to the sender."""


@dataclass(frozen=True, slots=True)
class Petitioning:
    """The masters are asked whether the sender may play."""

    game: str


@dataclass(frozen=True, slots=True)
class Observing:
    """The sender gets the public reports."""

    game: str


@dataclass(frozen=True, slots=True)
class StatusShown:
    """STATUS: the game itself, shown as far as the reader may see."""

    game: Game
    offers: tuple[DeadlineOffer, ...] = ()
    """For a master before the first phase closes: deadlines that would suit the players better."""


@dataclass(frozen=True, slots=True)
class GamesListed:
    """LIST: the games are a separate part of the reply."""

    kind: ListKind
    are_any: bool


@dataclass(frozen=True, slots=True)
class HelpShown:
    """The answer to HELP is in the reply."""

    topic: str
    on: tuple[str, ...] = ()
    """Boards of the games that HELP was asked about, else of the sender's games."""


@dataclass(frozen=True, slots=True)
class LanguageSet:
    """The language of the replies, from this one on."""

    language: Language


@dataclass(frozen=True, slots=True)
class ZoneSet:
    """Times are shown in that zone."""

    zone: str


@dataclass(frozen=True, slots=True)
class Registered:
    """What the judge knows about the sender."""

    name: str
    address: str
    language: Language
    zone: str


@dataclass(frozen=True, slots=True)
class NameSet:
    """The name that the other players see was set."""

    name: str


@dataclass(frozen=True, slots=True)
class Closing:
    """PROCESS was accepted: the phase closes in a moment."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Noted:
    """GAME, PHASE and power headings: they apply to the lines below and need no answer."""

    command: Command


Answer: TypeAlias = (
    Refused
    | Filed
    | Asked
    | QuestionAnswered
    | Cleared
    | ReadySet
    | SeatKept
    | AdoptionShown
    | Adopted
    | Created
    | Joined
    | DataShown
    | Petitioning
    | Observing
    | StatusShown
    | GamesListed
    | HelpShown
    | LanguageSet
    | ZoneSet
    | NameSet
    | Registered
    | Closing
    | Noted
    | Undone
    | AbsenceSet
    | SitterInvited
    | SittingAgreed
    | Voted
    | Sent
    | Done
    | DoneInAll
    | Overridden
    | AskedAgain
    | AskedToConfirm
    | DidYouMean
    | AskedWhich
    | SettingsShown
    | Shown
    | Supposed
)

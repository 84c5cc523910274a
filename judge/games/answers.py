"""What each request is answered, in the reply to the mail of the one who asked: values that reports put into words."""

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
    Language,
    ListKind,
    Misnamed,
    Press,
    PressOrOrders,
    PressToMaster,
    Propose,
    SettingValue,
    VoteDraw,
)
from judge.games.findings import Finding, Lacking
from judge.games.game import Game
from judge.games.refusals import Refused
from judge.rules.orders import Order
from judge.rules.outcomes import Illegal, Resolution
from judge.rules.position import Location, Phase, Power


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
    phase: Phase | None = None
    """The later phase it is kept for; None for the open one."""
    returns: bool = False
    """It ends the civil disorder of the power (R-NMR-2)."""
    keeps: bool = False
    """It ends the offer of the seat to others."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The order may not be meant: it is filed once its sender says so."""

    number: int
    """Of the question."""
    order: Order
    doubt: Doubt
    because: str
    """The words that make it doubtful."""
    is_more: bool = False
    """The question is about another order already."""


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """The orders of a question are on file, or dropped."""

    filed: tuple[Filed, ...] = ()
    dropped: tuple[Order, ...] = ()
    lines: tuple[str, ...] = ()
    """Lines that were not taken, and are dropped."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """These orders are no longer on file."""

    orders: tuple[Order, ...]
    lines: tuple[str, ...] = ()
    """Lines that were not taken, and are dropped."""


@dataclass(frozen=True, slots=True)
class ReadySet:
    """READY or NOT READY was noted."""

    ready: bool
    waiting_for: int
    """How many other powers are not ready yet."""
    blocked_by: tuple[Finding, ...] = ()
    """What keeps it from counting."""
    missing: tuple[Lacking, ...] = ()
    """What has no order though READY counts."""
    counts: bool = True
    """Whether it counts already: else once nothing blocks it, or when it is said again in answer to the receipt."""
    closes_early: bool = True
    """Whether the phase closes before its deadline when everybody is ready."""
    has_deadline: bool = True
    closes_at: datetime | None = None
    """Everybody is ready; it may still be too early to close."""
    moved: bool = False
    """He is away, and the deadline has moved, as nobody waits for him any more, or all do again."""
    keeps: tuple[Power, ...] = ()
    """His seats that are not on offer any more."""


@dataclass(frozen=True, slots=True)
class SeatKept:
    """READY in a phase in which nothing is asked of the sender: his seats are not on offer any more."""

    powers: tuple[Power, ...]
    phase: Phase


@dataclass(frozen=True, slots=True)
class Undone:
    """What the last mail ordered is no longer on file; what it had replaced is again."""

    gone: tuple[Order, ...]
    back: tuple[Order, ...]
    lines: tuple[str, ...] = ()
    """Lines that were not taken, and are dropped."""


@dataclass(frozen=True, slots=True)
class AbsenceSet:
    """The sender is away; without a time he is not."""

    start: datetime | None
    end: datetime | None
    deadline: datetime | None
    """The new deadline, if the open phase waits for him, or no longer does."""
    zone: str = "UTC"
    """In which the sender writes times."""
    left: timedelta | None = None
    """How long the game still waits for him this year; None where that has no end."""
    per_phase: timedelta = timedelta()
    """How long a phase waits at most."""
    power: Power | None = None
    """Whose absence the master has ended."""
    was_away: bool = True
    """An absence was on file."""
    is_later: bool = False
    """The deadline is later than it would be if nobody had been away."""


@dataclass(frozen=True, slots=True)
class Voted:
    """A vote was noted."""

    command: VoteDraw | Concede | Elect | Propose | CastVote
    agreeing: int
    """How many powers agree now."""
    needed: int
    """How many more have to; 0 if the game ends with this vote. Of an armistice: centers."""
    in_centers: bool = False
    number: int = 0
    """Of the proposal."""
    is_lost: bool = False
    """Too many are against it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Press went out."""

    to: tuple[Power, ...]
    """Nobody: to everybody, or to the master."""
    command: Press | Broadcast | PressToMaster | Announce
    ran_on: bool = False
    """Nothing said where it ends, so it reached to the end of the mail."""


@dataclass(frozen=True, slots=True)
class Done:
    """What the command says is done."""

    command: Command
    moment: datetime | None = None
    """The deadline as it is now."""
    about: str = ""
    """What came of it, where the command does not name it."""


@dataclass(frozen=True, slots=True)
class Overridden:
    """A later line of the same mail says otherwise, and counts."""

    by: Command


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """The same question stands further down in the mail, and is answered there."""


@dataclass(frozen=True, slots=True)
class AskedToConfirm:
    """It cannot be undone, so a mail asks for one more yes."""

    command: Command
    address: str
    """Where that mail went."""


@dataclass(frozen=True, slots=True)
class DidYouMean:
    """Words that may ask for a command: it is done once their sender says YES."""

    command: Command


@dataclass(frozen=True, slots=True)
class AskedWhich:
    """A letter that may be press, or orders and commands in part: its sender is asked which."""

    command: PressOrOrders
    as_press: Sent | Refused | None
    """What would come of it as press."""


@dataclass(frozen=True, slots=True)
class SettingsShown:
    """RULES, CHECK SETTINGS: what the settings mean."""

    game: Game
    upcoming: tuple[datetime, ...] = ()
    """The next deadlines, if nothing closed early."""
    asked: tuple[tuple[Power, int], ...] = ()
    """CHECK SETTINGS: who has to decide something in the open phase, and about how many units."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The command's answer stands in a part of the reply of its own."""

    command: Command


@dataclass(frozen=True, slots=True)
class Supposed:
    """PREVIEW, WHATIF: how the phase would come out."""

    game: Game
    resolution: Resolution
    unsettled: tuple[tuple[Power, tuple[Finding, ...]], ...] = ()
    """PREVIEW: what keeps a READY of each power from counting, or is missing."""


@dataclass(frozen=True, slots=True)
class Created:
    """A game was created."""

    game: Game
    written: Mapping[str, SettingValue] = field(default_factory=dict)
    """What was set, by names of `judge.settings`."""


@dataclass(frozen=True, slots=True)
class Appears:
    """How a person appears to the others in a game: by name, else by the order of joining, or by power."""

    name: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Joined:
    """The sender is in."""

    game: str
    power: Power | None
    seats_left: int
    by_lot: bool = False
    """He asked for a power, but they are drawn when the game starts (R-ASSIGN-1)."""
    powers: tuple[Power, ...] = ()
    """What he plays, once that is known."""
    after_somebody: bool = False
    """He took over a seat of a game that runs."""
    inherits: bool = False
    """Orders of the player before him are on file."""
    appears: Appears | None = None
    """Under what name the others see the sender; None in a game without names."""


@dataclass(frozen=True, slots=True)
class DataShown:
    """All that is stored about the sender is in a file; how much that is."""

    name: str
    address: str
    games: tuple[str, ...]
    notes: int
    received: int
    """Mails of his."""
    sent: int
    """Mails to him."""


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


@dataclass(frozen=True, slots=True)
class GamesListed:
    """LIST: they stand in a part of the reply of its own."""

    kind: ListKind
    are_any: bool


@dataclass(frozen=True, slots=True)
class HelpShown:
    """HELP."""

    topic: str


@dataclass(frozen=True, slots=True)
class LanguageSet:
    """From this reply on."""

    language: Language


@dataclass(frozen=True, slots=True)
class ZoneSet:
    """Times are shown in that zone."""

    zone: str


@dataclass(frozen=True, slots=True)
class Registered:
    """Who the sender is, as the judge knows him."""

    name: str
    address: str
    language: Language
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
    | Asked
    | QuestionAnswered
    | Cleared
    | ReadySet
    | SeatKept
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
    | Voted
    | Sent
    | Done
    | Overridden
    | AskedAgain
    | AskedToConfirm
    | DidYouMean
    | AskedWhich
    | SettingsShown
    | Shown
    | Supposed
)

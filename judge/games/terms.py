"""The settings of a game: on which terms it is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from enum import StrEnum

from judge.calendar import Timetable
from judge.commands import GameState as GameState  # noqa: PLC0414 - a part of the game, known to the cards as well
from judge.games.ballots import Majority
from judge.games.choices import Access, ScoreSystem
from judge.rules.options import PROFILES, Options
from judge.rules.position import Phase, PhaseKind


class PressRule(StrEnum):
    """What players may write to each other through the judge."""

    NONE = "none"
    PUBLIC = "public"
    """BROADCAST alone."""
    PRIVATE = "private"
    """To single powers too, at any time."""
    RULEBOOK = "rulebook"
    """The same, but shut in the phases that the option `press_phases` shuts (R-PRESS-2, R-PRESS-3)."""


class PressSender(StrEnum):
    """Whose name stands under press."""

    NAMED = "named"
    """The power that wrote it."""
    ANONYMOUS = "anonymous"
    """That power, or nobody."""
    ANY = "any"
    """Any power, or nobody."""


class MissingOrders(StrEnum):
    """What is done about a power that sent no order by the deadline of a movement phase."""

    HOLD = "hold"
    """Its units hold."""
    DISORDER = "disorder"
    """It is in civil disorder until it sends orders again (R-NMR-1, R-NMR-2)."""
    WAIT = "wait"
    """The phase stays open until it has sent some, or the master closes it."""
    REPLACE = "replace"
    """It holds, and its seat is offered to others."""
    EXTEND = "extend"
    """It has some extensions of its own; when they are used up, it holds."""


class Readiness(StrEnum):
    """What the others may know of who is ready."""

    COUNT = "count"
    """How many are not: 更新まであと○人 (R-UPD-2)."""
    NAMES = "names"
    """Who is: the row of flags (R-UPD-2)."""


class Lasting(StrEnum):
    """How long a vote stands, if not for a time."""

    GAME = "game"
    """Until it is taken back."""
    PHASE = "phase"
    """Until the phase closes."""


_ONE_DAY = Timetable(timedelta(days=1))
_THREE_DAYS = Timetable(timedelta(days=3))


@dataclass(frozen=True, slots=True)
class Settings:
    """What the master chose."""

    map: str = "standard"
    profile: str = "standard"
    """Names the rules as they were chosen; single options may be changed since."""
    rules: Options = field(default_factory=Options)

    movement: Timetable = _THREE_DAYS
    first_movement: Timetable | None = None
    """The first phase of all, if it is to last longer than the others."""
    retreat: Timetable = _ONE_DAY
    adjustment: Timetable = _ONE_DAY
    zone: str = "UTC"
    earliest: timedelta = timedelta()
    """No phase closes sooner after its opening, whoever is ready."""
    grace: timedelta = timedelta()
    """For powers that lack orders at the deadline; the others' are fixed."""
    grace_changes: bool = False
    """What is on file may be changed in the grace as well, by powers that lack something."""
    absence: timedelta | None = timedelta(days=14)
    """How long a year the game waits for a player who is away; None without end."""
    absence_per_phase: timedelta = timedelta(days=14)
    """How long one phase waits for all who are away."""
    reminders: tuple[timedelta, ...] = (timedelta(days=1), timedelta(hours=4))
    """How long before the deadline those who lack something are told."""
    missing: MissingOrders = MissingOrders.HOLD
    extensions: int | None = None
    """How often the game waits for each player who sent nothing, before `missing` says what is done; None: twice where
    that is to extend, else never."""
    extension: timedelta = timedelta(days=1)
    """How long one of them is."""
    reliability: int = 0
    """Percent of his phases for which somebody must have been in time to play."""
    wait: timedelta = timedelta(days=3)
    """How long a WAIT holds a phase open; no time: as long as the phase may last."""
    nudge: timedelta = timedelta(days=3)
    """Where no time closes a phase: after so long, and again, whoever it waits for is reminded; no time: nobody is."""
    stand_in: timedelta = timedelta(days=1)
    """How long a seat is kept for somebody who stands by and was asked to take it."""
    inherit_orders: bool = True
    """Whoever takes a seat over finds what is on file for it; else it is deleted."""
    outage: timedelta = timedelta(days=1)
    """How long a phase stays open when the judge was not there at its deadline."""
    objection: timedelta = timedelta()
    """How long results can be objected to (異議)."""
    first_turn_resets: bool = False
    """If somebody sends nothing for the first phase of all, the game forms anew without him."""

    press: PressRule = PressRule.PRIVATE
    press_sender: PressSender = PressSender.NAMED
    anonymous: bool = False
    """Nobody learns who plays what before the end (gunboat)."""
    master_reads: bool = False
    """The master gets a copy of all press; the players are told."""
    writing: timedelta = timedelta()
    """Before a movement deadline in which press is shut (000[14-1])."""

    readiness: Readiness = Readiness.COUNT
    open_votes: bool = False
    """Everybody sees who voted for what; else only how it stands."""
    tell_votes: bool = True
    """A mail tells the others at once of a vote for a draw."""
    votes_last: Lasting | timedelta = Lasting.GAME
    """How long votes for a draw, and to concede, stand."""
    named_draws: bool = False
    """A draw may be shared by some of the survivors, if all agree; else by all of them (R-GAME-5)."""
    scores: ScoreSystem = ScoreSystem.NONE
    seats_per_person: int = 1
    """How many seats one person may have: for playing alone, around one table, or for trying things out."""
    seat_reports: bool = False
    """Whoever has several seats gets a report for each; else one for all."""
    pause_majority: Majority = Majority.HALF
    """Who must agree that the clock is stopped, or goes on."""
    extend_majority: Majority = Majority.HALF
    end_majority: Majority = Majority.ALL
    replace_majority: Majority = Majority.TWO_THIRDS
    """Who must agree that somebody who is missing loses his seat."""
    absent_block: bool = False
    """A power without a player, or in civil disorder, stands against a draw."""
    ready_incomplete: bool = False
    """READY counts at once, whatever is missing; else once nothing is, or when it is said again."""
    show_addresses: bool = False
    """WHO tells addresses."""
    listed: bool = True
    """LIST shows the game to everybody."""
    observers: bool = True
    """Whether others may watch."""
    access: Access = Access.OPEN

    @property
    def extensions_each(self) -> int:
        """How many extensions each player has."""
        usual = 2 if self.missing is MissingOrders.EXTEND else 0
        return usual if self.extensions is None else self.extensions

    @property
    def changed_options(self) -> Mapping[str, object]:
        """The options that differ from those of the profile, but for those that no profile is about."""
        usual = PROFILES[self.profile]
        apart = ("update_type", "players", "country_assignment")
        names = [field.name for field in fields(Options) if field.name not in apart]
        return {name: getattr(self.rules, name) for name in names if getattr(self.rules, name) != getattr(usual, name)}

    def timetable_of(self, phase: Phase, *, is_first: bool = False) -> Timetable:
        """When a phase closes."""
        match phase.kind:
            case PhaseKind.MOVEMENT if is_first and self.first_movement is not None:
                return self.first_movement
            case PhaseKind.MOVEMENT:
                return self.movement
            case PhaseKind.RETREAT:
                return self.retreat
            case PhaseKind.ADJUSTMENT:
                return self.adjustment

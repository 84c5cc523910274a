"""The settings of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from enum import StrEnum

from judge.calendar import Timetable
from judge.commands import GameState as GameState  # noqa: PLC0414 - a part of the game, known to the cards as well
from judge.games.ballots import Majority
from judge.games.choices import Access, ScoreSystem
from judge.rules.map import USUAL_BOARD
from judge.rules.options import PROFILES, Options
from judge.rules.position import Phase, PhaseKind


class PressRule(StrEnum):
    """Press that is allowed."""

    NONE = "none"
    PUBLIC = "public"
    """Only BROADCAST."""
    PRIVATE = "private"
    """Press to single powers, too, at any time."""
    RULEBOOK = "rulebook"
    """As `private`, but not in every phase (R-PRESS-2, R-PRESS-3).

    Press is closed in the phases that the option `press_phases` closes.
    """


class PressSender(StrEnum):
    """Sender that press may show."""

    NAMED = "named"
    """Only the power that wrote it."""
    ANONYMOUS = "anonymous"
    """That power, or none."""
    ANY = "any"
    """Any power, or none."""


class MissingOrders(StrEnum):
    """The treatment of a power without orders at the deadline of a movement phase."""

    HOLD = "hold"
    """Its units hold."""
    DISORDER = "disorder"
    """It is in civil disorder until it sends orders again (R-NMR-1, R-NMR-2)."""
    WAIT = "wait"
    """The phase stays open until it sends orders, or the master closes it."""
    REPLACE = "replace"
    """Its units hold, and its seat is offered to others."""
    EXTEND = "extend"
    """The deadline is extended for it a number of times; then its units hold."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """House rules that the masters ask the players to follow, in their own words.

    The judge enforces none of them.
    """

    text: str = ""
    """"" if there are none."""
    to_come: str | None = None
    """The rules from the next phase on; None if nothing changes."""

    @property
    def exist(self) -> bool:
        """Whether there are any, now or from the next phase on."""
        return bool(self.text or self.to_come)

    @property
    def next(self) -> HouseRules:
        """The rules of the next phase."""
        return self if self.to_come is None else HouseRules(self.to_come)


NO_HOUSE_RULES = HouseRules()


class Readiness(StrEnum):
    """How much others may know about readiness."""

    COUNT = "count"
    """The number of players not ready: 更新まであと○人 (R-UPD-2)."""
    NAMES = "names"
    """The names of ready powers: the row of flags (R-UPD-2)."""
    NONE = "none"
    """Nothing about READY or missing orders."""


class VotesTold(StrEnum):
    """When votes to end the game are told and count, if not at once."""

    WITH_ORDERS = "with-orders"
    """Told with the orders when the phase closes."""


class Lasting(StrEnum):
    """How long a vote counts, if not for a length of time."""

    GAME = "game"
    """Until it is withdrawn."""
    PHASE = "phase"
    """Until the phase closes."""


_ONE_DAY = Timetable(timedelta(days=1))
_THREE_DAYS = Timetable(timedelta(days=3))


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that a master can choose."""

    map: str = USUAL_BOARD
    """The board."""
    profile: str = "standard"
    """The name of the rules profile that was chosen.

    Single options may have been changed since.
    """
    rules: Options = field(default_factory=Options)

    movement: Timetable = _THREE_DAYS
    first_movement: Timetable | None = None
    """The very first phase, if it lasts longer than the others."""
    retreat: Timetable = _ONE_DAY
    adjustment: Timetable = _ONE_DAY
    zone: str = "UTC"
    earliest: timedelta = timedelta()
    """The shortest time a phase stays open, even if all players are ready."""
    grace: timedelta = timedelta()
    """Extra time after the deadline for powers that lack orders; those of others are fixed."""
    grace_changes: bool = False
    """Powers that lack orders may also change orders on file in the grace period."""
    absence: timedelta | None = timedelta(days=14)
    """How long the game waits for an absent player in a year.

    None means no limit.
    """
    absence_per_phase: timedelta = timedelta(days=14)
    """How long one phase waits for all absent players together."""
    reminders: tuple[timedelta, ...] = (timedelta(days=1), timedelta(hours=4))
    """How long before the deadline players who lack something are reminded."""
    missing: MissingOrders = MissingOrders.HOLD
    extensions: int | None = None
    """The most extensions for each player who sent nothing.

    After them `missing` applies. None means two if `missing` is `extend`, else none.
    """
    extension: timedelta = timedelta(days=1)
    """The length of an extension."""
    reliability: int = 0
    """The percentage of phases in which players of this game must be in time."""
    wait: timedelta = timedelta(days=3)
    """How long a WAIT holds a phase open.

    Zero means as long as the phase may last.
    """
    nudge: timedelta = timedelta(days=3)
    """The interval of reminders in phases without a deadline; zero for none.

    Players the game waits for are reminded.
    """
    stand_in: timedelta = timedelta(days=1)
    """How long a seat is kept for a stand-in who was asked to take it."""
    inherit_orders: bool = True
    """A new player keeps the orders on file for the seat; otherwise they are deleted."""
    outage: timedelta = timedelta(days=1)
    """How long a phase is extended when the judge was down at its deadline."""
    objection: timedelta = timedelta()
    """How long results are open to objections (異議)."""
    muster: bool = False
    """Silent players of a forming game are asked, and lose their seats without an answer."""
    first_turn_resets: bool = False
    """The game forms anew without players who send nothing for the very first phase."""

    press: PressRule = PressRule.PRIVATE
    press_sender: PressSender = PressSender.NAMED
    anonymous: bool = False
    """The players of the powers stay secret until the end (gunboat)."""
    master_reads: bool = False
    """The master gets a copy of all press; the players are told."""
    publish_press: bool = False
    """A game with a result is published with its press, unless a player says no."""
    writing: timedelta = timedelta()
    """How long before a movement deadline press is closed (000[14-1])."""

    readiness: Readiness = Readiness.COUNT
    open_votes: bool = False
    """All players see who voted for what; otherwise only the counts."""
    tell_votes: bool | VotesTold = True
    """Whether a mail tells other players at once of a vote for a draw.

    `WITH_ORDERS` holds votes back until the phase closes.
    """
    votes_last: Lasting | timedelta = Lasting.GAME
    """How long votes for a draw or a concession count."""
    named_draws: bool = False
    """Some of the survivors may share a draw if all agree (R-GAME-5).

    Otherwise all of them share it.
    """
    scores: ScoreSystem = ScoreSystem.NONE
    seats_per_person: int = 1
    """The most seats one person may have.

    Several serve to play alone, around one table, or to try things out.
    """
    seat_reports: bool = False
    """A player with several seats gets a report for each; otherwise one for all."""
    pause_majority: Majority = Majority.HALF
    """The majority needed to pause or resume."""
    extend_majority: Majority = Majority.HALF
    end_majority: Majority = Majority.ALL
    replace_majority: Majority = Majority.TWO_THIRDS
    """The majority needed to offer the seat of a missing player to others."""
    absent_block: bool = False
    """A power without a player, or in civil disorder, blocks a draw."""
    ready_incomplete: bool = False
    """READY counts at once, whatever is missing.

    Otherwise it counts once nothing is missing, or once the player repeats it.
    """
    show_addresses: bool = False
    """WHO shows addresses."""
    listed: bool = True
    """LIST shows the game to everyone."""
    observers: bool = True
    """Other people may watch."""
    access: Access = Access.OPEN

    @property
    def holds_votes(self) -> bool:
        """Whether votes to end the game are held back until the phase closes."""
        return self.tell_votes is VotesTold.WITH_ORDERS

    @property
    def extensions_each(self) -> int:
        """How many extensions each player has."""
        usual = 2 if self.missing is MissingOrders.EXTEND else 0
        return usual if self.extensions is None else self.extensions

    @property
    def changed_options(self) -> Mapping[str, object]:
        """The options that differ from the profile, except for those that profiles do not set."""
        usual = PROFILES[self.profile]
        apart = ("update_type", "players", "country_assignment")
        names = [field.name for field in fields(Options) if field.name not in apart]
        return {name: getattr(self.rules, name) for name in names if getattr(self.rules, name) != getattr(usual, name)}

    def timetable_of(self, phase: Phase, *, is_first: bool = False) -> Timetable:
        """Return the timetable by which a phase closes."""
        match phase.kind:
            case PhaseKind.MOVEMENT if is_first and self.first_movement is not None:
                return self.first_movement
            case PhaseKind.MOVEMENT:
                return self.movement
            case PhaseKind.RETREAT:
                return self.retreat
            case PhaseKind.ADJUSTMENT:
                return self.adjustment

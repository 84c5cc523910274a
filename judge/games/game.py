"""The state of a game: its seats, settings, orders on file and clock."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar

from judge.commands import GameState as GameState  # noqa: PLC0414 - a part of the game, known to the cards as well
from judge.games.ballots import Ballots, Proposal
from judge.games.chance import NO_CHANCE, Chance
from judge.games.clock import Clock
from judge.games.filed import OnFile, OpenQuestion, RefusedLine
from judge.games.leave import Leave, Sitting, Waited
from judge.games.mutes import Mutes
from judge.games.person import PersonId
from judge.games.terms import NO_HOUSE_RULES, HouseRules, MissingOrders, Settings
from judge.rules.adjustments import adjustments
from judge.rules.circumstances import Circumstances
from judge.rules.legality import Referee
from judge.rules.map import Map, load_map
from judge.rules.options import UpdateType
from judge.rules.outcomes import Adjustment
from judge.rules.position import Phase, PhaseKind, Position, Power, Province
from judge.rules.setups import SetUp
from judge.rules.sight import GuessingReferee

SILENT_FOR, TIME_TO_ANSWER = timedelta(days=7), timedelta(days=3)
"""How long players of forming games may stay silent, and the time to answer."""


class Ended(StrEnum):
    """How a game ended."""

    VICTORY = "victory"
    SHORT = "short"
    """The last year of a short game is over (R-GAME-7).

    Without a winner it is a tie.
    """
    DRAW = "draw"
    """A draw by agreement of all survivors, or an armistice (R-GAME-5, R-GAME-6).

    An armistice needs the agreement of powers that own enough centers.
    """
    CONCESSION = "concession"
    """All other players conceded to one power."""
    BY_MASTER = "by-master"
    BY_VOTE = "by-vote"
    """Enough players voted to end it without a result."""


@dataclass(frozen=True, slots=True)
class Coaching:
    """An observer whom the player of a seat lets read along."""

    person: PersonId
    reads_press: bool = False
    """They also read the press from and to the seat."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A power and its player."""

    power: Power
    holder: PersonId | None = None
    serial: int = 0
    """Raised when the seat changes hands, which invalidates the previous holder's secret address."""
    filed: OnFile = field(default_factory=OnFile)
    ballots: Ballots = field(default_factory=Ballots)
    mutes: Mutes = field(default_factory=Mutes)
    leave: Leave = field(default_factory=Leave)
    in_disorder: bool = False
    is_dummy: bool = False
    """The seat is not played, and its units hold."""
    is_robot: bool = False
    """A robot plays the seat.

    The seat has no holder, it gets no mail, and the game never waits for it.
    """
    missed: int = 0
    """Movement phases in a row for which nothing was sent."""
    offered_at: datetime | None = None
    """Since when others may take the seat from its player, by rule or by vote."""
    is_voted_out: bool = False
    """The seat is on offer by a vote, not by the rule for missing orders."""
    extensions: int = 0
    """Number of extensions used."""
    shares_notes: bool = False
    before: PersonId | None = None
    """The last holder before the seat became vacant.

    They need no extra time if they come back.
    """
    renewed: datetime | None = None
    """When NEW SECRET changed the secret address of the seat.

    Older mails prove nothing any more.
    """
    coach: Coaching | None = None
    """The coach of its player; see `Game.coach_of`."""

    @property
    def is_vacant(self) -> bool:
        """Whether neither a person nor a robot plays it, and a person may take it."""
        return self.holder is None and not self.is_dummy and not self.is_robot

    @property
    def is_idle(self) -> bool:
        """Whether its units only hold, without orders of a player or a master."""
        return self.is_dummy and (self.holder is not None or not self.filed.orders)

    @property
    def is_out(self) -> bool:
        """Whether a house rule put its player out, who may still own centers (R-ELIM-1).

        A dummy without a player is not out.
        """
        return self.is_dummy and self.holder is not None


@dataclass(frozen=True, slots=True)
class PlannedThen:
    """A planned order as it is remembered for a rollback."""

    phase: Phase
    order: str
    """In strict notation."""
    line: str
    mail: int
    otherwise: tuple[str, ...] = ()
    """Orders to use if this one is not possible, in order of preference."""


@dataclass(frozen=True, slots=True)
class SeatThen:
    """State of a seat as the phase opened, remembered for a rollback.

    Fields have the names of the fields of `Seat`.
    """

    power: Power
    planned: tuple[PlannedThen, ...] = ()
    """The plans as the phase closed."""
    in_disorder: bool = False
    is_dummy: bool = False
    missed: int = 0
    offered_at: datetime | None = None
    is_voted_out: bool = False
    extensions: int = 0
    waited: tuple[Waited, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    refused: tuple[RefusedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Stood:
    """State of a phase that a rollback needs beyond the public record."""

    phase: Phase
    serials: tuple[int, ...] = ()
    """The serials of the seats, in their order; empty if an older version wrote it."""
    seats: tuple[SeatThen, ...] = ()
    """Seats with anything to remember, as long as they do not change hands."""
    left: timedelta = timedelta()
    """The time carried into it from other phases."""


@dataclass(frozen=True, slots=True)
class Applicant:
    """A person who joined a game that is still forming."""

    person: PersonId
    wishes: tuple[Power, ...] = ()
    """The most wanted first."""
    seats: int = 1
    """Number of seats they take, in games that allow several.

    They get the powers wished for first, then any.
    """
    promised: Power | None = None
    """The power they were invited to play; they get it before lots are drawn."""


@dataclass(frozen=True, slots=True)
class Petition:
    """A person's request for a seat, waiting for a master's decision."""

    person: PersonId
    wishes: tuple[Power, ...] = ()
    is_denied: bool = False
    """They were refused, or removed before the start, and cannot ask again."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat kept for an address."""

    address: str
    power: Power | None = None
    since: datetime | None = None
    """When the seat was offered, in a running game."""
    until: datetime | None = None
    """Until when it is kept for a stand-in; None if a master asked."""
    name: str = ""
    """The name of the stand-in, shown to masters and others."""


@dataclass(frozen=True, slots=True)
class Search:
    """The search for a stand-in for a vacant seat."""

    power: Power
    asked: tuple[PersonId, ...] = ()
    """Everyone asked so far, and the players who just left the seat.

    Each person is asked only once.
    """
    is_over: bool = False
    """No one is left to ask."""


@dataclass(frozen=True, slots=True)
class MasterOffer:
    """A person was asked to be a master and has not accepted yet."""

    address: str
    since: datetime
    is_first: bool
    """They would replace the master; otherwise they join as a co-master."""


@dataclass(frozen=True, slots=True)
class CoachOffer:
    """A person was asked to be a player's coach and has not accepted yet."""

    address: str
    powers: tuple[Power, ...]
    """The powers of the player."""
    by: PersonId
    """The player."""
    since: datetime
    reads_press: bool = False


@dataclass(frozen=True, slots=True)
class Objection:
    """A player's objection to the results of a phase."""

    number: int
    phase: Phase
    """The closed phase."""
    power: Power
    reason: str
    upheld: bool | None = None
    """How a master decided; None while it is open."""


@dataclass(frozen=True, slots=True)
class Insight:
    """A person who knows orders of a phase or gave up a seat in it.

    The note keeps this person from seats or from orders of others: see `judge.games.insight`.
    """

    phase: Phase
    person: PersonId
    marks: tuple[str, ...] = ()
    """Digests of their addresses, if their data were erased before the phase closed."""
    powers: tuple[Power, ...] = ()
    """The powers whose seats they gave up in fog, or sat for.

    Then they saw only what these powers see. It is empty for people who saw orders otherwise.
    """


@dataclass(frozen=True, slots=True)
class Sight:
    """Marks a game as the view of one reader in fog, see `judge.games.sight`."""

    powers: tuple[Power, ...]
    """The powers of the reader."""
    living: tuple[Power, ...]
    """The powers that are not out, which everyone knows."""
    unseen: frozenset[Province]
    """Provinces where foreign units may stand unseen by the reader."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game. While it is forming, `seats` have no holders and `applicants` fills up."""

    SANDBOX: ClassVar[str] = "sandbox-"
    """The names of private boards, and of no other games, begin with this."""

    name: str
    """Lower-case letters, digits and hyphens; begins with a letter."""
    settings: Settings
    master: PersonId
    state: GameState
    position: Position
    seats: tuple[Seat, ...]
    """One per power of the map, in the map's order."""
    applicants: tuple[Applicant, ...] = ()
    """Applicants in order of arrival."""
    arrivals: tuple[tuple[PersonId, datetime], ...] = ()
    """People who joined the forming game, with the time; some may have left again."""
    asked_whether_there: tuple[tuple[PersonId, datetime], ...] = ()
    """Applicants who were asked whether they are still there, with the time."""
    muster_at: datetime | None = None
    """When to look next for silent applicants.

    None means when the first has waited long enough.
    """
    muster_offered: bool = False
    """Whether the masters were offered the setting `muster`."""
    observers: tuple[PersonId, ...] = ()
    co_masters: tuple[PersonId, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    master_offers: tuple[MasterOffer, ...] = ()
    coach_offers: tuple[CoachOffer, ...] = ()
    searches: tuple[Search, ...] = ()
    petitions: tuple[Petition, ...] = ()
    sittings: tuple[Sitting, ...] = ()
    """The sitters of absent players, and people asked to be one."""
    clock: Clock = field(default_factory=Clock)
    adopted: Phase | None = None
    """The phase in which the game came from another judge; None if it began here."""
    stood: tuple[Stood, ...] = ()
    """Remembered phases in chronological order."""
    own_reminders: tuple[tuple[PersonId, tuple[timedelta, ...]], ...] = ()
    """Reminder times of players who chose their own."""
    tossed: int | None = None
    """The index of the player to whom the coin gave the neutral power (R-MULTI-6)."""
    winner: Power | None = None
    ended: Ended | None = None
    press_shut: bool = False
    """The master closed press until the phase closes."""
    proposals: tuple[Proposal, ...] = ()
    """The proposals that are voted on in the open phase."""
    proposed: int = 0
    """The number of proposals so far."""
    rollbacks: int = 0
    """Number of times that a phase was reopened.

    Links in letters from before the last reopening have no effect.
    """
    draw_confirmed: tuple[PersonId, ...] = ()
    """Persons who have confirmed a vote for a draw in this game.

    Their later votes count at once.
    """
    sharers: tuple[Power, ...] = ()
    """The winners: one power, the powers of one player, or those that share a draw."""
    objections: tuple[Objection, ...] = ()
    """In the order of their numbers, from 1; decided ones stay."""
    saw: tuple[Insight, ...] = ()
    """The people who saw orders of others before the phase closed."""
    played: tuple[Insight, ...] = ()
    """The people who gave up their last seat while the phase was open."""
    previews: tuple[datetime, ...] = ()
    """When masters previewed the orders since the last report."""
    house_rules: HouseRules = NO_HOUSE_RULES
    missing_to_come: MissingOrders | None = None
    """What the setting `missing` is from the next phase on; None if nothing changes."""
    chance: Chance = NO_CHANCE
    """What its lots are drawn from."""
    writers: tuple[PersonId, ...] = ()
    """Everyone whose press from a seat is kept to be published with the game."""
    publish_at: datetime | None = None
    """When its press is published; None before the end, or if that never happens."""
    press_withheld: bool = False
    """Its press is never published: a player said no, or there was no result."""
    told: tuple[str, ...] = ()
    """In a reopened phase: the orders that the withdrawn report told.

    Each order stands behind the name of its power.
    """
    sight: Sight | None = None
    """Set in a view of a game with fog, and never stored.

    The position of a view holds what its reader sees.
    """
    version: int = 0
    """Raised by storage with every save; a stale game cannot be saved."""

    @property
    def open_objections(self) -> tuple[Objection, ...]:
        """The objections that no master has decided."""
        return tuple(one for one in self.objections if one.upheld is None)

    @property
    def is_sandbox(self) -> bool:
        """Whether it is the private board of one person."""
        return self.name.startswith(self.SANDBOX)

    @property
    def keeps_press(self) -> bool:
        """Whether press is kept to be published when the game is over."""
        return self.settings.publish_press and self.is_running and not self.press_withheld

    def may_withhold(self, person: PersonId) -> bool:
        """Whether a person may say no to the publication of the press.

        They have a seat, or wrote some of that press.
        """
        return person in self.writers or bool(self.seats_held_by(person))

    def seat(self, power: Power) -> Seat:
        """Return the seat of a power; raise KeyError if the map has no such power."""
        for seat in self.seats:
            if seat.power == power:
                return seat
        raise KeyError(power)

    def seats_of(self, person: PersonId) -> tuple[Seat, ...]:
        """Return the seats a person plays: their own, and those they sit for."""
        held = self.seats_held_by(person)
        return held if held or not self.sittings else tuple(s for s in self.seats if self.sitter_of(s) == person)

    def seats_held_by(self, person: PersonId) -> tuple[Seat, ...]:
        """Return the seats of which a person is the player."""
        return tuple(seat for seat in self.seats if seat.holder == person)

    def sitter_of(self, seat: Seat) -> PersonId | None:
        """Return the person who plays a seat in place of its absent player, or None."""
        sitting = (one.sitter for one in self.sittings if one.since is not None and one.player == seat.holder)
        return next(sitting, None) if self.is_running else None

    def coach_of(self, seat: Seat) -> Coaching | None:
        """Return the coach of a seat, or None.

        There are coaches only while the game runs, and none in fog. A coach is an observer and has no other part in
        the game.
        """
        coach = seat.coach
        if coach is None or not self.is_running or self.is_foggy or seat.holder is None:
            return None
        is_more = coach.person in self.masters or bool(self.seats_of(coach.person))
        return coach if coach.person in self.observers and not is_more else None

    def coached_by(self, person: PersonId) -> tuple[Power, ...]:
        """Return the powers that a person coaches: those of one player."""
        coaches = ((seat.power, self.coach_of(seat)) for seat in self.seats if seat.coach is not None)
        return tuple(power for power, coach in coaches if coach is not None and coach.person == person)

    @property
    def addresses_asked(self) -> frozenset[str]:
        """The addresses with an open offer."""
        seats, offices = (one.address for one in self.invitations), (one.address for one in self.master_offers)
        others = [*(one.address for one in self.coach_offers), *(one.address for one in self.sittings)]
        return frozenset((*seats, *offices, *others)) - {""}

    def with_seat(self, changed: Seat) -> Game:
        """Return the game with one seat changed."""
        seats = tuple(changed if seat.power == changed.power else seat for seat in self.seats)
        return replace(self, seats=seats)

    @property
    def map(self) -> Map:
        """The map it is played on."""
        return load_map(self.settings.map)

    @property
    def masters(self) -> tuple[PersonId, ...]:
        """The master and the co-masters."""
        return (self.master, *self.co_masters)

    @property
    def referees(self) -> tuple[PersonId, ...]:
        """The masters who do not play and will not sit.

        They may see secret information.
        """
        sitters = {one.sitter for one in self.sittings} if self.is_running else ()
        return tuple(one for one in self.masters if one not in sitters and not self.seats_held_by(one))

    @property
    def members(self) -> tuple[PersonId, ...]:
        """Every person with a part in the game, each once.

        They are players, masters, applicants, observers and sitters who play.
        """
        holders = [seat.holder for seat in self.seats if seat.holder is not None]
        joined = [applicant.person for applicant in self.applicants]
        sitters = [one.sitter for one in self.sittings if one.sitter is not None and one.since is not None]
        return tuple(dict.fromkeys([*holders, *self.masters, *joined, *self.observers, *sitters]))

    def place_in_line(self, person: PersonId) -> int:
        """Return the position of an applicant in a forming game, from 1.

        It is 0 if the person has not joined.
        """
        joined = [applicant.person for applicant in self.applicants]
        return joined.index(person) + 1 if person in joined else 0

    @property
    def hides_names(self) -> bool:
        """Whether the players may not know yet who plays which power; referees may."""
        return self.settings.anonymous and self.state is not GameState.FINISHED

    def hides_names_from(self, person: PersonId) -> bool:
        """Whether a person may not know yet who plays which power."""
        return self.hides_names and person not in self.referees

    @property
    def has_begun(self) -> bool:
        """Whether a phase has been closed and not rolled back."""
        return self.position.phase != (self.adopted or self.map.first_phase(self.set_up))

    @property
    def next_settings(self) -> Settings:
        """The settings of the next phase."""
        return replace(self.settings, missing=self.missing_to_come or self.settings.missing)

    @property
    def is_running(self) -> bool:
        """Whether there is an open phase."""
        return self.state in (GameState.ACTIVE, GameState.PAUSED)

    @property
    def has_votes(self) -> bool:
        """Whether any seat votes for a draw or a concession."""
        return any(seat.ballots.would_end for seat in self.seats)

    @property
    def set_up(self) -> SetUp:
        """The powers of each player, by the number of players."""
        set_up = self.map.setup_for(self.settings.rules.players)
        if self.tossed is None or set_up.tossed is None or self.position.phase.year <= set_up.tossed[1]:
            return set_up
        return set_up.joined_by(self.tossed)

    @property
    def robot_players(self) -> int:
        """The number of robot players."""
        robots = {seat.power for seat in self.seats if seat.is_robot}
        return sum(not robots.isdisjoint(powers) for powers in self.set_up.assignments)

    @property
    def seats_of_people(self) -> int:
        """The number of seats that people can take before the start.

        Robots play the others, or their powers were out when the game was adopted.
        """
        robots = {seat.power for seat in self.seats if seat.is_robot}
        return sum(robots.isdisjoint(powers) and not self.was_out(powers) for powers in self.set_up.assignments)

    def was_out(self, powers: Collection[Power]) -> bool:
        """Whether these powers were out when the game was adopted; only before the start."""
        if self.adopted is None:
            return False
        position = self.position
        alive = {*position.units.values(), *(position.centers or {}).values(), *position.dislodged_powers().values()}
        return alive.isdisjoint(powers)

    @property
    def seats_left(self) -> int:
        """The number of people who can still join.

        Seats kept for invited people count as free.
        """
        return self.seats_of_people - sum(applicant.seats for applicant in self.applicants)

    @property
    def circumstances(self) -> Circumstances:
        """The circumstances in which the open phase is adjudicated."""
        set_up = self.set_up
        shared = len(set_up.assignments) < len(self.seats) - len(set_up.unplayed)
        return Circumstances(
            disorder=frozenset(seat.power for seat in self.seats if seat.in_disorder),
            unplayed=set_up.unplayed | {seat.power for seat in self.seats if seat.is_idle},
            closed=set_up.closed,
            declined={
                seat.power: frozenset(seat.filed.declined)
                for seat in self.seats
                if seat.filed.declined and (self.sight is None or seat.power in self.sight.powers)
            },
            vacant=frozenset(seat.power for seat in self.seats if seat.is_vacant) - set_up.unplayed,
            players={powers[0]: powers for powers in set_up.assignments} if shared else {},
        )

    @property
    def is_foggy(self) -> bool:
        """Whether readers see only a part of the board; all is visible at the end."""
        return self.is_running and self.settings.rules.fog.is_thick

    @property
    def referee(self) -> Referee:
        """The referee for the meaning and legality of orders in the open phase.

        In a view it judges by what the reader sees.
        """
        if self.sight is not None:
            rules, unseen = self.settings.rules, self.sight.unseen
            return GuessingReferee(self.map, self.position, rules, self.circumstances, unseen)
        return Referee(self.map, self.position, self.settings.rules, self.circumstances)

    @property
    def decisions(self) -> Mapping[Power, Adjustment]:
        """The builds or removals due or allowed in the open phase, by power."""
        if self.position.phase.kind is not PhaseKind.ADJUSTMENT:
            return {}
        decisions = adjustments(self.map, self.position, self.settings.rules, self.circumstances)
        if self.sight is None:
            return decisions
        return {power: decision for power, decision in decisions.items() if power in self.sight.powers}

    @property
    def deciding(self) -> tuple[Power, ...]:
        """The powers with something to decide in the open phase, and with a player."""
        match self.position.phase.kind:
            case PhaseKind.MOVEMENT:
                having = set(self.position.units.values())
            case PhaseKind.RETREAT:
                having = {loss.power for loss in self.position.dislodged.values()}
            case PhaseKind.ADJUSTMENT:
                having = set(self.decisions)
        if self.sight is not None:
            having &= {*self.sight.powers}
        return tuple(seat.power for seat in self.seats if seat.power in having and seat.holder is not None)

    @property
    def due(self) -> datetime | None:
        """When the open phase can be closed; None if not yet known.

        Mail that arrives up to this moment counts.
        """
        return self.clock.due if self.state is GameState.ACTIVE else None

    def reminders_of(self, person: PersonId | None) -> tuple[timedelta, ...]:
        """Return how long before a deadline a person is reminded of what is missing."""
        return dict(self.own_reminders).get(person, self.settings.reminders) if person else self.settings.reminders

    @property
    def all_reminders(self) -> tuple[timedelta, ...]:
        """All reminder times of the game before a deadline, the earliest first."""
        if not self.own_reminders:
            return self.settings.reminders
        wanted = {before for seat in self.seats for before in self.reminders_of(seat.holder)}
        return tuple(sorted(wanted, reverse=True))

    @property
    def next_reminder(self) -> datetime | None:
        """When the next reminder for players who lack something is due.

        There is none in the first hour of a phase.
        """
        return self.clock.next_reminder(self.all_reminders) if self.state is GameState.ACTIVE else None

    @property
    def next_nudge(self) -> datetime | None:
        """When to remind the players that a phase without a deadline waits for."""
        has_time = self.clock.deadline is not None or self.settings.rules.update_type is not UpdateType.ON_COMPLETION
        since = self.clock.nudged_at or self.clock.opened_at
        if self.state is not GameState.ACTIVE or has_time or since is None or not self.settings.nudge:
            return None
        return since + self.settings.nudge

    @property
    def next_muster(self) -> datetime | None:
        """When to look for silent applicants, or to offer that to the masters."""
        there = {one.person for one in self.applicants} if self.state is GameState.FORMING else ()
        first = min((at for person, at in self.arrivals if person in there), default=None)
        is_declined = self.muster_offered and not self.settings.muster
        if first is None or is_declined or self.seats_left < 1:
            return None
        asked = self.asked_whether_there if self.settings.muster else ()
        return min([self.muster_at or first + SILENT_FOR, *(at + TIME_TO_ANSWER for _, at in asked)])

    def wait_ends(self, seat: Seat) -> datetime | None:
        """Return when a WAIT stops holding the phase open; None for no end."""
        since = seat.filed.waits_since if seat.filed.waits and self.state is GameState.ACTIVE else None
        return since + self.settings.wait if since is not None and self.settings.wait else None

    def vote_ends(self, seat: Seat) -> datetime | None:
        """Return when the votes of a seat to end the game expire.

        None means that they do not expire by time.
        """
        last, voted_at = self.settings.votes_last, seat.ballots.voted_at if seat.ballots.would_end else None
        return voted_at + last if voted_at is not None and isinstance(last, timedelta) else None

    @property
    def may_need_stand_ins(self) -> bool:
        """Whether the search for stand-ins may have something to do."""
        may_be_vacant = any(seat.holder is None or seat.missed or seat.is_voted_out for seat in self.seats)
        return not self.is_sandbox and (bool(self.searches) or (self.is_running and may_be_vacant))

    @property
    def wakes(self) -> datetime | None:
        """The next moment at which the game needs work: deadline, reminder or expiry."""
        waits = map(self.wait_ends, self.seats)
        votes = map(self.vote_ends, self.seats) if self.is_running and self.has_votes else ()
        answers = (one.until for one in self.invitations)
        turns = (one.turns for one in self.sittings) if self.is_running else ()
        own = (self.due, self.next_reminder, self.next_nudge, self.next_muster)
        return min((one for one in (*own, *waits, *votes, *answers, *turns) if one is not None), default=None)

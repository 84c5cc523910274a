"""Events of a game for other people than the sender, worded by reports and letters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from judge.commands import (
    Announce,
    Broadcast,
    Command,
    Concede,
    Elect,
    Press,
    PressToCoach,
    PressToMaster,
    Signed,
    VoteDraw,
)
from judge.games.ballots import Proposal
from judge.games.filed import FiledOrder, PlanDecided
from judge.games.game import CoachOffer, Game, Invitation, MasterOffer
from judge.games.hours import DeadlineOffer
from judge.games.leave import Sitting
from judge.games.person import Conduct, PersonId
from judge.games.rooms import Room
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.orders import Order
from judge.rules.outcomes import Resolution
from judge.rules.position import Phase, Position, Power


@dataclass(frozen=True, slots=True)
class GameStarted:
    """All seats are taken; everyone in the game gets the opening report."""

    game: Game
    at: datetime


@dataclass(frozen=True, slots=True)
class PhaseClosed:
    """A phase was adjudicated; `game` is already in the next phase, or finished."""

    game: Game
    phase: Phase
    before: Position
    resolution: Resolution
    at: datetime
    missing: tuple[Power, ...] = ()
    """Powers that had something to order and sent nothing."""
    offered: tuple[Power, ...] = ()
    """The missing powers whose seats are now on offer."""
    kept: tuple[tuple[PersonId, Conduct], ...] = ()
    """Each player who had something to order, and whether they kept the deadline."""
    circumstances: Circumstances = NORMAL
    """The circumstances of the adjudication."""
    processed: str | None = None
    """The master's reason for closing the phase; "" without a reason.

    None means that the deadline or readiness closed it.
    """
    opened_at: datetime | None = None
    """When the phase opened; a phase reopened by a rollback has a new moment."""
    previews: tuple[datetime, ...] = ()
    """When masters previewed the orders since the report before."""
    disordered: frozenset[Power] = frozenset()
    """Powers that fell into civil disorder as the phase closed."""
    plans: tuple[PlanDecided, ...] = ()
    """Results of orders planned for the phase open now, and for skipped phases."""
    filed: tuple[tuple[Power, FiledOrder], ...] = ()
    """The orders as they were on file, with the lines that players wrote."""
    replaces: datetime | None = None
    """When the withdrawn report of the same phase was told; None without one."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """An applicant left before the start; the masters are told.

    They read only once a day who joined.
    """

    game: Game
    person: PersonId


@dataclass(frozen=True, slots=True)
class Petitioned:
    """A person asks for a seat, and the masters must decide."""

    game: Game
    person: PersonId
    power: Power | None


@dataclass(frozen=True, slots=True)
class PetitionDecided:
    """A master granted or denied a request for a seat."""

    game: Game
    person: PersonId
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class Invited:
    """An address was offered a seat or the office of master; a letter goes there."""

    game: Game
    by: PersonId
    invitation: Invitation | MasterOffer
    at: datetime


@dataclass(frozen=True, slots=True)
class CoachAsked:
    """A player asks an address to be their coach; a letter goes there."""

    game: Game
    by: PersonId
    invitation: CoachOffer
    at: datetime


@dataclass(frozen=True, slots=True)
class CoachDeclined:
    """Told to a player: the person they asked does not want to be their coach."""

    game: Game
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class SeatShown:
    """Told to a coach: what is on file for their power has changed."""

    game: Game
    power: Power
    person: PersonId
    """The coach."""
    at: datetime


@dataclass(frozen=True, slots=True)
class StandInAsked:
    """A stand-in is asked to take a vacant seat."""

    game: Game
    person: PersonId
    power: Power
    until: datetime


@dataclass(frozen=True, slots=True)
class SitterAsked:
    """An absent player asks a person to sit; a letter goes to the address."""

    game: Game
    by: PersonId
    sitting: Sitting
    at: datetime


class SitterStep(StrEnum):
    """What became of a request to sit."""

    AGREED = "agreed"
    """The person said yes, and the time is still to come; the player is told."""
    DECLINED = "declined"
    """The person does not sit; the player is told."""
    BEGAN = "began"
    """The sitter plays from now on."""
    ENDED = "ended"
    """The seat is back with its player."""


@dataclass(frozen=True, slots=True)
class SitterNews:
    """A sitter agreed, declined, began or ended."""

    game: Game
    step: SitterStep
    sitting: Sitting
    powers: tuple[Power, ...]
    at: datetime
    was: datetime | None = None
    """The previous deadline, if the deadline moved."""
    by: PersonId | None = None
    """The person who caused it and is answered otherwise."""


@dataclass(frozen=True, slots=True)
class OfferRefused:
    """Told to the masters: a person declined a seat or office."""

    game: Game
    person: PersonId
    power: Power | None
    """The power of the seat.

    None means that no power was named, or that the office of a master was offered.
    """
    at: datetime
    address: str = ""
    """The address that was invited to play."""
    is_office: bool = False
    """The office of a master was offered."""


@dataclass(frozen=True, slots=True)
class GameNews:
    """News for everyone in the game; it goes on the log of the game."""

    game: Game
    command: Command
    at: datetime
    power: Power | None = None
    """The power whose player did it, if the others may know."""
    person: PersonId | None = None
    """Another person concerned, besides those in the game."""
    by: PersonId | None = None
    """The person who gave the command and needs no news of it."""
    was: datetime | None = None
    """The previous deadline, if the deadline moved."""
    by_vote: bool = False
    """Decided by a vote of the players; `power` had proposed it."""


class Happening(StrEnum):
    """Events caused by the rules and not by a command."""

    CLOSED = "closed"
    """The territory of a power is closed to all (R-MULTI-6)."""
    TOSSED = "tossed"
    """The coin toss gave a power to a player (R-MULTI-6)."""
    DISORDER = "disorder"
    """Powers fell into civil disorder (R-NMR-1)."""
    OFFERED = "offered"
    """Seats are on offer because their players sent nothing."""
    SITTING = "sitting"
    """A sitter began to play seats."""
    SAT = "sat"
    """The seats are back with their player."""
    VOTED = "voted"
    """Seats are on offer because the players voted for it."""
    OPENED = "opened"
    """Any person may take a seat because no stand-in took it."""
    EXTENDED = "extended"
    """The deadline passed, and players used one of their extensions."""
    GRACE = "grace"
    """The deadline passed, and orders were missing."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A happening, as it is kept on the log."""

    kind: Happening
    powers: frozenset[Power] = frozenset()
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """A log entry that is not told as news.

    It is a happening, or press or an announcement of a master.
    """

    game: Game
    command: Happened | Press | Announce
    at: datetime
    power: Power | None = None
    by: PersonId | None = None
    """The master who wrote it."""


@dataclass(frozen=True, slots=True)
class VoteTold:
    """A vote for a draw was cast or withdrawn.

    It is not logged, because it may be secret.
    """

    game: Game
    command: VoteDraw
    at: datetime
    by: PersonId
    power: Power | None = None
    """The power that voted; None where votes are secret."""


@dataclass(frozen=True, slots=True)
class DrawAsked:
    """Told to a player whose power is in civil disorder: others want a draw."""

    game: Game
    powers: tuple[Power, ...]
    """The powers of that player that are in civil disorder."""
    person: PersonId
    at: datetime
    is_counted: bool = False
    """The player sent nothing for a whole movement phase, which counts as agreement."""


class Dropped(StrEnum):
    """Why a vote no longer counts."""

    TIME = "time"
    """It expired (setting votes last)."""
    PHASE = "phase"
    """The phase closed (setting votes last)."""
    SEAT = "seat"
    """The voter no longer plays the power."""
    OUT = "out"
    """The power is out of the game."""
    NOBODY = "nobody"
    """The power voted for has no player any more, or is out of the game."""
    SETTING = "setting"
    """The master no longer allows draws of some of the powers (setting named draws)."""
    HELD = "held"
    """Votes are no longer held back, and this one was still secret (setting tell votes)."""
    ROLLBACK = "rollback"
    """A phase was reopened."""


@dataclass(frozen=True, slots=True)
class VoteDropped:
    """Told to a voter whose vote no longer counts, although they did not withdraw it."""

    game: Game
    powers: tuple[Power, ...]
    """The powers that had voted."""
    command: VoteDraw | Concede | Elect
    person: PersonId
    at: datetime
    why: Dropped


@dataclass(frozen=True, slots=True)
class ProposalFailed:
    """A proposal was voted down, or is no longer possible."""

    game: Game
    proposal: Proposal
    at: datetime
    with_its_phase: bool = False
    """The phase was closed or reopened; the proposal was not voted down."""


@dataclass(frozen=True, slots=True)
class Relayed:
    """Press to be delivered."""

    game: Game
    command: Press | Broadcast | PressToMaster | PressToCoach | Announce
    sender: PersonId
    power: Power | None
    """The power of the sender; None if they play none."""
    at: datetime
    to: tuple[Power, ...] = ()

    @property
    def is_by_master(self) -> bool:
        """Whether a master wrote it as master, under no other name.

        Press that the master writes as a player or anonymously does not count.
        """
        command = self.command
        is_signed = isinstance(command, Signed) and (command.is_anonymous or command.as_power is not None)
        return self.power is None and self.sender in self.game.masters and not is_signed

    @property
    def is_anonymous(self) -> bool:
        """Whether its readers are not told who wrote it."""
        return isinstance(self.command, Signed) and self.command.is_anonymous

    @property
    def shown(self) -> Power | None:
        """The power that is shown as the sender."""
        if self.is_anonymous:
            return None
        return (self.command.as_power if isinstance(self.command, Signed) else None) or self.power

    @property
    def room(self) -> Room | None:
        """The conversation as far as all may know it.

        None where a reply goes to the sender or the masters only.
        """
        if isinstance(self.command, Broadcast) and self.is_anonymous:
            return Room((), self.command.about)
        if isinstance(self.command, PressToCoach):
            return Room((), self.command.about, is_with_coach=True)
        if not isinstance(self.command, Press) or (self.power is None and not self.is_anonymous):
            return None
        there = {self.shown, *self.to}
        return Room(tuple(seat.power for seat in self.game.seats if seat.power in there), self.command.about)


@dataclass(frozen=True, slots=True)
class OrderedFor:
    """The master put an order on file for a player, who gets a copy."""

    game: Game
    power: Power
    orders: tuple[tuple[Order, ...], ...]
    """Each with what to do instead, in order of preference."""
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CoinTossed:
    """The coin toss gave the neutral power to a player (R-MULTI-6)."""

    game: Game
    power: Power
    winners: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Extended:
    """The phase stays open after its deadline, for a player or after an outage."""

    game: Game
    at: datetime
    missing: tuple[Power, ...] = ()
    was: datetime | None = None
    """The deadline that has passed."""
    is_back: bool = False
    """The earlier deadline was restored because the judge's clock had been wrong."""


@dataclass(frozen=True, slots=True)
class ExtensionUsed:
    """The deadline has passed, and each player who sent nothing used one more extension.

    The game waits for these players.
    """

    game: Game
    used: tuple[tuple[Power, int], ...]
    """Each power and how many extensions it has used."""
    at: datetime


@dataclass(frozen=True, slots=True)
class GraceBegan:
    """The deadline has passed, and these powers may still send missing orders.

    Their players are told.
    """

    game: Game
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayerOut:
    """Told to a player who has nothing left on the board.

    With `is_back` the player has something again, after a correction.
    """

    game: Game
    powers: tuple[Power, ...]
    at: datetime
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class SeatOffered:
    """Told to a player who sent nothing: others may take their seat.

    Sending orders keeps it.
    """

    game: Game
    missing: tuple[Power, ...]
    person: PersonId
    at: datetime
    by_vote: bool = False
    """The players voted for it; it was not the rule for missing orders."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class VacancyOpened:
    """No stand-in took a seat on offer: now any person may take it."""

    game: Game
    power: Power
    at: datetime


@dataclass(frozen=True, slots=True)
class MailboxShared:
    """A person joined who shares a mailbox with others in the game.

    All are told. Later newcomers are told when they join.
    """

    game: Game
    people: tuple[PersonId, ...]
    to: tuple[PersonId, ...]
    """Those who are told."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Reminded:
    """The deadline is near, and these powers still lack something."""

    game: Game
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class WaitEnded:
    """Told to players who asked to wait: the game waits no longer.

    The setting `wait` limits the time.
    """

    game: Game
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class StartReset:
    """A player sent nothing for the very first phase: the game forms anew without them."""

    game: Game
    missing: tuple[Power, ...]
    at: datetime
    persons: tuple[PersonId, ...] = ()
    """The persons removed from the game."""


@dataclass(frozen=True, slots=True)
class DeadlinesOffered:
    """The seats are filled: a master reads which deadlines would suit the players better."""

    game: Game
    person: PersonId
    """The master."""
    offers: tuple[DeadlineOffer, ...]


@dataclass(frozen=True, slots=True)
class MusterOffered:
    """The first player has waited long: the masters are offered the muster."""

    game: Game
    at: datetime


@dataclass(frozen=True, slots=True)
class MusterAsked:
    """A silent player of a forming game is asked whether they are still there."""

    game: Game
    person: PersonId
    until: datetime


@dataclass(frozen=True, slots=True)
class PublicationAsked:
    """A former player is asked whether the press of the finished game may be published."""

    game: Game
    person: PersonId
    until: datetime
    at: datetime


@dataclass(frozen=True, slots=True)
class SeatGivenUp:
    """A silent player of a forming game did not answer and lost their seat."""

    game: Game
    person: PersonId
    at: datetime


@dataclass(frozen=True, slots=True)
class HeldUp:
    """The phase cannot be closed.

    If a mailbox is unreadable, the masters are told; if a mail failed, everyone is.
    """

    game: Game
    at: datetime
    by_mail: bool = False


@dataclass(frozen=True, slots=True)
class FoundTooLate:
    """A mail that arrived in time was read only after the phase closed.

    The master may roll back.
    """

    game: Game
    phase: Phase
    person: PersonId
    lines: tuple[str, ...]
    arrived_at: datetime


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended between two phases: a draw, a concession, or by its master."""

    game: Game
    at: datetime
    reason: str = ""
    """The reason given by the master, or by the player who proposed it."""


Notice: TypeAlias = (
    CoinTossed
    | Extended
    | ExtensionUsed
    | GraceBegan
    | PlayerOut
    | Reminded
    | SeatOffered
    | VacancyOpened
    | MailboxShared
    | WaitEnded
    | StartReset
    | DeadlinesOffered
    | MusterOffered
    | MusterAsked
    | PublicationAsked
    | SeatGivenUp
    | HeldUp
    | FoundTooLate
    | PlayerLeft
    | Petitioned
    | PetitionDecided
    | OfferRefused
    | SitterNews
    | CoachDeclined
    | SeatShown
    | GameNews
    | OrderedFor
    | DrawAsked
    | VoteDropped
    | ProposalFailed
    | VoteTold
)
"""Events told to people in the game, in one letter per moment."""
LetterEvent: TypeAlias = Notice | Invited | CoachAsked | SitterAsked | StandInAsked | Relayed
"""Events told in letters, not in reports."""
Event: TypeAlias = LetterEvent | GameStarted | PhaseClosed | GameEnded

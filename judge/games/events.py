"""What happened in a game and concerns others than the one who asked: values that reports put into words."""

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
    Object,
    Press,
    PressToMaster,
    Signed,
    VoteDraw,
)
from judge.games.ballots import Proposal
from judge.games.game import Game, Invitation, MasterOffer
from judge.games.person import Conduct, PersonId
from judge.games.rooms import Room
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.orders import Order
from judge.rules.outcomes import Resolution
from judge.rules.position import Phase, Position, Power


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
    offered: tuple[Power, ...] = ()
    """Of those, whose seats are on offer from now on."""
    kept: tuple[tuple[PersonId, Conduct], ...] = ()
    """Who had something to order, and how he kept the deadline."""
    circumstances: Circumstances = NORMAL
    """Under which it was adjudicated."""
    processed: str | None = None
    """Why the master closed it, "" without a reason; None if he did not."""
    opened_at: datetime | None = None
    """When the phase began; opened again after a rollback, it has another moment."""
    disordered: frozenset[Power] = frozenset()
    """Powers that fell into civil disorder by it."""
    left_out: tuple[tuple[Power, Order], ...] = ()
    """What was ordered ahead of time for the phase that is open now, and cannot be meant any more."""


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """Told to the master while the game fills up."""

    game: Game
    person: PersonId
    power: Power | None
    left: bool = False
    """He was in, and is no more."""


@dataclass(frozen=True, slots=True)
class Petitioned:
    """Somebody would like to play, and the masters have to let him in."""

    game: Game
    person: PersonId
    power: Power | None


@dataclass(frozen=True, slots=True)
class PetitionDecided:
    """A master let somebody in, or did not."""

    game: Game
    person: PersonId
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class Invited:
    """A seat is kept for an address, or somebody is asked to be a master; a mail goes there."""

    game: Game
    by: PersonId
    invitation: Invitation | MasterOffer
    at: datetime


@dataclass(frozen=True, slots=True)
class StandInAsked:
    """Somebody who stands by is asked to take a vacant seat."""

    game: Game
    person: PersonId
    power: Power
    until: datetime


@dataclass(frozen=True, slots=True)
class OfferRefused:
    """Told to the masters: somebody does not want what he was asked to take."""

    game: Game
    person: PersonId
    power: Power | None
    """Whose seat; None for the office of a master."""
    at: datetime


@dataclass(frozen=True, slots=True)
class GameNews:
    """Something everybody in the game has to know; it goes on the game's log."""

    game: Game
    command: Command
    at: datetime
    power: Power | None = None
    """Who did it, if it was a player and the others may know."""
    person: PersonId | None = None
    """Who is concerned, beside those in the game."""
    by: PersonId | None = None
    """Who asked for it: he knows."""
    was: datetime | None = None
    """The deadline before it, if it moved that."""
    by_vote: bool = False
    """The players decided it; `power` had proposed it."""


class Happening(StrEnum):
    """What the rules do to a game, and nobody asks for."""

    CLOSED = "closed"
    """The land of a power is closed to all (R-MULTI-6)."""
    TOSSED = "tossed"
    """The coin gave a power to a player (R-MULTI-6)."""
    DISORDER = "disorder"
    """Powers fell into civil disorder (R-NMR-1)."""
    OFFERED = "offered"
    """Seats are on offer, as their players sent nothing."""
    VOTED = "voted"
    """Seats are on offer, as the players voted for that."""
    OPENED = "opened"
    """Anybody may take a seat, as nobody who stands by does."""
    EXTENDED = "extended"
    """The deadline was over, and players used an extension of theirs."""
    GRACE = "grace"
    """The deadline was over, and orders were missing."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Such a thing, as the log holds it."""

    kind: Happening
    powers: frozenset[Power] = frozenset()
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """A line of the log that is no news: what the rules did, and what a master wrote, for all or for some."""

    game: Game
    command: Happened | Press | Announce
    at: datetime
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class VoteTold:
    """A vote for a draw was given, or taken back; not on the log, for it may be secret."""

    game: Game
    command: VoteDraw
    at: datetime
    by: PersonId
    power: Power | None = None
    """Whose vote it is; None where that is secret."""


@dataclass(frozen=True, slots=True)
class DrawAsked:
    """Told to a player whose power is in civil disorder: others want a draw."""

    game: Game
    powers: tuple[Power, ...]
    """Of that player, in civil disorder."""
    person: PersonId
    at: datetime
    is_counted: bool = False
    """They sent nothing for a whole movement phase, and agree by it."""


class Dropped(StrEnum):
    """Why a vote does not stand any more."""

    TIME = "time"
    """Votes stand only so long (setting votes last)."""
    PHASE = "phase"
    """The phase is closed (setting votes last)."""
    SEAT = "seat"
    """Its voter does not play the power any more."""
    OUT = "out"
    """The power is out of the game."""
    NOBODY = "nobody"
    """The power it was for has no player any more, or is out of the game."""
    ROLLBACK = "rollback"
    """A phase was opened again."""


@dataclass(frozen=True, slots=True)
class VoteDropped:
    """Told to its voter: a vote stands no more, and they did not take it back."""

    game: Game
    powers: tuple[Power, ...]
    """Whose vote it was."""
    command: VoteDraw | Concede | Elect
    person: PersonId
    at: datetime
    why: Dropped


@dataclass(frozen=True, slots=True)
class ProposalFailed:
    """Too many are against it, or it cannot be any more."""

    game: Game
    proposal: Proposal
    at: datetime
    with_its_phase: bool = False
    """The phase is closed, or was opened again: it was not voted down."""


@dataclass(frozen=True, slots=True)
class Relayed:
    """Press on its way."""

    game: Game
    command: Press | Broadcast | PressToMaster | Announce | Object
    sender: PersonId
    power: Power | None
    """Whose player it is; None for others."""
    at: datetime
    to: tuple[Power, ...] = ()

    @property
    def is_by_master(self) -> bool:
        """Whether a master wrote it as one: neither for a power of his, nor under another's name or none."""
        command = self.command
        is_signed = isinstance(command, Signed) and (command.is_anonymous or command.as_power is not None)
        return self.power is None and self.sender in self.game.masters and not is_signed

    @property
    def is_anonymous(self) -> bool:
        """Whether its readers are not told who wrote it."""
        return isinstance(self.command, Signed) and self.command.is_anonymous

    @property
    def shown(self) -> Power | None:
        """The power whose name stands under it."""
        if self.is_anonymous:
            return None
        return (self.command.as_power if isinstance(self.command, Signed) else None) or self.power

    @property
    def room(self) -> Room | None:
        """Who talks here, as far as all may know; None where a reply goes to the sender alone, or to the masters."""
        if isinstance(self.command, Broadcast) and self.is_anonymous:
            return Room((), self.command.about)
        if not isinstance(self.command, Press) or (self.power is None and not self.is_anonymous):
            return None
        there = {self.shown, *self.to}
        return Room(tuple(seat.power for seat in self.game.seats if seat.power in there), self.command.about)


@dataclass(frozen=True, slots=True)
class OrderedFor:
    """The master put an order on file for a player, who gets a copy."""

    game: Game
    power: Power
    orders: tuple[Order, ...]
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CoinTossed:
    """The coin gave the neutral power to a player (R-MULTI-6)."""

    game: Game
    power: Power
    winners: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Extended:
    """The phase stays open beyond its deadline: we were not there, or it waits for somebody."""

    game: Game
    at: datetime
    missing: tuple[Power, ...] = ()
    was: datetime | None = None
    """The deadline that is over."""
    is_back: bool = False
    """It has the deadline again that it had before: our clock was wrong."""


@dataclass(frozen=True, slots=True)
class ExtensionUsed:
    """The deadline is over, and the game waits for players who sent nothing: each has used one more extension."""

    game: Game
    used: tuple[tuple[Power, int], ...]
    """Power → how many."""
    at: datetime


@dataclass(frozen=True, slots=True)
class GraceBegan:
    """The deadline is over; these powers have some more time for what they lack."""

    game: Game
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayerOut:
    """Told to a player who has nothing left on the board; or has something again, after the master corrected it."""

    game: Game
    powers: tuple[Power, ...]
    at: datetime
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class SeatOffered:
    """Told to a player who sent nothing: others may take his seat, and an order of his keeps it."""

    game: Game
    missing: tuple[Power, ...]
    person: PersonId
    at: datetime
    by_vote: bool = False
    """The players wanted that, not the rules."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class VacancyOpened:
    """Nobody who stands by takes a seat that is on offer: whoever wants it may."""

    game: Game
    power: Power
    at: datetime


@dataclass(frozen=True, slots=True)
class Reminded:
    """These powers still lack something, and the deadline is near."""

    game: Game
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class WaitEnded:
    """Told to players who asked to wait: they have waited as long as the game lets them."""

    game: Game
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class StartReset:
    """Somebody sent nothing for the first phase of all: the game forms anew without him."""

    game: Game
    missing: tuple[Power, ...]
    at: datetime
    persons: tuple[PersonId, ...] = ()
    """Who is out by that."""


@dataclass(frozen=True, slots=True)
class HeldUp:
    """The phase cannot be closed: a mailbox cannot be read, told to the masters, or a mail not worked, told to all."""

    game: Game
    at: datetime
    by_mail: bool = False


@dataclass(frozen=True, slots=True)
class FoundTooLate:
    """A mail that came in time was read only after the phase had closed; the master may roll back."""

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
    """Of the master, or of the player who proposed it."""


Notice: TypeAlias = (
    CoinTossed
    | Extended
    | ExtensionUsed
    | GraceBegan
    | PlayerOut
    | Reminded
    | SeatOffered
    | VacancyOpened
    | WaitEnded
    | StartReset
    | HeldUp
    | FoundTooLate
    | PlayerJoined
    | Petitioned
    | PetitionDecided
    | OfferRefused
    | GameNews
    | OrderedFor
    | DrawAsked
    | VoteDropped
    | ProposalFailed
    | VoteTold
)
"""Told to people in the game, in one letter with the other notices of the same moment."""
LetterEvent: TypeAlias = Notice | Invited | StandInAsked | Relayed
"""Told in letters, not in reports."""
Event: TypeAlias = LetterEvent | GameStarted | PhaseClosed | GameEnded

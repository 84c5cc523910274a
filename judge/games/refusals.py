"""Why a request was not done: one small class for each reason, with what its sentence needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.calendar import MomentFault
from judge.commands import Command
from judge.games.game import PressRule
from judge.rules.orders import Order
from judge.rules.position import Phase, Power, Province, Unit


@dataclass(frozen=True, slots=True)
class NoSuchGame:
    """No game has that name."""

    name: str


@dataclass(frozen=True, slots=True)
class WhichGame:
    """The mail is about no game in particular, and the command needs one."""


@dataclass(frozen=True, slots=True)
class NameTaken:
    """Another game has that name."""

    name: str


@dataclass(frozen=True, slots=True)
class BadName:
    """No game can have that name."""

    name: str


@dataclass(frozen=True, slots=True)
class BadSetting:
    """What is wrong with settings, each with an example."""

    settings: str


@dataclass(frozen=True, slots=True)
class FixedSetting:
    """They can be changed only before the start."""

    settings: str


@dataclass(frozen=True, slots=True)
class MayNotCreate:
    """The operator says who may."""


@dataclass(frozen=True, slots=True)
class HasStarted:
    """It comes too late; what JOIN might be instead."""

    game: str
    may_take_over: bool = False
    may_observe: bool = False


@dataclass(frozen=True, slots=True)
class HasNotStarted:
    """It comes too early."""

    game: str


@dataclass(frozen=True, slots=True)
class IsOver:
    """Nothing is done in a game that is over."""

    game: str


@dataclass(frozen=True, slots=True)
class IsNotOver:
    """It is for games that are over."""

    game: str


@dataclass(frozen=True, slots=True)
class IsPaused:
    """The clock stands still."""

    game: str


@dataclass(frozen=True, slots=True)
class IsNotPaused:
    """The clock does not stand still."""

    game: str


@dataclass(frozen=True, slots=True)
class PowerTaken:
    """Somebody has it, or is invited to it."""

    power: Power


@dataclass(frozen=True, slots=True)
class PowerNotPlayed:
    """Nobody plays it in this game."""

    power: Power


@dataclass(frozen=True, slots=True)
class AlreadyIn:
    """The sender has a part in the game."""

    game: str


@dataclass(frozen=True, slots=True)
class InvitedAlready:
    """A seat is kept for that address."""

    address: str


@dataclass(frozen=True, slots=True)
class JoinedAlready:
    """INVITE of somebody who is in."""

    address: str


@dataclass(frozen=True, slots=True)
class SeatsKept:
    """All that are left are kept for people who were invited."""

    game: str


@dataclass(frozen=True, slots=True)
class NobodyJoined:
    """A game needs somebody to play it."""

    game: str


@dataclass(frozen=True, slots=True)
class NoObservers:
    """The game is played without observers."""

    game: str


@dataclass(frozen=True, slots=True)
class NoVacancy:
    """That seat is not free; these are."""

    vacant: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class NotHeld:
    """Nobody plays that power."""

    power: Power


@dataclass(frozen=True, slots=True)
class NotKnown:
    """Nobody registered that address."""

    address: str


@dataclass(frozen=True, slots=True)
class TooManyInvited:
    """So many invitations are unanswered."""

    most: int


@dataclass(frozen=True, slots=True)
class TooManyJoined:
    """More people joined than the new settings have seats for."""

    people: int


@dataclass(frozen=True, slots=True)
class TooLateToUnstart:
    """A phase was closed."""

    game: str


@dataclass(frozen=True, slots=True)
class NotAPlayer:
    """The sender holds no power."""

    game: str


@dataclass(frozen=True, slots=True)
class NotYourPower:
    """Somebody else plays it, or nobody."""

    power: Power


@dataclass(frozen=True, slots=True)
class NotTheMaster:
    """Only the master can use it."""

    command: Command


@dataclass(frozen=True, slots=True)
class PlayingMaster:
    """A master who plays may not see what is secret."""

    command: Command


@dataclass(frozen=True, slots=True)
class ReasonNeeded:
    """The players will read why."""

    command: Command


@dataclass(frozen=True, slots=True)
class WrongPhase:
    """The order or command names, or answers the report of, a phase that is not open."""

    meant: Phase
    open: Phase


@dataclass(frozen=True, slots=True)
class WhichPhase:
    """It opened only just now, and the mail does not say that it is the one that is meant."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class WrongKindOfOrder:
    """A move in a retreat phase, a build in a movement phase, and so on."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class ForeignUnit:
    """The unit there is not the sender’s."""

    place: Province


@dataclass(frozen=True, slots=True)
class NoSuchUnit:
    """There is none."""

    place: Province


@dataclass(frozen=True, slots=True)
class WrongKind:
    """The unit that stands there is of the other kind."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class NotDislodged:
    """A retreat of a unit that may stay where it is."""

    place: Province


@dataclass(frozen=True, slots=True)
class Superseded:
    """A mail that came later ordered that unit already."""

    place: str
    order: Order


@dataclass(frozen=True, slots=True)
class AlreadyClosed:
    """PROCESS of a phase that is over."""

    phase: Phase
    open: Phase


@dataclass(frozen=True, slots=True)
class NotOpenYet:
    """PROCESS of a phase that is to come."""

    phase: Phase
    open: Phase


@dataclass(frozen=True, slots=True)
class NothingToClear:
    """There was no order for it, or none at all."""

    unit: Unit | None


@dataclass(frozen=True, slots=True)
class NothingAsked:
    """A yes or a no, and no question is open."""


@dataclass(frozen=True, slots=True)
class NoSuchQuestion:
    """No open question has that number."""

    number: int
    open: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WhichQuestion:
    """A yes to questions that cannot all be answered with yes: they are about the same unit."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NothingToUndo:
    """No mail of the sender changed the orders."""


@dataclass(frozen=True, slots=True)
class NothingToDecide:
    """Nobody waits for the sender."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class FixedInGrace:
    """The deadline is over: only powers that lack orders may still send some."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class NeverClosesEarly:
    """There is nothing to wait for."""

    phase: Phase
    has_deadline: bool


@dataclass(frozen=True, slots=True)
class NoDeclining:
    """Centers cannot be declined in this game."""


@dataclass(frozen=True, slots=True)
class NoCenter:
    """It is no supply center."""

    place: Province


@dataclass(frozen=True, slots=True)
class BadMoment:
    """A time or period that cannot be used."""

    written: str
    fault: MomentFault


@dataclass(frozen=True, slots=True)
class BadLength:
    """No length of time."""

    written: str


@dataclass(frozen=True, slots=True)
class NoDeadline:
    """The open phase has none that could move."""

    game: str


@dataclass(frozen=True, slots=True)
class NoSuchPhase:
    """It was never closed."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class NothingToRedo:
    """There was no rollback, or a phase was closed since."""


@dataclass(frozen=True, slots=True)
class NoPress:
    """The kind of press this game has."""

    rule: PressRule


@dataclass(frozen=True, slots=True)
class PressShut:
    """In this phase, or just before the deadline."""

    may_broadcast: bool = False


@dataclass(frozen=True, slots=True)
class Eliminated:
    """Who is out stops talking (R-PRESS-5)."""


@dataclass(frozen=True, slots=True)
class NoVote:
    """Who is out of the game has none."""

    game: str


@dataclass(frozen=True, slots=True)
class NotToYourself:
    """CONCEDE to the sender’s own power."""

    power: Power


@dataclass(frozen=True, slots=True)
class OwnPower:
    """Press to the sender’s own power."""


@dataclass(frozen=True, slots=True)
class NobodyToAnswer:
    """Press to nobody, in a mail that answers none."""


@dataclass(frozen=True, slots=True)
class NoText:
    """There were no words to send."""


@dataclass(frozen=True, slots=True)
class LooksLikeOrders:
    """Nothing says where the press ends, and what follows reads as orders."""


@dataclass(frozen=True, slots=True)
class PressOrOrders:
    """An answer to press that reads as orders: neither is done."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class NoObjections:
    """There are no results that can be objected to now."""

    game: str


@dataclass(frozen=True, slots=True)
class NoObjectionSaid:
    """OBJECTION without words."""


@dataclass(frozen=True, slots=True)
class SameSetting:
    """That is how it is already."""

    setting: str


@dataclass(frozen=True, slots=True)
class NoFile:
    """IMPORT of a mail without the file."""

    game: str


@dataclass(frozen=True, slots=True)
class BadFile:
    """What is wrong with it."""

    fault: str


@dataclass(frozen=True, slots=True)
class AddressTaken:
    """It belongs to somebody else."""

    address: str


@dataclass(frozen=True, slots=True)
class Alone:
    """SET ADDRESS beside something else that has to be confirmed by somebody else."""

    word: str


@dataclass(frozen=True, slots=True)
class MastersGames:
    """ERASE ME, RESIGN of somebody who still has a game."""

    game: str


@dataclass(frozen=True, slots=True)
class TooLate:
    """It is being closed; the mail came after the last READY or the deadline."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class UnknownZone:
    """No time zone has that name."""

    zone: str


@dataclass(frozen=True, slots=True)
class UnknownLanguage:
    """None that the judge writes."""

    language: str


@dataclass(frozen=True, slots=True)
class BadPersonName:
    """It cannot be shown as a name."""

    name: str


@dataclass(frozen=True, slots=True)
class NameClashes:
    """Somebody else in a game of the sender has that name."""

    name: str


Refusal: TypeAlias = (
    NoSuchGame
    | WhichGame
    | NameTaken
    | BadName
    | BadSetting
    | FixedSetting
    | MayNotCreate
    | HasStarted
    | HasNotStarted
    | IsOver
    | IsNotOver
    | IsPaused
    | IsNotPaused
    | PowerTaken
    | PowerNotPlayed
    | AlreadyIn
    | InvitedAlready
    | JoinedAlready
    | SeatsKept
    | NobodyJoined
    | NoObservers
    | NoVacancy
    | NotHeld
    | NotKnown
    | TooManyInvited
    | TooManyJoined
    | TooLateToUnstart
    | NotAPlayer
    | NotYourPower
    | NotTheMaster
    | PlayingMaster
    | ReasonNeeded
    | WrongPhase
    | WhichPhase
    | WrongKindOfOrder
    | ForeignUnit
    | NoSuchUnit
    | WrongKind
    | NotDislodged
    | Superseded
    | AlreadyClosed
    | NotOpenYet
    | NothingToClear
    | NothingAsked
    | NoSuchQuestion
    | WhichQuestion
    | NothingToUndo
    | NothingToDecide
    | FixedInGrace
    | NeverClosesEarly
    | NoDeclining
    | NoCenter
    | BadMoment
    | BadLength
    | NoDeadline
    | NoSuchPhase
    | NothingToRedo
    | NoPress
    | PressShut
    | Eliminated
    | NoVote
    | NotToYourself
    | OwnPower
    | NobodyToAnswer
    | NoText
    | LooksLikeOrders
    | PressOrOrders
    | NoObjections
    | NoObjectionSaid
    | SameSetting
    | NoFile
    | BadFile
    | AddressTaken
    | Alone
    | MastersGames
    | TooLate
    | UnknownZone
    | UnknownLanguage
    | BadPersonName
    | NameClashes
)


@dataclass(frozen=True, slots=True)
class Refused:
    """Not done, and why."""

    why: Refusal

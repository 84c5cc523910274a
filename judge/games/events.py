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
    Object,
    Press,
    PressToMaster,
)
from judge.games.game import Game, Invitation, PersonId
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.orders import Order
from judge.rules.outcomes import Resolution
from judge.rules.position import Phase, Position, Power


class RefusalReason(StrEnum):
    """Why a request was not done; `subject` of the Refused carries the word it is about."""

    NO_SUCH_GAME = "no-such-game"
    WHICH_GAME = "which-game"
    """The mail is about no game in particular, and the command needs one."""
    NAME_TAKEN = "name-taken"
    BAD_NAME = "bad-name"
    BAD_SETTING = "bad-setting"
    FIXED_SETTING = "fixed-setting"
    """It can be changed only before the start."""
    MAY_NOT_CREATE = "may-not-create"
    GAME_STARTED = "game-started"
    """JOIN of it comes too late: `instead` is the command that would do, if there is one."""
    GAME_NOT_STARTED = "game-not-started"
    GAME_FINISHED = "game-finished"
    GAME_PAUSED = "game-paused"
    NOT_PAUSED = "not-paused"
    POWER_TAKEN = "power-taken"
    POWER_NOT_PLAYED = "power-not-played"
    ALREADY_IN = "already-in"
    INVITED_ALREADY = "invited-already"
    JOINED_ALREADY = "joined-already"
    """INVITE of somebody who is in."""
    SEATS_KEPT = "seats-kept"
    """All that are left are kept for people who were invited."""
    NOBODY_JOINED = "nobody-joined"
    NO_OBSERVERS = "no-observers"
    NO_VACANCY = "no-vacancy"
    """`subject` is the power asked for, or the game; `instead` the vacant ones."""
    NOT_HELD = "not-held"
    """Nobody plays that power."""
    NOT_A_MEMBER = "not-a-member"
    """`subject` is an address nobody registered."""
    TOO_MANY_INVITED = "too-many-invited"
    TOO_MANY_JOINED = "too-many-joined"
    """More people joined than the new settings have seats for; `subject` is how many."""
    TOO_LATE_TO_UNSTART = "too-late-to-unstart"
    NOT_A_PLAYER = "not-a-player"
    NOT_YOUR_POWER = "not-your-power"
    NOT_THE_MASTER = "not-the-master"
    PLAYING_MASTER = "playing-master"
    """A master who plays may not see what is secret."""
    REASON_NEEDED = "reason-needed"
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
    NOT_OPEN_YET = "not-open-yet"
    """PROCESS of a phase that is to come; `instead` is the open one."""
    NOTHING_TO_CLEAR = "nothing-to-clear"
    NOTHING_TO_UNDO = "nothing-to-undo"
    NOTHING_TO_DECIDE = "nothing-to-decide"
    FIXED_IN_GRACE = "fixed-in-grace"
    """The deadline is over: only powers that lack orders may still send some."""
    NEVER_CLOSES_EARLY = "never-closes-early"
    NO_DECLINING = "no-declining"
    NO_CENTER = "no-center"
    BAD_MOMENT = "bad-moment"
    """`subject` is what was written, `instead` a MomentFault."""
    BAD_LENGTH = "bad-length"
    NO_DEADLINE = "no-deadline"
    NO_SUCH_PHASE = "no-such-phase"
    """`subject` was never played."""
    NOTHING_TO_REDO = "nothing-to-redo"
    NO_PRESS = "no-press"
    """`subject` is the kind of press this game has."""
    PRESS_SHUT = "press-shut"
    """In this phase, or just before the deadline; `subject` is Broadcast where that is open all the same."""
    ELIMINATED = "eliminated"
    """Who is out stops talking (R-PRESS-5)."""
    NO_VOTE = "no-vote"
    """Who is out of the game has none."""
    NOT_TO_YOURSELF = "not-to-yourself"
    OWN_POWER = "own-power"
    """Press to the sender's own power."""
    NOBODY_TO_ANSWER = "nobody-to-answer"
    NO_TEXT = "no-text"
    LOOKS_LIKE_ORDERS = "looks-like-orders"
    PRESS_OR_ORDERS = "press-or-orders"
    """An answer to press that reads as orders: neither is done."""
    NO_OBJECTIONS = "no-objections"
    NO_OBJECTION_SAID = "no-objection-said"
    SAME_SETTING = "same-setting"
    NO_FILE = "no-file"
    """IMPORT of a mail without the file."""
    BAD_FILE = "bad-file"
    """`subject` says what is wrong with it."""
    BAD_ADDRESS = "bad-address"
    ADDRESS_TAKEN = "address-taken"
    ALONE = "alone"
    """SET ADDRESS beside something else that has to be confirmed by somebody else."""
    MASTERS_GAMES = "masters-games"
    """ERASE ME, RESIGN of somebody who still has a game: `subject` names it."""
    CLOSING = "closing"
    """The phase is being closed; the mail came after the last READY or the deadline."""
    UNKNOWN_ZONE = "unknown-zone"
    UNKNOWN_LANGUAGE = "unknown-language"
    BAD_PERSON_NAME = "bad-person-name"
    NAME_CLASHES = "name-clashes"
    """Somebody else in a game of his has that name."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Not done, and why."""

    reason: RefusalReason
    subject: str = ""
    instead: str = ""
    """What would have been right: the open phase, the names to choose from."""


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
    circumstances: Circumstances = NORMAL
    """Under which it was adjudicated."""
    processed: str | None = None
    """Why the master closed it, "" without a reason; None if he did not."""


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """Told to the master while the game fills up."""

    game: Game
    person: PersonId
    power: Power | None
    left: bool = False
    """He was in, and is no more."""


@dataclass(frozen=True, slots=True)
class Invited:
    """A seat is kept for an address; a mail goes there."""

    game: Game
    by: PersonId
    invitation: Invitation
    at: datetime


@dataclass(frozen=True, slots=True)
class Happened:
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


@dataclass(frozen=True, slots=True)
class Relayed:
    """Press on its way."""

    game: Game
    command: Press | Broadcast | PressToMaster | Announce | Object
    sender: PersonId
    power: Power | None
    at: datetime
    to: tuple[Power, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Extended:
    """The phase stays open beyond its deadline: we were not there, or it waits for somebody."""

    game: Game
    at: datetime
    missing: tuple[Power, ...] = ()


@dataclass(frozen=True, slots=True)
class GraceBegan:
    """The deadline is over; these powers have some more time for what they lack."""

    game: Game
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Reminded:
    """These powers still lack something, and the deadline is near."""

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
    """A mailbox cannot be read, so the phase cannot be closed; told to the masters."""

    game: Game
    at: datetime


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


Event: TypeAlias = (
    GameStarted
    | PhaseClosed
    | GameEnded
    | CoinTossed
    | Extended
    | GraceBegan
    | Reminded
    | StartReset
    | HeldUp
    | FoundTooLate
    | PlayerJoined
    | Invited
    | Happened
    | Relayed
    | OrderedFor
)

"""Commands of players other than press: headings, orders, readiness."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from judge.calendar import Period
from judge.commands.as_written import AsWritten
from judge.commands.card import RUNNING, Card, Permitted
from judge.rules.orders import Order
from judge.rules.position import Phase, Power, Province, Unit
from judge.rules.values import value

__all__ = [
    "Absence",
    "AnswerQuestion",
    "Clear",
    "Decline",
    "Doubt",
    "Doubted",
    "ForPhase",
    "ForPower",
    "Give",
    "Guessed",
    "Misnamed",
    "NewSecret",
    "SetReady",
    "Sitter",
    "Undo",
    "UseGame",
    "Wait",
]


@value
class UseGame:
    """GAME ardennes: the rest of the mail is about that game."""

    card = Card(needs_proof=False, steers=True)

    game: str


@value
class ForPhase:
    """PHASE S1901M: the orders in this mail are meant for that phase."""

    card = Card(needs_proof=False, steers=True)

    phase: Phase


@value
class ForPower:
    """France: (a heading) the orders that follow are for that power."""

    card = Card(needs_proof=False, steers=True)

    power: Power


@value
class Misnamed:
    """A unit named as another power's; the order counts all the same (R-ORD-9)."""

    unit: Unit
    named: Power
    owner: Power


@value
class Guessed:
    """A word taken for a typing error, and the province it was read as."""

    word: str
    place: Province


@value
class Give:
    """An order for a unit, or for the power (a build, a waived build)."""

    card = Card(Permitted.PLAYER, RUNNING)

    order: Order
    misnamed: tuple[Misnamed, ...] = ()
    guessed: tuple[Guessed, ...] = ()
    otherwise: tuple[Order, ...] = ()
    """What to do if the order cannot be done, in order of preference."""


class Doubt(StrEnum):
    """Why an order may not be meant."""

    NEGATION = "negation"
    """`These are not my orders:` above it."""
    CONDITION = "condition"
    QUESTION = "question"
    PROPOSAL = "proposal"
    """A person said it, or is said to have said it."""
    CHOICE = "choice"
    EXAMPLE = "example"
    PAST = "past"
    HEADING = "heading"
    """Words above it that are not understood."""
    WORDS = "words"
    """Words in the same line that are not understood."""
    PLACE = "place"
    """A place in the same line that may be misspelled."""
    CORRECTION = "correction"
    """A line below it corrects or withdraws something."""


@value
class Doubted:
    """An order that may not be meant.

    Its sender is asked, and orders on file stay until the answer.
    """

    card = Card(Permitted.PLAYER, RUNNING)

    order: Order
    doubt: Doubt
    because: str
    """The words that make it doubtful, as written."""
    group: int
    """The line with these words; all orders it affects form one question."""


@value
class AnswerQuestion:
    """YES, YES 2, NO: file or drop the orders of questions."""

    card = Card(Permitted.PLAYER, RUNNING)

    yes: bool
    numbers: tuple[int, ...] = ()
    """The numbers of the questions; empty for all."""


@value
class Clear:
    """CLEAR [unit]: remove orders from the file."""

    card = Card(Permitted.PLAYER, RUNNING, stands_beside=True)

    unit: Unit | None = None


@value
class Undo:
    """UNDO: restore the orders from before the sender's last mail."""

    card = Card(Permitted.PLAYER, RUNNING, stands_beside=True)


@value
class NewSecret:
    """NEW SECRET: give the sender's seat another secret address, and end the one it had."""

    card = Card(Permitted.PLAYER, RUNNING, is_for_players_only=True)


@value
class SetReady:
    """READY: the phase may close without waiting for the sender; NOT READY takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, decides="ready", comes_last=True, stands_beside=True)

    ready: bool


@value
class Wait:
    """WAIT: the phase may not close before its deadline, even if all others are ready."""

    card = Card(Permitted.PLAYER, RUNNING, decides="ready", stands_beside=True)


@value
class Absence:
    """ABSENCE from 1 Dec to 10 Dec: announce an absence; NO ABSENCE ends it.

    A master ends that of a player by NO ABSENCE France.
    """

    card = Card(Permitted.SPEAKER, RUNNING, decides="absence", is_for_players_only=True)

    period: AsWritten[Period] | None = None
    """None for NO ABSENCE."""
    power: Power | None = None
    """The power of another player; None for the sender."""


@value
class Sitter:
    """ABSENCE until 10 Dec WITH carol@example.org: be absent, and ask a person to play meanwhile.

    AND PRESS behind it lets that person read the older press of the seat.
    """

    card = Card(Permitted.PLAYER, RUNNING, decides="absence", is_for_players_only=True)

    address: str
    period: AsWritten[Period] | None = None
    """None if no days are written, which are asked for."""
    shows_press: bool = False


@value
class Decline:
    """DECLINE Por: leave centers to their present owners when ownership is settled (R-OWN-3)."""

    card = Card(Permitted.PLAYER, RUNNING, decides="declined")

    provinces: tuple[Province, ...] = ()
    """Empty to decline none."""


Steering: TypeAlias = UseGame | ForPhase | ForPower
OfAGame: TypeAlias = (
    Give | Doubted | AnswerQuestion | Clear | Undo | SetReady | Wait | Absence | Sitter | Decline | NewSecret
)

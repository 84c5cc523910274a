"""What a player says beside talking: what his lines are about, orders, readiness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.calendar import Period
from judge.commands.as_written import AsWritten
from judge.commands.card import RUNNING, Card, Permitted
from judge.rules.orders import Order
from judge.rules.position import Phase, Power, Province, Unit

__all__ = [
    "Absence",
    "Clear",
    "Decline",
    "ForPhase",
    "ForPower",
    "Give",
    "Guessed",
    "Misnamed",
    "SetReady",
    "Undo",
    "UseGame",
    "Wait",
]


@dataclass(frozen=True, slots=True)
class UseGame:
    """GAME ardennes: what follows in this mail is about that game."""

    card = Card(needs_proof=False, steers=True)

    game: str


@dataclass(frozen=True, slots=True)
class ForPhase:
    """PHASE S1901M: the orders in this mail are meant for that phase."""

    card = Card(needs_proof=False, steers=True)

    phase: Phase


@dataclass(frozen=True, slots=True)
class ForPower:
    """France: (a heading) the orders that follow are that power's."""

    card = Card(needs_proof=False, steers=True)

    power: Power


@dataclass(frozen=True, slots=True)
class Misnamed:
    """A unit that was said to be another power's than it is; the order counts all the same (R-ORD-9)."""

    unit: Unit
    named: Power
    owner: Power


@dataclass(frozen=True, slots=True)
class Guessed:
    """A word that was taken for a slip of the pen, and the province it was taken for."""

    word: str
    place: Province


@dataclass(frozen=True, slots=True)
class Give:
    """An order for a unit, or for the power (a build, a waived build)."""

    card = Card(Permitted.PLAYER, RUNNING)

    order: Order
    misnamed: tuple[Misnamed, ...] = ()
    guessed: tuple[Guessed, ...] = ()


@dataclass(frozen=True, slots=True)
class Clear:
    """CLEAR [unit]: take the orders on file back."""

    card = Card(Permitted.PLAYER, RUNNING, stands_beside=True)

    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """UNDO: put the orders on file back as they were before the sender's last mail."""

    card = Card(Permitted.PLAYER, RUNNING, stands_beside=True)


@dataclass(frozen=True, slots=True)
class SetReady:
    """READY or NOT READY: the phase may close without me, or may not."""

    card = Card(Permitted.PLAYER, RUNNING, decides="ready", comes_last=True, stands_beside=True)

    ready: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """WAIT: this phase may not close before its deadline, whoever is ready."""

    card = Card(Permitted.PLAYER, RUNNING, decides="ready", stands_beside=True)


@dataclass(frozen=True, slots=True)
class Absence:
    """ABSENCE from 1 Dec to 10 Dec; NO ABSENCE takes it back."""

    card = Card(Permitted.PLAYER, RUNNING, decides="absence")

    period: AsWritten[Period] | None = None
    """None takes it back."""


@dataclass(frozen=True, slots=True)
class Decline:
    """DECLINE Por: leave centers to whoever owns them when ownership is settled (R-OWN-3)."""

    card = Card(Permitted.PLAYER, RUNNING, decides="declined")

    provinces: tuple[Province, ...] = ()
    """None: take everything again."""


Steering: TypeAlias = UseGame | ForPhase | ForPower
OfAGame: TypeAlias = Give | Clear | Undo | SetReady | Wait | Absence | Decline

"""Orders of the open phase, and of those to come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.rules.orders import Order
from judge.rules.outcomes import Illegal
from judge.rules.position import Phase, Power, Province, Unit

__all__ = [
    "FixedInGrace",
    "ForeignUnit",
    "NeverPossible",
    "NoCenter",
    "NoDeclining",
    "NoSuchQuestion",
    "NoSuchUnit",
    "NotDislodged",
    "NothingAsked",
    "NothingToClear",
    "NothingToDecide",
    "NothingToGoBackTo",
    "NothingToUndo",
    "Superseded",
    "TooLate",
    "WhichPhase",
    "WhichQuestion",
    "WrongKind",
    "WrongKindOfOrder",
    "WrongPhase",
]


@dataclass(frozen=True, slots=True)
class WrongPhase:
    """The order or command names, or answers the report of, a phase that is not open."""

    meant: Phase
    open: Phase

    @property
    def is_too_late(self) -> bool:
        """Whether that phase is over."""
        return self.meant.order_key < self.open.order_key


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
    """The unit there is not the sender’s, or not that of the power that a master orders for."""

    place: Province
    ordered_for: Power | None = None


@dataclass(frozen=True, slots=True)
class NoSuchUnit:
    """There is none."""

    place: Province


@dataclass(frozen=True, slots=True)
class WrongKind:
    """The unit that stands there is of the other kind."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class NeverPossible:
    """A build or a waiver for a later phase that the rules of this game allow in no position."""

    power: Power
    illegal: Illegal


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
class NothingToGoBackTo:
    """BACK in a sandbox in which no phase has been closed."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class NothingToUndo:
    """No mail of the sender changed the orders."""


@dataclass(frozen=True, slots=True)
class NothingToDecide:
    """Nobody waits for the sender."""

    phase: Phase
    out: tuple[Power, ...] = ()
    """His powers, if none of them has anything left on the board."""
    idle: tuple[Power, ...] = ()
    """Those of their powers that civil disorder keeps from building and removing."""


@dataclass(frozen=True, slots=True)
class FixedInGrace:
    """The deadline is over: only powers that lack orders may still send some."""

    phase: Phase
    may_change: bool = False
    """Something of his is missing, and he may order otherwise as well; but nothing is taken back."""


@dataclass(frozen=True, slots=True)
class NoDeclining:
    """Centers cannot be declined in this game."""


@dataclass(frozen=True, slots=True)
class NoCenter:
    """It is no supply center."""

    place: Province


@dataclass(frozen=True, slots=True)
class TooLate:
    """It is being closed; the mail came after the last READY or the deadline."""

    phase: Phase


Refusal: TypeAlias = (
    WrongPhase
    | WhichPhase
    | WrongKindOfOrder
    | ForeignUnit
    | NoSuchUnit
    | WrongKind
    | NeverPossible
    | NotDislodged
    | Superseded
    | NothingToClear
    | NothingAsked
    | NoSuchQuestion
    | WhichQuestion
    | NothingToGoBackTo
    | NothingToUndo
    | NothingToDecide
    | FixedInGrace
    | NoDeclining
    | NoCenter
    | TooLate
)

"""Refusals of orders for the open phase and later ones."""

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
    "NonePossible",
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
    """The order or command is for a phase that is not open.

    The mail names that phase, or replies to its report.
    """

    meant: Phase
    open: Phase

    @property
    def is_too_late(self) -> bool:
        """Whether that phase is over."""
        return self.meant.order_key < self.open.order_key


@dataclass(frozen=True, slots=True)
class WhichPhase:
    """The mail does not say that it means the open phase.

    That opened only just now, or after the mail was written, or the mail replies to a withdrawn report.
    """

    phase: Phase
    is_old: bool = False
    """The mail was written before the phase opened, and arrived late."""
    answers_withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class WrongKindOfOrder:
    """A move in a retreat phase, a build in a movement phase, and so on."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class ForeignUnit:
    """The unit belongs to another power than the one the order is for.

    That is the sender's power, or the power a master orders for.
    """

    place: Province
    ordered_for: Power | None = None


@dataclass(frozen=True, slots=True)
class NoSuchUnit:
    """There is no unit in that province."""

    place: Province


@dataclass(frozen=True, slots=True)
class WrongKind:
    """The unit there is of the other kind."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class NeverPossible:
    """A planned build or waiver that the rules of this game never allow."""

    power: Power
    illegal: Illegal


@dataclass(frozen=True, slots=True)
class NonePossible:
    """None of a list of preferences can be carried out in the open phase."""

    preferences: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class NotDislodged:
    """A retreat for a unit that was not dislodged."""

    place: Province


@dataclass(frozen=True, slots=True)
class Superseded:
    """A later mail has already ordered that unit."""

    place: str
    order: Order


@dataclass(frozen=True, slots=True)
class NothingToClear:
    """There was no order for the unit, or none at all."""

    unit: Unit | None


@dataclass(frozen=True, slots=True)
class NothingAsked:
    """A yes or no while no question is open."""


@dataclass(frozen=True, slots=True)
class NoSuchQuestion:
    """No open question has that number."""

    number: int
    open: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WhichQuestion:
    """A yes to questions about the same unit, which cannot all be answered with yes."""

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
    """The sender has nothing to decide in this phase."""

    phase: Phase
    out: tuple[Power, ...] = ()
    """The sender's powers, if none of them has anything left on the board."""
    idle: tuple[Power, ...] = ()
    """The sender's powers that civil disorder keeps from building and removing."""


@dataclass(frozen=True, slots=True)
class FixedInGrace:
    """The deadline has passed: only powers that lack orders may still send them."""

    phase: Phase
    may_change: bool = False
    """The sender lacks orders and may change others too; but orders cannot be cleared."""


@dataclass(frozen=True, slots=True)
class NoDeclining:
    """Centers cannot be declined in this game."""


@dataclass(frozen=True, slots=True)
class NoCenter:
    """The province is no supply center."""

    place: Province


@dataclass(frozen=True, slots=True)
class TooLate:
    """The phase is closing; the mail came after the last READY or the deadline."""

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
    | NonePossible
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

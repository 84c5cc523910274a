"""Refusals about the course of a game: phases, deadlines, times, corrections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeAlias

from judge.calendar import MomentFault
from judge.commands import Everywhere
from judge.rules.position import Phase, Power, Province, Unit

__all__ = [
    "AlreadyClosed",
    "BadLength",
    "BadMoment",
    "BoardInFog",
    "BoardInRetreats",
    "CannotStand",
    "ClosedMeanwhile",
    "NeverClosesEarly",
    "NoAppointment",
    "NoDeadline",
    "NoSuchPhase",
    "NoVotesToClear",
    "NotAway",
    "NotOpenYet",
    "NothingCorrected",
    "NothingInAll",
    "NothingToRedo",
    "Occupied",
    "OpenedAgain",
    "OrdersOnFile",
    "OthersAbsence",
    "OwnedAlready",
    "TooLong",
    "WhichYear",
    "WhoseAbsence",
]


@dataclass(frozen=True, slots=True)
class AlreadyClosed:
    """PROCESS of a phase that is over."""

    phase: Phase
    open: Phase


@dataclass(frozen=True, slots=True)
class ClosedMeanwhile:
    """PROCESS without a phase, confirmed when another phase had opened."""

    open: Phase


@dataclass(frozen=True, slots=True)
class NotOpenYet:
    """PROCESS of a future phase."""

    phase: Phase
    open: Phase


@dataclass(frozen=True, slots=True)
class NeverClosesEarly:
    """WAIT has no effect: the phase never closes early."""

    phase: Phase
    has_deadline: bool


@dataclass(frozen=True, slots=True)
class BadMoment:
    """A time or period that cannot be used."""

    written: str
    fault: MomentFault

    @property
    def has_two_readings(self) -> bool:
        """Whether day and month could be swapped, as in `1/12`."""
        return "/" in self.written


@dataclass(frozen=True, slots=True)
class WhichYear:
    """A period without a year that has just ended.

    The next such period is almost a year away.
    """

    written: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class BadLength:
    """The text is not a length of time."""

    written: str


@dataclass(frozen=True, slots=True)
class TooLong:
    """The deadline cannot be moved that far."""

    written: str
    most: timedelta


@dataclass(frozen=True, slots=True)
class NotAway:
    """The power has no absence that a master could end."""

    power: Power


@dataclass(frozen=True, slots=True)
class OthersAbsence:
    """The sender may not end that player's absence."""

    power: Power


@dataclass(frozen=True, slots=True)
class WhoseAbsence:
    """A master who plays no power has no absence of their own to end."""


@dataclass(frozen=True, slots=True)
class NoDeadline:
    """The open phase has no deadline that could be moved."""

    game: str


@dataclass(frozen=True, slots=True)
class NoAppointment:
    """The open phase has no deadline to attach as a calendar event."""

    game: str


@dataclass(frozen=True, slots=True)
class NoSuchPhase:
    """That phase was never closed."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class NoVotesToClear:
    """There are no votes and no proposals to clear."""

    game: str


@dataclass(frozen=True, slots=True)
class NothingInAll:
    """The sender is a master of no game where that can be done."""

    what: Everywhere
    is_no_master: bool = False
    """The sender is a master of no running game at all."""


@dataclass(frozen=True, slots=True)
class NothingToRedo:
    """There was no rollback, or a phase has been closed since."""


@dataclass(frozen=True, slots=True)
class OpenedAgain:
    """A vote was confirmed only after a rollback; it was meant for another position."""

    phase: Phase
    """The phase that is open now."""


@dataclass(frozen=True, slots=True)
class OrdersOnFile:
    """The board can only be corrected before orders are on file."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class NothingCorrected:
    """Another correction of the same mail is impossible; either all are made or none."""


@dataclass(frozen=True, slots=True)
class BoardInFog:
    """The board of a game with fog cannot be corrected.

    A correction is told to everyone, and it would tell what stands where.
    """

    game: str


@dataclass(frozen=True, slots=True)
class BoardInRetreats:
    """The board cannot be corrected in a retreat phase."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class CannotStand:
    """No such unit can be there, or its coast is not named."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Occupied:
    """Another unit is in that province."""

    unit: Unit
    power: Power


@dataclass(frozen=True, slots=True)
class OwnedAlready:
    """The center already belongs to that power, or to none."""

    center: Province
    power: Power | None


Refusal: TypeAlias = (
    AlreadyClosed
    | ClosedMeanwhile
    | NotOpenYet
    | NeverClosesEarly
    | BadMoment
    | BadLength
    | TooLong
    | NotAway
    | OthersAbsence
    | WhoseAbsence
    | WhichYear
    | NoDeadline
    | NoAppointment
    | NoSuchPhase
    | NoVotesToClear
    | NothingInAll
    | NothingToRedo
    | OpenedAgain
    | OrdersOnFile
    | BoardInFog
    | BoardInRetreats
    | NothingCorrected
    | CannotStand
    | Occupied
    | OwnedAlready
)

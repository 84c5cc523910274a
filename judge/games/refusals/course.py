"""The course of a game: phases, deadlines, times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeAlias

from judge.calendar import MomentFault
from judge.rules.position import Phase, Power, Province, Unit

__all__ = [
    "AlreadyClosed",
    "BadLength",
    "BadMoment",
    "BoardInRetreats",
    "CannotStand",
    "NeverClosesEarly",
    "NoAppointment",
    "NoDeadline",
    "NoSuchPhase",
    "NotAway",
    "NotOpenYet",
    "NothingCorrected",
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
class NotOpenYet:
    """PROCESS of a phase that is to come."""

    phase: Phase
    open: Phase


@dataclass(frozen=True, slots=True)
class NeverClosesEarly:
    """There is nothing to wait for."""

    phase: Phase
    has_deadline: bool


@dataclass(frozen=True, slots=True)
class BadMoment:
    """A time or period that cannot be used."""

    written: str
    fault: MomentFault

    @property
    def has_two_readings(self) -> bool:
        """Whether the day or the month may stand first: `1/12`."""
        return "/" in self.written


@dataclass(frozen=True, slots=True)
class WhichYear:
    """A period without a year that has just ended; the next one is almost a year off."""

    written: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class BadLength:
    """No length of time."""

    written: str


@dataclass(frozen=True, slots=True)
class TooLong:
    """A deadline does not move as far as that."""

    written: str
    most: timedelta


@dataclass(frozen=True, slots=True)
class NotAway:
    """There is no absence that a master could end."""

    power: Power


@dataclass(frozen=True, slots=True)
class OthersAbsence:
    """It is not the sender's to end."""

    power: Power


@dataclass(frozen=True, slots=True)
class WhoseAbsence:
    """A master who plays no power has none of his own to end."""


@dataclass(frozen=True, slots=True)
class NoDeadline:
    """The open phase has none that could move."""

    game: str


@dataclass(frozen=True, slots=True)
class NoAppointment:
    """The open phase has no deadline for a calendar."""

    game: str


@dataclass(frozen=True, slots=True)
class NoSuchPhase:
    """It was never closed."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class NothingToRedo:
    """There was no rollback, or a phase was closed since."""


@dataclass(frozen=True, slots=True)
class OpenedAgain:
    """A vote that was confirmed only after a rollback: it was for another board."""

    phase: Phase
    """The open one."""


@dataclass(frozen=True, slots=True)
class OrdersOnFile:
    """The board is corrected before anybody orders."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class NothingCorrected:
    """Another correction of the same mail cannot be done: they are done all or not at all."""


@dataclass(frozen=True, slots=True)
class BoardInRetreats:
    """The board is not corrected while units retreat."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class CannotStand:
    """No such unit can be there, or the coast it stands on is not named."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Occupied:
    """Where a unit is to be put another stands."""

    unit: Unit
    power: Power


@dataclass(frozen=True, slots=True)
class OwnedAlready:
    """The center is theirs as it is, or nobody's."""

    center: Province
    power: Power | None


Refusal: TypeAlias = (
    AlreadyClosed
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
    | NothingToRedo
    | OpenedAgain
    | OrdersOnFile
    | BoardInRetreats
    | NothingCorrected
    | CannotStand
    | Occupied
    | OwnedAlready
)

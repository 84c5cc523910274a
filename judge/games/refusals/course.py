"""The course of a game: phases, deadlines, times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.calendar import MomentFault
from judge.rules.position import Phase

__all__ = [
    "AlreadyClosed",
    "BadLength",
    "BadMoment",
    "NeverClosesEarly",
    "NoAppointment",
    "NoDeadline",
    "NoSuchPhase",
    "NotOpenYet",
    "NothingToRedo",
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


@dataclass(frozen=True, slots=True)
class BadLength:
    """No length of time."""

    written: str


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


Refusal: TypeAlias = (
    AlreadyClosed
    | NotOpenYet
    | NeverClosesEarly
    | BadMoment
    | BadLength
    | NoDeadline
    | NoAppointment
    | NoSuchPhase
    | NothingToRedo
)

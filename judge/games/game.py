"""A game as people play it: its seats, its settings, what is on file, when it closes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from judge.commands import Language
from judge.rules.options import PROFILES, Options
from judge.rules.orders import Order
from judge.rules.position import PhaseKind, Position, Power

PersonId = NewType("PersonId", int)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a registered address."""

    id: PersonId
    address: str
    """As registered, lower case; compared as a whole."""
    name: str
    """What the others see; never the address."""
    language: Language = Language.ENGLISH
    zone: str = ""
    """An IANA time zone; empty until he chooses one, then times are in the game's."""


class GameState(StrEnum):
    """Where a game is in its life."""

    FORMING = "forming"
    ACTIVE = "active"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the master chose when the game was created."""

    map: str = "standard"
    profile: str = "standard"
    """Names the rules as they were chosen; single options may be changed since."""
    rules: Options = field(default_factory=Options)
    movement_length: timedelta = timedelta(days=3)
    retreat_length: timedelta = timedelta(days=1)
    adjustment_length: timedelta = timedelta(days=1)
    zone: str = "UTC"

    @property
    def changed_options(self) -> Mapping[str, object]:
        """The options that differ from those of the profile; when phases close is no matter of the profile."""
        usual = PROFILES[self.profile]
        names = [field.name for field in fields(Options) if field.name not in ("update_type", "players")]
        return {name: getattr(self.rules, name) for name in names if getattr(self.rules, name) != getattr(usual, name)}

    def length_of(self, kind: PhaseKind) -> timedelta:
        """How long a phase of that kind stays open."""
        match kind:
            case PhaseKind.MOVEMENT:
                return self.movement_length
            case PhaseKind.RETREAT:
                return self.retreat_length
            case PhaseKind.ADJUSTMENT:
                return self.adjustment_length


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """An order on file for the open phase."""

    order: Order
    line: str
    """The line as the player wrote it."""
    mail: int
    """The mail it came in; a later mail has a greater number."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A power and who plays it."""

    power: Power
    holder: PersonId | None = None
    serial: int = 0
    """Raised when the seat changes hands, so that the old holder's secret address dies."""
    ready: bool = False
    orders: tuple[FiledOrder, ...] = ()
    """On file for the open phase: the last word per unit, in the order they came."""


@dataclass(frozen=True, slots=True)
class Applicant:
    """Somebody who joined a game that is still forming; `wish` was free when asked for and is kept."""

    person: PersonId
    wish: Power | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One game. While it is forming `seats` have no holders and `applicants` fill up."""

    name: str
    """Lower-case letters, digits and hyphens; begins with a letter."""
    settings: Settings
    master: PersonId
    state: GameState
    position: Position
    seats: tuple[Seat, ...]
    """One per power of the map, in the map's order."""
    applicants: tuple[Applicant, ...] = ()
    observers: tuple[PersonId, ...] = ()
    opened_at: datetime | None = None
    """When the open phase began."""
    deadline: datetime | None = None
    """When the open phase closes at the latest; None where nothing but readiness or the master closes it."""
    closing_since: datetime | None = None
    """Set when everybody is ready or the master said PROCESS: mail that arrived until then still counts."""
    winner: Power | None = None
    version: int = 0
    """Raised by storage with every save; a stale game cannot be saved."""

    def seat(self, power: Power) -> Seat:
        """The seat of a power; KeyError if the map has no such power."""
        for seat in self.seats:
            if seat.power == power:
                return seat
        raise KeyError(power)

    def seats_of(self, person: PersonId) -> tuple[Seat, ...]:
        """The seats a person holds."""
        return tuple(seat for seat in self.seats if seat.holder == person)

    @property
    def due(self) -> datetime | None:
        """The moment from which the open phase can be closed, mail up to it counting; None if not yet known."""
        moments = [moment for moment in (self.deadline, self.closing_since) if moment is not None]
        return min(moments) if moments and self.state is GameState.ACTIVE else None

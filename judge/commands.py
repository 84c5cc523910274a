"""What a person can ask of the judge, as values: the contract between language and games.

A line of a mail becomes orders (`judge.rules.orders`) or one of these. A command that names no
game means the game its mail is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from judge.rules.orders import Order
from judge.rules.position import Phase, Power, Province, Unit


class Language(StrEnum):
    """A tongue the judge reads and writes."""

    ENGLISH = "en"
    JAPANESE = "ja"


class HelpTopic(StrEnum):
    """What HELP can be asked about."""

    START = "start"
    ORDERS = "orders"
    COMMANDS = "commands"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Create:
    """CREATE ardennes: open a new game with the sender as its master."""

    game: str
    settings: Mapping[str, str] = field(default_factory=dict)
    """Names and values as written on the settings lines that follow, not yet checked."""


@dataclass(frozen=True, slots=True)
class Join:
    """JOIN ardennes [AS France]."""

    game: str
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Observe:
    """OBSERVE ardennes: receive the public reports."""

    game: str


@dataclass(frozen=True, slots=True)
class UseGame:
    """GAME ardennes: what follows in this mail is about that game."""

    game: str


@dataclass(frozen=True, slots=True)
class ForPhase:
    """PHASE S1901M: the orders in this mail are meant for that phase."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class ForPower:
    """France: (a heading) the orders that follow are that power's."""

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

    order: Order
    misnamed: tuple[Misnamed, ...] = ()
    guessed: tuple[Guessed, ...] = ()


@dataclass(frozen=True, slots=True)
class Clear:
    """CLEAR [unit]: take the orders on file back."""

    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class SetReady:
    """READY or NOT READY: the phase may close without me, or may not."""

    ready: bool


@dataclass(frozen=True, slots=True)
class Status:
    """STATUS [game]: the state of the game, what is on file, what lacks."""

    game: str | None = None


@dataclass(frozen=True, slots=True)
class ListGames:
    """LIST: the games one can join or watch."""


@dataclass(frozen=True, slots=True)
class Help:
    """HELP [topic]."""

    topic: HelpTopic = HelpTopic.START


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """SET LANGUAGE ja."""

    language: Language


@dataclass(frozen=True, slots=True)
class SetZone:
    """SET ZONE Asia/Tokyo, an IANA name not yet checked."""

    zone: str


@dataclass(frozen=True, slots=True)
class SetName:
    """SET NAME Alice: how the others see the sender."""

    name: str


@dataclass(frozen=True, slots=True)
class Process:
    """PROCESS S1901M: the master closes that phase now; naming it makes asking twice harmless."""

    phase: Phase


Command: TypeAlias = (
    Create
    | Join
    | Observe
    | UseGame
    | ForPhase
    | ForPower
    | Give
    | Clear
    | SetReady
    | Status
    | ListGames
    | Help
    | SetLanguage
    | SetZone
    | SetName
    | Process
)

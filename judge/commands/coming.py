"""Coming and going: games one opens, joins, watches and leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from judge.commands.as_written import SettingValue
from judge.commands.card import FINISHED, FORMING, OPEN, RUNNING, STARTED, Card, Permitted
from judge.rules.position import Phase, Power

__all__ = [
    "Accept",
    "Back",
    "Create",
    "EndSandbox",
    "Import",
    "Join",
    "Observe",
    "Rematch",
    "Resign",
    "Sandbox",
    "TakeOver",
]


@dataclass(frozen=True, slots=True)
class Create:
    """CREATE verdun [LIKE ardennes]: open a new game with the sender as its master."""

    card = Card()

    game: str
    settings: Mapping[str, SettingValue] = field(default_factory=dict)
    """Names as written on the settings lines that follow, and what they are to be; not yet checked."""
    like: str = ""
    """The game whose settings hold where those lines say nothing else."""


@dataclass(frozen=True, slots=True)
class Join:
    """JOIN ardennes [AS France | PREFER F E *]."""

    card = Card(states=FORMING, decides="join", binds=True)

    game: str
    power: Power | None = None
    wishes: tuple[Power, ...] = ()
    """The powers he would like, the dearest first; the others as they come."""


@dataclass(frozen=True, slots=True)
class Observe:
    """OBSERVE ardennes: receive the public reports."""

    card = Card()

    game: str


@dataclass(frozen=True, slots=True)
class TakeOver:
    """TAKE OVER ardennes France: play on for somebody who left."""

    card = Card(states=RUNNING, binds=True)

    game: str
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    """ACCEPT ardennes: take a seat, or the office of a master, that one is asked to take; REFUSE ardennes does not."""

    card = Card(states=OPEN, decides="accept")

    game: str | None = None
    accepts: bool = True


@dataclass(frozen=True, slots=True)
class Resign:
    """RESIGN [game]: leave; cannot be undone."""

    card = Card(Permitted.MEMBER, OPEN, is_final=True)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class Import:
    """IMPORT ardennes: a game from the attached file."""

    card = Card()

    game: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """REMATCH [game]: a new game with the settings and the people of one that is over; the asker is its master."""

    card = Card(Permitted.SPEAKER, FINISHED, is_final=True, founds=True)

    game: str | None = None


@dataclass(frozen=True, slots=True)
class Sandbox:
    """SANDBOX [ardennes [F1903M]]: a private board, from the start, or as a game stands or stood."""

    card = Card()

    game: str | None = None
    phase: Phase | None = None


@dataclass(frozen=True, slots=True)
class Back:
    """BACK: in a sandbox, the phase closed last is open again."""

    card = Card(Permitted.OWNER, STARTED)


@dataclass(frozen=True, slots=True)
class EndSandbox:
    """SANDBOX END: the private board is put away."""

    card = Card(Permitted.OWNER, OPEN)


General: TypeAlias = Create | Import | Sandbox
OfAGame: TypeAlias = Accept | Back | EndSandbox | Join | Observe | TakeOver | Resign | Rematch

"""Coming and going: creating, joining, watching and leaving games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from judge.commands.as_written import SettingValue
from judge.commands.card import FINISHED, FORMING, OPEN, RUNNING, STARTED, Card, Permitted
from judge.rules.position import Phase, Power
from judge.rules.values import value

__all__ = [
    "Accept",
    "Adopt",
    "Back",
    "Create",
    "EndSandbox",
    "Import",
    "Join",
    "LotWord",
    "Observe",
    "Rematch",
    "Resign",
    "Sandbox",
    "TakeOver",
]


@value
class Create:
    """CREATE verdun [LIKE ardennes]: open a new game with the sender as its master."""

    card = Card()

    game: str
    settings: Mapping[str, SettingValue] = field(default_factory=dict)
    """The settings lines that follow: names as written, and their values; not yet checked."""
    like: str = ""
    """The game whose settings apply where those lines set nothing."""


@value
class Join:
    """JOIN ardennes [AS France | PREFER F E *]: take a seat before the start."""

    card = Card(states=FORMING, decides="join", binds=True)

    game: str
    power: Power | None = None
    wishes: tuple[Power, ...] = ()
    """The powers the sender prefers, in order of preference; any power after that."""


@value
class LotWord:
    """LOT WORD rosebud: add a word to the next draw by lot."""

    card = Card(Permitted.MEMBER, OPEN, decides="lot word")

    word: str = ""


@value
class Observe:
    """OBSERVE ardennes: receive the public reports."""

    card = Card()

    game: str


@value
class TakeOver:
    """TAKE OVER ardennes France: play for a player who left."""

    card = Card(states=RUNNING, binds=True)

    game: str
    power: Power | None = None


@value
class Accept:
    """ACCEPT ardennes: accept an offer in a game.

    It offers a seat, the office of a master, or to become a sitter or a coach.

    REFUSE ardennes turns it down.
    """

    card = Card(states=OPEN, binds=True, decides="accept")

    game: str | None = None
    accepts: bool = True
    coaches: Power | None = None
    """The power to coach; None for anything else."""
    sits: Power | None = None
    """A power of the player to sit for; None for anything else."""


@value
class Resign:
    """RESIGN [game]: leave; cannot be undone."""

    card = Card(Permitted.MEMBER, OPEN, is_final=True)

    game: str | None = None


@value
class Import:
    """IMPORT ardennes: create a game from the attached file."""

    card = Card()

    game: str


@value
class Adopt:
    """ADOPT ardennes: go on here with a game of another judge.

    Its last report stands below, up to END ADOPT. Nothing in that text is read as a command.
    """

    card = Card()

    game: str
    text: str = ""


@value
class Rematch:
    """REMATCH [game]: a new game with the settings and people of a finished one.

    The sender is its master.
    """

    card = Card(Permitted.SPEAKER, FINISHED, is_final=True, founds=True)

    game: str | None = None


@value
class Sandbox:
    """SANDBOX [ardennes [F1903M]]: open a private board.

    It begins at the start, or from the position of a game.
    """

    card = Card()

    game: str | None = None
    phase: Phase | None = None


@value
class Back:
    """BACK: in a sandbox, reopen the phase closed last."""

    card = Card(Permitted.OWNER, STARTED)


@value
class EndSandbox:
    """SANDBOX END: end the private board."""

    card = Card(Permitted.OWNER, OPEN)


General: TypeAlias = Adopt | Create | Import | Sandbox
OfAGame: TypeAlias = Accept | Back | EndSandbox | Join | LotWord | Observe | TakeOver | Resign | Rematch

"""A command that reaches a game, and the rows of the table from its class to its handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from judge.commands import ChangeSetting, GameCommand, Steering
from judge.games.context import MailContext
from judge.games.game import Game
from judge.games.handled import Handled
from judge.games.person import PersonId

if TYPE_CHECKING:
    from judge.games.reopening import Past

C = TypeVar("C", bound=GameCommand | Steering)
C_co = TypeVar("C_co", bound=GameCommand | Steering, covariant=True)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What some commands need that neither the game nor the mail tells; the caller looks it up."""

    people: Mapping[str, PersonId] = field(default_factory=dict)
    """Registered addresses that the command names."""
    percent: int = 100
    """Of the sender's phases, how many they were in time for."""
    address: str = ""
    """Of the sender."""
    addresses: Mapping[PersonId, str] = field(default_factory=dict)
    """Of the players, where another game is founded with them."""
    next_game: Game | None = None
    """The one that was founded already."""
    past: Past | None = None
    """What a rollback goes back to."""
    settings: tuple[ChangeSetting, ...] = ()
    """All that the mail sets in the game: either they can stand together, or none is changed."""


@dataclass(frozen=True, slots=True)
class Request(Generic[C_co]):
    """One command of one person to one game."""

    game: Game
    person: PersonId
    command: C_co
    mail: MailContext
    now: datetime
    looked_up: LookedUp = LookedUp()

    def asking(self, command: C) -> Request[C]:
        """The same request with another command."""
        return Request(self.game, self.person, command, self.mail, self.now, self.looked_up)


Handler: TypeAlias = Callable[[Request[Any]], Handled]


def on(kind: type[C], handler: Callable[[Request[C]], Handled]) -> tuple[type, Handler]:
    """A row of the table: commands of this class are done by this handler."""
    return kind, handler


def table(*rows: tuple[type, Value]) -> Mapping[type, Value]:
    """The rows as one table; no class may stand in two of them."""
    found = dict(rows)
    assert len(found) == len(rows), "a command has two handlers"
    return found


def joined(*tables: Mapping[type, Value]) -> Mapping[type, Value]:
    """The tables of several subjects as one."""
    return table(*(row for one in tables for row in one.items()))

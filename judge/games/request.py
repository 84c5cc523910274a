"""Requests to a game, and the tables from command class to handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from judge.commands import ChangeSetting, GameCommand, Steering
from judge.games.context import MailContext
from judge.games.game import Game
from judge.games.handled import Handled
from judge.games.insight import Same
from judge.games.person import PersonId
from judge.rules.position import Phase

if TYPE_CHECKING:
    from judge.games.reopening import Past

C = TypeVar("C", bound=GameCommand | Steering)
C_co = TypeVar("C_co", bound=GameCommand | Steering, covariant=True)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Values for a command that are neither in the game nor in the mail.

    The caller looks them up.
    """

    people: Mapping[str, PersonId] = field(default_factory=dict)
    """Registered persons by the addresses in the command."""
    several: tuple[str, ...] = ()
    """The names of several people whom an address in the command may mean."""
    percent: int = 100
    """The percentage of their phases in which the sender was in time."""
    address: str = ""
    """The sender's address."""
    addresses: Mapping[PersonId, str] = field(default_factory=dict)
    """The players' addresses, for a new game with the same people.

    Else the address of the person meant, if it has a name at a shared mailbox.
    """
    next_game: Game | None = None
    """The new game, if it was created already."""
    past: Past | None = None
    """The phase that a rollback returns to."""
    results: tuple[Phase, datetime] | None = None
    """The closed phase whose results an objection is about, and when it closed."""
    same: Same = field(default_factory=dict)
    """Registrations of the people concerned that belong to one person.

    It is empty where that does not matter.
    """
    is_shunned: bool = False
    """A player of the game has blocked the sender, or the sender one of them."""
    settings: tuple[ChangeSetting, ...] = ()
    """All settings changed by the mail for this game.

    If they contradict each other, none is changed.
    """


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
        """Return the same request with another command."""
        return Request(self.game, self.person, command, self.mail, self.now, self.looked_up)


Handler: TypeAlias = Callable[[Request[Any]], Handled]


def on(kind: type[C], handler: Callable[[Request[C]], Handled]) -> tuple[type, Handler]:
    """Return a table row: the class of commands, and their handler."""
    return kind, handler


def table(*rows: tuple[type, Value]) -> Mapping[type, Value]:
    """Build a table from rows; each class may occur only once."""
    found = dict(rows)
    assert len(found) == len(rows), "a command has two handlers"
    return found


def joined(*tables: Mapping[type, Value]) -> Mapping[type, Value]:
    """Merge the tables of several subjects."""
    return table(*(row for one in tables for row in one.items()))

"""A player's absence, how long phases have waited for them, and their sitter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.games.person import PersonId
from judge.rules.position import Power

_YEAR = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Waited:
    """A phase waited for an absent player."""

    phase: str
    at: datetime
    length: timedelta


@dataclass(frozen=True, slots=True)
class Leave:
    """The absence a player has announced, and the phases that waited for them."""

    start: datetime | None = None
    end: datetime | None = None
    waited: tuple[Waited, ...] = ()

    def waited_lately(self, now: datetime) -> timedelta:
        """Return how long phases have waited in the last year."""
        return sum((one.length for one in self.waited if one.at > now - _YEAR), timedelta())


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person who plays the seats of an absent player, or is asked to."""

    player: PersonId
    powers: tuple[Power, ...]
    """The powers of the player when the person was asked."""
    start: datetime
    end: datetime
    address: str = ""
    """The address that is asked; "" once its owner has said yes."""
    sitter: PersonId | None = None
    """Who said yes; None until then."""
    since: datetime | None = None
    """When the sitter began to play; None before that."""
    shows_press: bool = False
    """The sitter may read the older press of the player."""

    @property
    def turns(self) -> datetime:
        """When the sitting begins, ends or, without a yes, lapses."""
        waits = self.sitter is not None and self.since is None
        return self.start if waits else self.end

"""People of a game who share a mailbox.

Each of them may read the mail of the others. All people in the game are told.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from judge.games.events import Event, MailboxShared
from judge.games.game import Game
from judge.games.person import Person, PersonId


def taking_part(game: Game) -> frozenset[PersonId]:
    """Return everyone in a game but its observers."""
    return frozenset(game.members) - frozenset(game.observers) | frozenset(game.masters)


def sharing_told(game: Game, people: Iterable[Person], newcomers: frozenset[PersonId], now: datetime) -> list[Event]:
    """Return what is told when newcomers join; `people` are all who take part.

    All people are told of newcomers who share a mailbox. Other newcomers are told who shares one already.
    """
    at: dict[str, set[PersonId]] = {}
    for person in people:
        for mailbox in person.mailboxes:
            at.setdefault(mailbox, set()).add(person.id)
    shared = [there for there in at.values() if len(there) > 1]
    new = [there for there in shared if there & newcomers]
    found, told = (new, taking_part(game)) if new else (shared, newcomers)
    sharing = tuple(sorted({one for there in found for one in there}))
    return [MailboxShared(game, sharing, tuple(sorted(told)), now)] if sharing else []

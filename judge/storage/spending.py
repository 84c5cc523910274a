"""Sum up letters, bytes and work per address and per person, from the stored letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, func, select

from judge.games.person import PersonId
from judge.storage import tables as t
from judge.storage.states import OutboxState

UNPROVED = "unproved "
"""The prefix of the keys of answers to mail whose sender is unproved."""
_LOOKED_AT = 20_000
"""How many of the newest letters are searched for the largest sums."""
_SUMS = (
    func.count(),
    func.coalesce(func.sum(t.outbox.c.size), 0),
    func.coalesce(func.sum(t.outbox.c.work), 0),
)
_IS_WHOLE = t.outbox.c.state != OutboxState.GATHERED.value
"""A gathered letter leaves in another one, which is counted."""
_IS_FOR_A_PERSON = t.outbox.c.person.is_not(None) & ~t.outbox.c.key.startswith(UNPROVED)
"""Letters caused without proof have their own limits and count in no budget."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Letters with their bytes, and the units of work that their causes took."""

    letters: int = 0
    size: int = 0
    work: int = 0


class Spending:
    """Sums over the letters of a time, sent or not."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def on(self, address: str, since: datetime) -> Spent:
        """Return what was spent on the letters to an address, except answers to unproved mail."""
        mine = (t.outbox.c.recipient == address, t.outbox.c.queued_at >= since)
        found = select(*_SUMS).where(*mine, _IS_WHOLE, _IS_FOR_A_PERSON)
        return Spent(*self._connection.execute(found).one())

    def by(self, person: PersonId, since: datetime) -> Mapping[str, Spent]:
        """Return recipient → what a person caused others to get."""
        mine = (t.outbox.c.cause == person, t.outbox.c.queued_at >= since, _IS_WHOLE)
        found = select(t.outbox.c.recipient, *_SUMS).where(*mine).group_by(t.outbox.c.recipient)
        return {recipient: Spent(*sums) for recipient, *sums in self._connection.execute(found)}

    def on_each(self, since: datetime) -> Sequence[Spent]:
        """Return what was spent on each address, among the newest letters."""
        return self._each(t.outbox.c.recipient, since, _IS_FOR_A_PERSON)

    def by_each(self, since: datetime) -> Sequence[Spent]:
        """Return what each person caused others to get, among the newest letters."""
        return self._each(t.outbox.c.cause, since, t.outbox.c.cause.is_not(None))

    def _each(self, whose: Column[Any], since: datetime, which: ColumnElement[bool]) -> Sequence[Spent]:
        newest = select(t.outbox.c.id).order_by(t.outbox.c.id.desc()).limit(_LOOKED_AT)
        these = (t.outbox.c.id.in_(newest), t.outbox.c.queued_at >= since, _IS_WHOLE, which)
        return [Spent(*sums) for sums in self._connection.execute(select(*_SUMS).where(*these).group_by(whose))]

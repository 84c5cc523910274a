"""Count mails, letters and games and their waits, for gauges, alarms and health mail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, Connection, func, select

from judge.storage import tables as t
from judge.storage.states import OutboxState
from judge.storage.turns import waits


@dataclass(frozen=True, slots=True)
class Census:
    """Counts by state, and the oldest waits."""

    inbox: Mapping[str, int]
    """State → number of mails that came in."""
    outbox: Mapping[str, int]
    games: Mapping[str, int]
    waiting_since: datetime | None
    """Arrival of the mail that has waited longest to be worked."""
    queued_since: datetime | None
    """When the letter that has waited longest to leave was queued."""
    due_since: datetime | None
    """The earliest time at which a phase is or was due."""


def take_census(connection: Connection) -> Census:
    """Take the census; cheap enough to run every minute."""

    def counted(state: Column[str]) -> Mapping[str, int]:
        return {row[0]: row[1] for row in connection.execute(select(state, func.count()).group_by(state))}

    waiting = select(t.inbox.c.received_at).where(waits(t.inbox)).order_by(t.inbox.c.id).limit(1)
    queued = select(func.min(t.outbox.c.queued_at)).where(t.outbox.c.state == OutboxState.QUEUED.value)
    return Census(
        inbox=counted(t.inbox.c.state),
        outbox=counted(t.outbox.c.state),
        games=counted(t.game.c.state),
        waiting_since=connection.execute(waiting).scalar(),
        queued_since=connection.execute(queued).scalar(),
        due_since=connection.execute(select(func.min(t.game.c.due))).scalar(),
    )

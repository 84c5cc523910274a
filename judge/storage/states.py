"""States of incoming mails and outgoing letters, as stored in the database."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from sqlalchemy import ColumnElement, literal_column


class InboxState(StrEnum):
    """State of an incoming mail."""

    WAITING = "waiting"
    SUSPECT = "suspect"
    """It waits to be worked alone: an attempt to work it never ended."""
    DONE = "done"
    UNCONFIRMED = "unconfirmed"
    """The sender was asked whether the mail is theirs."""
    SET_ASIDE = "set-aside"
    """It cannot be worked; the operator has to look at it."""
    DROPPED = "dropped"
    """The operator does not want it worked."""

    @property
    def waits(self) -> bool:
        """Whether the mail has to be worked."""
        return self in (InboxState.WAITING, InboxState.SUSPECT)

    @property
    def is_done(self) -> bool:
        """Whether the mail will not be worked any more, whatever its sender answers."""
        return self in (InboxState.DONE, InboxState.DROPPED)

    @property
    def can_be_replayed(self) -> bool:
        """Whether the operator can have the mail worked after all."""
        return self in (InboxState.SET_ASIDE, InboxState.DROPPED)

    @property
    def can_be_set_aside(self) -> bool:
        """Whether the mail waits, for a worker or for its sender's answer."""
        return self.waits or self is InboxState.UNCONFIRMED

    @property
    def can_be_emptied(self) -> bool:
        """Whether the text of the mail can be erased once it is old."""
        return self.is_done or self is InboxState.UNCONFIRMED


class OutboxState(StrEnum):
    """State of an outgoing letter."""

    QUEUED = "queued"
    GATHERING = "gathering"
    """It will be gathered with others: see `judge.service.post.gathering`."""
    GATHERED = "gathered"
    """It left as a part of another letter."""
    SENT = "sent"
    FAILED = "failed"
    """No server took it."""
    BOUNCED = "bounced"
    """A server took it and could not deliver it."""
    HELD = "held"
    """Its address is suspended."""
    DROPPED = "dropped"
    """The operator does not want it sent."""

    @property
    def waits(self) -> bool:
        """Whether the letter leaves when it is due."""
        return self in (OutboxState.QUEUED, OutboxState.GATHERING)

    @property
    def is_done(self) -> bool:
        """Whether the letter neither waits nor is held; once old, its text can be erased."""
        return not self.waits and self is not OutboxState.HELD

    @property
    def can_bounce(self) -> bool:
        """Whether the letter may have reached a server; a bounce may precede our commit."""
        return self in (OutboxState.SENT, OutboxState.QUEUED)

    @property
    def can_be_dropped(self) -> bool:
        """Whether the operator can still keep the letter from leaving, now or after a retry."""
        return self not in (OutboxState.SENT, OutboxState.DROPPED)


def among(column: ColumnElement[str], states: Iterable[StrEnum]) -> ColumnElement[bool]:
    """Compare a column with literals.

    PostgreSQL uses a partial index only if the statement contains its condition literally.
    """
    return column.in_([literal_column(f"'{state.value}'") for state in states])


WAITING_MAIL = tuple(state for state in InboxState if state.waits)
WAITING_LETTERS = tuple(state for state in OutboxState if state.waits)

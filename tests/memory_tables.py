"""What the store in memory holds: its tables, and their rows."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from datetime import date, datetime

from judge.games import Game, Person, PersonId
from judge.mail.letters import Outgoing, RawMail
from judge.mail.marks import Mark
from judge.storage import InboxState, LetterTags, OutboxState, Waiting, Written
from judge.storage.records import DiaryEntry, Undone

TO_BE_WORKED = (InboxState.WAITING, InboxState.SUSPECT)
WORKED = (InboxState.DONE, InboxState.DROPPED, InboxState.UNCONFIRMED)
LEFT = (OutboxState.SENT, OutboxState.FAILED, OutboxState.BOUNCED, OutboxState.DROPPED, OutboxState.GATHERED)
SUSPENDING_DAYS = 3
BATCH = 500


def emptied(raw: RawMail) -> RawMail:
    return RawMail(b"", raw.source, raw.received_at, None, ())


@dataclass(frozen=True)
class Came:
    """A mail that came in."""

    id: int
    raw: RawMail
    identity: str
    sender: str | None
    turn: str | None = None
    state: InboxState = InboxState.WAITING
    kind: str | None = None
    attempts: int = 0
    begun: bool = False
    failures: int = 0
    losses: int = 0
    retry_at: datetime | None = None
    reason: str | None = None
    person: PersonId | None = None
    game: str | None = None
    confirmed: bool = False

    @property
    def waiting(self) -> Waiting:
        counts = (self.attempts, self.begun, self.failures, self.losses)
        is_suspect, is_worked = self.state is InboxState.SUSPECT, self.kind is not None
        return Waiting(self.id, self.raw, *counts, is_suspect, self.confirmed, is_worked, self.identity)


@dataclass(frozen=True)
class Went:
    """A mail that goes out."""

    id: int
    letter: Outgoing
    tags: LetterTags
    due: datetime
    queued_at: datetime
    state: OutboxState = OutboxState.QUEUED
    attempts: int = 0
    reason: str | None = None

    @property
    def written(self) -> Written:
        return Written(
            id=self.id,
            state=self.state,
            attempts=self.attempts,
            due=self.due,
            queued_at=self.queued_at,
            reason=self.reason,
            person=self.tags.person,
            game=self.tags.game,
            letter=self.letter,
        )


@dataclass(frozen=True)
class Closed:
    """A phase that was closed."""

    game: str
    phase: str
    closed_at: datetime
    record: str
    undone: Undone = Undone.NO


@dataclass
class State:
    """All that is stored. Values are frozen, so that a copy of the tables is a copy of all."""

    games: dict[str, Game] = field(default_factory=dict)
    people: dict[PersonId, Person] = field(default_factory=dict)
    inbox: dict[int, Came] = field(default_factory=dict)
    outbox: dict[int, Went] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    questions: dict[str, tuple[int, str, datetime, str]] = field(default_factory=dict)
    bounces: set[tuple[str, date]] = field(default_factory=set)
    history: list[Closed] = field(default_factory=list)
    log: list[tuple[str, datetime, str, str | None, str]] = field(default_factory=list)
    notes: list[tuple[str, DiaryEntry]] = field(default_factory=list)
    secrets: dict[str, bytes] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    uses: dict[bytes, tuple[bytes, date]] = field(default_factory=dict)

    def copied(self) -> State:
        return State(**{name: copy.copy(table) for name, table in vars(self).items()})

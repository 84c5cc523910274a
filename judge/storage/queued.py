"""Values for outgoing mail: queued, sent, for the operator, and its tags."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.commands.question import Question
from judge.games.person import PersonId
from judge.mail.letters import LetterKind, Outgoing
from judge.rules.position import Power
from judge.storage.states import OutboxState


@dataclass(frozen=True, slots=True)
class Queued:
    """An outgoing mail that is due."""

    id: int
    letter: Outgoing
    attempts: int
    queued_at: datetime


@dataclass(frozen=True, slots=True)
class SentLetter:
    """A letter of ours, as needed to read a reply to it."""

    person: PersonId | None
    game: str | None
    phase: str | None
    power: Power | None
    kind: LetterKind
    recipient: str
    text: str
    html: str
    inbox: int | None
    room: str = ""
    """The room of press: which powers talk there."""
    date: datetime | None = None
    """When it was written; None if its contents were erased."""
    asks: tuple[Question, ...] = ()
    """The questions it asks its reader."""
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """Everything about an outgoing mail, for the operator."""

    id: int
    state: OutboxState
    attempts: int
    due: datetime
    queued_at: datetime
    reason: str | None
    person: PersonId | None
    game: str | None
    letter: Outgoing


@dataclass(frozen=True, slots=True)
class LetterTags:
    """What an outgoing mail is about; `key` makes it unique."""

    key: str
    person: PersonId | None = None
    game: str | None = None
    phase: str | None = None
    power: Power | None = None
    inbox: int | None = None
    cause: PersonId | None = None
    """The other person whose mail to the judge caused the letter."""
    work: int = 0
    """Units of work of the mail that the letter answers."""
    asks: tuple[Question, ...] = ()
    """The questions the letter asks its reader."""

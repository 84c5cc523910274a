"""Who reads, and what the judge has to tell him: the values that reports are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from judge.commands import Command
from judge.games.events import Answer, Lacking
from judge.games.game import Game, Person, PersonId
from judge.language import Fault
from judge.rules.position import Power


class Role(StrEnum):
    """What a reader is in the game."""

    PLAYER = "player"
    OBSERVER = "observer"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who gets the reports of a game."""

    person: Person
    role: Role
    powers: tuple[Power, ...] = ()
    """The powers he holds; several are possible, none once he is out of the game."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a mail says, in both forms."""

    subject: str
    text: str
    html: str


class Remark(StrEnum):
    """Something to say about a mail as a whole."""

    NOTHING_UNDERSTOOD = "nothing-understood"
    """No line of the mail was an order or a command."""
    EMPTY = "empty"
    """The mail had no words of its own."""
    CONFIRMED = "confirmed"
    """This was the answer to a request to confirm; the lines are those of the confirmed mail."""
    STOPPED_READING = "stopped-reading"
    """A stop word or a signature ended the reading."""
    REPEATED = "repeated"
    """The same mail came before; nothing was done a second time."""
    TOO_LONG = "too-long"
    """Lines past the limit were not read."""
    LATE = "late"
    """The mail came after its phase had closed."""


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """One line of a mail with what was made of it."""

    text: str
    number: int
    """Counted from 1, as the sender sees it in his mail."""
    requests: tuple[Command, ...] = ()
    answers: tuple[Answer, ...] = ()
    """One for each request, in the same order."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that the reply to one mail is made from."""

    person: Person
    lines: tuple[AnsweredLine, ...]
    game: Game | None = None
    """As it stands after the mail; None where the mail is about no game."""
    role: Role = Role.PLAYER
    powers: tuple[Power, ...] = ()
    lacking: tuple[Lacking, ...] = ()
    """Of all seats; who may see which of them is decided here."""
    people: Mapping[PersonId, Person] = MappingProxyType({})
    unread_parts: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    subject: str = ""
    """Of the mail that is answered."""


class NoticeKind(StrEnum):
    """A mail that is neither report nor receipt; beneath each the values its wording needs."""

    CONFIRM_REQUEST = "confirm-request"
    """`lines`: what was asked, as written."""
    SET_ASIDE = "set-aside"
    """To the sender. `subject`: of his mail."""
    SET_ASIDE_MASTER = "set-aside-master"
    """To the master. `name`: of the sender; `mail`: its number in the inbox."""
    UNREADABLE = "unreadable"
    """`defect`: a word of `judge.mail`, as `two-from`."""
    UNKNOWN_SENDER = "unknown-sender"
    """No values."""
    PLAYER_JOINED = "player-joined"
    """To the master. `game`: Game; `name`; `power`: Power or None."""
    PHASE_UNCLEAR = "phase-unclear"
    """The mail came soon after a phase opened. `game`: Game."""
    PHASE_EXTENDED = "phase-extended"
    """`game`: Game, with the new deadline."""
    LATE_MAIL = "late-mail"
    """To the master: arrived in time, found after the closing. `game`: Game; `name`; `phase`: Phase; `mail`."""
    CLOSING_FAILED = "closing-failed"
    """To the master: the phase could not be adjudicated. `game`: Game."""
    UNDELIVERABLE = "undeliverable"
    """To the master: mail to a player comes back. `game`: Game; `name`."""

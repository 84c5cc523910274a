"""Who reads, and what the judge has to tell him: the values that reports are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from judge.commands import Command
from judge.games.answers import Answer
from judge.games.game import Game
from judge.games.next_step import NextStep
from judge.games.person import Person
from judge.language import Fault
from judge.reports.sections import Section
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
    buttons_to: str = ""
    """Where the links of his letters are addressed to; "" for letters without."""


@dataclass(frozen=True, slots=True)
class Illustration:
    """A picture in a mail, drawn when that is composed."""

    cid: str
    alt: str
    """What it shows, in words."""
    source: str
    """All that is needed to draw it; not for readers."""
    filename: str = ""
    """Of one that is attached, and does not stand in the HTML."""


def in_the_letter(illustrations: Sequence[Illustration]) -> list[tuple[str, str]]:
    """Those that stand in the HTML: what they are called in it, and what they show in words."""
    return [(one.cid, one.alt) for one in illustrations if not one.filename]


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a mail says, in both forms."""

    subject: str
    text: str
    """Flowed (RFC 3676): a line that ends in a blank goes on in the next."""
    html: str
    sender: str = ""
    """What is shown beside our address."""
    illustrations: tuple[Illustration, ...] = ()


class Remark(StrEnum):
    """Something to say about a mail as a whole."""

    NOTHING_UNDERSTOOD = "nothing-understood"
    """No line of the mail was an order or a command."""
    EMPTY = "empty"
    """The mail had no words of its own."""
    CONFIRMED = "confirmed"
    """The mail was done after its sender confirmed it."""
    UNREAD_LINES = "unread-lines"
    """The mail was not read to its end."""
    UNREAD_PARTS = "unread-parts"
    """Attachments were not read."""
    NO_FILES = "no-files"
    """Maps and files were asked for, and the sender is not proved."""


class Fate(StrEnum):
    """What became of something that was attached to press."""

    SENT = "sent"
    UNREADABLE = "unreadable"
    """No picture, or none that can be passed on."""
    TOO_LARGE = "too-large"
    TOO_MANY = "too-many"
    SEVERAL_LETTERS = "several-letters"
    """The mail holds several, and does not say which of them it belongs to."""
    NOT_SENT = "not-sent"
    """The words were not sent either."""
    TOO_OFTEN = "too-often"
    """Its sender has sent too many letters with pictures in an hour."""


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """One line of a mail with what was made of it."""

    text: str
    requests: tuple[Command, ...] = ()
    answers: tuple[Answer, ...] = ()
    """One for each request, in the same order."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Consequence:
    """What follows of something that cannot be undone."""

    command: Command
    game: str = ""
    """The game it is about; "" where it is about none."""
    powers: tuple[Power, ...] = ()
    """Those of whoever asks, in that game."""
    has_joined: bool = False
    """He has a place in it, and it has not started."""
    games: tuple[str, ...] = ()
    """All that he has a part in, where it is about none."""
    can_reopen: bool = False
    """A phase of it has been closed that its master can open again."""
    sharers: tuple[Power, ...] = ()
    """Who would share the draw; empty where those who agree do."""


@dataclass(frozen=True, slots=True)
class HeldMail:
    """A mail in the reader's name that waits for their word."""

    number: int
    at: datetime
    summary: str
    """What it would do, in our words."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that the reply to one mail is made from."""

    reader: Reader
    lines: tuple[AnsweredLine, ...]
    game: Game | None = None
    """As it stands after the mail; None where the mail is about no game."""
    remarks: tuple[Remark, ...] = ()
    unread_parts: tuple[str, ...] = ()
    attached: Mapping[Fate, tuple[str, ...]] = field(default_factory=dict)
    """What became of the files that were attached to press, by their names."""
    set_aside: tuple[str, ...] = ()
    """Lines that may be orders and were taken for a quotation."""
    unused: tuple[str, ...] = ()
    """Other lines of the mail that nothing was made of, though they may be meant for the judge."""
    first_unread: str = ""
    """The first line of the sender's own words that was not read; "" if there is none."""
    subject: str = ""
    """Of the mail that is answered."""
    illustrations: tuple[Illustration, ...] = ()
    others: tuple[tuple[Game, Reader], ...] = ()
    """Other games the mail was about, and what its sender is in them."""
    sections: tuple[Section, ...] = ()
    """Longer answers."""
    section_lines: tuple[str, ...] = ()
    """The line that asked for each of them."""
    left_out: tuple[str, ...] = ()
    """Lines whose maps or files do not fit into one letter."""
    ready_before: Mapping[str, bool] = field(default_factory=dict)
    """Game in which the reader had said READY before the mail → whether it counted."""
    next_step: NextStep | None = None
    """Of whoever wrote a mail of which nothing was understood."""


class NoticeKind(StrEnum):
    """A mail that is neither report nor receipt; beneath each the values its wording needs."""

    CONFIRM = "confirm"
    """summary: what the mail would do, in our words; asked: the first of it, as a list; is_known: whether the address
    is registered; is_last: whether it is not, and is asked no more for 30 days; flaw: why the mail proves nothing, a
    `Flaw`, or None"""
    GATHERED = "gathered"
    """mails: those in the reader's name, as HeldMail; zone: theirs; again: whether their answer was not clear;
    is_known, is_last: as above"""
    CONFIRM_FINAL = "confirm-final"
    """asked: lines that cannot be undone; finals: what follows; new_address: whether it goes to the address meant;
    binds: whether all of it is joining; terms: of games to be joined"""
    SET_ASIDE = "set-aside"
    """subject"""
    SET_ASIDE_MASTER = "set-aside-master"
    """inbox: number; reason"""
    UNREADABLE = "unreadable"
    """subject; defect"""
    UNDELIVERED = "undelivered"
    """to the master: game and person, their names; power or None; subject, "" for an answer to a mail of his; reason"""
    UNREACHABLE = "unreachable"
    """the same, and the person's address gets no more mail"""
    UNDELIVERED_OPERATOR = "undelivered-operator"
    """to the operator: the same, without power, and the address; the person is the master"""
    NO_PICTURE = "no-picture"
    """to the operator, and to the master if it is a report: game, "" for none; subject, "" of an answer; reason"""
    SUSPENDED = "suspended"
    """to the operator: address; reason"""
    REFUSED = "refused"
    """to the operator: domain; reason"""
    UNCLEAR = "unclear"
    """asked: lines; finals: what follows of those that cannot be undone; summary: instead of both; subject"""
    SETTLED = "settled"
    """none"""
    DECLINED = "declined"
    """asked: lines of his that he says no to"""
    SECOND = "second"
    """subject"""
    WHICH = "which"
    """none: a yes to the question whether a letter is press or orders"""
    LIMIT = "limit"
    """limit: answers an hour; worked: whether the mails are still worked"""
    WELCOME = "welcome"
    """asks: whether he asks about something, of which there is nothing; is_asked: whether a question of ours waits
    for his answer; game: one that he is invited to, or \"\""""
    ALARM = "alarm"
    """to the operator: alarm: disk, inbox, outbox, clock or outside; amount: megabytes, minutes, or what is wrong"""
    HEALTH = "health"
    """to the operator: census: inbox, outbox, games: state → number; free: megabytes or None"""

"""The values that reports and receipts are made from: readers, answered lines, kinds of notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from judge.commands import Command, Language
from judge.commands.question import Choice
from judge.games.answers import Answer
from judge.games.game import Game
from judge.games.next_step import NextStep
from judge.games.person import Person
from judge.games.withdrawn import Withdrawal
from judge.language import Fault
from judge.reports.sections import Addresses, Section
from judge.rules.position import Power


class Role(StrEnum):
    """What a reader is in the game."""

    PLAYER = "player"
    OBSERVER = "observer"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Reader:
    """A person who gets the reports of a game."""

    person: Person
    role: Role
    powers: tuple[Power, ...] = ()
    """The powers of the reader: one or several, none once out of the game."""
    buttons_to: str = ""
    """The address that the links in their letters go to; "" for letters without links."""
    addresses: Addresses | None = None
    """Their private addresses of the powers, for a letter that brings them."""


@dataclass(frozen=True, slots=True)
class Illustration:
    """A picture in a mail, drawn when the mail is composed."""

    cid: str
    alt: str
    """The picture in words."""
    source: str
    """The data needed to draw it; not shown to readers."""
    filename: str = ""
    """Set if the picture is attached instead of shown in the HTML."""
    width: int = 560
    """The most pixels that it takes in the HTML."""
    is_bright: bool = True
    """Whether it is drawn for a light background.

    A mail on a dark background dims it.
    """
    is_detail: bool = False
    """Whether it shows a part of the picture before it."""


def details(illustrations: Sequence[Illustration]) -> int:
    """Return how many pictures show a part of the first one: they stand below it."""
    return sum(one.is_detail for one in illustrations[1:])


def in_the_letter(illustrations: Sequence[Illustration]) -> list[tuple[str, str, int, bool]]:
    """Return name, alternative text, width and brightness of each picture in the HTML.

    Brightness is `is_bright`.
    """
    return [(one.cid, one.alt, one.width, one.is_bright) for one in illustrations if not one.filename]


@dataclass(frozen=True, slots=True)
class Rendered:
    """The contents of a mail, as text and as HTML."""

    subject: str
    text: str
    """Flowed (RFC 3676): a blank at the end of a line marks a soft break."""
    html: str
    sender: str = ""
    """The display name beside our address."""
    illustrations: tuple[Illustration, ...] = ()
    hints_zone: bool = False
    """Whether it tells how to choose a time zone."""


class Remark(StrEnum):
    """A remark about a mail as a whole."""

    COURTESY = "courtesy"
    """The mail only greeted, thanked, or was signed."""
    NOTHING_UNDERSTOOD = "nothing-understood"
    """No line of the mail was an order or a command."""
    EMPTY = "empty"
    """The mail had no words of its own."""
    CONFIRMED = "confirmed"
    """The mail was carried out after its sender confirmed it."""
    UNREAD_LINES = "unread-lines"
    """The mail was not read to its end."""
    UNREAD_PARTS = "unread-parts"
    """Attachments were not read."""
    LACKS_PROOF = "lacks-proof"
    """The mail lacked the proof that its sender's mails usually carry.

    Only its orders were done.
    """
    NO_FILES = "no-files"
    """Maps or files were requested, but it is not proved who sent the mail."""
    TOO_MUCH_TODAY = "too-much-today"
    """Maps or files were requested, but too much went to the sender within a day."""


class Fate(StrEnum):
    """What became of a file attached to press."""

    SENT = "sent"
    UNREADABLE = "unreadable"
    """The file is no picture, or one that cannot be passed on."""
    TOO_LARGE = "too-large"
    TOO_MANY = "too-many"
    SEVERAL_LETTERS = "several-letters"
    """The mail holds several letters and does not say which the file belongs to."""
    NOT_SENT = "not-sent"
    """The words were not sent either."""
    TOO_OFTEN = "too-often"
    """Too many letters with pictures within an hour, or a day's budget is spent."""


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """One line of a mail with its requests, faults and answers."""

    text: str
    requests: tuple[Command, ...] = ()
    answers: tuple[Answer, ...] = ()
    """One for each request, in the same order."""
    faults: tuple[Fault, ...] = ()
    choices: tuple[Choice, ...] = ()
    """The numbered answers that the sender may choose from."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """The consequence of an action that cannot be undone."""

    command: Command
    game: str = ""
    """The game it is about; "" if it is about none."""
    powers: tuple[Power, ...] = ()
    """The sender's powers in that game."""
    has_joined: bool = False
    """The sender has joined the game, and it has not started."""
    games: tuple[str, ...] = ()
    """All games that the sender takes part in, if it is about no single game."""
    can_reopen: bool = False
    """A phase of the game has been closed that its master can open again."""
    sharers: tuple[Power, ...] = ()
    """The powers that would share the draw, or win together.

    It is empty if those who agree to a draw share it.
    """
    is_held: bool = False
    """The vote counts when the phase closes."""


@dataclass(frozen=True, slots=True)
class HeldMail:
    """A mail in the reader's name that waits for their word."""

    number: int
    at: datetime
    summary: str
    """What the mail would do, in our words."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """Everything that the reply to one mail is made from."""

    reader: Reader
    lines: tuple[AnsweredLine, ...]
    game: Game | None = None
    """The game after the mail; None where the mail is about no game."""
    remarks: tuple[Remark, ...] = ()
    withdrawn: Withdrawal | None = None
    """The rollback that withdrew the letter that the mail answers."""
    unread_parts: tuple[str, ...] = ()
    attached: Mapping[Fate, tuple[str, ...]] = field(default_factory=dict)
    """What became of the files attached to press → their names."""
    set_aside: tuple[str, ...] = ()
    """Lines that may be orders but were taken for a quotation."""
    unused: tuple[str, ...] = ()
    """Other lines that were not understood, though they may be meant for the judge."""
    first_unread: str = ""
    """The first of the sender's own lines that was not read; "" if all were."""
    subject: str = ""
    """The subject of the mail that is answered."""
    address: str = ""
    """The judge's address, for links that begin a mail."""
    illustrations: tuple[Illustration, ...] = ()
    offers: Language | None = None
    """The language that the sender writes in and may want to be answered in."""
    tells_state: bool = True
    """Whether the state of `game` is told.

    It is told if the mail changed something in it, tried to, or asked for it.
    """
    others: tuple[tuple[Game, Reader], ...] = ()
    """Other games that the mail was about, with the sender as their reader."""
    sections: tuple[Section, ...] = ()
    """Longer answers."""
    section_lines: tuple[str, ...] = ()
    """The line that asked for each section."""
    left_out: tuple[str, ...] = ()
    """Lines whose maps or files do not fit into one letter."""
    ready_before: Mapping[str, bool] = field(default_factory=dict)
    """Game in which the reader had said READY before the mail → whether it counted."""
    next_step: NextStep | None = None
    """The next step for the sender of a mail in which nothing was understood."""

    @property
    def about(self) -> str:
        """The name of the game that the mail is about, or ""."""
        return self.game.name if self.game is not None else ""


class NoticeKind(StrEnum):
    """A mail that is neither report nor receipt.

    The string below each kind names the values that its wording needs.
    """

    CONFIRM = "confirm"
    """summary, asked, is_known, is_last, flaw, doubt, mates

    summary: what the mail would do, in our words. asked: the first of it, as a list. is_known: whether the address
    is registered. is_last: whether it is not, and will not be asked for 30 days. flaw: why the sender is not proved,
    a `Flaw`, or None. doubt: what else is not proved, a `Doubt` of `service.talk.housemates`, or None. mates: the names
    of others at the mailbox.
    """
    GATHERED = "gathered"
    """mails, zone, again, is_known, is_last, mates

    mails: those in the reader's name, as `HeldMail`. zone: the reader's. again: whether their answer was unclear.
    is_known, is_last and mates: as above.
    """
    CONFIRM_FINAL = "confirm-final"
    """asked, finals, new_address, binds, terms

    asked: lines that cannot be undone. finals: the consequences. new_address: whether it goes to the new address.
    binds: whether all of it is joining. terms: of the games to be joined.
    """
    SET_ASIDE = "set-aside"
    """subject"""
    SET_ASIDE_MASTER = "set-aside-master"
    """inbox: number; reason"""
    BOARD_AWAY = "board-away"
    """subject"""
    BOARD_AWAY_MASTER = "board-away-master"
    """to the operator: reason"""
    UNREADABLE = "unreadable"
    """subject; defect"""
    UNDELIVERED = "undelivered"
    """to the master: game, person, power, subject, reason

    game and person are names. power may be None. subject is "" for the answer to a mail of theirs.
    """
    UNREACHABLE = "unreachable"
    """the same; the person's address gets no more mail"""
    UNDELIVERED_OPERATOR = "undelivered-operator"
    """to the operator: the same, without power, with the address; the person is the master"""
    NO_PICTURE = "no-picture"
    """to the operator, and to the master for a report: game, subject, reason

    game is "" for none. subject is "" for an answer.
    """
    REPORTED = "reported"
    """to a master without a seat, or to the operator

    game. person: the name of the player who reports a letter. power: theirs or None. address: theirs, "" to a master.
    number: of the letter. sent: when. zone. reason: their lines. said: the letter. is_over: the game is.
    """
    SUSPENDED = "suspended"
    """to the operator: address; reason"""
    REFUSED = "refused"
    """to the operator: domain; reason"""
    UNCLEAR = "unclear"
    """asked, finals, summary, subject

    asked: lines. finals: the consequences of those that cannot be undone. summary: in place of both.
    """
    SETTLED = "settled"
    """none"""
    DECLINED = "declined"
    """asked: lines that the sender says no to"""
    NOT_CALLED = "not-called"
    """name, why

    name: of a new person at a mailbox, who may not have it. why: a `WhyNot` of `service.talk.housemates`.
    """
    SECOND = "second"
    """subject"""
    CHOOSE = "choose"
    """questions: what the letter asked that the mail did not answer, as Question"""
    WHICH = "which"
    """no values

    It answers a bare yes to the question whether a letter is press or orders.
    """
    LIMIT = "limit"
    """limit: answers an hour; worked: whether the mails are still carried out"""
    WELCOME = "welcome"
    """asks, is_asked, game

    asks: whether they ask about something we have nothing on. is_asked: whether a question of ours awaits their answer.
    game: one that they are invited to, or "".
    """
    WELCOME_AGAIN = "welcome-again"
    """is_asked, game, games, operator

    is_asked and game: as above. games: the names of some that want players. operator: their address, or "".
    """
    ALARM = "alarm"
    """to the operator: alarm, amount

    alarm: disk, inbox, outbox, clock or outside. amount: megabytes, minutes, or what is wrong.
    """
    HEALTH = "health"
    """to the operator: census: inbox, outbox, games: state → number; free: megabytes or None"""

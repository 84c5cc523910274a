"""Mails as values: as received, as read, and as sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class RawMail:
    """A mail exactly as a source delivered it, with its envelope (RFC 5321)."""

    content: bytes
    source: str
    """The name of the source in the configuration."""
    received_at: datetime
    """When it arrived according to the source (UTC)."""
    envelope_from: str | None
    """None where the source knows no envelope; "" for the null sender."""
    envelope_to: tuple[str, ...]


class MailKind(StrEnum):
    """Who or what wrote a mail."""

    PERSON = "person"
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"
    UNREADABLE = "unreadable"


class Flaw(StrEnum):
    """Why a mail proves nothing, whatever it answers and however it is authenticated."""

    NOT_TO_US = "not-to-us"
    """To and Cc name only others: the mail may have been forwarded."""
    DOUBLED = "doubled"
    """A header that identifies the mail occurs twice."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file attached to a mail."""

    filename: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a mail, drawn when the mail is composed."""

    cid: str
    """Its name in the HTML: `<img src="cid:…">`."""
    source: str
    """All data needed to draw it, now or later, for the drawing code only."""
    filename: str = ""
    """Set for a picture that is attached and not part of the HTML."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that was read. Text is Unicode, NFKC not yet applied."""

    kind: MailKind
    sender: str
    """The address of the single From header, lower case; "" if unclear."""
    sender_name: str
    subject: str
    message_id: str | None
    in_reply_to: str | None
    recipients: tuple[str, ...]
    """The addresses it was sent to: envelope recipients, else Delivered-To, To and Cc; lower case."""
    addressed: tuple[str, ...] = field(default=(), kw_only=True)
    """The addresses in To and Cc, lower case.

    A server may deliver one mail to several of our addresses separately.
    """
    text: str
    """The whole text, quoted lines and signature included."""
    own_text: str
    """Only the sender's own words."""
    is_verbatim: bool = field(default=False, kw_only=True)
    """Whether they hold the text of a game that is adopted, with all its quotations."""
    set_aside: tuple[str, ...] = ()
    """Lines that may be orders, unmarked in or below a quotation of our mail.

    Our mail did not contain them.
    """
    unread_parts: tuple[str, ...] = ()
    """Attachments that were not read, by file name or content type."""
    files: tuple[Attachment, ...] = ()
    """Attached JSON files."""
    pictures: tuple[Attachment, ...] = ()
    """Attached pictures, unchanged; those in quoted text are left out."""
    left_out: tuple[str, ...] = ()
    """Pictures that were too large to be stored, by file name or content type."""
    first_unread: str = ""
    """The first of the sender's own lines that exceeded the budget; "" if none did."""
    defect: str = ""
    """For an unreadable mail: the reason, a word of `reports` (`too-big`, `broken` …)."""
    references: tuple[str, ...] = ()
    """The mails above it in its thread, oldest first (RFC 5322 3.6.4); no proof."""
    has_null_sender: bool = False
    """Whether the envelope sender is empty: an answer would reach no one.

    It is empty in bounces and most robots' mails.
    """
    authenticated: bool = False
    """Whether our own mail server confirms `sender`, in the topmost Authentication-Results."""
    is_stamped: bool = False
    """Whether our own mail server stamped what it found about the sender."""
    names_us: bool = False
    """Whether To or Cc names the judge; with Bcc neither may."""
    flaw: Flaw | None = None
    """Why the mail proves nothing; None if it may."""
    written_at: datetime | None = None
    """When it was probably written; never decides whether it was in time."""


class LetterKind(StrEnum):
    """The purpose of an outgoing mail."""

    REPLY = "reply"
    CONFIRM = "confirm"
    REPORT = "report"
    NOTICE = "notice"
    PRESS = "press"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to be sent, complete except for MIME; composed at delivery."""

    kind: LetterKind
    recipient: str
    """The envelope recipient; from the database, never from a mail."""
    message_id: str
    date: datetime
    sender: str
    """The From address."""
    reply_to: str | None
    subject: str
    text: str
    html: str | None = None
    attachments: tuple[Attachment, ...] = ()
    pictures: tuple[Picture, ...] = ()
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    list_id: str | None = None
    """For example `ardennes.judge.example.org`."""
    sender_name: str = ""
    """The display name beside the From address."""
    unsubscribe: str | None = None
    """A `mailto:` that stops further mails of this kind (RFC 2369)."""
    room: str = ""
    """For press: the parties of the conversation, who get a reply; not sent."""
    brief: tuple[str, str] | None = None
    """For a receipt that waits: text and HTML without the state of the game.

    The last receipt tells that state.
    """

    @property
    def domain(self) -> str:
        """The domain of the recipient."""
        return self.recipient.rpartition("@")[2].lower()

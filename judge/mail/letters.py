"""Mail as values: what came in, what was read in it, what goes out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class RawMail:
    """A mail exactly as a source delivered it, with its envelope (RFC 5321)."""

    content: bytes
    source: str
    """The name of the source in the config."""
    received_at: datetime
    """When the source says it arrived (UTC)."""
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
    """Why a mail proves nothing, whatever it answers and whatever vouches for it."""

    NOT_TO_US = "not-to-us"
    """To and Cc name only others: it was written to them, and one of them may have sent it on."""
    DOUBLED = "doubled"
    """A header that says what the mail is stands there twice."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part for machines."""

    filename: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a mail, drawn when the mail is composed."""

    cid: str
    """What the HTML calls it: `<img src="cid:…">`."""
    source: str
    """All that is needed to draw it, now or later; whoever has it drawn understands it."""
    filename: str = ""
    """Of one that is attached, and does not stand within the HTML."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that was read. Text is Unicode, NFKC not yet applied."""

    kind: MailKind
    sender: str
    """The one address of the one From header, lower case; "" if there is none that can be trusted to be one."""
    sender_name: str
    subject: str
    message_id: str | None
    in_reply_to: str | None
    recipients: tuple[str, ...]
    """Where it was sent: envelope recipients, else Delivered-To, To and Cc; lower case."""
    text: str
    """The whole text, quoted lines and signature included."""
    own_text: str
    """The sender's own words alone."""
    set_aside: tuple[str, ...] = ()
    """Lines that may be orders, without a mark in or below a quotation of our mail, which did not hold them."""
    unread_parts: tuple[str, ...] = ()
    """Attachments and the like, by file name or content type."""
    files: tuple[Attachment, ...] = ()
    """Attached JSON files."""
    pictures: tuple[Attachment, ...] = ()
    """What calls itself a picture, as it came; those in a quotation are not among them."""
    left_out: tuple[str, ...] = ()
    """Pictures that were too large to be kept, by file name or content type."""
    first_unread: str = ""
    """The first line of the sender's own words that was too much to be looked at; "" if there is none."""
    defect: str = ""
    """For an unreadable mail: what is wrong, one of the words of `reports` (`two-from`, `no-from`, `too-big` …)."""
    references: tuple[str, ...] = ()
    """The mails before it in its thread, the oldest first (RFC 5322 3.6.4); they prove nothing."""
    has_null_sender: bool = False
    """Nobody is there to answer to: bounces, and most robots."""
    authenticated: bool = False
    """Our own mail server vouches for `sender`, in the topmost Authentication-Results."""
    names_us: bool = False
    """To or Cc names the judge; with Bcc neither need name anybody."""
    flaw: Flaw | None = None
    """Why the mail proves nothing, if it does not."""


class LetterKind(StrEnum):
    """What an outgoing mail is for."""

    REPLY = "reply"
    CONFIRM = "confirm"
    REPORT = "report"
    NOTICE = "notice"
    PRESS = "press"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to be sent, complete but for MIME; composed at delivery."""

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
    """As `ardennes.judge.example.org`."""
    sender_name: str = ""
    """What is shown beside the From address."""
    unsubscribe: str | None = None
    """What to write to so that no more of these come, as a `mailto:` (RFC 2369)."""
    room: str = ""
    """Of words between players: who talks there, and gets a reply; not sent."""

    @property
    def domain(self) -> str:
        """Where the recipient is at home."""
        return self.recipient.rpartition("@")[2].lower()

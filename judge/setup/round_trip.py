"""A test mail from the judge to itself.

It shows whether mail arrives, where, and how it was changed on its way.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parseaddr

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from judge.errors import DeliveryError
from judge.mail.sending import SmtpSender
from judge.mail.sources import ImapSource
from judge.setup.wording import words

FORGED = "forged.invalid"
"""The host in a forged Authentication-Results header of our mail.

It stays on top if the server neither adds nor removes such headers.
"""
_PAUSE_SECONDS = 1.0
_NOT_LOOKED_AT = {b"\\Noselect", b"\\All", b"\\Drafts", b"\\Trash"}


@dataclass(frozen=True, slots=True)
class Found:
    """A test mail that arrived."""

    folder: str
    seconds: float
    from_address: str
    envelope_from: str
    """From the server's Return-Path; "" if there is none."""
    authserv_id: str
    """From the topmost Authentication-Results; "" if there are none."""
    tells_plus: bool
    """Whether its headers still name the plus address it was sent to."""


@dataclass(slots=True)
class Trip:
    """Observations of a mailbox and of two test mails to it.

    One mail goes to its address, one to a plus address.
    """

    address: str
    plus_address: str
    envelope_from: str
    can_idle: bool = False
    waiting: int = 0
    """Number of mails that were in the folder before."""
    plain: Found | None = None
    plus: Found | None = None
    refused: str = ""
    """The server's reply to the plus address, if it refused that."""
    sent_folder: str = ""
    """The folder where the server puts copies of sent mail; "" if there are none."""
    ids: dict[str, str] = field(default_factory=dict)
    """Message-ID → `plain` or `plus`."""

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to wait for."""
        return self.plain is not None and (self.plus is not None or bool(self.refused))


def travel(
    address: str, source: ImapSource, sender: SmtpSender, seconds: float, pause: Callable[[float], None] = time.sleep
) -> Trip:
    """Send two mails to the judge's own mailbox and wait up to `seconds` for them.

    Raises DeliveryError if the first one is refused.
    """
    local, _, host = address.partition("@")
    token = secrets.token_hex(8)
    trip = Trip(address, f"{local}+setup.{token}@{host}", f"{local}+bounce-setup.{token}@{host}")
    with source.opened() as client:
        trip.can_idle = client.has_capability("IDLE")
        trip.waiting = int(client.select_folder(source.account.folder, readonly=True)[b"EXISTS"])
        begun = time.monotonic()
        _send(trip, sender, token)
        while True:
            late = time.monotonic() - begun >= seconds
            folders = (source.account.folder, *(_others(client) if late else ()))
            _look(trip, client, folders, time.monotonic() - begun)
            if trip.is_over or late:
                break
            pause(_PAUSE_SECONDS)
        _see_copies(trip, client)
        _clean(trip, client, source.account.folder)
    return trip


def _send(trip: Trip, sender: SmtpSender, token: str) -> None:
    for kind, recipient in (("plain", trip.address), ("plus", trip.plus_address)):
        mail = EmailMessage()
        mail["Authentication-Results"] = f"{FORGED}; dmarc=pass header.from={trip.address.partition('@')[2]}"
        mail["From"], mail["To"], mail["Subject"] = trip.address, recipient, f"judge setup {token}"
        mail["Message-ID"] = f"<{kind}.{token}@{trip.address.partition('@')[2]}>"
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content("This mail was sent by `judge setup`, to see whether it arrives.\n")
        trip.ids[str(mail["Message-ID"])] = kind
        try:
            sender.send(mail.as_bytes(), envelope_from=trip.envelope_from, recipient=recipient)
        except DeliveryError as error:
            if kind == "plain":
                raise
            trip.refused = str(error)


def _look(trip: Trip, client: IMAPClient, folders: Sequence[str], seconds: float) -> None:
    for name in folders:
        # A folder that cannot be opened does not contain our mail.
        with suppress(IMAPClientError):
            client.select_folder(name, readonly=True)
            for id_, kind in trip.ids.items():
                found = client.search(["HEADER", "Message-ID", id_]) if getattr(trip, kind) is None else ()
                if found:
                    content = client.fetch(found[:1], ["BODY.PEEK[HEADER]"])[found[0]][b"BODY[HEADER]"]
                    setattr(trip, kind, _read(content, name, seconds, trip.plus_address))


def _read(content: bytes, folder: str, seconds: float, plus_address: str) -> Found:
    mail = BytesHeaderParser(policy=compat32).parsebytes(content)
    recipients = " ".join(str(mail.get(name, "")) for name in ("To", "Delivered-To", "X-Original-To"))
    results = str(mail.get("Authentication-Results", "")).split(";")[0].split()
    return Found(
        folder=folder,
        seconds=seconds,
        from_address=parseaddr(str(mail.get("From", "")))[1].lower(),
        envelope_from=parseaddr(str(mail.get("Return-Path", "")))[1].lower(),
        authserv_id=results[0] if results and "=" not in results[0] else "",  # Microsoft writes none
        tells_plus=plus_address in recipients.lower(),
    )


def _others(client: IMAPClient) -> Sequence[str]:
    """Return the other folders to search: spam first, and none with sent mail."""
    spam = tuple(_named(client, b"\\Junk", words("spam")))
    without = {*spam, *_named(client, b"\\Sent", words("sent"))}
    rest = (str(name) for flags, _, name in client.list_folders() if not {*flags} & _NOT_LOOKED_AT)
    return (*spam, *(name for name in rest if name not in without))


def _named(client: IMAPClient, flag: bytes, called: Sequence[str]) -> Iterator[str]:
    """Yield the folders with a flag for that purpose, or a name that says so."""
    for flags, _, name in client.list_folders():
        if flag in flags or any(word in str(name).lower() for word in called):
            yield str(name)


def _see_copies(trip: Trip, client: IMAPClient) -> None:
    """Note the folder where the provider keeps copies of sent mail, if any.

    Every mail of the judge would be kept there.
    """
    for name in _named(client, b"\\Sent", words("sent")):
        with suppress(IMAPClientError):
            client.select_folder(name, readonly=True)
            if any(client.search(["HEADER", "Message-ID", id_]) for id_ in trip.ids):
                trip.sent_folder = name


def _clean(trip: Trip, client: IMAPClient, folder: str) -> None:
    """Delete our two mails."""
    for name in {folder} | {found.folder for found in (trip.plain, trip.plus) if found is not None}:
        with suppress(IMAPClientError):
            client.select_folder(name)
            ours = [number for id_ in trip.ids for number in client.search(["HEADER", "Message-ID", id_])]
            if ours:
                client.delete_messages(ours)
                if client.has_capability("UIDPLUS"):  # a plain EXPUNGE would also remove mails that others marked
                    client.expunge(ours)

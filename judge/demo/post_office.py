"""The servers around the judge in the demonstration, and ways to send to it.

The servers are SMTP for its outgoing mail, and IMAP.
"""

from __future__ import annotations

import itertools
import mailbox
import os
import random
import smtplib
import socket
import subprocess
import sys
import time
from collections import deque
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from imapclient import IMAPClient

from judge.errors import InstallationError

_PORTS = itertools.cycle(random.Random(os.getpid()).sample(range(10_000, 32_000), 5_000))  # noqa: S311 - no secret
"""Below the range from which the system assigns ports."""
_CLAIMS: deque[socket.socket] = deque()
_MOST_CLAIMS = 200


def free_port() -> int:
    """Return a free TCP port that no other caller gets before it is used.

    The claim of the caller is a bound UDP socket with the same number, which nothing else here needs.
    """
    for port in _PORTS:
        claim = socket.socket(type=socket.SOCK_DGRAM)
        with socket.socket() as probe:
            try:
                claim.bind(("127.0.0.1", port))
                probe.bind(("127.0.0.1", port))
            except OSError:
                claim.close()
                continue
        _CLAIMS.append(claim)
        if len(_CLAIMS) > _MOST_CLAIMS:
            _CLAIMS.popleft().close()
        return port
    raise AssertionError


def _maildir(folder: Path) -> mailbox.Maildir:
    """Open a Maildir, making it if it is missing.

    Python's own code stops if the folder exists already: of two processes that start at once, one would then find an
    incomplete mailbox.
    """
    for part in ("tmp", "new", "cur"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    return mailbox.Maildir(folder, create=False)


class PostOffice:
    """Accepts the judge's mail by SMTP and puts it into a Maildir per recipient."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)

    def start(self) -> None:
        """Start listening."""
        self.controller.start()

    def stop(self) -> None:
        """Stop listening."""
        self.controller.stop()

    def box(self, address: str) -> mailbox.Maildir:
        """Return the mailbox of an address."""
        return _maildir(self.folder / address.partition("@")[0])

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Deliver a mail to its recipients."""
        content = envelope.content or b""
        for recipient in envelope.rcpt_tos:
            self.box(recipient).add(content if isinstance(content, bytes) else content.encode())
        return "250 2.0.0 Delivered"

    def unseen(self, address: str, seen: set[str]) -> list[Message]:
        """Return the mails of a mailbox not in `seen`, and add them to it."""
        box = self.box(address)
        found = []
        for key in sorted(box.keys()):
            if key not in seen:
                seen.add(key)
                found.append(message_from_bytes(box.get_bytes(key)))
        return found


class ImapServer:
    """A real IMAP server (pymap) with one mailbox, in a process of its own."""

    username = "judge"
    password = "demo"  # noqa: S105 - of a server that lives for two minutes on loopback

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until the server answers; raises InstallationError if it does not."""
        command = [sys.executable, "-c", "from pymap.main import main; main()"]
        command += ["--host", "127.0.0.1", "--port", str(self.port), "--no-tls"]
        command += ["dict", "--demo-user", self.username, "--demo-password", self.password]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
        for _ in range(1200):
            if self.process.poll() is not None:
                raise InstallationError("the IMAP server of the demonstration does not start")
            try:
                self._client().logout()
            except OSError:
                time.sleep(0.1)
            else:
                return
        self.stop()
        raise InstallationError("the IMAP server of the demonstration does not answer")

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait()

    def _client(self) -> IMAPClient:
        client = IMAPClient("127.0.0.1", port=self.port, ssl=False, timeout=60)
        client.login(self.username, self.password)
        return client

    def deliver(self, content: bytes, now: datetime) -> None:
        """Put a mail into the mailbox, as a mail server would."""
        client = self._client()
        client.append("INBOX", content, msg_time=now)
        client.logout()


def is_listening(port: int) -> bool:
    """Whether a server answers at a port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def by_smtp(port: int, sender: str, recipient: str, content: bytes) -> None:
    """Hand a mail to the judge's own listener."""
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as connection:
        connection.sendmail(sender, [recipient], content)


def by_maildir(folder: Path, recipient: str, content: bytes) -> None:
    """Drop a mail into the Maildir that the judge reads."""
    _maildir(folder).add(f"Delivered-To: {recipient}\n".encode() + content)


def utc_now() -> datetime:
    """Return the current time, unaffected by the judge's clock running ahead."""
    return datetime.now(UTC)

"""Handing mails over: to an SMTP server, or into a Maildir."""

from __future__ import annotations

import hashlib
import os
import smtplib
import ssl
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from judge.errors import DeliveryError


class Security(StrEnum):
    """How a connection is protected."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


class Sender(Protocol):
    """Something that takes mails."""

    def send(self, content: bytes, *, envelope_from: str, recipient: str) -> None:
        """Hand one mail over; raises DeliveryError."""

    def close(self) -> None:
        """Let go of connections."""


class MaildirSender:
    """Puts every mail into one Maildir; the same mail twice lies there once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tmp", "new", "cur"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def send(self, content: bytes, *, envelope_from: str, recipient: str) -> None:
        """Write the mail and make sure it is on the disk."""
        trace = f"Return-Path: <{envelope_from}>\r\nDelivered-To: {recipient}\r\n".encode()
        name = hashlib.sha256(content + recipient.encode()).hexdigest()[:32] + ".judge"
        waiting = self.folder / "tmp" / name
        try:
            with waiting.open("wb") as file:
                file.write(trace + content)
                file.flush()
                os.fsync(file.fileno())
            if any((self.folder / "cur").glob(f"{name}*")):  # delivered before, and read
                waiting.unlink()
            else:
                waiting.rename(self.folder / "new" / name)
        except OSError as error:
            raise DeliveryError(str(error), permanent=False) from error

    def close(self) -> None:
        """Nothing is held open."""


class SmtpSender:
    """One connection for many mails; opened when needed, opened anew when it broke."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        security: Security = Security.NONE,
        username: str = "",
        password: str = "",
        timeout_seconds: float = 30,
    ) -> None:
        self.host = host
        self.port = port
        self.security = security
        self.username = username
        self.password = password
        self.timeout_seconds = timeout_seconds
        self.connection: smtplib.SMTP | None = None

    def send(self, content: bytes, *, envelope_from: str, recipient: str) -> None:
        """Hand one mail to the server."""
        try:
            connection = self._connected()
            connection.sendmail(envelope_from, [recipient], content)
        except smtplib.SMTPRecipientsRefused as error:
            code, reply = error.recipients[recipient]
            self._reset()
            raise DeliveryError(f"{code} {reply!r}", permanent=code >= 500) from error
        except smtplib.SMTPResponseException as error:
            self.close()
            permanent = error.smtp_code >= 500 and not isinstance(error, smtplib.SMTPAuthenticationError)
            raise DeliveryError(f"{error.smtp_code} {error.smtp_error!r}", permanent=permanent) from error
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            raise DeliveryError(str(error) or type(error).__name__, permanent=False) from error

    def _connected(self) -> smtplib.SMTP:
        if self.connection is not None and not self._answers(self.connection):
            self.close()
        if self.connection is None:
            if self.security is Security.TLS:
                context = ssl.create_default_context()
                self.connection = smtplib.SMTP_SSL(self.host, self.port, timeout=self.timeout_seconds, context=context)
            else:
                self.connection = smtplib.SMTP(self.host, self.port, timeout=self.timeout_seconds)
            if self.security is Security.STARTTLS:
                self.connection.starttls(context=ssl.create_default_context())
            if self.username:
                self.connection.login(self.username, self.password)
        return self.connection

    def _answers(self, connection: smtplib.SMTP) -> bool:
        """Whether the server is still there; most hang up after some minutes of silence."""
        try:
            return connection.noop()[0] < 400
        except (OSError, smtplib.SMTPException):
            return False

    def _reset(self) -> None:
        try:
            if self.connection is not None:
                self.connection.rset()
        except (OSError, smtplib.SMTPException):
            self.close()

    def close(self) -> None:
        """Say goodbye, if anybody is there to hear it."""
        connection, self.connection = self.connection, None
        if connection is not None:
            try:
                connection.quit()
            except (OSError, smtplib.SMTPException):
                connection.close()

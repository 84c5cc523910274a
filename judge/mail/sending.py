"""Handing mails over: to an SMTP server, or into a Maildir."""

from __future__ import annotations

import hashlib
import os
import smtplib
import ssl
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from judge.errors import DeliveryError
from judge.mail.composing import in_seven_bits

_SILENCE_SECONDS = 5
"""After which we ask whether the server is still there."""


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

    def check(self) -> str:
        """Where it is; raises what keeps us from handing mail over."""


class MaildirSender:
    """Puts every mail into one Maildir; the same mail twice lies there once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tmp", "new", "cur"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def check(self) -> str:
        """Whether mails can be put there; raises OSError."""
        for part in (self.folder / "tmp", self.folder / "new"):
            with tempfile.NamedTemporaryFile(dir=part, prefix=".judge-"):
                pass
        return str(self.folder)

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
        self.used_at = 0.0
        self.silent_until = 0.0

    def send(self, content: bytes, *, envelope_from: str, recipient: str) -> None:
        """Hand one mail to the server."""
        with self._clear_faults():
            connection = self._connected()
            # RFC 3461: tell us of failures only, and without our own words.
            asks = connection.has_extn("dsn")
            options = ["RET=HDRS"] if asks else []
            if not content.isascii() and connection.has_extn("8bitmime"):
                options.append("BODY=8BITMIME")
            elif not content.isascii():
                content = in_seven_bits(content)
            connection.sendmail(envelope_from, [recipient], content, options, ["NOTIFY=FAILURE"] if asks else ())
            self.used_at = time.monotonic()

    def check(self) -> str:
        """Connect, greet and log in; raises DeliveryError."""
        with self._clear_faults():
            self._connected()
        self.close()
        return f"{self.host}:{self.port}" + (f", as {self.username}" if self.username else "")

    @contextmanager
    def _clear_faults(self) -> Iterator[None]:
        """Whatever a server does is a DeliveryError; final is only what it says of this very mail."""
        try:
            yield
        except smtplib.SMTPRecipientsRefused as error:
            ((code, said),) = error.recipients.values()
            self._reset()
            raise DeliveryError(_in_words(code, said), permanent=code >= 500) from error
        except smtplib.SMTPResponseException as error:
            self.close()
            is_final = isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500
            raise DeliveryError(_in_words(error.smtp_code, error.smtp_error), permanent=is_final) from error
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            raise DeliveryError(str(error) or type(error).__name__, permanent=False) from error

    def _connected(self) -> smtplib.SMTP:
        if self.connection is not None and not self._is_there(self.connection):
            self.close()
        if self.connection is None:
            begun = time.monotonic()
            if begun < self.silent_until:
                raise TimeoutError("the server did not answer a moment ago")
            try:
                self.connection = self._call()
            except (OSError, smtplib.SMTPException):
                # To wait for it anew with every mail of a batch would take hours: we leave it alone for as long.
                self.silent_until = 2 * time.monotonic() - begun
                raise
        return self.connection

    def _call(self) -> smtplib.SMTP:
        address, timeout, context = (self.host, self.port), self.timeout_seconds, ssl.create_default_context()
        if self.security is Security.TLS:
            connection: smtplib.SMTP = smtplib.SMTP_SSL(*address, timeout=timeout, context=context)
        else:
            connection = smtplib.SMTP(*address, timeout=timeout)
        try:
            if self.security is Security.STARTTLS:
                connection.starttls(context=context)
            if self.username:
                connection.login(self.username, self.password)
            connection.ehlo_or_helo_if_needed()
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_there(self, connection: smtplib.SMTP) -> bool:
        """Whether the server still listens; most hang up after some minutes of silence."""
        if time.monotonic() - self.used_at < _SILENCE_SECONDS:
            return True
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


def _in_words(code: int, said: bytes | str) -> str:
    """A server's answer in one line."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return f"{code} {' '.join(text.split())}"

"""Send mails: to an SMTP server, or into a Maildir."""

from __future__ import annotations

import hashlib
import os
import smtplib
import socket
import ssl
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeAlias

from judge.durable import as_private, make_private, move
from judge.errors import Against, DeliveryError, TokenError, TokenFault
from judge.mail.composing import in_seven_bits
from judge.mail.headers import is_address
from judge.mail.oauth import Tokens, with_token
from judge.mail.replies import Stage, against

WRONG_PASSWORD = "the login is refused, check username and password"  # noqa: S105 - a message about a password
_SILENCE_SECONDS = 5
"""After so long unused, check whether the server still answers."""
_IDLE_SECONDS = 60
"""After so long unused, close the connection."""


class Security(StrEnum):
    """How a connection is protected."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


Meanwhile: TypeAlias = Callable[[], object]


def nothing() -> None:
    """Do nothing; the default for `meanwhile`."""


class Sender(Protocol):
    """Send mails, from several threads at once."""

    def send(self, content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        """Hand one mail over, calling `meanwhile` while the server works; raises DeliveryError."""

    def close(self) -> None:
        """Close all connections."""

    def check(self) -> str:
        """Return a description of the destination; raises if mail cannot be handed over."""


class MaildirSender:
    """Put every mail into one Maildir; the same mail sent twice is stored once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._make_folders()

    def _make_folders(self) -> None:
        for part in (self.folder, *(self.folder / name for name in ("tmp", "new", "cur"))):
            make_private(part)

    def check(self) -> str:
        """Return the folder if mails can be written there; raises OSError."""
        for part in (self.folder / "tmp", self.folder / "new"):
            with tempfile.NamedTemporaryFile(dir=part, prefix=".judge-"):
                pass
        return str(self.folder)

    def send(self, content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        """Write the mail with fsync."""
        meanwhile()
        trace = f"Return-Path: <{envelope_from}>\r\nDelivered-To: {recipient}\r\n".encode()
        name = hashlib.sha256(content + recipient.encode()).hexdigest()[:32] + ".judge"
        waiting = self.folder / "tmp" / name
        try:
            self._make_folders()  # they may have been deleted
            with open(waiting, "wb", opener=as_private) as file:
                file.write(trace + content)
                file.flush()
                os.fsync(file.fileno())
            if any((self.folder / "cur").glob(f"{name}*")):  # it was delivered before, and has been read
                waiting.unlink()
            else:
                move(waiting, self.folder / "new" / name)
        except OSError as error:
            raise DeliveryError(str(error), is_away=True) from error

    def close(self) -> None:
        """Do nothing: nothing is open."""


@dataclass(slots=True)
class _Connection:
    """An idle connection."""

    client: smtplib.SMTP
    used_at: float


class SmtpSender:
    """Send over pooled connections, one per sending thread, each for many mails.

    Broken ones are reopened.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        security: Security = Security.NONE,
        username: str = "",
        password: str = "",
        tokens: Tokens | None = None,
        timeout_seconds: float = 30,
    ) -> None:
        self.host = host
        self.port = port
        self.security = security
        self.username = username
        self.password = password
        self.tokens = tokens
        """For a login by access token instead of the password."""
        self.timeout_seconds = timeout_seconds
        self.turn = threading.Lock()
        self.idle: list[_Connection] = []
        """The most recently used connection is last, and is taken first."""
        self.busy: set[smtplib.SMTP] = set()
        self.silent_until = 0.0

    def send(self, content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        """Hand one mail to the server; raises DeliveryError."""
        with _clear_faults(Stage.CONNECT):
            client = self._taken()
        is_good = False
        try:
            with _clear_faults(Stage.CONTENT):
                if not (content.isascii() or client.has_extn("8bitmime")):
                    content = in_seven_bits(content)
                commands = _commands(client, envelope_from, recipient, content)
                refusal = _offer(client, commands, content, meanwhile)
            is_good = refusal is None or _reset(client)
        finally:
            self._give_back(client, is_good=is_good)
        if refusal is not None:
            raise refusal

    def check(self) -> str:
        """Connect, greet and log in; return host, port and user. Raises DeliveryError."""
        try:
            with _clear_faults(Stage.CONNECT):
                _hang_up(self._call())
        except DeliveryError as error:
            if isinstance(error.__cause__, socket.gaierror):
                raise DeliveryError(f"the host {self.host} is not known: {error}", is_away=True) from error
            raise
        return f"{self.host}:{self.port}" + (f", as {self.username}" if self.username else "")

    def ask(self, envelope_from: str, recipient: str) -> None:
        """Check that the server would accept mail for a recipient, without sending any; raises DeliveryError."""
        with _clear_faults(Stage.CONNECT):
            client = self._call()
        try:
            with _clear_faults(Stage.RECIPIENT):
                for stage, line, good in _commands(client, envelope_from, recipient, b"")[:2]:
                    code, said = client.docmd(line)
                    if code // 100 != good:
                        raise _refusal(stage, code, b"%s: %s" % (recipient.encode(), said))
        finally:
            _hang_up(client)

    def _taken(self) -> smtplib.SMTP:
        """Take a connection from the pool, or open one."""
        client = self._waiting() or self._called()
        with self.turn:
            self.busy.add(client)
        return client

    def _waiting(self) -> smtplib.SMTP | None:
        while True:
            with self.turn:
                if not self.idle:
                    return None
                found = self.idle.pop()
            if _is_there(found):
                return found.client
            _hang_up(found.client)

    def _called(self) -> smtplib.SMTP:
        begun = time.monotonic()
        if begun < self.silent_until:
            raise TimeoutError("the server did not answer a moment ago")
        try:
            return self._call()
        except (OSError, smtplib.SMTPException):
            # Waiting anew for each mail of a batch would take hours: pause for as long as the attempt took.
            self.silent_until = 2 * time.monotonic() - begun
            raise

    def _give_back(self, client: smtplib.SMTP, *, is_good: bool) -> None:
        now = time.monotonic()
        with self.turn:
            is_ours = client in self.busy
            self.busy.discard(client)
            old = [one.client for one in self.idle if now - one.used_at > _IDLE_SECONDS]
            self.idle = [one for one in self.idle if now - one.used_at <= _IDLE_SECONDS]
            if is_good and is_ours:
                self.idle.append(_Connection(client, now))
        for gone in old if is_good else (*old, client):
            _hang_up(gone)

    def _call(self) -> smtplib.SMTP:
        if self.tokens is None:
            return self._logged_in(self.password)
        return with_token(self.tokens, self._logged_in)

    def _logged_in(self, secret: str) -> smtplib.SMTP:
        """Connect, and log in with a password or an access token."""
        address, timeout, context = (self.host, self.port), self.timeout_seconds, ssl.create_default_context()
        if self.security is Security.TLS:
            client: smtplib.SMTP = smtplib.SMTP_SSL(*address, timeout=timeout, context=context)
        else:
            client = smtplib.SMTP(*address, timeout=timeout)
        try:
            if self.security is Security.STARTTLS:
                client.starttls(context=context)
            if self.tokens is not None:
                _show_token(client, self.username, secret, self.host, self.port)
            elif self.username:
                client.login(self.username, secret)
            client.ehlo_or_helo_if_needed()
            _socket_of(client).setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException:
            client.close()
            raise
        return client

    def close(self) -> None:
        """Close idle connections politely, and abort busy ones, so that no thread keeps waiting."""
        with self.turn:
            idle, self.idle = self.idle, []
            busy, self.busy = self.busy, set()
        for client in busy:
            with suppress(OSError, smtplib.SMTPException):
                _socket_of(client).shutdown(socket.SHUT_RDWR)
        for one in idle:
            _hang_up(one.client)


def _show_token(client: smtplib.SMTP, username: str, token: str, host: str, port: int) -> None:
    """Log in with an access token, by XOAUTH2 or OAUTHBEARER (RFC 7628).

    XOAUTH2 comes first: the big providers describe it.
    """
    client.ehlo_or_helo_if_needed()
    offered = client.esmtp_features.get("auth", "").upper().split()
    name = username.replace("=", "=3D").replace(",", "=2C")
    ways = {
        "XOAUTH2": (f"user={username}\1auth=Bearer {token}\1\1", ""),
        "OAUTHBEARER": (f"n,a={name},\1host={host}\1port={port}\1auth=Bearer {token}\1\1", "\1"),
    }
    way = next((way for way in ways if way in offered), None)
    if way is None:
        raise smtplib.SMTPNotSupportedError("the server offers no login by access token (XOAUTH2, OAUTHBEARER)")
    first, farewell = ways[way]  # the server answers a token that it refuses with a challenge
    try:
        client.auth(way, lambda challenge=None: farewell if challenge else first)
    except smtplib.SMTPAuthenticationError as error:
        said = _refusal(Stage.CONNECT, error.smtp_code, error.smtp_error)
        raise TokenError(TokenFault.REFUSED, str(said)) from error


# One mail on a connection


def _commands(
    client: smtplib.SMTP, envelope_from: str, recipient: str, content: bytes
) -> Sequence[tuple[Stage, str, int]]:
    """Return the commands before the mail, each with stage and a good reply's first digit."""
    # RFC 3461: notify us of failures only, and return only the headers.
    asks = client.has_extn("dsn")
    mail = f"MAIL FROM:{_in_angles(envelope_from)}"
    mail += f" SIZE={len(content)}" if client.has_extn("size") else ""
    mail += "" if content.isascii() else " BODY=8BITMIME"
    mail += " RET=HDRS" if asks else ""
    rcpt = f"RCPT TO:{_in_angles(recipient)}" + (" NOTIFY=FAILURE" if asks else "")
    for line in (mail, rcpt):
        if not line.isprintable():
            raise DeliveryError(f"no address: {line!r}", Against.RECIPIENT)
    return (Stage.SENDER, mail, 2), (Stage.RECIPIENT, rcpt, 2), (Stage.CONTENT, "DATA", 3)


def _in_angles(address: str) -> str:
    """Put an address in angle brackets; only an unusual one needs the slow parser."""
    return f"<{address}>" if is_address(address) else smtplib.quoteaddr(address)


def _offer(
    client: smtplib.SMTP, commands: Sequence[tuple[Stage, str, int]], content: bytes, meanwhile: Meanwhile
) -> DeliveryError | None:
    """Offer a mail; return its refusal, or None.

    All commands go at once if the server supports pipelining (RFC 2920).
    """
    in_one = client.has_extn("pipelining")
    if in_one:
        client.send("".join(f"{line}\r\n" for _, line, _ in commands))
    refusal, code = None, 0
    for stage, line, good in commands:
        if not in_one:
            client.send(f"{line}\r\n")
        code, said = client.getreply()
        if code // 100 != good and refusal is None:
            refusal = _refusal(stage, code, said)
        if refusal is not None and (not in_one or code == 421):
            return refusal
    if refusal is not None:
        if code == 354:  # DATA was accepted all the same; no recipient is left, so the empty mail goes nowhere
            client.send(b".\r\n")
            client.getreply()
        return refusal
    end = b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n"
    first = b"." if content.startswith(b".") else b""
    client.send(first + content.replace(b"\n.", b"\n..") + end)
    meanwhile()
    code, said = client.getreply()
    return None if code == 250 else _refusal(Stage.CONTENT, code, said)


@contextmanager
def _clear_faults(stage: Stage) -> Iterator[None]:
    """Turn every error of the connection or the server into a DeliveryError."""
    is_away = stage is Stage.CONNECT
    try:
        yield
    except smtplib.SMTPAuthenticationError as error:
        refusal = _refusal(stage, error.smtp_code, error.smtp_error)
        raise DeliveryError(f"{WRONG_PASSWORD} ({refusal})", refusal.against, is_away=is_away) from error
    except smtplib.SMTPResponseException as error:
        raise _refusal(stage, error.smtp_code, error.smtp_error, is_away=is_away) from error
    except TokenError as error:
        whose = Against.NOBODY if error.fault is TokenFault.AWAY else Against.US
        raise DeliveryError(str(error), whose, is_silence=True, is_away=is_away) from error
    except (ssl.SSLCertVerificationError, smtplib.SMTPNotSupportedError) as error:
        raise DeliveryError(str(error), Against.US, is_away=is_away) from error
    except (OSError, smtplib.SMTPException) as error:
        is_silence = isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError)
        said = str(error) or type(error).__name__
        raise DeliveryError(said, is_silence=is_silence, is_away=is_away) from error


def _refusal(stage: Stage, code: int, said: bytes | str, *, is_away: bool = False) -> DeliveryError:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    words = f"{code} {' '.join(text.split())}"
    return DeliveryError(words, against(stage, words), is_away=is_away)


def _is_there(connection: _Connection) -> bool:
    """Whether the server still answers; most close the connection after some minutes of silence."""
    if time.monotonic() - connection.used_at < _SILENCE_SECONDS:
        return True
    try:
        return connection.client.noop()[0] < 400
    except (OSError, smtplib.SMTPException):
        return False


def _reset(client: smtplib.SMTP) -> bool:
    try:
        return client.rset()[0] == 250
    except (OSError, smtplib.SMTPException):
        return False


def _socket_of(client: smtplib.SMTP) -> socket.socket:
    if client.sock is None:
        raise smtplib.SMTPServerDisconnected("the server hung up")
    return client.sock


def _hang_up(client: smtplib.SMTP) -> None:
    try:
        client.quit()
    except (OSError, smtplib.SMTPException):
        client.close()

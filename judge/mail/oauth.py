"""Access tokens for logging in to mail servers (OAuth2).

They come from a stored grant or from a command of the operator. A grant is a refresh token, stored in a private file.
Several processes may share the file: each reads it before it asks for an access token, and stores the new refresh
token if the provider sends one.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode, urlsplit

from judge.durable import as_private, move
from judge.errors import TokenError, TokenFault

_TIMEOUT_SECONDS = 30
_MOST_BYTES = 1_000_000
_EARLY_SECONDS = 300
"""Renew an access token so long before it expires."""
_USUAL_LIFE_SECONDS = 3600
_SHORTEST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 300.0
_OPERATORS_AFFAIR: Mapping[str, TokenFault] = {
    "invalid_grant": TokenFault.GRANT,
    "interaction_required": TokenFault.GRANT,
    "consent_required": TokenFault.GRANT,
    "access_denied": TokenFault.NO_GRANT,
    "authorization_declined": TokenFault.NO_GRANT,
    "expired_token": TokenFault.NO_GRANT,
    "invalid_client": TokenFault.CLIENT,
    "unauthorized_client": TokenFault.CLIENT,
    "invalid_scope": TokenFault.CLIENT,
    "invalid_request": TokenFault.CLIENT,
    "unsupported_grant_type": TokenFault.CLIENT,
}
"""Error codes of a token endpoint that only the operator can mend.

RFC 6749 §5.2, RFC 8628 §3.5.
"""
_OF_ONE_REQUEST = re.compile(r"\s*(?:Trace ID|Correlation ID|Timestamp):.*", re.DOTALL)
"""What Microsoft adds to an error description; it differs each time."""
_LONGEST_WORDS = 200

_Result = TypeVar("_Result")


class Tokens(Protocol):
    """Supplies access tokens, to several threads at once."""

    def token(self) -> str:
        """Return an access token; raises TokenError."""

    def discard(self, token: str) -> None:
        """Forget a token that a server refused."""


def with_token(tokens: Tokens, log_in: Callable[[str], _Result]) -> _Result:
    """Log in with a token, and again with a fresh one if it is refused.

    Raises TokenError.
    """
    token = tokens.token()
    try:
        return log_in(token)
    except TokenError as error:
        if error.fault is not TokenFault.REFUSED:
            raise
    tokens.discard(token)
    return log_in(tokens.token())


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where an OAuth2 provider is asked, and for what."""

    token_url: str = ""
    device_url: str = ""
    """"" if there is no device flow (RFC 8628) for mail."""
    authorization_url: str = ""
    scope: str = ""


_MICROSOFT = "https://login.microsoftonline.com/{tenant}/oauth2/v2.0"
_OFFICE = "https://outlook.office.com"
KNOWN: Mapping[str, Endpoints] = {
    "microsoft": Endpoints(
        token_url=f"{_MICROSOFT}/token",
        device_url=f"{_MICROSOFT}/devicecode",
        scope=f"offline_access {_OFFICE}/IMAP.AccessAsUser.All {_OFFICE}/SMTP.Send",
    ),
    "google": Endpoints(
        token_url="https://oauth2.googleapis.com/token",  # noqa: S106 - no password
        authorization_url="https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent",
        scope="https://mail.google.com/",
    ),
    "other": Endpoints(),
}


@dataclass(frozen=True, slots=True)
class Client:
    """The operator's application at an OAuth2 provider."""

    client_id: str
    client_secret: str
    at: Endpoints

    def ask(self, url: str, needed: str, **fields: str) -> Mapping[str, Any]:
        """Post a request in the application's name and return the answer.

        The answer holds the field `needed`. Raises TokenError.
        """
        secret = {"client_secret": self.client_secret} if self.client_secret else {}
        told = _post(url, {"client_id": self.client_id, **secret, **fields})
        if not told.get(needed):
            raise TokenError(TokenFault.AWAY, f"{urlsplit(url).hostname}: its answer holds no {needed}")
        return told

    def __repr__(self) -> str:
        return f"{self.client_id} at {self.at.token_url}"  # without the secret


class GrantedTokens:
    """Access tokens for a stored grant, renewed before they expire.

    After a failure it pauses, longer each time.
    """

    def __init__(self, client: Client, file: Path) -> None:
        self.client = client
        self.file = file
        self.turn = threading.Lock()
        self.access = ""
        self.renew_at = 0.0
        self.fault: TokenError | None = None
        self.refused = ""
        """The refresh token of the last failure; another one is tried at once."""
        self.pause = 0.0
        self.retry_at = 0.0

    def token(self) -> str:
        """Return an access token that is valid for some minutes; raises TokenError."""
        with self.turn:
            if not self.access or time.monotonic() >= self.renew_at:
                self._renew()
            return self.access

    def discard(self, token: str) -> None:
        """Renew the token at the next call, unless that has been done."""
        with self.turn:
            if token == self.access:
                self.access = ""

    def _renew(self) -> None:
        if self.fault is not None and time.monotonic() < self.retry_at and read_grant(self.file) == self.refused:
            raise self.fault
        try:
            with _alone(self.file):
                self.refused = read_grant(self.file)
                answer = self.client.ask(
                    self.client.at.token_url, "access_token", grant_type="refresh_token", refresh_token=self.refused
                )
                renewed = str(answer.get("refresh_token") or self.refused)
                if renewed != self.refused:
                    store_grant(self.file, renewed)
            self.access = str(answer["access_token"])
        except TokenError as error:
            self.fault, self.access = error, ""
            self.pause = min(max(2 * self.pause, _SHORTEST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
            self.retry_at = time.monotonic() + self.pause
            raise
        self.fault, self.pause = None, 0.0
        told = str(answer.get("expires_in", ""))
        life = int(told) if told.isdecimal() else _USUAL_LIFE_SECONDS
        self.renew_at = time.monotonic() + max(life - _EARLY_SECONDS, life / 2)


@dataclass(frozen=True, slots=True)
class CommandTokens:
    """Access tokens printed by a command of the operator, which is run for every login."""

    command: str

    def token(self) -> str:
        """Return the first line that the command prints; raises TokenError."""
        try:
            done = subprocess.run(  # noqa: S602 - the operator's own words, as in isync and msmtp
                self.command, shell=True, capture_output=True, check=False, timeout=_TIMEOUT_SECONDS
            )
        except subprocess.TimeoutExpired as error:
            raise TokenError(TokenFault.COMMAND, f"no answer within {_TIMEOUT_SECONDS} seconds") from error
        printed = done.stdout.decode("utf-8", "replace").split()
        if done.returncode or not printed:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it printed nothing"]
            raise TokenError(TokenFault.COMMAND, f"exit code {done.returncode}, {said[0][:_LONGEST_WORDS]}")
        return printed[0]

    def discard(self, token: str) -> None:
        """Do nothing: the command knows best when to renew."""


def read_grant(file: Path) -> str:
    """Return the stored refresh token; raises TokenError if there is none."""
    try:
        return str(json.loads(file.read_text("utf-8"))["refresh_token"])
    except OSError as error:
        raise TokenError(TokenFault.NO_GRANT, f"{file}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise TokenError(TokenFault.NO_GRANT, f"{file}: it holds no refresh token") from error


def store_grant(file: Path, refresh_token: str) -> None:
    """Store a refresh token, readable for its owner alone.

    A power cut leaves the old or the new one.
    """
    fresh = file.with_name(f"{file.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        with open(fresh, "w", encoding="utf-8", opener=as_private) as written:
            json.dump({"refresh_token": refresh_token}, written)
            written.flush()
            os.fsync(written.fileno())
        move(fresh, file)
    except OSError as error:
        raise TokenError(TokenFault.NOT_STORED, f"{file}: {error.strerror}") from error


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Let one process at a time renew: some providers take each refresh token only once."""
    try:
        lock = open(f"{file}.lock", "w", encoding="utf-8", opener=as_private)  # noqa: SIM115 - closed below
    except OSError as error:
        raise TokenError(TokenFault.NOT_STORED, f"{file}: {error.strerror}") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _post(url: str, fields: Mapping[str, str]) -> Mapping[str, Any]:
    from http.client import HTTPException  # noqa: PLC0415 - slow to import, and most judges log in with a password
    from urllib.error import HTTPError  # noqa: PLC0415
    from urllib.request import Request, urlopen  # noqa: PLC0415

    host = urlsplit(url).hostname
    request = Request(url, urlencode(fields).encode(), {"Accept": "application/json"})  # noqa: S310 - see the settings
    try:
        with urlopen(request, timeout=_TIMEOUT_SECONDS, context=ssl.create_default_context()) as answer:  # noqa: S310
            content = answer.read(_MOST_BYTES)
    except HTTPError as error:
        with error:
            raise _refusal(f"{host}", error.code, _json(error.read(_MOST_BYTES))) from error
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise TokenError(TokenFault.AWAY, f"{host}: {reason or type(error).__name__}") from error
    return _json(content)


def _refusal(host: str, status: int, told: Mapping[str, Any]) -> TokenError:
    code = str(told.get("error", ""))
    description = _OF_ONE_REQUEST.sub("", str(told.get("error_description", "")))
    said = " ".join(f"{code} {description}".split())[:_LONGEST_WORDS] or f"HTTP status {status}"
    return TokenError(_OPERATORS_AFFAIR.get(code, TokenFault.AWAY), f"{host}: {said}", code)


def _json(content: bytes) -> Mapping[str, Any]:
    try:
        told = json.loads(content)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}

"""Ask the owner of a mailbox for a grant (OAuth2).

The owner enters a code on any device, or uses a browser that is redirected to this machine.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from judge.errors import TokenError, TokenFault
from judge.mail.oauth import Client

_BY_CODE = "urn:ietf:params:oauth:grant-type:device_code"
_MORE_PATIENCE_SECONDS = 5
"""RFC 8628 §3.5: how much longer to wait between questions if told to slow down."""


@dataclass(frozen=True, slots=True)
class Device:
    """A code to be entered at an address, with any browser (RFC 8628)."""

    address: str
    user_code: str
    device_code: str
    pause_seconds: float
    valid_seconds: float


def ask_for_code(client: Client) -> Device:
    """Ask the provider for a code; raises TokenError."""
    told = client.ask(client.at.device_url, "device_code", scope=client.at.scope)
    address = told.get("verification_uri") or told["verification_url"]
    pause, valid = float(told.get("interval", 5)), float(told.get("expires_in", 900))
    return Device(str(address), str(told["user_code"]), str(told["device_code"]), pause, valid)


def wait_for_grant(client: Client, device: Device, sleep: Callable[[float], None] = time.sleep) -> str:
    """Return the refresh token once the code was entered.

    Raises TokenError if it was declined, or was not entered in time.
    """
    pause, left = device.pause_seconds, device.valid_seconds
    while left > 0:
        sleep(pause)
        left -= pause
        try:
            told = client.ask(client.at.token_url, "refresh_token", grant_type=_BY_CODE, device_code=device.device_code)
        except TokenError as error:
            if error.code == "slow_down" or (error.fault is TokenFault.AWAY and not error.code):
                pause += _MORE_PATIENCE_SECONDS
            elif error.code != "authorization_pending":
                raise
        else:
            return str(told["refresh_token"])
    raise TokenError(TokenFault.NO_GRANT, "the code was not entered in time")


class Redirect:
    """Waits on loopback for a browser redirected by the provider, with PKCE.

    RFC 8252 §7.3 describes the redirect, RFC 7636 PKCE.
    """

    def __init__(self, client: Client, username: str, farewell: str) -> None:
        """Listen at a free port; `farewell` is what the browser shows at the end."""
        self.client = client
        self.state, self.verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        self.server = HTTPServer(("127.0.0.1", 0), _handler(self, farewell))
        self.comes_back_to = f"http://127.0.0.1:{self.server.server_port}"
        self.answer: Mapping[str, str] | None = None
        digest = hashlib.sha256(self.verifier.encode()).digest()
        asked = {
            "client_id": client.client_id,
            "response_type": "code",
            "redirect_uri": self.comes_back_to,
            "scope": client.at.scope,
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            "login_hint": username,
        }
        where = client.at.authorization_url
        self.address = f"{where}{'&' if urlsplit(where).query else '?'}{urlencode(asked)}"
        """The address at which the owner of the mailbox says yes."""

    def fileno(self) -> int:
        """Return the listening socket, for `select`: once it is readable, call `listen`."""
        return self.server.fileno()

    def listen(self) -> None:
        """Serve one request of the browser."""
        self.server.handle_request()

    def close(self) -> None:
        """Stop listening."""
        self.server.server_close()

    def heed(self, address: str) -> bool:
        """Take the address the browser was redirected to; return whether it answers our question."""
        told = {name: values[0] for name, values in parse_qs(urlsplit(address.strip()).query).items()}
        if not secrets.compare_digest(told.get("state", "").encode(), self.state.encode()):
            return False
        self.answer = told
        return True

    def grant(self) -> str:
        """Exchange the answer for a refresh token; raises TokenError."""
        assert self.answer is not None
        if "code" not in self.answer:
            raise TokenError(TokenFault.NO_GRANT, self.answer.get("error", "no code came back"))
        told = self.client.ask(
            self.client.at.token_url,
            "refresh_token",
            grant_type="authorization_code",
            code=self.answer["code"],
            redirect_uri=self.comes_back_to,
            code_verifier=self.verifier,
        )
        return str(told["refresh_token"])


def _handler(redirect: Redirect, farewell: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            is_ours = redirect.heed(self.path)
            self.send_response(200 if is_ours else 404)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.end_headers()
            self.wfile.write(farewell.encode() if is_ours else b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - so it is called there
            """Log nothing: the address holds the code."""

    return Handler

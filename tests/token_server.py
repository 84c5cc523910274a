"""An OAuth2 provider on loopback, which grants, renews and refuses tokens.

It tells a mail server whose token one is.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from judge.mail.oauth import Client, Endpoints
from tests.wire import HERE

CLIENT_ID, CLIENT_SECRET = "judge-of-mine", "hush"
Answer = tuple[int, Mapping[str, Any] | bytes]
PENDING: Answer = (400, {"error": "authorization_pending"})
SLOW_DOWN: Answer = (400, {"error": "slow_down"})
DECLINED: Answer = (400, {"error": "access_denied"})
REVOKED: Answer = (
    400,
    {"error": "invalid_grant", "error_description": "AADSTS700082: expired.\r\nTrace ID: 1f\r\nTimestamp: now"},
)
BAD_CLIENT: Answer = (401, {"error": "invalid_client", "error_description": "who are you?"})
BROKEN: Answer = (500, b"<html>")


@dataclass
class Provider:
    """The provider's data, and the requests it received."""

    port: int = 0
    grants: dict[str, str] = field(default_factory=dict)
    """Refresh token → the mailbox."""
    tokens: dict[str, str] = field(default_factory=dict)
    """Access token → the mailbox, while the token is good."""
    owner: str = "judge@good.test"
    """The mailbox whose owner logs in with the browser."""
    life: int = 3600
    rotates: bool = False
    answers: list[Answer] = field(default_factory=list)
    """The next answers, instead of the proper ones."""
    asked: list[Mapping[str, str]] = field(default_factory=list)
    challenges: dict[str, str] = field(default_factory=dict)
    """Code of a browser → its challenge (RFC 7636)."""
    made: int = 0

    def url(self, path: str) -> str:
        return f"http://{HERE}:{self.port}/{path}"

    def client(self, **more: str) -> Client:
        urls = {"token_url": self.url("token"), "scope": "mail", **more}
        return Client(CLIENT_ID, CLIENT_SECRET, Endpoints(**urls))

    def grant(self, mailbox: str = "judge@good.test") -> str:
        self.made += 1
        self.grants[f"refresh-{self.made}"] = mailbox
        return f"refresh-{self.made}"

    def answer(self, path: str, fields: Mapping[str, str]) -> Answer:
        if path == "introspect":
            mailbox = self.tokens.get(fields.get("token", ""))
            return (200, {"active": True, "username": mailbox} if mailbox else {"active": False})
        self.asked.append(fields)
        if self.answers and path == "token":
            return self.answers.pop(0)
        if fields.get("client_id") != CLIENT_ID or fields.get("client_secret", CLIENT_SECRET) != CLIENT_SECRET:
            return BAD_CLIENT
        if path == "device":
            shown = {"user_code": "BCDF-GHJK", "verification_uri": "https://provider.test/device"}
            return (200, {"device_code": "device", "expires_in": 60, "interval": 0.01, **shown})
        return self._token(fields)

    def _token(self, fields: Mapping[str, str]) -> Answer:
        match fields["grant_type"]:
            case "refresh_token":
                mailbox = self.grants.get(fields["refresh_token"])
                if mailbox is None:
                    return REVOKED
                more = {}
                if self.rotates:
                    del self.grants[fields["refresh_token"]]
                    more = {"refresh_token": self.grant(mailbox)}
                return (200, self._access(mailbox) | more)
            case "authorization_code":
                digest = hashlib.sha256(fields["code_verifier"].encode()).digest()
                challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
                if self.challenges.pop(fields["code"], "") != challenge:
                    return (400, {"error": "invalid_grant"})
        return (200, self._access(self.owner) | {"refresh_token": self.grant(self.owner)})

    def _access(self, mailbox: str) -> dict[str, Any]:
        self.made += 1
        self.tokens[f"access-{self.made}"] = mailbox
        return {"access_token": f"access-{self.made}", "expires_in": self.life, "token_type": "Bearer"}

    def agree(self, address: str) -> str:
        """Log in and agree as the owner; return the address the browser is sent to."""
        told = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (told["client_id"], told["response_type"], told["code_challenge_method"]) == (CLIENT_ID, "code", "S256")
        self.made += 1
        self.challenges[f"code-{self.made}"] = told["code_challenge"]
        return f"{told['redirect_uri']}/?{urlencode({'code': f'code-{self.made}', 'state': told['state']})}"


@contextmanager
def provider() -> Iterator[Provider]:
    """Yield a provider that listens."""
    known = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            fields = {name: values[0] for name, values in parse_qs(sent).items()}
            status, told = known.answer(self.path.strip("/"), fields)
            content = told if isinstance(told, bytes) else json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer((HERE, 0), Handler)
    known.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()

"""Mail providers, from `providers.toml`; and servers as an operator writes them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from judge.languages import Language
from judge.mail.sending import Security
from judge.reports.columns import joined

OWN = "own"
"""Stands for a mail server on this machine, which delivers by LMTP."""
VARIES = "varies"
"""Stands for a value that depends on the account."""
_SERVER = re.compile(r"(?:(tls|starttls|none)://)?(?:(\S+)@)?([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?")
_USUAL = {143: Security.STARTTLS, 587: Security.STARTTLS, 25: Security.STARTTLS}
"""The protection of common ports; all others use TLS."""


class WayIn(StrEnum):
    """How a provider lets programs in."""

    APP = "app"
    """A password made for the judge."""
    OWN = "own"
    """The account's own password."""
    OAUTH = "oauth"
    """No password, but an access token for an application of the operator's own (OAuth2)."""
    NONE = "none"
    """Programs are not let in."""


class PlusAddresses(StrEnum):
    """Whether `judge+anything@…` reaches the same mailbox."""

    YES = "yes"
    NO = "no"
    TRY = "try"
    """It depends, or is not known."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server, and how to connect to it."""

    host: str
    port: int
    security: Security
    username: str = ""
    """"" if it is the mail address."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A mail provider: its servers, and what an operator should know."""

    key: str
    name: str
    domains: tuple[str, ...]
    imap: Server | None
    smtp: Server | None
    way_in: WayIn
    oauth: str
    """The provider's name in `[oauth]`, for `WayIn.OAUTH`; else ""."""
    plus: PlusAddresses
    limit: str
    """Mails per day, if published (`VARIES` if it depends on the account); else ""."""
    authserv_id: str
    """The authserv-id to trust; "" if not published.

    It is "none" if results carry no name, and `VARIES` if it is one of many.
    """
    notes: Mapping[str, str]
    """Language → what an operator should know, in a few sentences."""

    @property
    def has_client_secret(self) -> bool:
        """Whether applications get a secret there.

        Providers that let applications log in by a code give none.
        """
        return self.oauth == "google"

    @property
    def is_supported(self) -> bool:
        """Whether the judge can use an account at this provider."""
        return self.way_in is not WayIn.NONE


def server(text: str, port: int) -> Server | None:
    """Read `imap.example.org` or `starttls://user@imap.example.org:143`; return None if it is not a server."""
    found = _SERVER.fullmatch(text.strip())
    if found is None:
        return None
    security, username, host, given = found.groups()
    port = int(given or port)
    how = Security(security) if security else _USUAL.get(port, Security.TLS)
    return Server(host.strip("[]"), port, how, username or "")


@cache
def providers() -> Mapping[str, Provider]:
    """Return all known providers, by the name of their table."""
    tables = tomllib.loads((files("judge.setup") / "providers.toml").read_text("utf-8"))
    return {key: _provider(key, table) for key, table in tables.items()}


def _provider(key: str, table: Mapping[str, str]) -> Provider:
    return Provider(
        key=key,
        name=table["name"],
        domains=tuple(table["domains"]),
        imap=server(table["imap"], 993) if "imap" in table else None,
        smtp=server(table["smtp"], 465) if "smtp" in table else None,
        way_in=WayIn(table["password"]),
        oauth=table.get("oauth", ""),
        plus=PlusAddresses(table["plus"]),
        limit=table.get("limit", ""),
        authserv_id=table.get("authserv_id", ""),
        notes={language: joined(table[language].splitlines()) for language in Language if language in table},
    )


def provider_of(address: str) -> Provider | None:
    """Return the provider of an address by its domain; None if it is not known."""
    domain = address.rpartition("@")[2].lower()
    return next((one for one in providers().values() if domain in one.domains), None)

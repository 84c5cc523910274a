"""What is known of mail providers, from `providers.toml`; and servers as an operator writes them."""

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
"""In place of a provider: a mail server on this machine, which hands over by LMTP."""
VARIES = "varies"
"""In place of a number: it goes by the account."""
_SERVER = re.compile(r"(?:(tls|starttls|none)://)?(?:(\S+)@)?([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?")
_USUAL = {143: Security.STARTTLS, 587: Security.STARTTLS, 25: Security.STARTTLS}
"""How the usual ports are protected; all others by TLS."""


class WayIn(StrEnum):
    """Which password lets a program in."""

    APP = "app"
    """One made for the judge."""
    OWN = "own"
    """That of the account."""
    NONE = "none"
    """No password does."""


class PlusAddresses(StrEnum):
    """Whether `judge+anything@…` reaches the same mailbox."""

    YES = "yes"
    NO = "no"
    TRY = "try"
    """It depends, or we do not know."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server and how to talk to it."""

    host: str
    port: int
    security: Security
    username: str = ""
    """"" where it is the address."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A mail provider: how to get in, and what is to be known."""

    key: str
    name: str
    domains: tuple[str, ...]
    imap: Server | None
    smtp: Server | None
    way_in: WayIn
    plus: PlusAddresses
    limit: str
    """How many mails may leave in a day, as far as it is public (`VARIES` where it goes by the account); else ""."""
    authserv_id: str
    notes: Mapping[str, str]
    """Language → what is to be known, in a few sentences."""

    @property
    def is_supported(self) -> bool:
        """Whether the judge can use an account there at all."""
        return self.way_in is not WayIn.NONE


def server(text: str, port: int) -> Server | None:
    """Read `imap.example.org`; also `starttls://user@imap.example.org:143`. None if it is no server."""
    found = _SERVER.fullmatch(text.strip())
    if found is None:
        return None
    security, username, host, given = found.groups()
    port = int(given or port)
    how = Security(security) if security else _USUAL.get(port, Security.TLS)
    return Server(host.strip("[]"), port, how, username or "")


@cache
def providers() -> Mapping[str, Provider]:
    """All we know of, by the name of their table."""
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
        plus=PlusAddresses(table["plus"]),
        limit=table.get("limit", ""),
        authserv_id=table.get("authserv_id", ""),
        notes={language: joined(table[language].splitlines()) for language in Language if language in table},
    )


def provider_of(address: str) -> Provider | None:
    """Whose mailbox an address is, if its domain tells."""
    domain = address.rpartition("@")[2].lower()
    return next((one for one in providers().values() if domain in one.domains), None)

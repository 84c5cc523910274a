"""The answers that `judge setup` collects, and the settings file made from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.setup.providers import Provider, Server


@dataclass(frozen=True, slots=True)
class Account:
    """A mailbox at a known provider, or at servers the operator named."""

    imap: Server
    smtp: Server
    username: str
    provider: Provider | None


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to all questions except the password."""

    address: str
    account: Account | None
    """None if a mail server on this machine delivers mail by LMTP."""
    operator: str
    language: str
    zone: str
    database: str
    """An SQLAlchemy URL."""


def settings_file(answers: Answers, password_file: Path) -> str:
    """Return the answers as TOML; everything else keeps its default."""
    return "\n".join(_lines(answers, password_file)) + "\n"


def _lines(answers: Answers, password_file: Path) -> Iterator[str]:
    yield "# Written by `judge setup`. `judge config` prints every setting there is, explained."
    yield from _table("[judge]", address=answers.address, operator=answers.operator)
    yield from _values(language=answers.language, zone=answers.zone)
    yield from _table("[database]", url=answers.database)
    account = answers.account
    if account is None:
        yield from _table("[[sources]]", kind="listener", host="127.0.0.1", port=2424, lmtp=True)
        yield from _table("[delivery]", kind="smtp", host="127.0.0.1", port=25)
        return
    login = {"username": account.username, "password_file": str(password_file)}
    yield from _table("[[sources]]", kind="imap", **_server(account.imap), **login)
    yield from _table("[delivery]", kind="smtp", **_server(account.smtp), **login)


def _server(server: Server) -> dict[str, str | int]:
    return {"host": server.host, "port": server.port, "security": server.security.value}


def _table(heading: str, **values: str | int) -> Iterator[str]:
    yield ""
    yield heading
    yield from _values(**values)


def _values(**values: str | int) -> Iterator[str]:
    # JSON's notation of texts, integers and booleans is valid TOML.
    yield from (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())

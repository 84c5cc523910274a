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
class Secrets:
    """Files with the secrets of the mailbox: a password, or an OAuth2 grant.

    The grant is for the operator's application.
    """

    password_file: Path | None = None
    token_file: Path | None = None
    client_secret_file: Path | None = None
    client_id: str = ""
    tenant: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to all questions except secrets."""

    address: str
    account: Account | None
    """None if a mail server on this machine delivers mail by LMTP."""
    operator: str
    language: str
    zone: str
    database: str
    """An SQLAlchemy URL."""


def settings_file(answers: Answers, secrets: Secrets) -> str:
    """Return the answers as TOML; everything else keeps its default."""
    return "\n".join(_lines(answers, secrets)) + "\n"


def _lines(answers: Answers, secrets: Secrets) -> Iterator[str]:
    yield "# Written by `judge setup`. `judge config` prints every setting there is, explained."
    yield from _table("[judge]", address=answers.address, operator=answers.operator)
    yield from _values(language=answers.language, zone=answers.zone)
    yield from _table("[database]", url=answers.database)
    account = answers.account
    if account is None:
        yield from _table("[[sources]]", kind="listener", host="127.0.0.1", port=2424, lmtp=True)
        yield from _table("[delivery]", kind="smtp", host="127.0.0.1", port=25)
        return
    login = {"username": account.username}
    if secrets.password_file is not None:
        login["password_file"] = str(secrets.password_file)
    yield from _table("[[sources]]", kind="imap", **_server(account.imap), **login)
    yield from _table("[delivery]", kind="smtp", **_server(account.smtp), **login)
    if secrets.token_file is not None and account.provider is not None:
        yield from _table("[oauth]", provider=account.provider.oauth, client_id=secrets.client_id)
        if secrets.tenant:
            yield from _values(tenant=secrets.tenant)
        if secrets.client_secret_file is not None:
            yield from _values(client_secret_file=str(secrets.client_secret_file))
        yield from _values(token_file=str(secrets.token_file))


def _server(server: Server) -> dict[str, str | int]:
    return {"host": server.host, "port": server.port, "security": server.security.value}


def _table(heading: str, **values: str | int) -> Iterator[str]:
    yield ""
    yield heading
    yield from _values(**values)


def _values(**values: str | int) -> Iterator[str]:
    # JSON's notation of texts, integers and booleans is valid TOML.
    yield from (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())

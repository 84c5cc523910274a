"""The settings: a TOML file whose values the environment can override (`JUDGE_…`).

Nested names are joined by two underscores: `JUDGE_DELIVERY__HOST`. An invalid file is refused with all
its faults at once.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from judge.calendar.zones import find_zone
from judge.complaints import complaint, say
from judge.errors import ConfigError
from judge.languages import Language
from judge.mail.headers import is_address
from judge.mail.sending import Security

_PRIVATE_ADDRESS = re.compile(r"https://|http://(?:localhost|127\.0\.0\.1|\[::1\])[:/]")
"""Addresses to which secrets may be sent: by TLS, or on this machine."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class _WithPassword(_Part):
    username: str = ""
    """The username; empty where no login is needed.

    With a username and no password, `[oauth]` gives access.
    """
    password: SecretStr = SecretStr("")
    """The password; better kept in a file, see `password_file`."""
    password_file: Path | None = None
    """A file whose first line is the password."""

    @field_validator("password_file")
    @classmethod
    def _one_password(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        return _one_secret(value, info)

    def secret(self) -> str:
        """Return the password, from the setting or from its file."""
        return _secret(self.password, self.password_file)


def _one_secret(value: Path | None, info: ValidationInfo) -> Path | None:
    """Check that a secret is given once, and its file exists."""
    name = str(info.field_name).removesuffix("_file")
    secret = info.data.get(name)
    if value is not None and secret is not None and secret.get_secret_value():
        raise PydanticCustomError("one_secret", "two secrets", {"name": name})
    if value is not None and not value.is_file():
        raise PydanticCustomError("no_file", "no file", {"file": str(value)})
    return value


def _secret(given: SecretStr, file: Path | None) -> str:
    return given.get_secret_value() if file is None else file.read_text("utf-8").splitlines()[0].strip()


class JudgeSettings(_Part):
    """The judge itself: its addresses, language and zone."""

    address: str = "judge@localhost"
    """The address people write to.

    Its server must deliver judge+anything@… to it, too.
    """
    aliases: tuple[str, ...] = ()
    """Other addresses whose mail reaches the judge.

    A mail counts only if To or Cc names one of these or `address`.
    """
    operator: str = ""
    """The address for problems such as a mail set aside or a full disk.

    Empty sends no such mails.
    """
    language: Language = Language.ENGLISH
    """The language of people who have not chosen one."""
    zone: str = "UTC"
    """The time zone of people who have not chosen one."""
    authserv_id: str = ""
    """The name of our own mail server in Authentication-Results.

    If empty, no results are trusted.
    """
    site: str = ""
    """The web address of the folder made by `judge site`, if it has one.

    An example is https://diplomacy.example.org.
    """

    # Each validator checks a single field; fields are checked even if others are wrong.

    @field_validator("address", "operator")
    @classmethod
    def _real_address(cls, value: str, info: ValidationInfo) -> str:
        if not is_address(value) and (value or info.field_name == "address"):
            raise PydanticCustomError("no_email", "no address", {"given": repr(value)})
        return value

    @field_validator("site")
    @classmethod
    def _real_site(cls, value: str) -> str:
        if value and not re.fullmatch(r"https?://[!-~]+", value):
            raise PydanticCustomError("no_web_address", "no address", {"given": repr(value)})
        return value.rstrip("/")

    @field_validator("aliases")
    @classmethod
    def _real_addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        wrong = next((one for one in value if not is_address(one)), None)
        if wrong is not None:
            raise PydanticCustomError("no_email", "no address", {"given": repr(wrong)})
        return value

    @field_validator("zone")
    @classmethod
    def _real_zone(cls, value: str) -> str:
        zone = find_zone(value)
        if zone is None:
            raise PydanticCustomError("no_zone", "no zone", {"given": repr(value)})
        return zone


class DatabaseSettings(_Part):
    """The database of games and mail."""

    url: str = "sqlite:///var/judge.sqlite3"
    """SQLite (sqlite:///FILE), or PostgreSQL 14 or newer (postgresql://USER:PASSWORD@HOST/NAME).

    Other databases are not supported.
    """


class _Source(_Part):
    received_by: str = ""
    """The name of our own mail server in the Received header it puts on top.

    The time in that header is when the mail arrived.
    """


class ListenerSettings(_Source):
    """Mail by SMTP or LMTP to a port of our own."""

    kind: Literal["listener"]
    name: str = "listener"
    """Unique among the sources."""
    host: str = "127.0.0.1"
    """The host to listen at; never an address the Internet can reach."""
    port: int = Field(default=2525, ge=0, le=65535)
    """0 takes any free port."""
    path: Path | None = None
    """A Unix socket to listen at, instead of host and port.

    Every program that can reach its folder may write to it.
    """
    lmtp: bool = False
    """Speak LMTP instead of SMTP."""


class ImapSettings(_Source, _WithPassword):
    """Mail from an IMAP mailbox."""

    kind: Literal["imap"]
    name: str = "imap"
    """Unique among the sources."""
    host: str
    """The IMAP server."""
    port: int = Field(default=993, ge=1, le=65535)
    """993 for TLS, 143 otherwise."""
    security: Security = Security.TLS
    """none, starttls or tls."""
    folder: str = "INBOX"
    """The folder where mail arrives; made if it is missing."""
    processed_folder: str = "Processed"
    """The folder for mail that has been stored; made if it is missing."""
    old_mail: Literal["leave", "take"] = "leave"
    """What happens to mail that arrived before the first start with this mailbox.

    It is left alone, or read as mail to the judge.
    """
    poll_seconds: float = Field(default=120, gt=0)
    """How often to look, even if the server announces mail."""
    timeout_seconds: float = Field(default=30, gt=0)
    """How long to wait for the server."""


class MaildirSettings(_Source):
    """Mail that another program drops into a Maildir."""

    kind: Literal["maildir"]
    name: str = "maildir"
    """Unique among the sources."""
    folder: Path
    """The Maildir; its parts are made if they are missing."""
    poll_seconds: float = Field(default=2, gt=0)
    """How often to look."""


SourceSettings = Annotated[ListenerSettings | ImapSettings | MaildirSettings, Field(discriminator="kind")]


class DeliverySettings(_WithPassword):
    """Delivery of outgoing mail."""

    kind: Literal["maildir", "smtp"] = "maildir"
    """Into a Maildir, or to an SMTP server.

    A Maildir is for reading, or for another program to fetch from.
    """
    folder: Path = Path("var/outgoing")
    """The Maildir, for kind maildir."""
    host: str = "localhost"
    """The server, for kind smtp."""
    port: int = Field(default=25, ge=1, le=65535)
    """The server's port, for kind smtp."""
    security: Security = Security.NONE
    """For kind smtp: none, starttls or tls."""
    timeout_seconds: float = Field(default=30, gt=0)
    """How long to wait for the server."""
    pictures: bool = True
    """Whether mails contain maps.

    A map takes as long to draw as about ten mails take, but is drawn once for all readers.
    """
    dkim_selector: str = ""
    """The DKIM selector with which our own mail server signs.

    `judge doctor` checks whether its key is in the DNS.
    """
    connections: int = Field(default=5, ge=1, le=50)
    """How many domains get mail at the same time.

    Each domain gets its letters one by one.
    """


class OAuthSettings(_Part):
    """Login by access tokens (OAuth2), where a username has no password."""

    provider: Literal["microsoft", "google", "other"] = "other"
    """The provider whose endpoints are used; for `other`, give them below."""
    client_id: str = ""
    """Your own application at the provider; `judge setup` gets the grant for it."""
    client_secret: SecretStr = SecretStr("")
    """The client secret, if the provider gave one with the client_id."""
    client_secret_file: Path | None = None
    """A file whose first line is the client secret."""
    tenant: str = "common"
    """For microsoft: the tenant's id or domain, if the application is for one tenant only."""
    token_file: Path = Path("var/oauth-grant")
    """The file of the grant, readable by the judge only.

    The judge must be able to write its folder.
    """
    token_command: str = ""
    """A shell command that prints an access token, run for every login.

    It replaces all the settings above.
    """
    token_url: str = ""
    """For `other`: the token endpoint."""
    device_url: str = ""
    """For `other`: the device authorization endpoint, if there is one."""
    authorization_url: str = ""
    """For `other` without a device endpoint: the authorization endpoint."""
    scope: str = ""
    """For `other`: the scope of the grant, as the provider names it."""

    @field_validator("client_secret_file")
    @classmethod
    def _one_client_secret(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        return _one_secret(value, info)

    @field_validator("token_url", "device_url", "authorization_url")
    @classmethod
    def _private_address(cls, value: str) -> str:
        if value and not _PRIVATE_ADDRESS.match(value):
            raise PydanticCustomError("not_private", "not private", {"given": repr(value)})
        return value

    @property
    def is_used(self) -> bool:
        """Whether access tokens can be had."""
        return bool(self.client_id or self.token_command)

    def secret(self) -> str:
        """Return the client secret, from the setting or from its file."""
        return _secret(self.client_secret, self.client_secret_file)


class GamesSettings(_Part):
    """Permissions of people, and the closing of phases."""

    creators: tuple[str, ...] = ("*",)
    """Addresses that may CREATE games; * allows all."""
    boards: Path | None = None
    """A folder with boards of your own, each in a folder of its own.

    `judge board new` makes one.
    """
    settling_seconds: float = Field(default=30, ge=0)
    """How long after a deadline a phase closes, for mail still on its way."""
    fresh_phase_minutes: float = Field(default=60, ge=0)
    """For how long after a phase opens orders must name it.

    Orders without a phase are not taken for a phase that opened less than this ago.
    """

    @field_validator("creators")
    @classmethod
    def _real_addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        wrong = [one for one in value if one != "*" and not is_address(one)]
        if wrong:
            raise PydanticCustomError("no_email", "no address", {"given": ", ".join(map(repr, wrong))})
        return tuple(one.lower() for one in value)


class WatchSettings(_Part):
    """Monitoring of the judge, and deletion of old mail."""

    host: str = "127.0.0.1"
    """The host to listen at; never an address the Internet can reach."""
    port: int = Field(default=0, ge=0, le=65535)
    """The HTTP port of /metrics (for Prometheus) and /healthz; 0 for none."""
    least_free_megabytes: int = Field(default=200, ge=0)
    """The operator is told if less is free on the disk of an SQLite database."""
    longest_wait_minutes: float = Field(default=60, gt=0)
    """The operator is told if a mail or a closing waits longer.

    A mail may wait to be worked or to be sent, a phase to be closed.
    """
    health_mail: bool = False
    """Whether the operator gets a daily mail about the state of the judge."""
    redact_after_days: int = Field(default=180, ge=0)
    """The text of mails is emptied after this many days; 0 keeps it.

    This concerns mails from people and mails to them.
    """


class ClockSettings(_Part):
    """The time, for rehearsals."""

    offset_file: Path | None = None
    """A file with the number of seconds that the judge's clock runs ahead.

    It is for demonstrations only.
    """


class TrialSettings(_Part):
    """`judge try`."""

    mail_program: str = "neomutt"
    """The mail program in which `judge try` opens your mailbox.

    It is neomutt, or one that takes -F and -f as neomutt does; `terminal` for none.
    """


class Config(BaseSettings):
    """All settings."""

    model_config = SettingsConfigDict(
        env_prefix="JUDGE_", env_nested_delimiter="__", extra="forbid", frozen=True, use_attribute_docstrings=True
    )

    judge: JudgeSettings = JudgeSettings()
    database: DatabaseSettings = DatabaseSettings()
    sources: tuple[SourceSettings, ...] = (ListenerSettings(kind="listener"),)
    delivery: DeliverySettings = DeliverySettings()
    oauth: OAuthSettings = OAuthSettings()
    games: GamesSettings = GamesSettings()
    watch: WatchSettings = WatchSettings()
    clock: ClockSettings = ClockSettings()
    trial: TrialSettings = TrialSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment override the file."""
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings

    @field_validator("sources")
    @classmethod
    def _different_names(cls, value: tuple[SourceSettings, ...]) -> tuple[SourceSettings, ...]:
        names = [source.name for source in value]
        if len(set(names)) < len(names):
            raise PydanticCustomError("same_names", "same names", {"names": ", ".join(names)})
        return value


def load_config(path: Path | None = None, language: str = "en") -> Config:
    """Load a file, by default `config.toml` if it exists, else the defaults.

    Raises ConfigError with its messages in `language`, or in English if they do not exist in it.
    """
    if path is None and Path("config.toml").is_file():
        path = Path("config.toml")
    values: dict[str, Any] = {}
    if path is not None:
        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            raise ConfigError((say(language, "unreadable", file=path, why=error.strerror),)) from error
        except ValueError as error:
            raise ConfigError((f"{path}: {error}",)) from error
    try:
        return Config(**values)
    except ValidationError as error:
        raise ConfigError(tuple(complaint(fault, _names, language) for fault in error.errors())) from error
    except SettingsError as error:
        raise ConfigError((say(language, "environment", name=_culprit(error)),)) from error


def _names(place: Sequence[str]) -> Sequence[str]:
    """Return the names of the settings below a place, such as `delivery`, or `sources`, `imap`."""
    part: object = Config
    if place[:1] == ["sources"]:
        part = {"listener": ListenerSettings, "imap": ImapSettings, "maildir": MaildirSettings}[place[1]]
    elif place:
        part = Config.model_fields[place[0]].annotation
    return tuple(getattr(part, "model_fields", ()))


def _culprit(error: SettingsError) -> str:
    """Return the environment variable whose value is not JSON."""
    return next((f"JUDGE_{name.upper()}" for name in Config.model_fields if f'"{name}"' in str(error)), "something")


def from_environment() -> Path | None:
    """Return the settings file named by JUDGE_CONFIG, or None."""
    named = os.environ.get("JUDGE_CONFIG")
    return Path(named) if named else None

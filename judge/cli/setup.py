"""`judge setup`: put a judge on a real mailbox by six questions."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from select import select
from smtplib import SMTPAuthenticationError
from typing import Annotated

import typer
from imapclient.exceptions import LoginError
from pydantic import SecretStr
from typer import Exit

from judge.calendar.zones import find_zone
from judge.cli.asking import Talk, system_zone
from judge.cli.common import ConfigFile, refuse, system_language
from judge.cli.doctor import examine
from judge.cli.findings import in_words
from judge.config import Config, DeliverySettings, ImapSettings, OAuthSettings, from_environment, load_config
from judge.durable import as_private, make_private
from judge.errors import ConfigError, JudgeError, TokenError
from judge.languages import Language, said_in
from judge.mail.headers import is_address
from judge.mail.letters import RawMail
from judge.mail.oauth import Client, store_grant
from judge.mail.sending import SmtpSender
from judge.mail.sources import ImapSource
from judge.service.engine.assemble import make_client, make_sender, make_source
from judge.service.engine.clock import Clock
from judge.setup import (
    OWN,
    Account,
    Answers,
    Secrets,
    Server,
    WayIn,
    lines_of,
    provider_of,
    providers,
    server,
    settings_file,
    travel,
    words,
)
from judge.setup.authorizing import Redirect, ask_for_code, wait_for_grant
from judge.storage import migrate

_PASSWORD_FILE = "mail-password"  # noqa: S105 - the name of the file it is in
_CLIENT_SECRET_FILE = "oauth-client-secret"  # noqa: S105 - likewise
_GRANT_FILE = "oauth-grant"
_LONGEST_WAIT_SECONDS = 900


@dataclass(frozen=True, slots=True)
class _Given:
    """Answers given as options; None means to ask."""

    address: str | None
    provider: str | None
    password_file: Path | None
    client_id: str | None
    client_secret_file: Path | None
    tenant: str
    operator: str | None
    language: str | None
    zone: str | None

    @property
    def leaves_questions(self) -> bool:
        """Whether any question is left to ask."""
        needs_password = self.password_file is None and self.client_id is None and self.provider != OWN
        return needs_password or None in (self.address, self.provider, self.operator, self.language, self.zone)


@dataclass(frozen=True, slots=True)
class _Fault:
    """Why a server refused the login."""

    said: str
    is_password: bool


def setup(  # noqa: PLR0913, PLR0917 - the options of a command
    address: Annotated[str | None, typer.Option(help="The judge's address.")] = None,
    provider: Annotated[
        str | None, typer.Option(help="Its provider; `own` for a mail server here; or `IMAP-SERVER SMTP-SERVER`.")
    ] = None,
    password_file: Annotated[Path | None, typer.Option(help="A file that holds the password.")] = None,
    client_id: Annotated[str | None, typer.Option(help="Your application, at a provider of OAuth2.")] = None,
    client_secret_file: Annotated[Path | None, typer.Option(help="A file that holds its secret.")] = None,
    tenant: Annotated[str, typer.Option(help="Its tenant at Microsoft, if it is for one tenant only.")] = "",
    operator: Annotated[str | None, typer.Option(help="Who is told when something needs a hand.")] = None,
    language: Annotated[str | None, typer.Option(help="Of the questions, and of people: en, …")] = None,
    zone: Annotated[str | None, typer.Option(help="The time zone of people.")] = None,
    wait: Annotated[float, typer.Option(help="For how many seconds a mail to itself is waited for.", min=0)] = 60,
    renew: Annotated[
        bool, typer.Option("--renew", help="Only get a new grant for the mailbox in the settings (OAuth2).")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Put a judge on a real mailbox by six questions.

    The answers are written to the settings file, and the judge tries everything by a mail to itself. Options replace
    questions. Answers come from a terminal, or line by line from a pipe.
    """
    talk = Talk(Language(language) if language in list(Language) else system_language() or Language.ENGLISH)
    if renew:
        _renew(talk, load_config(config or from_environment(), talk.language))
        return
    given = _Given(address, provider, password_file, client_id, client_secret_file, tenant, operator, language, zone)
    file = (config or from_environment() or Path("config.toml")).absolute()
    if given.leaves_questions:
        talk.tell("welcome")
    _may_write(talk, file, None if password_file else file.with_name(_PASSWORD_FILE))
    answers, secrets, new_files = _asked(talk, given, file)
    _write(talk, file, settings_file(answers, secrets), new_files)
    settings = load_config(file, talk.language)
    is_well = _is_well(talk, settings)
    if answers.account is not None:
        is_well = _travel(talk, settings, wait) and is_well
    talk.tell("start" if is_well else "start_with_care", file=file)
    if not is_well:
        raise Exit(1)


def _may_write(talk: Talk, *files: Path | None) -> None:
    for file in files:
        if file is not None and file.exists():
            if talk.ask("ask_replace", None, default="no", file=file).lower() not in words("yes"):
                refuse(talk.said("stays", file=file))
            return


def _asked(talk: Talk, given: _Given, file: Path) -> tuple[Answers, Secrets, Mapping[Path, str]]:
    """Return the answers, the secrets, and the files to write secrets to.

    Both servers accepted the secrets.
    """
    address = talk.ask(
        "ask_address", given.address, check=lambda text: "" if is_address(text) else "no_address"
    ).lower()
    account = _account(talk, given, address)
    secrets, new_files = _secrets(talk, given, account, file) if account is not None else (Secrets(), {})
    operator = talk.ask("ask_operator", given.operator, default="", check=lambda text: _no_operator(text, address))
    language = talk.ask(
        "ask_language",
        given.language,
        default=talk.language,
        check=lambda text: "" if text in list(Language) else "no_language",
    )
    zone = talk.ask(
        "ask_zone", given.zone, default=system_zone(), check=lambda text: "" if find_zone(text) else "no_zone"
    )
    answers = Answers(address, account, operator, language, str(find_zone(zone)), database_for(file))
    return answers, secrets, new_files


def database_for(file: Path) -> str:
    """Return the database URL."""
    return os.environ.get("JUDGE_DATABASE__URL", f"sqlite:///{_folder_for(file) / 'judge.sqlite3'}")


def _folder_for(file: Path) -> Path:
    """Return where changing files belong: beside the settings, but not below /etc."""
    return Path.home() if file.is_relative_to("/etc") else file.parent


def _no_operator(text: str, address: str) -> str:
    if text and not is_address(text):
        return "no_address"
    return "same_address" if text.lower() == address else ""


def _account(talk: Talk, given: _Given, address: str) -> Account | None:
    """Return the mailbox account; None for a mail server of the operator's own."""
    known = provider_of(address)
    names = ", ".join(key for key, one in providers().items() if one.is_supported)
    if known is not None and not known.is_supported and given.provider is None:
        refuse(talk.said("not_supported", name=known.name, note=said_in(known.notes, talk.language)))
    default = known.key if known is not None else None
    text = talk.ask("ask_provider", given.provider, default=default, check=_no_provider, names=names).strip()
    if text == OWN:
        return None
    chosen = providers().get(text)
    if chosen is None:
        imap, smtp = _servers(text)
        return Account(imap, smtp, imap.username or smtp.username or address, None)
    if chosen.imap is None or chosen.smtp is None:
        refuse(talk.said("not_supported", name=chosen.name, note=said_in(chosen.notes, talk.language)))
    talk.tell("note", name=chosen.name, note=said_in(chosen.notes, talk.language))
    return Account(chosen.imap, chosen.smtp, address, chosen)


def _no_provider(text: str) -> str:
    is_known = text.strip() == OWN or text.strip() in providers()
    parts = text.split()
    is_pair = len(parts) == 2 and all(server(part, 1) for part in parts)
    return "" if is_known or is_pair else "no_provider"


def _servers(text: str) -> tuple[Server, Server]:
    imap, smtp = (server(part, port) for part, port in zip(text.split(), (993, 465), strict=True))
    assert imap is not None
    assert smtp is not None
    return imap, smtp


def _secrets(talk: Talk, given: _Given, account: Account, file: Path) -> tuple[Secrets, Mapping[Path, str]]:
    if account.provider is not None and account.provider.way_in is WayIn.OAUTH:
        return _granted(talk, given, account, file)
    if given.password_file is not None:
        _let_in(talk, account, _first_line(given.password_file))
        return Secrets(given.password_file.absolute()), {}
    kept = file.with_name(_PASSWORD_FILE)
    while True:
        password = talk.ask_secretly("ask_password", username=account.username, file=kept)
        fault = _not_let_in(talk, account, password)
        if fault is None:
            return Secrets(kept), {kept: password}
        if not (talk.is_person and fault.is_password):
            refuse(fault.said)
        talk.complain(fault.said)


def _granted(talk: Talk, given: _Given, account: Account, file: Path) -> tuple[Secrets, Mapping[Path, str]]:
    """Get a grant for the operator's application, and try it at both servers."""
    assert account.provider is not None
    client_id = talk.ask("ask_client_id", given.client_id, check=lambda text: "" if text else "no_client_id")
    new_files, secret_file = {}, given.client_secret_file
    if secret_file is None and account.provider.has_client_secret and given.client_id is None:
        secret_file = file.with_name(_CLIENT_SECRET_FILE)
        new_files[secret_file] = talk.ask_secretly("ask_client_secret", file=secret_file)
    secrets = Secrets(
        token_file=_folder_for(file) / _GRANT_FILE,
        client_secret_file=secret_file.absolute() if secret_file is not None else None,
        client_id=client_id,
        tenant=given.tenant,
    )
    oauth: dict[str, object] = {
        "provider": account.provider.oauth,
        "client_id": client_id,
        "token_file": secrets.token_file,
    }
    if given.tenant:
        oauth["tenant"] = given.tenant
    if secret_file is not None:
        oauth["client_secret"] = new_files.get(secret_file) or _first_line(secret_file)
    settings = Config(oauth=oauth).oauth  # type: ignore[arg-type]
    _authorize(talk, settings, account.username)
    _let_in(talk, account, "", settings)
    return secrets, new_files


def _authorize(talk: Talk, oauth: OAuthSettings, username: str) -> None:
    """Get a grant from the mailbox's owner, by a code if possible; store it."""
    client = make_client(oauth)
    try:
        if client.at.device_url:
            device = ask_for_code(client)
            talk.tell("enter_code", address=device.address, code=device.user_code, username=username)
            grant = wait_for_grant(client, device)
        else:
            grant = _by_browser(talk, client, username)
        make_private(oauth.token_file.parent)
        store_grant(oauth.token_file, grant)
    except TokenError as error:
        refuse(in_words(error, "").told(talk.language))
    talk.tell("written", file=oauth.token_file)


def _by_browser(talk: Talk, client: Client, username: str) -> str:
    """Return the grant that the owner of the mailbox gave in a browser.

    A browser on another machine cannot reach us: its last address may be pasted instead.
    """
    with closing(Redirect(client, username, talk.said("browser_may_go"))) as redirect:
        talk.tell("open_browser", address=redirect.address, username=username)
        while redirect.answer is None:
            ready, _, _ = select((redirect, *([sys.stdin] if talk.is_person else [])), (), (), _LONGEST_WAIT_SECONDS)
            if redirect in ready:
                redirect.listen()
            elif not ready or not (line := sys.stdin.readline()):
                refuse(talk.said("nobody_agreed"))
            elif not redirect.heed(line):
                talk.complain(talk.said("no_such_address"))
        return redirect.grant()


def _renew(talk: Talk, settings: Config) -> None:
    """Get a new grant for the mailbox in the settings."""
    logins = [*(one for one in settings.sources if isinstance(one, ImapSettings)), settings.delivery]
    username = next((one.username for one in logins if one.username and not one.secret()), "")
    if not settings.oauth.client_id or not username:
        refuse(talk.said("nothing_to_renew"))
    _authorize(talk, settings.oauth, username)


def _let_in(talk: Talk, account: Account, password: str, oauth: OAuthSettings | None = None) -> None:
    """Log in at both servers, or exit with the reason."""
    fault = _not_let_in(talk, account, password, oauth)
    if fault is not None:
        refuse(fault.said)


def _first_line(file: Path) -> str:
    try:
        return next(iter(file.read_text("utf-8").splitlines()), "").strip()
    except OSError as error:
        raise ConfigError((f"{file} cannot be read: {error.strerror}",)) from error


def _not_let_in(talk: Talk, account: Account, password: str, oauth: OAuthSettings | None = None) -> _Fault | None:
    """Return why a server refuses the login; None if both accept it."""
    if not password and oauth is None:
        return _Fault(talk.said("no_password"), is_password=True)
    talk.tell("trying")
    login = {"username": account.username, "password": SecretStr(password)}
    imap, smtp = account.imap, account.smtp
    source = ImapSettings(kind="imap", host=imap.host, port=imap.port, security=imap.security, **login)  # type: ignore[arg-type]
    way = DeliverySettings(kind="smtp", host=smtp.host, port=smtp.port, security=smtp.security, **login)  # type: ignore[arg-type]
    tokens = oauth or OAuthSettings()
    parts = (imap, make_source(source, _keep, Clock(), tokens)), (smtp, make_sender(way, tokens))
    for place, part in parts:
        where = f"{place.host}:{place.port}"
        try:
            part.check()
            talk.tell("let_in", place=where)
        except Exception as error:  # noqa: BLE001 - servers fail in many ways; the operator wants one line
            said = talk.said("not_let_in", place=where, said=in_words(error, where).told(talk.language))
            note = f" ({said_in(account.provider.notes, talk.language)})" if account.provider is not None else ""
            return _Fault(f"{said}{note}", is_password=_is_about_the_password(error))
    return None


def _is_about_the_password(error: Exception) -> bool:
    """Whether another password might help (RFC 4954: 535, and 534 for a too weak one)."""
    cause = error.__cause__
    code = cause.smtp_code if isinstance(cause, SMTPAuthenticationError) else 0
    return isinstance(cause, LoginError) or code in (534, 535)


def _keep(*_: RawMail) -> None:
    raise AssertionError("a look takes no mail")


def _write(talk: Talk, file: Path, settings: str, new_files: Mapping[Path, str]) -> None:
    """Write the settings, and secrets into files for their owner alone."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for kept, secret in new_files.items():
            kept.unlink(missing_ok=True)
            with open(kept, "x", encoding="utf-8", opener=as_private) as new:
                new.write(f"{secret}\n")
            talk.tell("written", file=kept)
        file.write_text(settings, "utf-8")
    except OSError as error:
        raise ConfigError((f"{error.filename} cannot be written: {error.strerror}",)) from error
    talk.tell("written", file=file)


def _is_well(talk: Talk, settings: Config) -> bool:
    migrate(settings.database.url)
    talk.tell("examining")
    is_well = True
    for finding in examine(settings):
        about, said = finding.about.told(talk.language), finding.said.told(talk.language)
        print(f"{'·' if finding.is_good else '!'} {about}: {said}", flush=True)
        is_well = is_well and finding.is_good
    return is_well


def _travel(talk: Talk, settings: Config, seconds: float) -> bool:
    """Whether a mail to the judge itself came back well."""
    talk.tell("travelling", seconds=f"{seconds:g}")
    source = make_source(settings.sources[0], _keep, Clock(), settings.oauth)
    sender = make_sender(settings.delivery, settings.oauth)
    assert isinstance(source, ImapSource)
    assert isinstance(sender, SmtpSender)
    try:
        trip = travel(settings.judge.address, source, sender, seconds)
    except JudgeError as error:
        talk.complain(talk.said("not_sent", said=error))
        return False
    finally:
        sender.close()
    lines = list(lines_of(trip, source.account.folder, seconds))
    for line in lines:
        print(f"{'·' if line.is_good else '!'} {talk.said(line.sentence, **line.values)}", flush=True)
    return all(line.is_good for line in lines)

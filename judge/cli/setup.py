"""`judge setup`: six questions, and a judge on a real mailbox."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from imapclient.exceptions import LoginError
from pydantic import SecretStr
from typer import Exit

from judge.calendar.zones import find_zone
from judge.cli.asking import Talk, system_language, system_zone
from judge.cli.common import ConfigFile, refuse
from judge.cli.doctor import examine
from judge.cli.findings import in_words
from judge.config import Config, DeliverySettings, ImapSettings, from_environment, load_config
from judge.errors import ConfigError, JudgeError
from judge.languages import Language, said_in
from judge.mail.headers import is_address
from judge.mail.letters import RawMail
from judge.mail.sending import SmtpSender
from judge.mail.sources import ImapSource
from judge.service.engine.assemble import make_sender, make_source
from judge.service.engine.clock import Clock
from judge.setup import (
    OWN,
    Account,
    Answers,
    Server,
    lines_of,
    provider_of,
    providers,
    server,
    settings_file,
    travel,
    words,
)
from judge.storage import migrate

_PASSWORD_FILE = "mail-password"  # noqa: S105 - the name of the file it is in


@dataclass(frozen=True, slots=True)
class _Given:
    """Answers given as options; None means to ask."""

    address: str | None
    provider: str | None
    password_file: Path | None
    operator: str | None
    language: str | None
    zone: str | None

    @property
    def leaves_questions(self) -> bool:
        """Whether any question is left to ask."""
        needs_password = self.password_file is None and self.provider != OWN
        return needs_password or None in (self.address, self.provider, self.operator, self.language, self.zone)


@dataclass(frozen=True, slots=True)
class _Fault:
    """Why a server refused the login."""

    said: str
    is_password: bool


def setup(
    address: Annotated[str | None, typer.Option(help="The judge's address.")] = None,
    provider: Annotated[
        str | None, typer.Option(help="Its provider; `own` for a mail server here; or `IMAP-SERVER SMTP-SERVER`.")
    ] = None,
    password_file: Annotated[Path | None, typer.Option(help="A file that holds the password.")] = None,
    operator: Annotated[str | None, typer.Option(help="Who is told when something needs a hand.")] = None,
    language: Annotated[str | None, typer.Option(help="Of the questions, and of people: en, …")] = None,
    zone: Annotated[str | None, typer.Option(help="The time zone of people.")] = None,
    wait: Annotated[float, typer.Option(help="For how many seconds a mail to itself is waited for.", min=0)] = 60,
    config: ConfigFile = None,
) -> None:
    """Put a judge on a real mailbox: ask six questions, write the settings file, try everything by a mail to itself.

    What options do not say is asked for, at a terminal or line by line in a pipe.
    """
    given = _Given(address, provider, password_file, operator, language, zone)
    talk = Talk(Language(language) if language in list(Language) else system_language() or Language.ENGLISH)
    file = (config or from_environment() or Path("config.toml")).absolute()
    if given.leaves_questions:
        talk.tell("welcome")
    _may_write(talk, file, None if password_file else file.with_name(_PASSWORD_FILE))
    answers, password = _asked(talk, given, file)
    _write(talk, file, answers, password, password_file)
    settings = load_config(file)
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


def _asked(talk: Talk, given: _Given, file: Path) -> tuple[Answers, str]:
    """Return the answers, and the password, which both servers accepted."""
    address = talk.ask(
        "ask_address", given.address, check=lambda text: "" if is_address(text) else "no_address"
    ).lower()
    account = _account(talk, given, address)
    password = _password(talk, given, account, file) if account is not None else ""
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
    return Answers(address, account, operator, language, str(find_zone(zone)), database_for(file)), password


def database_for(file: Path) -> str:
    """Return the database URL: beside the settings, but not below /etc, where changing files do not belong."""
    folder = Path.home() if file.is_relative_to("/etc") else file.parent
    return os.environ.get("JUDGE_DATABASE__URL", f"sqlite:///{folder / 'judge.sqlite3'}")


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


def _password(talk: Talk, given: _Given, account: Account, file: Path) -> str:
    """Return the password, tried at both servers; at a terminal the operator may try again."""
    if given.password_file is not None:
        password = _first_line(given.password_file)
        fault = _not_let_in(talk, account, password)
    else:
        while True:
            where = file.with_name(_PASSWORD_FILE)
            password = talk.ask_secretly("ask_password", username=account.username, file=where)
            fault = _not_let_in(talk, account, password)
            if fault is None or not (talk.is_person and fault.is_password):
                break
            talk.complain(fault.said)
    if fault is not None:
        refuse(fault.said)
    return password


def _first_line(file: Path) -> str:
    try:
        return next(iter(file.read_text("utf-8").splitlines()), "").strip()
    except OSError as error:
        raise ConfigError((f"{file} cannot be read: {error.strerror}",)) from error


def _not_let_in(talk: Talk, account: Account, password: str) -> _Fault | None:
    """Return why a server refuses the login; None if both accept it."""
    if not password:
        return _Fault(talk.said("no_password"), is_password=True)
    talk.tell("trying")
    login = {"username": account.username, "password": SecretStr(password)}
    imap, smtp = account.imap, account.smtp
    source = ImapSettings(kind="imap", host=imap.host, port=imap.port, security=imap.security, **login)  # type: ignore[arg-type]
    way = DeliverySettings(kind="smtp", host=smtp.host, port=smtp.port, security=smtp.security, **login)  # type: ignore[arg-type]
    for place, part in ((imap, make_source(source, _keep, Clock())), (smtp, make_sender(Config(delivery=way)))):
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
    return isinstance(error.__cause__, LoginError) or str(error)[:3] in ("534", "535")


def _keep(*_: RawMail) -> None:
    raise AssertionError("a look takes no mail")


def _write(talk: Talk, file: Path, answers: Answers, password: str, password_file: Path | None) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if password_file is None and answers.account is not None:
            kept = file.with_name(_PASSWORD_FILE)
            kept.unlink(missing_ok=True)
            with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
                new.write(f"{password}\n")
            talk.tell("written", file=kept)
        file.write_text(settings_file(answers, (password_file or file.with_name(_PASSWORD_FILE)).absolute()), "utf-8")
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
    source, sender = make_source(settings.sources[0], _keep, Clock()), make_sender(settings)
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

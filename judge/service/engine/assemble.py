"""Build the parts of the judge from its configuration."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial

from judge.boards.operators import use_boards_in
from judge.config import (
    Config,
    DeliverySettings,
    ImapSettings,
    ListenerSettings,
    MaildirSettings,
    OAuthSettings,
    SourceSettings,
)
from judge.errors import of_system
from judge.mail.arrival import arrival
from judge.mail.letters import RawMail
from judge.mail.marks import Marks
from judge.mail.oauth import KNOWN, Client, CommandTokens, Endpoints, GrantedTokens, Tokens
from judge.mail.sending import MaildirSender, Sender, SmtpSender
from judge.mail.sources import ImapAccount, ImapSource, Keep, ListenerSource, MaildirSource, Now, Source
from judge.service.engine.alone import alone
from judge.service.engine.clock import Clock, OwnClock, SharedClock
from judge.service.engine.closing import Closing
from judge.service.engine.delivery import Delivery
from judge.service.engine.desk import Desks
from judge.service.engine.intake import Intake
from judge.service.engine.watch import Watch
from judge.service.post.bounces import Bounces
from judge.service.post.letters import LetterWriter
from judge.storage import SharedStore, Store, Work, sqlite_file

_HERE = ("localhost", "127.0.0.1", "::1")
TOKENS = "tokens"
"""The name of the secret behind addresses, Message-IDs and confirmations."""


@dataclass
class Parts:
    """The parts of a judge, sharing one database."""

    config: Config
    store: Store
    clock: Now
    intake: Intake
    closing: Closing
    delivery: Delivery
    sources: tuple[Source, ...]
    watch: Watch
    desks: Desks


def assemble(config: Config, *, clock: Now | None = None, sender: Sender | None = None) -> Parts:
    """Open the database and build the parts; raises InstallationError if that fails."""
    store = Store.open(config.database.url)
    return put_together(config, store, clock or _make_clock(store, config), sender)


def _make_clock(store: Store, config: Config) -> Clock:
    """Return the clock of a database shared by several machines, else this machine's clock."""
    offset_file, file = config.clock.offset_file, sqlite_file(config.database.url)
    if isinstance(store, SharedStore):
        return SharedClock(store.now, offset_file)
    if file is None:
        return Clock(offset_file)
    stamped = (settings.received_by for settings in config.sources)
    return OwnClock(file, (config.judge.address, *config.judge.aliases, *filter(None, stamped)), offset_file)


def _heeded(keep: Keep, settings: SourceSettings, clock: Now) -> Keep:
    """Show each kept mail to a clock in doubt: other machines have stamped it."""
    if not isinstance(clock, OwnClock):
        return keep
    is_elsewhere = isinstance(settings, ImapSettings) and settings.host not in _HERE and not settings.received_by

    def kept(*mails: RawMail) -> None:
        keep(*mails)
        for mail in mails:
            clock.heed(mail, is_stamped_elsewhere=is_elsewhere)

    return kept


def put_together(config: Config, store: Store, clock: Now, sender: Sender | None = None) -> Parts:
    """Build the parts; raises InstallationError if that fails."""
    intake = make_intake(store, config, clock)
    writer, bounces = intake.writer, intake.bounces
    try:
        sources = tuple(
            make_source(settings, _heeded(intake.keep, settings, clock), clock, config.oauth, intake)
            for settings in config.sources
        )
        sender = sender or make_sender(config.delivery, config.oauth)
    except OSError as error:  # a password that cannot be read, a Maildir that cannot be made
        raise of_system(f"{error.filename}: {error.strerror}", error) from error
    closing = Closing(store, config, clock, writer, intake, sources)
    delivery = Delivery(store, clock, writer, sender, bounces, config.delivery.connections)
    watch = Watch(store, config, clock, writer)
    desks = Desks(store, config.judge.zone, clock, writer, intake.turn)
    return Parts(config, store, clock, intake, closing, delivery, sources, watch, desks)


def make_intake(store: Store, config: Config, clock: Now) -> Intake:
    """Build the intake.

    It tries suspect mails in a process of their own, unless the database is in memory.
    """
    use_boards_in(config.games.boards)
    with store.work() as work:
        writer = make_letter_writer(work, config)
        work.commit()
    intake = Intake(store, config, clock, writer, Bounces(writer, config))
    if not store.is_in_memory:
        intake.alone = lambda suspect: alone(partial(_try_alone, store.worker), config, suspect.id, clock())
    return intake


def _try_alone(worker: str, config: Config, mail: int, now: datetime) -> None:
    """Try one suspect mail in its own process, for the `worker` that claimed it."""
    store = Store.open(config.database.url, worker)
    make_intake(store, config, lambda: now).try_alone(mail)
    store.close()


def make_letter_writer(work: Work, config: Config) -> LetterWriter:
    """Build the writer of letters, with the secrets it needs."""
    secret, before = work.secret(TOKENS), work.old_secret(TOKENS)
    draws, site = config.delivery.pictures, config.judge.site
    return LetterWriter(config.judge.address, secret, work.keyring(), before, draws=draws, site=site)


def make_source(
    settings: SourceSettings, keep: Keep, clock: Now, oauth: OAuthSettings, marks: Marks | None = None
) -> Source:
    """Build a mail source from its settings.

    `marks`: for a source that may find mail from before the judge.
    """
    if settings.received_by:
        keep = _stamped(keep, settings.received_by)
    match settings:
        case ListenerSettings():
            return ListenerSource(
                settings.name, settings.host, settings.port, keep, clock, lmtp=settings.lmtp, path=settings.path
            )
        case ImapSettings():
            account = ImapAccount(
                host=settings.host,
                port=settings.port,
                username=settings.username,
                password=settings.secret(),
                folder=settings.folder,
                processed_folder=settings.processed_folder,
                security=settings.security,
                poll_seconds=settings.poll_seconds,
                timeout_seconds=settings.timeout_seconds,
                tokens=make_tokens(settings, oauth),
            )
            return ImapSource(settings.name, account, keep, marks if settings.old_mail == "leave" else None)
        case MaildirSettings():
            return MaildirSource(settings.name, settings.folder, keep, poll_seconds=settings.poll_seconds)


def _stamped(keep: Keep, server: str) -> Keep:
    return lambda *mails: keep(*(replace(raw, received_at=arrival(raw, server)) for raw in mails))


def make_sender(delivery: DeliverySettings, oauth: OAuthSettings) -> Sender:
    """Build the sender from the delivery settings."""
    if delivery.kind == "maildir":
        return MaildirSender(delivery.folder)
    return SmtpSender(
        delivery.host,
        delivery.port,
        security=delivery.security,
        username=delivery.username,
        password=delivery.secret(),
        tokens=make_tokens(delivery, oauth),
        timeout_seconds=delivery.timeout_seconds,
    )


def make_tokens(login: ImapSettings | DeliverySettings, oauth: OAuthSettings) -> Tokens | None:
    """Build the supplier of access tokens for a login.

    Return None if the login has a password, or needs none.
    """
    if not oauth.is_used or not login.username or login.secret():
        return None
    if oauth.token_command:
        return CommandTokens(oauth.token_command)
    return GrantedTokens(make_client(oauth), oauth.token_file)


def make_client(oauth: OAuthSettings) -> Client:
    """Build the OAuth2 client.

    Endpoints in the settings take precedence over those known for the provider.
    """
    known = KNOWN[oauth.provider]
    urls = (getattr(oauth, part.name) or getattr(known, part.name) for part in fields(Endpoints))
    return Client(oauth.client_id, oauth.secret(), Endpoints(*(url.replace("{tenant}", oauth.tenant) for url in urls)))

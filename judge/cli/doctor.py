"""`judge doctor`: whether everything the settings name is there and lets us in, and what in them asks for trouble."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.cli.findings import Finding, in_words
from judge.cli.names import examine_names
from judge.config import Config, DeliverySettings, ImapSettings, ListenerSettings, MaildirSettings, SourceSettings
from judge.errors import InstallationError, ResourceError, SourceError
from judge.mail.letters import RawMail
from judge.mail.sending import SmtpSender
from judge.mail.sources import ImapSource, ListenerSource
from judge.service import Part
from judge.service.engine.assemble import make_sender, make_source
from judge.service.engine.clock import Clock
from judge.storage import ProcessLocks, Store, check_soundness, sqlite_file

_OF_SMTP = frozenset({"host", "port", "security", "username", "password", "password_file"})
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - named here to be warned of


def examine(config: Config) -> Iterator[Finding]:
    """Look at the settings, the database, every source, and the way out, whatever is wrong before."""
    trouble = [Finding("settings", said, is_good=False) for said in _asking_for_trouble(config)]
    yield from trouble or [Finding("settings", "nothing in them asks for trouble", is_good=True)]
    yield _looked("database", lambda: _open(config.database.url))
    yield from _disk(config)
    for settings in config.sources:
        look = partial(_source, settings, config.database.url)
        yield _looked(f"source {settings.name}", look, _place(settings))
        if isinstance(settings, ImapSettings):
            yield from _full_folder(settings, config.database.url)
    sender: list[str] = []
    yield _looked("delivery", lambda: _delivery(config, sender), _place(config.delivery))
    if sender and config.delivery.kind == "smtp":
        yield _looked("plus addresses", lambda: _plus_addressing(config), _place(config.delivery))
        yield from examine_names(config)
    if config.delivery.pictures:
        yield _looked("pictures", _pictures)


def _pictures() -> str:
    """What draws the maps: they come the slow way too."""
    from judge.reports.pictures import has_skia  # noqa: PLC0415 - large libraries that no other command here needs

    return "drawn by Skia" if has_skia() else "drawn by resvg, which takes longer: the system lacks libEGL or libGL"


def _asking_for_trouble(config: Config) -> Iterator[str]:
    """Settings that can be read, and will not do."""
    address, operator = config.judge.address.lower(), config.judge.operator.lower()
    local, _, host = address.partition("@")
    if "+" in local:
        yield f"judge.address is {address}: what stands behind a + is ours to set"
    if operator and operator.partition("@")[2] == host and operator.partition("@")[0].partition("+")[0] == local:
        yield f"judge.operator is {operator}: the judge would write to itself"
    for settings in config.sources:
        if isinstance(settings, ListenerSettings) and settings.path is None and settings.host in _EVERYWHERE:
            yield f"source {settings.name} listens on all interfaces: the Internet can reach it"
        if isinstance(settings, ImapSettings) and _lacks_password(settings):
            yield f"source {settings.name} has a username and no password"
    if config.watch.port and config.watch.host in _EVERYWHERE:
        yield "watch: /metrics is answered on all interfaces: the Internet can reach it"
    if config.delivery.kind == "smtp" and _lacks_password(config.delivery):
        yield "delivery has a username and no password"
    yield from _leaves_by_nobody(config)


def _leaves_by_nobody(config: Config) -> Iterator[str]:
    """Mail that lies in a folder, though the settings speak of a server, or of an address that others write to."""
    delivery, given = config.delivery, config.delivery.model_fields_set
    lies = f'mail would lie in {delivery.folder} and reach nobody; kind = "smtp" sends it'
    if delivery.kind == "maildir" and given & _OF_SMTP:
        yield f"delivery has {' and '.join(sorted(given & _OF_SMTP))}, but its kind is maildir: {lies}"
    elif not given & {"kind", "folder"} and not config.judge.address.endswith("@localhost"):
        yield f"delivery has no kind: {lies}"


def _lacks_password(settings: ImapSettings | DeliverySettings) -> bool:
    return bool(settings.username) and not settings.secret()


def _open(url: str) -> str:
    with closing(Store.open(url)) as store:
        file = sqlite_file(url)
        if file is not None:
            check_soundness(file)
        size = store.megabytes()
        return store.shown_url if size is None else f"{store.shown_url}, {size} MB; its server watches over its disk"


def _disk(config: Config) -> Iterator[Finding]:
    file = sqlite_file(config.database.url)
    folder = file.resolve().parent if file is not None else Path()
    if file is None or not folder.is_dir():
        return
    free, least = shutil.disk_usage(folder).free // 1_000_000, config.watch.least_free_megabytes
    yield Finding("disk", f"{free} MB are left at {folder}", is_good=free >= least)


def _source(settings: SourceSettings, url: str) -> str:
    if isinstance(settings, MaildirSettings) and not settings.folder.exists():
        return _will_be_made(settings.folder)
    source = make_source(settings, _keep, Clock())
    said = source.check()
    if isinstance(source, ListenerSource) and said != source.place and not _runs(url):
        raise SourceError(f"{source.place} is held by another judge: none is running on our database")
    return said


def _full_folder(settings: ImapSettings, url: str) -> Iterator[Finding]:
    """Mail that lies in a mailbox before the judge ever looked into it: somebody's, perhaps."""
    with suppress(Exception):  # whatever is wrong with either was told already
        source = make_source(settings, _keep, Clock())
        assert isinstance(source, ImapSource)
        source.check()
        with closing(Store.open(url)) as store, store.look() as work:
            is_new = work.mark(settings.name) is None and not work.has_read(settings.name)
        if source.waiting and is_new:
            lie = f"{source.waiting} mails lie" if source.waiting > 1 else "1 mail lies"
            will = "will be left alone" if settings.old_mail == "leave" else "will be READ AND ANSWERED"
            said = f"{lie} in {settings.folder} and {will}; a mailbox of the judge's own is better"
            yield Finding(f"source {settings.name}", said, is_good=True, is_warning=True)


def _runs(url: str) -> bool:
    """Whether a judge that receives runs on our database."""
    with closing(ProcessLocks(url)) as locks:
        try:
            locks.claim(Part.RECEIVE.value)
        except ResourceError:
            return True
        except InstallationError:
            return False
    return False


def _will_be_made(folder: Path) -> str:
    """Of a Maildir that is not there: a look makes none."""
    above = next(one for one in folder.resolve().parents if one.exists())
    try:
        with TemporaryDirectory(dir=above, prefix=".judge-"):
            pass
    except OSError as error:
        raise SourceError(f"{folder} is not there, and cannot be made: {error.strerror}") from error
    return f"{folder} is not there yet: `judge serve` makes it"


def _delivery(config: Config, found: list[str]) -> str:
    if config.delivery.kind == "maildir" and not config.delivery.folder.exists():
        return _will_be_made(config.delivery.folder)
    found.append(make_sender(config).check())
    return found[0]


def _plus_addressing(config: Config) -> str:
    """Whether the way out takes mail for the judge's own secret addresses; nothing is sent."""
    local, _, host = config.judge.address.partition("@")
    tried = f"{local}+doctor@{host}"
    sender = make_sender(config)
    assert isinstance(sender, SmtpSender)
    sender.ask(config.judge.address, tried)
    return f"{tried} is taken"


def _place(settings: SourceSettings | DeliverySettings) -> str:
    """Where it is on the net; "" for a folder."""
    if isinstance(settings, MaildirSettings):
        return ""
    if isinstance(settings, ListenerSettings) and settings.path is not None:
        return str(settings.path)
    return f"{settings.host}:{settings.port}"


def _looked(about: str, look: Callable[[], str], where: str = "") -> Finding:
    try:
        return Finding(about, look(), is_good=True)
    except Exception as error:  # noqa: BLE001 - whatever is wrong there, the operator wants one line
        return Finding(about, in_words(error, where), is_good=False)


def _keep(*_: RawMail) -> None:
    raise SourceError("a look takes no mail")

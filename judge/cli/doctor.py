"""`judge doctor`: check that everything named in the settings works, and warn of risky settings."""

from __future__ import annotations

import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from typer import Exit

from judge.boards.operators import look_in
from judge.cli.common import ConfigFile, given_config, operators_language
from judge.cli.findings import Finding, TroubleError, as_it_says, in_words
from judge.cli.names import examine_names
from judge.config import Config, DeliverySettings, ImapSettings, ListenerSettings, MaildirSettings, SourceSettings
from judge.errors import InstallationError, OccupiedError, ResourceError, SourceError, UnmigratedError
from judge.languages import Language
from judge.mail.letters import RawMail
from judge.mail.sending import SmtpSender
from judge.mail.sources import ImapSource, ListenerSource, Source
from judge.service.engine.assemble import make_sender, make_source
from judge.service.engine.clock import Clock, doubt_of
from judge.service.engine.part import Part
from judge.service.post.budgets import used
from judge.service.talk.lost_proof import does_server_stamp
from judge.setup import Said, saying
from judge.storage import ProcessLocks, Store, check_soundness, is_on_server, sqlite_file

_OF_SMTP = frozenset({"host", "port", "security", "username", "password", "password_file"})
_WITHOUT_PASSWORD = (ListenerSettings, MaildirSettings)
_MEGABYTE = 1_000_000
_BUDGETS = {"to": "budget_to", "by": "budget_by"}
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - named here to be warned of


def doctor(
    config: ConfigFile = None,
    clock_is_right: Annotated[
        bool, typer.Option("--clock-is-right", help="Tell a judge on SQLite that doubts its clock to go on.")
    ] = False,
) -> None:
    """Check settings, database, sources and delivery, and print what is wrong."""
    settings = given_config(config)
    file = sqlite_file(settings.database.url)
    if clock_is_right and file is not None:
        doubt_of(file).unlink(missing_ok=True)
    language = operators_language(settings)
    findings = [_tell(finding, language) for finding in examine(settings)]
    if not all(finding.is_good for finding in findings):
        raise Exit(1)


def _tell(finding: Finding, language: Language) -> Finding:
    """Print a finding, good ones to standard output and others to standard error."""
    if finding.is_good and not finding.is_warning:
        print(finding.told(language), flush=True)
    else:
        print(f"judge: {finding.told(language)}", file=sys.stderr)
    return finding


def examine(config: Config) -> Iterator[Finding]:
    """Check settings, database, sources and delivery; a fault does not stop the rest."""
    about = saying("settings")
    trouble = [Finding(about, said, is_good=False) for said in _asking_for_trouble(config)]
    yield from trouble or [Finding(about, saying("no_trouble"), is_good=True)]
    yield _looked(saying("database"), lambda: _open(config.database.url))
    yield from _workers(config.database.url)
    yield from _stamps(config)
    yield from _budgets(config.database.url)
    yield from _disk(config)
    yield from _readable_by_all(config)
    yield from _clock(config)
    yield from _boards(config.games.boards)
    for settings in config.sources:
        look = partial(_source, settings, config)
        yield _looked(saying("source", name=settings.name), look, _place(settings))
        if isinstance(settings, ImapSettings):
            yield from _full_folder(settings, config)
    sender: list[str] = []
    yield _looked(saying("delivery"), lambda: _delivery(config, sender), _place(config.delivery))
    if sender and config.delivery.kind == "smtp":
        yield _looked(saying("plus_addresses"), lambda: _plus_addressing(config), _place(config.delivery))
        yield from examine_names(config)
    if config.delivery.pictures:
        yield _looked(saying("pictures"), _pictures)


def _boards(folder: Path | None) -> Iterator[Finding]:
    """Check the operator's boards, and name every fault of each."""
    found = look_in(folder)
    for name in sorted({*found.good, *found.bad}):
        about = saying("board", name=name)
        yield from (Finding(about, as_it_says(fault), is_good=False) for fault in found.bad.get(name, ()))
        if name in found.good:
            yield Finding(about, as_it_says(str(found.good[name])), is_good=True)


def _pictures() -> Said:
    """Name the library that draws the maps; without the fast one, a slower one does."""
    from judge.reports.pictures import has_skia  # noqa: PLC0415 - large libraries that no other command here needs

    return saying("by_skia" if has_skia() else "by_resvg")


def _asking_for_trouble(config: Config) -> Iterator[Said]:
    """Yield settings that are valid, but will not work or are risky."""
    address, operator = config.judge.address.lower(), config.judge.operator.lower()
    local, _, host = address.partition("@")
    if "+" in local:
        yield saying("address_has_plus", address=address)
    if operator and operator.partition("@")[2] == host and operator.partition("@")[0].partition("+")[0] == local:
        yield saying("operator_is_judge", address=operator)
    for settings in config.sources:
        if isinstance(settings, ListenerSettings) and settings.path is None and settings.host in _EVERYWHERE:
            yield saying("listens_everywhere", name=settings.name)
        if isinstance(settings, ImapSettings) and _lacks_password(settings, config):
            yield saying("source_has_no_password", name=settings.name)
    if config.watch.port and config.watch.host in _EVERYWHERE:
        yield saying("metrics_everywhere")
    if config.delivery.kind == "smtp" and _lacks_password(config.delivery, config):
        yield saying("delivery_has_no_password")
    yield from _leaves_by_nobody(config)


def _leaves_by_nobody(config: Config) -> Iterator[Said]:
    """Warn if mail goes to a folder although the settings suggest a server."""
    delivery, given = config.delivery, config.delivery.model_fields_set
    if delivery.kind == "maildir" and given & _OF_SMTP:
        yield saying("delivery_is_maildir", given=", ".join(sorted(given & _OF_SMTP)), folder=delivery.folder)
    elif not given & {"kind", "folder"} and not config.judge.address.endswith("@localhost"):
        yield saying("delivery_has_no_kind", folder=delivery.folder)


def _lacks_password(settings: ImapSettings | DeliverySettings, config: Config) -> bool:
    return bool(settings.username) and not settings.secret() and not config.oauth.is_used


def _open(url: str) -> Said:
    file = sqlite_file(url)
    if file is not None and not file.is_file():
        raise TroubleError(saying("no_database", file=file))
    try:
        store = Store.open(url)
    except UnmigratedError as error:
        raise TroubleError(saying("unmigrated")) from error
    with closing(store):
        if file is not None:
            check_soundness(file)
        size = store.megabytes()
        is_ours = size is None
        return as_it_says(store.shown_url) if is_ours else saying("size", place=store.shown_url, megabytes=size)


def _workers(url: str) -> Iterator[Finding]:
    """Yield the judges running on a shared database; two versions at once are a warning."""
    if not is_on_server(url):
        return
    with suppress(InstallationError), closing(Store.open(url)) as store:  # its faults were reported before
        live = store.live_workers()
        said = saying("workers", workers=", ".join(map(str, live))) if live else saying("no_workers")
        differ = len({worker.version for worker in live}) > 1
        yield Finding(saying("live_judges"), said, is_good=True, is_warning=differ)


def _stamps(config: Config) -> Iterator[Finding]:
    """Warn if our mail server stamps no authentication results.

    Without them, mails that lack their usual proof are not noticed.
    """
    name, file = config.judge.authserv_id, sqlite_file(config.database.url)
    if not name or (file is not None and not file.is_file()):
        return
    with suppress(InstallationError), closing(Store.open(config.database.url)) as store, store.look() as work:
        stamps = does_server_stamp(work, name) or not work.inbox.newest(1)
        said = saying("results_stamped" if stamps else "no_results_stamped", name=name)
        yield Finding(saying("sender_results"), said, is_good=True, is_warning=not stamps)


def _budgets(url: str) -> Iterator[Finding]:
    """Yield the use of the daily budgets; a spent one is a warning."""
    file = sqlite_file(url)
    if file is not None and not file.is_file():
        return
    with suppress(InstallationError), closing(Store.open(url)) as store, store.look() as work:
        for whose, one in used(work, Clock()()).items():
            values = {
                "letters": one.most.letters,
                "most_letters": one.budget.letters,
                "megabytes": f"{one.most.size / _MEGABYTE:.1f}",
                "most_megabytes": one.budget.size // _MEGABYTE,
                "seconds": f"{one.most.work / _MEGABYTE:.1f}",
                "most_seconds": one.budget.work // _MEGABYTE,
                "over": one.over,
            }
            said = saying(_BUDGETS[whose], **values)
            yield Finding(saying("budgets"), said, is_good=True, is_warning=one.over > 0)


def _disk(config: Config) -> Iterator[Finding]:
    file = sqlite_file(config.database.url)
    folder = file.resolve().parent if file is not None else Path()
    if file is None or not folder.is_dir():
        return
    free, least = shutil.disk_usage(folder).free // 1_000_000, config.watch.least_free_megabytes
    yield Finding(saying("disk"), saying("room", megabytes=free, folder=folder), is_good=free >= least)


def _readable_by_all(config: Config) -> Iterator[Finding]:
    """Yield private files that every user of this machine may read.

    They hold addresses, orders, press or passwords.
    """
    delivery, file = config.delivery, sqlite_file(config.database.url)
    found = [] if file is None else [file, *(file.with_name(f"{file.name}{end}") for end in ("-wal", "-shm"))]
    if delivery.kind == "maildir":
        found += [delivery.folder]
    accounts = [settings for settings in (*config.sources, delivery) if not isinstance(settings, _WITHOUT_PASSWORD)]
    found += [settings.password_file for settings in accounts if settings.password_file is not None]
    found += [file for file in (config.oauth.client_secret_file, config.oauth.token_file) if file is not None]
    for path in dict.fromkeys(found):
        with suppress(OSError):  # a missing file is reported elsewhere
            if path.stat().st_mode & stat.S_IROTH:
                yield Finding(saying("privacy"), saying("readable_by_all", path=path), is_good=False)


def _clock(config: Config) -> Iterator[Finding]:
    """Yield why a judge on SQLite doubts its clock."""
    file = sqlite_file(config.database.url)
    if file is not None and (doubt := doubt_of(file)).is_file():
        yield Finding(saying("clock"), as_it_says(doubt.read_text("utf-8")), is_good=False)


def _source(settings: SourceSettings, config: Config) -> Said:
    if isinstance(settings, MaildirSettings) and not settings.folder.exists():
        return _will_be_made(settings.folder)
    source = make_source(settings, _keep, Clock(), config.oauth)
    try:
        place = source.check()
    except OccupiedError as error:
        raise TroubleError(_occupied(error)) from error
    except SourceError as error:
        if isinstance(settings, MaildirSettings):
            raise TroubleError(saying("cannot_be_used", folder=settings.folder)) from error
        raise
    return _as_it_is(source, place, config.database.url)


def _occupied(error: OccupiedError) -> Said:
    if error.greeting:
        return saying("another_program", place=error.place, greeting=error.greeting)
    return saying("silent_program", place=error.place)


def _as_it_is(source: Source, place: str, url: str) -> Said:
    match source:
        case ListenerSource(is_taken=True):
            if not _runs(url):
                raise TroubleError(saying("another_judge", place=place))
            return saying("judge_listens", place=place)
        case ImapSource(account=account):
            sentence = "mailbox_waits" if source.waiting else "mailbox"
            where = f"{account.host}:{account.port}"
            return saying(sentence, name=account.username, where=where, folder=account.folder, count=source.waiting)
    return as_it_says(place)


def _full_folder(settings: ImapSettings, config: Config) -> Iterator[Finding]:
    """Warn of mail older than the judge in a mailbox: it may be a person's."""
    with suppress(Exception):  # faults of either were reported before
        source = make_source(settings, _keep, Clock(), config.oauth)
        assert isinstance(source, ImapSource)
        source.check()
        with closing(Store.open(config.database.url)) as store, store.look() as work:
            is_new = work.mark(settings.name) is None and not work.has_read(settings.name)
        if source.waiting and is_new:
            sentence = "mail_lies" if settings.old_mail == "leave" else "mail_will_be_read"
            said = saying(sentence, folder=settings.folder, count=source.waiting)
            if source.waiting == 1:
                said = replace(said, sentence=f"one_{sentence}")
            yield Finding(saying("source", name=settings.name), said, is_good=True, is_warning=True)


def _runs(url: str) -> bool:
    """Whether a judge that receives mail runs on this database."""
    with closing(ProcessLocks(url)) as locks:
        try:
            locks.claim(Part.RECEIVE.value)
        except ResourceError:
            return True
        except InstallationError:
            return False
    return False


def _will_be_made(folder: Path) -> Said:
    """Check that a missing Maildir could be made; a check does not make it."""
    above = next(one for one in folder.resolve().parents if one.exists())
    try:
        with TemporaryDirectory(dir=above, prefix=".judge-"):
            pass
    except OSError as error:
        raise TroubleError(saying("cannot_be_made", folder=folder, why=error.strerror)) from error
    return saying("will_be_made", folder=folder)


def _delivery(config: Config, found: list[str]) -> Said:
    if config.delivery.kind == "maildir" and not config.delivery.folder.exists():
        return _will_be_made(config.delivery.folder)
    found.append(make_sender(config.delivery, config.oauth).check())
    if config.delivery.kind == "smtp" and config.delivery.username:
        return saying("with_login", where=_place(config.delivery), name=config.delivery.username)
    return as_it_says(found[0])


def _plus_addressing(config: Config) -> Said:
    """Check that the outgoing server accepts the judge's own plus addresses; send nothing."""
    local, _, host = config.judge.address.partition("@")
    tried = f"{local}+doctor@{host}"
    sender = make_sender(config.delivery, config.oauth)
    assert isinstance(sender, SmtpSender)
    sender.ask(config.judge.address, tried)
    return saying("is_taken", address=tried)


def _place(settings: SourceSettings | DeliverySettings) -> str:
    """Return host and port, or the socket; "" for a folder."""
    if isinstance(settings, MaildirSettings):
        return ""
    if isinstance(settings, ListenerSettings) and settings.path is not None:
        return str(settings.path)
    return f"{settings.host}:{settings.port}"


def _looked(about: Said, look: Callable[[], Said], where: str = "") -> Finding:
    try:
        return Finding(about, look(), is_good=True)
    except Exception as error:  # noqa: BLE001 - the operator wants one line, whatever is wrong
        return Finding(about, in_words(error, where), is_good=False)


def _keep(*_: RawMail) -> None:
    raise AssertionError("a look takes no mail")

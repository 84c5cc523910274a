"""The door: `judge serve` and the operator's other commands.

Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, each with one clear line on stderr.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing
from email.utils import format_datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn, TypeVar

import structlog
import typer
from typer import Exit, TyperException

from judge import __version__
from judge.config import Config, from_environment, load_config
from judge.errors import ConfigError, InstallationError, JudgeError
from judge.games import GameState
from judge.mail.headers import decoded, header_text
from judge.mail.identity import headers_of
from judge.mail.reading import Reader as MailReader
from judge.mail.sources import ListenerSource
from judge.reports import why
from judge.rules.exchange import adjudicate_line
from judge.service import Part, Parts, Service, assemble
from judge.service.clock import Clock
from judge.service.demo import play_demo
from judge.service.inspect import inspect_file, read_contexts
from judge.service.sample import sample_report
from judge.storage import Claims, InboxState, OutboxState, Received, Store, Written, migrate

app = typer.Typer(
    help="A Diplomacy judge that lives in the mailbox.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
_NO_CONTENT = "The text is not shown, because it may hold orders and press; --content shows it."
_MOST_HEADERS = 100
_GREATEST_NUMBER = 2**31 - 1
_Mail = TypeVar("_Mail", Received, Written)
ConfigFile = Annotated[Path | None, typer.Option("--config", "-c", help="The settings file; config.toml if not given.")]


def main() -> None:
    """Run the command line; expected errors are one line, never a traceback."""
    try:
        code = app(standalone_mode=False)
    except ConfigError as error:
        for fault in error.faults:
            print(f"judge: {fault}", file=sys.stderr)
        sys.exit(2)
    except JudgeError as error:
        print(f"judge: {error}", file=sys.stderr)
        sys.exit(2)
    except TyperException as error:
        said = " ".join(str(getattr(error, "format_message", error.__str__)()).split())
        print(f"judge: {said or 'a command is needed'}", file=sys.stderr)
        sys.exit(2)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(1)
    if code:
        sys.exit(code)


def _config(path: Path | None) -> Config:
    return load_config(path or from_environment())


def _logs_to_stderr() -> None:
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


@app.command()
def serve(
    config: ConfigFile = None,
    only: Annotated[Part | None, typer.Option(help="Run one part alone, on the same database.")] = None,
) -> None:
    """Receive mail, work it, close phases, send mail: until told to stop."""
    _logs_to_stderr()
    parts = assemble(_config(config))
    service = Service(parts, only)
    service.heed_signals()
    service.start()
    for line in _welcome(parts) if only is None else (f"The judge runs its part {only.value!r}.",):
        print(line, flush=True)
    service.wait_until_told()


def _welcome(parts: Parts) -> Iterator[str]:
    """Five lines for whoever starts the judge for the first time."""
    settings = parts.config
    listener = next((source for source in parts.sources if isinstance(source, ListenerSource)), None)
    address, delivery = settings.judge.address, settings.delivery
    if listener is not None:
        server = f"{listener.host}:{listener.port}"
        protocol, how = ("LMTP", " --protocol LMTP") if listener.lmtp else ("SMTP", "")
        yield f"The judge is {address}; it takes mail by {protocol} at {server}."
        yield f"Try:      swaks --server {server}{how} --from you@example.org --to {address} --body HELP"
    else:
        yield f"The judge is {address}; it reads {', '.join(source.name for source in parts.sources)}."
        yield f"Try:      mail HELP to {address}"
    if delivery.kind == "maildir":
        yield f"Answers:  land in the Maildir {delivery.folder}; neomutt -f {delivery.folder} shows them."
    else:
        yield f"Answers:  leave by {delivery.host}:{delivery.port}."
    yield f"Games:    are kept in {parts.store.shown_url}."
    yield "Stop:     Ctrl-C, at any moment; the next start goes on where this one stopped."


@app.command(name="migrate")
def migrate_command(config: ConfigFile = None) -> None:
    """Bring the database to the newest schema."""
    settings = _config(config)
    migrate(settings.database.url)
    with closing(Store.open(settings.database.url)) as store:
        print(f"{store.shown_url} is up to date")


@app.command()
def adjudicate(
    file: Annotated[Path | None, typer.Argument(help="JSON Lines; standard input if not given.")] = None,
) -> None:
    """Adjudicate phases: JSON Lines in, JSON Lines out, one phase a line."""
    good = True
    try:
        # A byte that is no UTF-8 spoils its own line, not the stream.
        stream = file.open("rb") if file else sys.stdin.buffer
        lines = TextIOWrapper(stream, encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError((f"{file} cannot be read: {error.strerror}",)) from error
    with lines:
        for line in lines:
            if line.strip():
                result, done = adjudicate_line(line, why)
                print(result, flush=True)
                good = good and done
    if not good:
        raise Exit(1)


@app.command()
def inspect(
    files: list[Path],
    context: Annotated[Path | None, typer.Option(help="JSON Lines with the board of each mail.")] = None,
) -> None:
    """Say what the judge would make of mails, changing nothing."""
    contexts = read_contexts(context) if context else {}
    for file in files:
        print(json.dumps(inspect_file(file, contexts), ensure_ascii=False), flush=True)


@app.command()
def games(config: ConfigFile = None) -> None:
    """List all games."""
    with Store.open(_config(config).database.url).work() as work:
        for game in work.games.listing(GameState):
            deadline = f"{game.deadline:%Y-%m-%d %H:%M} UTC" if game.deadline else "-"
            print(f"{game.name:20} {game.state.value:9} {game.position.phase} {deadline}")


@app.command()
def show(name: str, config: ConfigFile = None) -> None:
    """Show one game: seats, who is ready, how much is on file. No orders."""
    with Store.open(_config(config).database.url).work() as work:
        game = work.games.get(name.lower())
        if game is None:
            _refuse(f"there is no game {name!r}")
        people = work.people.many([seat.holder for seat in game.seats if seat.holder] + [game.master])
        print(f"{game.name}: {game.state.value}, {game.position.phase}, master {people[game.master].address}")
        print(f"deadline {game.deadline or '-'}, rules {game.settings.profile}")
        for seat in game.seats:
            holder = people[seat.holder].address if seat.holder else "-"
            centers = len(game.position.centers_of(seat.power))
            print(f"  {seat.power:8} {holder:32} centers {centers:2} orders {len(seat.orders):2} ready {seat.ready}")


# Mail

inbox_app = typer.Typer(help="The mails that came in.", invoke_without_command=True)
outbox_app = typer.Typer(help="The mails that go out.", invoke_without_command=True)
app.add_typer(inbox_app, name="inbox")
app.add_typer(outbox_app, name="outbox")
Number = Annotated[int, typer.Argument(help="As the list shows it.", metavar="N")]
Limit = Annotated[int, typer.Option(help="How many to list.", min=1)]
InState = Annotated[InboxState | None, typer.Option(help="Only mails in this state.")]
OutState = Annotated[OutboxState | None, typer.Option(help="Only mails in this state.")]
Content = Annotated[bool, typer.Option("--content", help="The text as well: it may hold orders and press.")]


@inbox_app.callback()
def inbox(context: typer.Context, config: ConfigFile = None, state: InState = None, limit: Limit = 20) -> None:
    """The mails that came in; without a command, list the newest."""
    context.obj = config
    if context.invoked_subcommand is None:
        _list_inbox(_store(context, None), state, limit)


@inbox_app.command(name="list")
def inbox_list(context: typer.Context, config: ConfigFile = None, state: InState = None, limit: Limit = 20) -> None:
    """List the newest mails that came in."""
    _list_inbox(_store(context, config), state, limit)


def _list_inbox(store: Store, state: InboxState | None, limit: int) -> None:
    with store.work() as work:
        print("  ".join(f"{name} {count}" for name, count in work.inbox.counts().items()) or "empty")
        for row in work.inbox.latest(limit, state):
            reason = f"  {header_text(row['reason'])}" if row["reason"] else ""
            print(
                f"{row['id']:6} {row['received_at']:%m-%d %H:%M:%S} {row['state']:11} {row['kind'] or '-':10}{reason}"
            )


@inbox_app.command(name="show")
def inbox_show(
    context: typer.Context,
    number: Number,
    content: Content = False,
    raw: Annotated[bool, typer.Option("--raw", help="The whole mail, byte for byte, and nothing else.")] = False,
    config: ConfigFile = None,
) -> None:
    """Show a mail that came in: where it stands, and its headers."""
    with _store(context, config).work() as work:
        mail = _found(work.inbox.get, number, "inbox")
    if raw:
        sys.stdout.buffer.write(mail.raw.content)
        return
    sender = {None: "unknown", "": "<>"}.get(mail.raw.envelope_from, mail.raw.envelope_from)
    print(f"mail {number}: {mail.state.value}")
    _show("received", f"{mail.raw.received_at:%Y-%m-%d %H:%M:%S} UTC by {mail.raw.source}")
    _show("envelope", f"from {sender} to {', '.join(mail.raw.envelope_to) or 'unknown'}")
    _show("kind", mail.kind)
    _show("game", mail.game)
    _show("attempts", str(mail.attempts))
    _show("reason", mail.reason)
    print()
    for name, value in headers_of(mail.raw.content).items()[:_MOST_HEADERS]:
        print(f"{header_text(name)}: {decoded(value)}")
    print()
    print(_visible(MailReader(frozenset()).read(mail.raw).text) if content else _NO_CONTENT)


@inbox_app.command(name="replay")
def inbox_replay(context: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Work a mail again that was set aside."""
    with _store(context, config).work() as work:
        mail = _found(work.inbox.get, number, "inbox")
        if not work.inbox.replay(number):
            _refuse(f"mail {number} is {mail.state.value}; only a mail that is set-aside can be replayed")
        work.commit()
    print(f"mail {number} waits to be worked again")


@inbox_app.command(name="drop")
def inbox_drop(context: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Never work a mail; it stays stored."""
    with _store(context, config).work() as work:
        mail = _found(work.inbox.get, number, "inbox")
        if not work.inbox.drop(number):
            _refuse(f"mail {number} is {mail.state.value} already; it cannot be dropped")
        work.commit()
    print(f"mail {number} is dropped; it will not be worked")


@outbox_app.callback()
def outbox(context: typer.Context, config: ConfigFile = None, state: OutState = None, limit: Limit = 20) -> None:
    """The mails that go out; without a command, list the newest."""
    context.obj = config
    if context.invoked_subcommand is None:
        _list_outbox(_store(context, None), state, limit)


@outbox_app.command(name="list")
def outbox_list(context: typer.Context, config: ConfigFile = None, state: OutState = None, limit: Limit = 20) -> None:
    """List the newest mails that go out."""
    _list_outbox(_store(context, config), state, limit)


def _list_outbox(store: Store, state: OutboxState | None, limit: int) -> None:
    with store.work() as work:
        print("  ".join(f"{name} {count}" for name, count in work.outbox.counts().items()) or "empty")
        for row in work.outbox.latest(limit, state):
            reason = f"  {header_text(row['reason'])}" if row["reason"] else ""
            when = f"{row['queued_at']:%m-%d %H:%M:%S}"
            print(f"{row['id']:6} {when} {row['state']:7} {row['kind']:8} {row['recipient']}{reason}")


@outbox_app.command(name="show")
def outbox_show(context: typer.Context, number: Number, content: Content = False, config: ConfigFile = None) -> None:
    """Show a mail that goes out: where it stands, and its headers."""
    with _store(context, config).work() as work:
        mail = _found(work.outbox.get, number, "outbox")
        is_suspended = work.outbox.is_suspended(mail.letter.recipient)
    letter = mail.letter
    print(f"mail {number}: {mail.state.value}")
    _show("queued", f"{mail.queued_at:%Y-%m-%d %H:%M:%S} UTC")
    _show("due", f"{mail.due:%Y-%m-%d %H:%M:%S} UTC" if mail.state is OutboxState.QUEUED else None)
    _show("recipient", f"{letter.recipient}{', suspended' if is_suspended else ''}")
    _show("kind", letter.kind.value)
    _show("game", mail.game)
    _show("attempts", str(mail.attempts))
    _show("reason", mail.reason)
    print()
    headers = {
        "From": letter.sender,
        "To": letter.recipient,
        "Subject": header_text(letter.subject),
        "Date": format_datetime(letter.date),
        "Message-ID": letter.message_id,
        "Reply-To": letter.reply_to,
        "In-Reply-To": letter.in_reply_to,
        "List-Id": letter.list_id,
    }
    for name, value in headers.items():
        if value:
            print(f"{name}: {value}")
    print()
    print(_visible(letter.text) if content else _NO_CONTENT)


@outbox_app.command(name="retry")
def outbox_retry(context: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Send a mail now that did not leave, or came back; lifts the suspension of its address."""
    settings = _settings(context, config)
    with Store.open(settings.database.url).work() as work:
        mail = _found(work.outbox.get, number, "outbox")
        now = Clock(settings.clock.offset_file)()
        if not work.outbox.retry(number, now):
            _refuse(f"mail {number} is {mail.state.value}; it cannot be sent again")
        lifted = work.outbox.forget_bounces(mail.letter.recipient, now)
        work.commit()
    print(f"mail {number} is queued again" + (f"; {mail.letter.recipient} is no longer suspended" if lifted else ""))


@outbox_app.command(name="drop")
def outbox_drop(context: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Never send a mail; it stays stored."""
    with _store(context, config).work() as work:
        mail = _found(work.outbox.get, number, "outbox")
        if not work.outbox.drop(number):
            _refuse(f"mail {number} is {mail.state.value} already; it cannot be dropped")
        work.commit()
    print(f"mail {number} is dropped; it will not be sent")


def _settings(context: typer.Context, config: Path | None) -> Config:
    """The settings file may be named before or after the command."""
    return _config(config or context.obj)


def _store(context: typer.Context, config: Path | None) -> Store:
    return Store.open(_settings(context, config).database.url)


def _found(get: Callable[[int], _Mail | None], number: int, box: str) -> _Mail:
    mail = get(number) if 0 < number <= _GREATEST_NUMBER else None
    if mail is None:
        _refuse(f"there is no mail {number} in the {box}")
    return mail


def _refuse(why_not: str) -> NoReturn:
    print(f"judge: {why_not}", file=sys.stderr)
    raise Exit(1)


def _show(name: str, value: str | None) -> None:
    if value:
        print(f"{name:10} {header_text(value)}")


def _visible(text: str) -> str:
    """Foreign text made fit for a terminal, which obeys control characters."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "�" for c in text)


@app.command()
def doctor(config: ConfigFile = None) -> None:
    """Check settings, database, sources and delivery, and say what is wrong."""
    settings = _config(config)
    print("settings: good")
    parts = assemble(settings)
    print(f"database: good, {parts.store.shown_url}")
    wrong = [name for name, check in _checks(parts) if not _is_good(name, check)]
    parts.store.close()
    if wrong:
        raise Exit(1)


def _checks(parts: Parts) -> Iterator[tuple[str, Callable[[], None]]]:
    for source in parts.sources:
        yield f"source {source.name}", getattr(source, "check", lambda: None)


def _is_good(name: str, check: Callable[[], None]) -> bool:
    try:
        check()
    except Exception as error:  # noqa: BLE001 - whatever is wrong there, the operator wants one line
        print(f"judge: {name}: {error or type(error).__name__}", file=sys.stderr)
        return False
    print(f"{name}: good")
    return True


@app.command()
def backup(file: Path, config: ConfigFile = None) -> None:
    """Copy the database (SQLite) while the judge runs."""
    database = _sqlite_file(_config(config))
    if not Path(database).is_file():  # connecting would make an empty one
        raise InstallationError(f"there is no database {database}")
    unfinished = file.with_name(f"{file.name}.part")
    try:
        _copy(database, unfinished)
        unfinished.replace(file)
    except (OSError, sqlite3.Error) as error:
        unfinished.unlink(missing_ok=True)
        raise InstallationError(f"{file} cannot be written: {error}") from error
    print(f"copied to {file}")


@app.command()
def restore(file: Path, config: ConfigFile = None) -> None:
    """Put a backup in the database's place; the judge must not be running."""
    settings = _config(config)
    target = _sqlite_file(settings)
    if not file.is_file():
        raise ConfigError((f"{file} does not exist",))
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    with closing(Claims(settings.database.url)) as claims:
        for part in Part:
            claims.claim(part.value)
        try:
            with closing(sqlite3.connect(file)) as source:
                source.execute("SELECT version_num FROM alembic_version")
            _copy(file, target)
        except sqlite3.Error as error:
            raise InstallationError(f"{file} is no backup of a judge: {error}") from error
    print(f"restored from {file}")


def _copy(origin: Path | str, target: Path | str) -> None:
    with closing(sqlite3.connect(origin)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def _sqlite_file(settings: Config) -> str:
    url = settings.database.url
    if not url.startswith("sqlite:///"):
        raise ConfigError(("backup and restore are for SQLite; use pg_dump for PostgreSQL",))
    return url.removeprefix("sqlite:///")


@app.command(name="sample-report")
def sample_report_command(language: Annotated[str, typer.Option(help="en or ja")] = "en") -> None:
    """Print the report of a made-up phase, to see what players get."""
    if language not in ("en", "ja"):
        raise ConfigError((f"there is no language {language!r}; it is en or ja",))
    print(sample_report(language))


@app.command()
def demo(
    keep: Annotated[Path | None, typer.Option(help="A folder for the mailboxes; a temporary one if not given.")] = None,
    script: Annotated[Path | None, typer.Option(hidden=True, help="Another script than the one we ship.")] = None,
) -> None:
    """Play a whole game by real mail on this machine."""
    raise Exit(play_demo(keep, script))


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)

"""The door: `judge serve` and the operator's other commands.

Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, each with one clear line on stderr.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import structlog
import typer
from click.exceptions import ClickException, Exit

from judge import __version__
from judge.config import Config, from_environment, load_config
from judge.errors import ConfigError, JudgeError
from judge.games import GameState
from judge.mail.sources import ListenerSource
from judge.reports import why
from judge.rules.exchange import adjudicate_line
from judge.service import Part, Parts, Service, assemble
from judge.service.demo import play_demo
from judge.service.inspect import inspect_file, read_contexts
from judge.service.sample import sample_report
from judge.storage import Claims, Store, migrate

app = typer.Typer(
    help="A Diplomacy judge that lives in the mailbox.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
ConfigFile = Annotated[Path | None, typer.Option("--config", "-c", help="The settings file; config.toml if not given.")]


def main() -> None:
    """Run the command line; expected errors are one line, never a traceback."""
    try:
        app(standalone_mode=False)
    except ConfigError as error:
        for fault in error.faults:
            print(f"judge: {fault}", file=sys.stderr)
        sys.exit(2)
    except JudgeError as error:
        print(f"judge: {error}", file=sys.stderr)
        sys.exit(2)
    except ClickException as error:
        error.show()
        sys.exit(2)
    except (Exit, SystemExit) as error:
        sys.exit(getattr(error, "exit_code", getattr(error, "code", 0)))
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(1)


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
        yield f"The judge is {address}; it takes mail by SMTP at {server}."
        yield f"Try:      swaks --server {server} --from you@example.org --to {address} --body HELP"
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
            print(f"judge: there is no game {name!r}", file=sys.stderr)
            raise Exit(1)
        people = work.people.many([seat.holder for seat in game.seats if seat.holder] + [game.master])
        print(f"{game.name}: {game.state.value}, {game.position.phase}, master {people[game.master].address}")
        print(f"deadline {game.deadline or '-'}, rules {game.settings.profile}")
        for seat in game.seats:
            holder = people[seat.holder].address if seat.holder else "-"
            centers = len(game.position.centers_of(seat.power))
            print(f"  {seat.power:8} {holder:32} centers {centers:2} orders {len(seat.orders):2} ready {seat.ready}")


@app.command()
def inbox(config: ConfigFile = None, limit: int = 20) -> None:
    """The newest mails that came in."""
    with Store.open(_config(config).database.url).work() as work:
        print("  ".join(f"{state} {count}" for state, count in work.inbox.counts().items()) or "empty")
        for row in work.inbox.latest(limit):
            reason = f"  {row['reason']}" if row["reason"] else ""
            print(
                f"{row['id']:6} {row['received_at']:%m-%d %H:%M:%S} {row['state']:11} {row['kind'] or '-':10}{reason}"
            )


@app.command()
def outbox(config: ConfigFile = None, limit: int = 20) -> None:
    """The newest mails that go out."""
    with Store.open(_config(config).database.url).work() as work:
        print("  ".join(f"{state} {count}" for state, count in work.outbox.counts().items()) or "empty")
        for row in work.outbox.latest(limit):
            reason = f"  {row['reason']}" if row["reason"] else ""
            when = f"{row['queued_at']:%m-%d %H:%M:%S}"
            print(f"{row['id']:6} {when} {row['state']:7} {row['kind']:8} {row['recipient']}{reason}")


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
    with sqlite3.connect(_sqlite_file(_config(config))) as source, sqlite3.connect(file) as copy:
        source.backup(copy)
    copy.close()
    source.close()
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
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    print(f"restored from {file}")


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

"""The door: `judge serve` and the operator's other commands.

Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, each with one clear line on stderr.
"""

from __future__ import annotations

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from typer import Exit, TyperException

from judge import __version__
from judge.boxes import ConfigFile, given_config, inbox, outbox, refuse
from judge.errors import ConfigError, JudgeError
from judge.games import GameState
from judge.mail.sources import ListenerSource
from judge.reports import why
from judge.rules.exchange import adjudicate_line
from judge.service import Part, Parts, Service, assemble
from judge.service.assemble import TOKENS, make_desk
from judge.service.clock import Clock
from judge.service.demo import play_demo
from judge.service.doctor import Finding, examine
from judge.service.inspect import inspect_file, read_contexts
from judge.service.logs import logs_to_stderr
from judge.service.metrics import EventCounter
from judge.service.sample import sample_report
from judge.service.telling import give_to
from judge.storage import Claims, Store, back_up, migrate, put_back

app = typer.Typer(
    help="A Diplomacy judge that lives in the mailbox.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(inbox, name="inbox")
app.add_typer(outbox, name="outbox")


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


@app.command()
def serve(
    config: ConfigFile = None,
    only: Annotated[Part | None, typer.Option(help="Run one part alone, on the same database.")] = None,
) -> None:
    """Receive mail, work it, close phases, send mail: until told to stop."""
    counter = EventCounter()
    logs_to_stderr(counter)
    parts = assemble(given_config(config))
    service = Service(parts, only, counter.registry)
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
        protocol, how = ("LMTP", " --protocol LMTP") if listener.lmtp else ("SMTP", "")
        where = "--socket" if listener.path else "--server"
        yield f"The judge is {address}; it takes mail by {protocol} at {listener.place}."
        yield f"Try:      swaks {where} {listener.place}{how} --from you@example.org --to {address} --body HELP"
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
    settings = given_config(config)
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
        lines = file.open("rb") if file else sys.stdin.buffer
    except OSError as error:
        raise ConfigError((f"{file} cannot be read: {error.strerror}",)) from error
    with lines:
        for number, raw in enumerate(lines, start=1):  # as bytes: only a line feed ends a line, whatever is in it
            line = raw.removeprefix(BOM_UTF8) if number == 1 else raw
            if line.strip():
                result, done = adjudicate_line(line, why, number)
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
    with Store.open(given_config(config).database.url).work() as work:
        for game in work.games.listing(GameState):
            print(f"{game.name:20} {game.state.value:9} {game.position.phase} {_moment(game.deadline)}")


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else "-"


@app.command()
def show(name: str, config: ConfigFile = None) -> None:
    """Show one game: seats, who is ready, how much is on file. No orders."""
    with Store.open(given_config(config).database.url).work() as work:
        game = work.games.get(name.lower())
        if game is None:
            refuse(f"there is no game {name!r}")
        people = work.people.many([seat.holder for seat in game.seats if seat.holder] + [game.master])
        print(f"{game.name}: {game.state.value}, {game.position.phase}, master {people[game.master].address}")
        print(f"deadline {_moment(game.deadline)}, rules {game.settings.profile}")
        for seat in game.seats:
            holder = people[seat.holder].address if seat.holder else "-"
            centers = len(game.position.centers_of(seat.power))
            print(f"  {seat.power:8} {holder:32} centers {centers:2} orders {len(seat.orders):2} ready {seat.ready}")


@app.command(name="hand-over")
def hand_over(name: str, address: str, config: ConfigFile = None) -> None:
    """Make somebody else the master of a game whose master has vanished; everybody in it is told."""
    settings = given_config(config)
    with closing(Store.open(settings.database.url)) as store, store.work() as work:
        game = work.games.get(name.lower())
        person = work.people.by_address(address)
        if game is None:
            refuse(f"there is no game {name!r}")
        if person is None:
            refuse(f"nobody is registered as {address}")
        give_to(work, make_desk(work, settings), game, person, Clock(settings.clock.offset_file)())
        work.commit()
    print(f"{person.address} is the master of {game.name} now")


@app.command()
def doctor(config: ConfigFile = None) -> None:
    """Check settings, database, sources and delivery, and say what is wrong."""
    settings = given_config(config)
    print("settings: good")
    findings = list(map(_told, examine(settings)))
    if not all(finding.is_good for finding in findings):
        raise Exit(1)


def _told(finding: Finding) -> Finding:
    if finding.is_good:
        print(f"{finding.about}: good, {finding.said}", flush=True)
    else:
        print(f"judge: {finding.about}: {finding.said}", file=sys.stderr)
    return finding


@app.command()
def backup(file: Path, config: ConfigFile = None) -> None:
    """Copy the database (SQLite) while the judge runs."""
    back_up(given_config(config).database.url, file)
    print(f"copied to {file}")


@app.command()
def restore(file: Path, config: ConfigFile = None) -> None:
    """Put a backup in the database's place; the judge must not be running."""
    url = given_config(config).database.url
    with closing(Claims(url)) as claims:
        _claim_all(claims)
        put_back(url, file)
    print(f"restored from {file}")


def _claim_all(claims: Claims) -> None:
    """Make sure that no judge is running."""
    for part in Part:
        claims.claim(part.value)


@app.command()
def rekey(config: ConfigFile = None) -> None:
    """Change the secret behind all addresses and tokens; the one before still counts. The judge must not be running."""
    url = given_config(config).database.url
    with closing(Claims(url)) as claims, closing(Store.open(url)) as store:
        _claim_all(claims)
        with store.work() as work:
            work.change_secret(TOKENS)
            work.commit()
    print("the secret is changed; what was made with the one before is good until the next change")


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

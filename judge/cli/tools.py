"""The operator's tools: the database, the settings, and commands that need no running judge."""

from __future__ import annotations

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from typer import Exit

from judge import __version__
from judge.boards.operators import known_board
from judge.cli.asking import operators_language
from judge.cli.common import ConfigFile, given_config
from judge.cli.doctor import examine
from judge.cli.findings import Finding
from judge.cli.inspect import BadPositionError, inspect_file, read_contexts
from judge.cli.many import adjudicated
from judge.cli.terminal import waiting, with_progress
from judge.errors import ConfigError
from judge.languages import Language
from judge.resources import shipped
from judge.rules.map import USUAL_BOARD
from judge.service import Part
from judge.service.engine.assemble import TOKENS
from judge.service.engine.clock import Clock, doubt_of
from judge.service.sample import sample_report
from judge.storage import (
    Store,
    alone,
    back_up,
    migrate,
    migrating,
    put_back,
    revision_of,
    rotate,
    sqlite_file,
    told,
    upgrade,
)


def migrate_command(config: ConfigFile = None) -> None:
    """Bring the database to the newest schema; no judge may be running that cannot read it."""
    url = given_config(config).database.url
    with migrating(url, Part):
        before = revision_of(url)
        migrate(url)
    with closing(Store.open(url)) as store:
        print(f"{store.shown_url} {_migrated(before, revision_of(url))}")


def upgrade_command(
    folder: Annotated[Path, typer.Argument(help="The folder for the backup.")],
    config: ConfigFile = None,
) -> None:
    """Back up, migrate and verify the database, after a new version was installed; the judge must not be running."""
    settings = given_config(config)
    url = settings.database.url
    with alone(url, Part), waiting("copying, migrating and checking"):
        done = upgrade(url, folder, Clock(settings.clock.offset_file)())
    print(f"copied to {done.backup}")
    with closing(Store.open(url)) as store:
        print(f"{store.shown_url} {_migrated(done.before, done.after)}")
    print(f"verified: {told(done.rows)}")


def _migrated(before: str | None, after: str | None) -> str:
    if before == after:
        return f"is up to date, at revision {after}"
    return f"is migrated from revision {before} to {after}" if before else f"is new, at revision {after}"


def adjudicate(
    file: Annotated[Path | None, typer.Argument(help="JSON Lines; standard input if not given.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes that share the lines; results stay in order.", min=1)] = 1,
) -> None:
    """Adjudicate phases: JSON Lines in, JSON Lines out, one phase a line."""
    good = True
    try:
        lines = file.open("rb") if file else sys.stdin.buffer
    except OSError as error:
        raise ConfigError((f"{file} cannot be read: {error.strerror}",)) from error
    with lines:
        for result, done in adjudicated(_numbered(with_progress(lines, "adjudicating")), jobs):
            print(result, flush=True)
            good = good and done
    if not good:
        raise Exit(1)


def _numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the non-empty lines with their numbers; as bytes, because only a line feed may end a line."""
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix(BOM_UTF8) if number == 1 else raw
        if line.strip():
            yield number, line


def inspect(
    files: list[Path],
    context: Annotated[Path | None, typer.Option(help="JSON Lines with the position of each mail.")] = None,
    board: Annotated[
        str, typer.Option(help="Of mails without a position, and of positions that name none.")
    ] = USUAL_BOARD,
) -> None:
    """Say what the judge would make of mails, changing nothing."""
    known_board(board)
    contexts = read_contexts(context) if context else {}
    good = True
    for file in with_progress(files, "reading", len(files)):
        try:
            made = inspect_file(file, contexts, board)
        except BadPositionError as error:
            made, good = {"file": str(file), "error": str(error)}, False
        print(json.dumps(made, ensure_ascii=False), flush=True)
    if not good:
        raise Exit(1)


def doctor(
    config: ConfigFile = None,
    clock_is_right: Annotated[
        bool, typer.Option("--clock-is-right", help="Tell a judge on SQLite that doubts its clock to go on.")
    ] = False,
) -> None:
    """Check settings, database, sources and delivery, and say what is wrong."""
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


def backup(
    file: Annotated[Path, typer.Argument(help="A new file; with --keep, a folder.")],
    keep: Annotated[int | None, typer.Option(help="Keep that many in the folder, the newest.", min=1)] = None,
    config: ConfigFile = None,
) -> None:
    """Copy the database while the judge runs; what is read and what is written is checked."""
    settings = given_config(config)
    with waiting("copying and checking"):
        if keep is None:
            back_up(settings.database.url, file)
        else:
            file = rotate(settings.database.url, file, Clock(settings.clock.offset_file)(), keep)
    print(f"copied to {file}")


def restore(file: Path, config: ConfigFile = None) -> None:
    """Put a backup in the database's place, one of SQLite also in that of PostgreSQL; the judge must not be running."""
    url = given_config(config).database.url
    with alone(url, Part), waiting("checking and copying"):
        put_back(url, file)
    print(f"restored from {file}")


def rekey(config: ConfigFile = None) -> None:
    """Change the secret behind all addresses and tokens; the one before still counts. The judge must not be running."""
    url = given_config(config).database.url
    with alone(url, Part), closing(Store.open(url)) as store, store.work() as work:
        work.change_secret(TOKENS)
        work.commit()
    print("the secret is changed; what was made with the one before is good until the next change")


def signing_key(
    new: Annotated[
        bool, typer.Option("--new", help="Make another key, signed by the last. The judge must not be running.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Print the public keys that reports and receipts were signed with, the oldest first."""
    url = given_config(config).database.url
    with alone(url, Part) if new else nullcontext(), closing(Store.open(url)) as store, store.work() as work:
        keyring = work.change_key() if new else work.keyring()
        work.commit()
    for key in (*(one.public for one in keyring.retired), keyring.public):
        print(key.hex())


def sample_report_command(
    language: Annotated[Language, typer.Option(help="The language of the report.")] = Language.ENGLISH,
) -> None:
    """Print the report of a made-up phase, to see what players get."""
    print(sample_report(language))


def version() -> None:
    """Print the version."""
    print(__version__)


_UNITS = "docs/systemd"


def config_command(
    units: Annotated[Path | None, typer.Option(help="Write the systemd units into that folder.")] = None,
) -> None:
    """Print the settings file with every setting explained, to begin your own with."""
    if units is None:
        print(shipped("config.example.toml").read_text("utf-8"), end="")
        return
    try:
        units.mkdir(parents=True, exist_ok=True)
        for unit in sorted(shipped(_UNITS).iterdir()):
            with (units / unit.name).open("xb") as new:
                new.write(unit.read_bytes())
            print(units / unit.name)
    except FileExistsError as error:
        raise ConfigError((f"{error.filename} is there already, and may be yours",)) from error
    except OSError as error:
        raise ConfigError((f"{error.filename or units} cannot be written: {error.strerror}",)) from error

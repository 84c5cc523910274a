"""Dump and restore a PostgreSQL database with `pg_dump`, `pg_restore` and `psql`.

A dump is one file. It is restored in one transaction.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from sqlalchemy import URL, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from judge.durable import move
from judge.errors import InstallationError, ResourceError, of_system
from judge.storage.migrate import known_revisions

_CLEAR = """
SET client_min_messages = warning;
DO $$
DECLARE
    known text[];
    old text;
BEGIN
    SELECT array_agg(one) INTO known FROM (
        SELECT format('TABLE IF EXISTS %s', oid::regclass), oid FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        UNION ALL SELECT format('ROUTINE IF EXISTS %s', oid::regprocedure), oid FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace
        UNION ALL SELECT format('TYPE IF EXISTS %s', oid::regtype), oid FROM pg_type
            WHERE typnamespace = 'public'::regnamespace
            AND (typtype = 'e' OR typrelid IN (SELECT oid FROM pg_class WHERE relkind = 'c'))
    ) AS found (one, number) WHERE number NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e');
    FOREACH old IN ARRAY coalesce(known, '{}') LOOP
        EXECUTE 'DROP ' || old || ' CASCADE';
    END LOOP;
END $$;
"""
"""Drop all tables, routines and types.

A newer version may have made some that the copy does not replace.
"""
FORGET = """
SET search_path = public;
UPDATE inbox SET content = '', envelope_from = NULL, envelope_to = '[]', sender = NULL
    WHERE person = {0}
        OR (person IS NULL AND sender IN (SELECT unnest(ARRAY[address, second]) FROM person WHERE id = {0}));
UPDATE outbox SET state = 'dropped' WHERE person = {0} AND state IN ('queued', 'gathering');
UPDATE outbox SET recipient = 'erased-{0}@invalid', letter = '{{}}', body = '', packed = NULL, shared = NULL
    WHERE person = {0};
DO $$ BEGIN
    IF EXISTS (SELECT FROM information_schema.columns WHERE table_name = 'outbox' AND column_name = 'asks') THEN
        UPDATE outbox SET asks = NULL WHERE person = {0};
    END IF;
    IF EXISTS (SELECT FROM information_schema.columns WHERE table_name = 'person' AND column_name = 'mailbox') THEN
        UPDATE person SET mailbox = NULL WHERE id = {0};
    END IF;
    IF EXISTS (SELECT FROM information_schema.tables WHERE table_name = 'press') THEN
        DELETE FROM press WHERE NOT is_statement
            AND game IN (SELECT game FROM press WHERE person = {0} AND NOT is_statement);
        DELETE FROM press WHERE person = {0};
    END IF;
END $$;
DELETE FROM bounce_day WHERE address IN (SELECT unnest(ARRAY[address, second]) FROM person WHERE id = {0});
UPDATE person SET address = 'erased-{0}@invalid', second = NULL, name = '…', zone = '', wishes = '{{}}' WHERE id = {0};
"""
"""Erase a person again who was erased after the copy was made.

States are written as literals, as in migrations.
"""


def dump(url: str, file: Path) -> None:
    """Copy the database while judges run; `file` is complete or absent. Raises InstallationError."""
    unfinished = file.with_name(f"{file.name}.part")
    try:
        unfinished.touch(mode=0o600)  # it holds addresses, press and the secret behind all tokens
        _run(url, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={unfinished}")
        check_dump(unfinished)
        with unfinished.open("rb+") as written:
            os.fsync(written.fileno())
        move(unfinished, file)
    except OSError as error:
        raise of_system(f"{file} cannot be written: {error}", error) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def check_dump(file: Path) -> None:
    """Check that a file is a whole dump of a known version; raises InstallationError."""
    read = _started("", "pg_restore", "--file=-", str(file), gives=subprocess.PIPE)
    revision, is_whole, lines = "", False, iter(read.stdout or ())
    for line in lines:
        if line.startswith(b"COPY public.alembic_version "):
            revision = next(lines, b"").strip().decode("ascii", "replace")
        is_whole |= line.startswith(b"COPY public.outbox ")
    complaint = _ended(read)
    if complaint or not revision or not is_whole:
        raise InstallationError(
            f"{file} is no backup of a judge on PostgreSQL: {complaint or 'it has no games and mails'}"
        )
    if revision not in known_revisions():
        raise InstallationError(f"{file} was made by a newer version of the judge (revision {revision})")


def undump(url: str, file: Path) -> None:
    """Replace everything in the database by a dump. Raises InstallationError.

    No process may use the database meanwhile.
    """
    check_dump(file)
    forget = "".join(FORGET.format(person) for person in erased(url))
    script = _started("", "pg_restore", "--no-owner", "--no-privileges", "--file=-", str(file), gives=subprocess.PIPE)
    options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--file=-")
    written = _started(url, "psql", *options, takes=subprocess.PIPE)
    complaint = _fed(written.stdin, script, _CLEAR, forget)
    if complaint:
        written.kill()  # the transaction is rolled back
    complaint = _ended(written) or complaint
    if complaint:
        raise InstallationError(f"{file} cannot be restored: {complaint}")


def _fed(to: IO[bytes] | None, script: subprocess.Popen[bytes], before: str, after: str) -> str:
    """Feed the whole script to `psql`; return what went wrong, or ""."""
    assert to is not None
    assert script.stdout is not None
    try:
        to.write(before.encode())
        shutil.copyfileobj(script.stdout, to)
        complaint = _ended(script)
        if not complaint:
            to.write(after.encode())
            to.close()
    except BrokenPipeError:  # psql ended early, and its stderr says why
        script.kill()
        _ended(script)
        return "its commands were refused"
    return complaint


def erased(url: str) -> Sequence[int]:
    """Return the ids of persons erased in the database that is replaced; none if unreadable."""
    engine = create_engine(url, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            found = connection.execute(text("SELECT id FROM person WHERE address = 'erased-' || id || '@invalid'"))
            return tuple(found.scalars())
    except SQLAlchemyError:  # there are no tables yet
        return ()


def _run(url: str, program: str, *arguments: str) -> None:
    complaint = _ended(_started(url, program, *arguments))
    if complaint:
        raise ResourceError(f"{program}: {complaint}")


def _started(
    url: str, program: str, *arguments: str, takes: int = subprocess.DEVNULL, gives: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """Start a PostgreSQL program; the password goes in its environment.

    Arguments can be read by every user of the machine.
    """
    found, environment = shutil.which(program), dict(os.environ)
    if found is None:
        raise InstallationError(f"{program} is not installed; it comes with PostgreSQL (Debian: postgresql-client)")
    place: list[str] = []
    if url:
        address = make_url(url)
        place = [f"--dbname={_without_password(address)}"]
        environment |= {"PGPASSWORD": address.password} if address.password else {}
    command = [found, *place, *arguments]
    return subprocess.Popen(  # noqa: S603 - the program is PostgreSQL's, the arguments are ours
        command, stdin=takes, stdout=gives, stderr=subprocess.PIPE, env=environment
    )


def _without_password(address: URL) -> str:
    return address.set(drivername="postgresql", password=None).render_as_string()


def _ended(program: subprocess.Popen[bytes]) -> str:
    """Wait for a program; return the first line of its stderr, "" if it succeeded."""
    for stream in (program.stdin, program.stdout):
        if stream is not None:
            with suppress(BrokenPipeError):
                stream.close()
    assert program.stderr is not None
    with program.stderr:
        said = program.stderr.read().decode("utf-8", "replace").strip()
    if program.wait() == 0:
        return ""
    return " ".join(said.split("\n")[0].split()) or f"it ended with {program.returncode}"

"""A PostgreSQL server for the tests, in a temporary folder.

It uses the programs of Debian's package. Tests with a server of their own (fixture `postgres`) are skipped where it is
not installed, unless REAL_SERVERS=required.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

from judge.storage import migrate
from judge.storage.migrate import head_revision

_DEBIAN = Path("/usr/lib/postgresql")
_NOT_INSTALLED = "PostgreSQL is not installed: apt install postgresql"
_SECONDS = 60
_TEMPLATE = "migrated"
_EMPTY = """
DO $$
DECLARE name text;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables
        WHERE schemaname = 'public' AND tablename NOT IN ('alembic_version', 'library') LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER SEQUENCE %I RESTART', name);
    END LOOP;
END $$
"""
_OWNER = "postgres"
"""The user that runs the server if we are root, which PostgreSQL refuses."""


class Server:
    """A server of our own; it sorts names like a dictionary, unlike Python."""

    def __init__(self) -> None:
        self.programs = _programs()
        self.folder = Path(tempfile.mkdtemp(prefix="pg"))
        self.owner = _OWNER if os.geteuid() == 0 else None
        self.databases: dict[str, str] = {}
        """Place → the database that belongs to it."""
        self.clean: list[str] = []
        self.numbers = count()
        self.revision = head_revision()
        if self.owner is not None:
            os.chown(self.folder, pwd.getpwnam(self.owner).pw_uid, -1)
        self._run(
            *("initdb", f"--pgdata={self.folder / 'data'}", "--username=judge", "--auth=trust", "--encoding=UTF8"),
            *("--locale-provider=icu", "--icu-locale=en", "--locale=C.UTF-8"),
        )
        self.start()
        self.run(f"CREATE DATABASE {_TEMPLATE}")
        migrate(self.url_of(_TEMPLATE))

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self.process = self._begin()
        until = time.monotonic() + _SECONDS
        while not self._answers():
            assert time.monotonic() < until, (self.folder / "log").read_text("utf-8")
            if self.process.poll() is not None:  # children of the killed server are still ending
                self.process = self._begin()
            time.sleep(0.02)

    def _begin(self) -> subprocess.Popen[bytes]:
        settings = {"listen_addresses": "", "unix_socket_directories": str(self.folder), "max_connections": "300"}
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data")]
        command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        groups = () if self.owner else None
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, user=self.owner, extra_groups=groups, cwd="/")

    def kill(self) -> None:
        """Kill the server as a power cut would; `start` has it recover."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Stop the server, and remove its folder."""
        self.process.send_signal(signal.SIGQUIT)  # an immediate shutdown: the data are not needed again
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            self.run("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def run(self, *statements: str) -> None:
        """Run statements outside any transaction."""
        with psycopg.connect(self.url_of("postgres"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def url_of(self, database: str) -> str:
        return f"postgresql://judge@/{database}?host={self.folder}"

    def make(self, place: str, *, empty: bool) -> str:
        """Return the URL of the database of a place; it has its tables unless `empty`."""
        if place not in self.databases:
            self.databases[place] = self._new("template1") if empty else self.clean.pop() if self.clean else self._new()
        return self.url_of(self.databases[place])

    def copy(self, origin: str, place: str) -> None:
        """Copy the database of one place to another, ending all connections to it."""
        template = self.databases[origin]
        self.run(f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{template}'")
        self.databases[place] = self._new(template)

    def _new(self, template: str = _TEMPLATE) -> str:
        name = f"test{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def take_back(self, places: set[str]) -> None:
        """Take databases back to use them again: emptying one is faster than making one."""
        for place in places:
            name = self.databases.pop(place)
            self.run(f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'")
            with psycopg.connect(self.url_of(name)) as connection, suppress(psycopg.errors.UndefinedTable):
                (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or (None,)
                if revision == self.revision:
                    connection.execute(_EMPTY)
                    self.clean.append(name)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        done = subprocess.run(
            command, user=self.owner, extra_groups=() if self.owner else None, cwd="/", capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()


def _programs() -> Path:
    """Return the folder of the newest installed server; fail if there is none."""
    found = _installed()
    assert found is not None, _NOT_INSTALLED
    return found


def _installed() -> Path | None:
    found = sorted(_DEBIAN.glob("*/bin"), key=lambda folder: int(folder.parent.name))
    elsewhere = shutil.which("initdb")
    return found[-1] if found else Path(elsewhere).resolve().parent if elsewhere else None


@pytest.fixture
def postgres() -> Iterator[Server]:
    """Yield a server that only this test uses, and may stop and kill."""
    if _installed() is None:
        if os.environ.get("REAL_SERVERS") == "required":
            pytest.fail(_NOT_INSTALLED)
        pytest.skip(_NOT_INSTALLED)
    server = Server()
    try:
        yield server
    finally:
        server.stop()

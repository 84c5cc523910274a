"""PostgreSQL databases are saved and restored by its own programs, completely or not at all."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.errors import ConfigError, InstallationError
from judge.storage import back_up, put_back, rotate
from judge.storage.dumps import dump
from judge.storage.migrate import known_revisions
from tests.database import change, only_postgresql, rows, server
from tests.office import Office


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.setenv("PATH", f"{server().programs}:{os.environ['PATH']}")
    office = Office(tmp_path)
    office.open_game()
    yield office
    office.stop()


@only_postgresql
def test_what_was_saved_comes_back_and_what_happened_since_is_gone(office: Office, tmp_path: Path) -> None:
    back_up(office.url, tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600
    office.keep("france", "A PAR - BUR")
    office.settle()
    assert office.orders("FRANCE")
    office.stop()
    change(office.url, "CREATE TABLE newer (game varchar(40) REFERENCES game (name))")
    put_back(office.url, tmp_path / "copy")
    office.start()
    assert (office.phase(), office.orders("FRANCE")) == ("S1901M", [])
    assert rows(office.url, "SELECT count(*) FROM pg_class WHERE relname = 'newer'") == [(0,)]
    office.keep("france", "A PAR - BUR")
    office.settle()
    assert office.orders("FRANCE") == ["A PAR - BUR"]


@only_postgresql
def test_who_had_himself_forgotten_since_stays_forgotten(office: Office, tmp_path: Path) -> None:
    change(office.url, "UPDATE outbox SET state = 'gathering' WHERE recipient = 'france@players.test'")
    back_up(office.url, tmp_path / "copy")
    with office.parts.store.work() as work:
        france = work.people.by_address("france@players.test")
        assert france is not None
        work.people.erase(france)
        work.commit()
    office.stop()
    put_back(office.url, tmp_path / "copy")
    assert rows(office.url, f"SELECT address, name FROM person WHERE id = {france.id}") == [
        (f"erased-{france.id}@invalid", "…")
    ]
    full = f"person = {france.id} AND (body <> '' OR packed IS NOT NULL)"
    found = f"SELECT count(*) FROM outbox WHERE recipient = '{france.address}' OR {full}"
    assert rows(office.url, found) == [(0,)]
    waits = "state IN ('queued', 'gathering')"
    assert rows(office.url, f"SELECT count(*) FROM outbox WHERE person = {france.id} AND {waits}") == [(0,)]


@only_postgresql
def test_a_file_that_is_no_whole_copy_changes_nothing(office: Office, tmp_path: Path) -> None:
    back_up(office.url, tmp_path / "copy")
    (tmp_path / "torn").write_bytes((tmp_path / "copy").read_bytes()[:-5000])
    (tmp_path / "diary").write_text("Dear diary", "utf-8")
    change(office.url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(InstallationError, match="newer version"):
        back_up(office.url, tmp_path / "newer")
    for name in ("torn", "diary"):
        with pytest.raises(InstallationError, match=f"{name} is no backup"):
            put_back(office.url, tmp_path / name)
    with pytest.raises(ConfigError, match="does not exist"):
        put_back(office.url, tmp_path / "nosuch")
    with pytest.raises(InstallationError, match="never written over"):
        back_up(office.url, tmp_path / "copy")
    assert rows(office.url, "SELECT name FROM game") == [("ardennes",)]
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["copy", "diary", "torn"]


@only_postgresql
def test_what_is_refused_in_the_middle_is_not_done_at_all(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(office.url, tmp_path / "copy")
    monkeypatch.setattr("judge.storage.dumps.FORGET", "SELECT nosuch;")
    monkeypatch.setattr("judge.storage.dumps.erased", lambda _: (1,))
    office.keep("france", "A PAR - BUR")
    office.settle()
    with pytest.raises(InstallationError, match=r"cannot be restored: .*nosuch"):
        put_back(office.url, tmp_path / "copy")
    assert office.orders("FRANCE") == ["A PAR - BUR"]


@only_postgresql
def test_a_folder_keeps_the_newest(office: Office, tmp_path: Path) -> None:
    made = [rotate(office.url, tmp_path, office.now + timedelta(days=day), keep=2) for day in range(3)]
    assert sorted(tmp_path.glob("*.dump")) == made[1:]


@only_postgresql
def test_what_is_missing_is_named(office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InstallationError, match="pg_dump is not installed"):
        back_up(office.url, tmp_path / "copy")


# Damaged copies that `pg_dump` reports as good; stand-ins for the programs, so this needs no server


_NEWEST = max(known_revisions())
_GAMES = "COPY public.outbox (id) FROM stdin;"
COPIES = {
    "whole": (f"COPY public.alembic_version (version_num) FROM stdin;\n{_NEWEST}\n{_GAMES}", ""),
    "newer": (f"COPY public.alembic_version (version_num) FROM stdin;\n9999\n{_GAMES}", "newer version"),
    "without letters": (
        f"COPY public.alembic_version (version_num) FROM stdin;\n{_NEWEST}",
        "it has no games and mails",
    ),
    "without a revision": (_GAMES, "it has no games and mails"),
    "of another program": ("COPY public.diary (day) FROM stdin;", "it has no games and mails"),
}


@pytest.mark.parametrize(("script", "complaint"), COPIES.values(), ids=COPIES)
def test_a_copy_is_kept_only_once_it_was_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, complaint: str
) -> None:
    programs = {
        "pg_dump": 'for last; do :; done\nprintf copy > "${last#--file=}"',
        "pg_restore": f"echo {shlex.quote(script)}",
    }
    (tmp_path / "bin").mkdir()
    for name, does in programs.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{does}\n", "utf-8")
        (tmp_path / "bin" / name).chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    copy = tmp_path / "copies" / "copy"
    copy.parent.mkdir()
    if complaint:
        with pytest.raises(InstallationError, match=complaint):
            dump("postgresql://judge@localhost/judge", copy)
    else:
        dump("postgresql://judge@localhost/judge", copy)
        assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in copy.parent.iterdir()] == ([] if complaint else ["copy"])

"""From one machine to many: a judge's SQLite data go on in PostgreSQL."""

from __future__ import annotations

import re
import smtplib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from judge.demo.post_office import utc_now
from judge.errors import InstallationError
from judge.service.engine.part import Part
from judge.storage import Store, migrate, put_back
from judge.storage import tables as t
from judge.storage.store import make_engine
from tests.database import make_old_file, only_postgresql, rows
from tests.house import House
from tests.office import Office
from tests.wire import wait_until

pytestmark = only_postgresql
LATER = datetime(2026, 11, 25, 13, 10, tzinfo=UTC)
IN_GHENT = "SELECT holder FROM seat WHERE game = 'ghent' AND power = 'ENGLAND'"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return make_old_file(tmp_path / "old.sqlite3")


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """Return a judge on PostgreSQL with a game of its own."""
    one = Office(tmp_path, now=LATER, number=1000)
    one.open_game()
    yield one
    one.stop()


def everything(url: str) -> dict[str, list[tuple[object, ...]]]:
    engine = make_engine(url)
    try:
        with engine.connect() as connection:
            return {
                table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
                for table in t.metadata.sorted_tables
                if table is not t.library  # of the server itself
            }
    finally:
        engine.dispose()


def test_every_row_crosses_and_nothing_is_left_of_what_was_there(office: Office, old: Path) -> None:
    before = old.read_bytes()
    put_back(office.url, old)
    assert old.read_bytes() == before
    migrate(f"sqlite:///{old}")
    assert everything(office.url) == everything(f"sqlite:///{old}")
    office.keep("ada", "HELP")
    assert rows(office.url, "SELECT max(id) FROM inbox") == [(33,)]


def test_who_had_himself_forgotten_since_stays_forgotten(office: Office, old: Path) -> None:
    put_back(office.url, old)
    with office.parts.store.work() as work:
        ada = work.people.by_address("ada@players.test")
        assert ada is not None
        work.people.erase(ada)
        work.commit()
    put_back(office.url, old)
    forgotten = f"erased-{ada.id}@invalid"
    assert rows(office.url, f"SELECT address FROM person WHERE id = {ada.id}") == [(forgotten,)]
    assert set(rows(office.url, f"SELECT recipient FROM outbox WHERE person = {ada.id}")) == {(forgotten,)}


def test_a_text_that_sqlite_kept_and_postgresql_refuses_is_cut(office: Office, old: Path) -> None:
    with closing(sqlite3.connect(old)) as database:
        database.execute("UPDATE person SET name = ? WHERE id = 2", ("Ada\0" * 50,))
        database.commit()
    put_back(office.url, old)
    assert rows(office.url, "SELECT name FROM person WHERE id = 2") == [("Ada\N{REPLACEMENT CHARACTER}" * 20,)]


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "was made by a newer version"),
        ("DROP TABLE outbox", "is no backup of a judge"),
        ("UPDATE seat SET holder = 77 WHERE game = 'ghent'", "cannot be restored: .*fk_seat_holder"),
    ],
)
def test_what_is_refused_changes_nothing(office: Office, old: Path, statement: str, complaint: str) -> None:
    with closing(sqlite3.connect(old)) as database:
        database.execute(statement)
        database.commit()
    before = everything(office.url)
    with pytest.raises(InstallationError, match=complaint):
        put_back(office.url, old)
    assert everything(office.url) == before


def test_several_workers_go_on_with_games_of_the_first_release(tmp_path: Path, old: Path) -> None:
    """Waiting mail, an open question, an old report's address and a deadline all count."""
    house = House(tmp_path)
    put_back(house.url, old)
    house.offset.write_text(str((LATER - utc_now()).total_seconds()), "utf-8")
    with house.running(Part.RECEIVE, Part.CLOCK, Part.WORK, Part.WORK, Part.DELIVER):
        wait_until(lambda: not house.rows("SELECT id FROM inbox WHERE state = 'waiting'"))
        assert house.rows(IN_GHENT) != [(None,)]
        answer(house, "confirm", "RESIGN", "YES")
        answer(house, "report", "bruges", "F EDI - NWG")
        wait_until(lambda: house.rows(IN_GHENT) == [(None,)])
        wait_until(lambda: ("F EDI",) in house.rows("SELECT unit FROM filed_order WHERE game = 'bruges'"))
        (deadline,) = house.rows("SELECT deadline FROM game WHERE name = 'calais'")[0]
        assert isinstance(deadline, datetime)
        house.pass_time(deadline.replace(tzinfo=UTC) - LATER + timedelta(minutes=5))
        wait_until(lambda: house.rows("SELECT phase FROM game WHERE name = 'calais'") == [("F1914M",)])
        wait_until(house.is_quiet)
    assert house.rows("SELECT count(*) FROM history WHERE game = 'calais'") == [(1,)]
    assert "Traceback" not in house.log()


def answer(house: House, kind: str, about: str, line: str) -> None:
    """Answer a letter of the old judge as Ada."""
    with closing(Store.open(house.url)) as store, store.look() as work:
        written = [work.outbox.get(row["id"]) for row in work.outbox.latest(1000)]
    letters = [one.letter for one in written if one is not None and one.letter.recipient == "ada@players.test"]
    (letter,) = [one for one in letters if one.kind == kind and re.search(about, one.subject)]
    assert letter.reply_to
    mail = house.letter(letter.recipient, line)
    mail.replace_header("To", letter.reply_to)
    with smtplib.SMTP("127.0.0.1", house.port) as connection:
        connection.send_message(mail, letter.recipient, [letter.reply_to])

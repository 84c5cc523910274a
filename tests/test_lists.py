"""Lists: contents, paging, and the same cost with a thousand games as with ten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from judge.commands import Language
from judge.reports.manual import load_manual
from judge.storage import tables as t
from tests.asked import asked_by_all
from tests.office import Office

MAILS = [
    ("gil" if entry.group == "masters" else "france", entry.pages[Language.ENGLISH].forms[0])
    for entry in load_manual().commands
]
"""A mail for each command, as HELP shows it."""
PARTS = {t.game: "name", t.seat: "game"}


def crowd(office: Office, number: int) -> None:
    """Add this many copies of the game `ardennes`."""
    with office.parts.store.work() as work:
        for table, key in PARTS.items():
            copied = work.connection.execute(select(table).where(table.c[key] == "ardennes")).mappings().all()
            rows = [{**row, key: f"copy-{i:04}"} for i in range(1, number + 1) for row in copied]
            work.connection.execute(insert(table), rows)
        work.connection.execute(update(t.game).where(t.game.c.name.startswith("copy-")).values(due=None))
        work.commit()


def asked_of_each_command(folder: Path, games: int) -> dict[str, int]:
    """Return the number of queries for a mail with each command."""
    folder.mkdir()
    office = Office(folder)
    office.open_game()
    crowd(office, games)
    counts = {}
    for who, form in MAILS:
        office.keep(who, *form.split("\n"))
        with asked_by_all(office.parts.store.engine) as asked:
            office.parts.intake.work_all()
        counts[f"{who}: {form}"] = len(asked)
    office.stop()
    return counts


def test_no_command_asks_more_of_the_database_for_more_games(tmp_path: Path) -> None:
    few, many = (asked_of_each_command(tmp_path / str(games), games) for games in (10, 1000))
    assert {form: (few[form], many[form]) for form in few if few[form] != many[form]} == {}
    assert max(few.values()) < 100


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    one = Office(tmp_path)
    one.open_game()
    yield one
    one.stop()


def answer(office: Office, who: str, *lines: str) -> str:
    office.keep(who, *lines)
    office.parts.intake.work_all()
    return re.sub(r"\s+", " ", office.letters(f"{who}@players.test")[-1].text)


def test_a_list_comes_in_pages(office: Office) -> None:
    crowd(office, 60)
    first = answer(office, "mia", "LIST")
    assert "Games: 61, page 1 of 3" in first
    assert first.count("Standard board") == 25
    assert "LIST 2 shows the next ones" in first
    last = answer(office, "mia", "LIST 9")
    assert "page 3 of 3" in last
    assert last.count("Standard board") == 11
    assert "shows the next ones" not in last
    assert "copy-0060" in last


def test_who_is_erased_is_on_no_list_of_invited(office: Office) -> None:
    office.keep("gil", "CREATE second", "CREATE third")
    office.keep("gil", "GAME second", "INVITE france@players.test")
    office.keep("france", "ERASE ME")
    office.settle()
    question = office.letters("france@players.test")[-1]
    assert question.reply_to is not None
    office.keep("france", "YES", to=question.reply_to)
    office.settle()
    with office.parts.store.work() as work:
        second = work.games.get("second")
        assert second is not None
        assert second.invitations == ()
        assert work.games.inviting("france@players.test") == ()

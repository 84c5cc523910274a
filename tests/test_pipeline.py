"""Pipelined statements: in order, completely or not at all, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from sqlalchemy import delete, event, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from judge.errors import ConflictError
from judge.mail.letters import RawMail
from judge.storage import Store, migrate, pipeline
from judge.storage import tables as t
from judge.storage.prepared import Prepared, rows_of_each
from judge.storage.store import Work
from tests.database import only_postgresql, url_of
from tests.office import World, begun
from tests.office import text as text_of

DAY = datetime(2026, 9, 21, tzinfo=UTC).date()
ALL = Prepared(select(t.bounce_day.c.address).order_by(t.bounce_day.c.address))
ADD = Prepared(insert(t.bounce_day))
RENAME = Prepared(update(t.bounce_day).where(t.bounce_day.c.address == "b").values(address="c"))
DROP = Prepared(delete(t.bounce_day))


def add(work: Work, *addresses: str) -> None:
    ADD.change_each(work.connection, [{"address": address, "day": DAY} for address in addresses])


Act: TypeAlias = Callable[[Work], object]


def adding(*addresses: str) -> Act:
    return lambda work: add(work, *addresses)


def renaming(work: Work) -> None:
    RENAME.change_one(work.connection, {}, "nobody was renamed")


def commits(work: Work) -> None:
    work.commit()


def breaks_off(_: Work) -> None:
    raise ZeroDivisionError


def do(store: Store, *acts: Act) -> None:
    with store.work() as work:
        for act in acts:
            act(work)


def all_of(work: Work) -> list[str]:
    return [row["address"] for row in ALL.rows(work.connection)]


def stored(store: Store) -> list[str]:
    with store.look() as work:
        return all_of(work)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    url = url_of(tmp_path)
    migrate(url)
    store = Store.open(url)
    yield store
    store.close()


@pytest.fixture
def playing() -> World:
    """Return a game that has just started."""
    return begun(World())


def by_sqlalchemy(work: Work) -> list[str]:
    return list(work.connection.execute(select(t.bounce_day.c.address).order_by("address")).scalars())


def by_the_driver(work: Work) -> list[str]:
    found = work.connection.exec_driver_sql("SELECT address FROM bounce_day ORDER BY address")
    return [row[0] for row in found]


def soon(work: Work) -> list[str]:
    heard: list[str] = []
    ALL.ask_soon(work.connection, {}, lambda rows: heard.extend(row["address"] for row in rows))
    RENAME.change(work.connection, {})
    return heard


def beside_another(work: Work) -> list[str]:
    first, second = rows_of_each(work.connection, (ALL, ALL), {})
    assert first == second
    return [row["address"] for row in first]


@pytest.mark.parametrize("ask", [all_of, by_sqlalchemy, by_the_driver, soon, beside_another])
def test_who_asks_sees_what_was_to_be_changed_before(store: Store, ask: Callable[[Work], list[str]]) -> None:
    with store.work() as work:
        add(work, "a", "b")
        DROP.change_soon(work.connection, {})
        add(work, "b", "d")
        assert ask(work) == ["b", "d"]


def test_the_commit_takes_along_what_waits(store: Store) -> None:
    do(store, adding("a", "b"), renaming, commits, adding("never committed"))
    assert stored(store) == ["a", "c"]


def test_what_waited_as_a_unit_of_work_ended_is_never_done(store: Store) -> None:
    do(store, adding("left behind"))
    do(store, adding("a"), commits)
    with pytest.raises(ZeroDivisionError):
        do(store, adding("lost"), breaks_off)
    assert stored(store) == ["a"]


@pytest.mark.parametrize("then", [commits, all_of, by_sqlalchemy])
def test_whoever_is_not_the_first_to_change_a_row_changes_nothing(store: Store, then: Act) -> None:
    with pytest.raises(ConflictError, match="nobody was renamed"):
        do(store, adding("a"), renaming, adding("d"), then)
    assert stored(store) == []
    do(store, adding("b"), renaming, commits)  # and the connection still works
    assert stored(store) == ["c"]


@pytest.mark.parametrize("then", [commits, all_of, by_sqlalchemy])
def test_a_fault_among_what_waits_is_told_and_nothing_of_it_is_done(store: Store, then: Act) -> None:
    with pytest.raises((DBAPIError, ConflictError)):
        do(store, adding("a", "a"), then)
    assert stored(store) == []


def test_a_savepoint_holds_what_waited_before_it(store: Store) -> None:
    def within(work: Work) -> None:
        with suppress(ZeroDivisionError), work.connection.begin_nested():
            add(work, "within")
            all_of(work)
            breaks_off(work)

    do(store, adding("before"), within, adding("behind"), commits)
    assert stored(store) == ["before", "behind"]


@only_postgresql
def test_whoever_only_changes_waits_for_the_server_once(store: Store) -> None:
    with store.work() as work:
        add(work, "a", "b")
        renaming(work)
        pid = work.connection.connection.driver_connection.info.backend_pid  # type: ignore[union-attr]
        with store.engine.connect() as other:
            asked = text("SELECT state FROM pg_stat_activity WHERE pid = :pid")
            assert other.execute(asked, {"pid": pid}).scalar_one() == "idle"  # not even begun
        work.commit()
    assert stored(store) == ["a", "c"]


@only_postgresql
@pytest.mark.parametrize(("head", "ways"), [("", 4), ("In-Reply-To: {}\n", 5)])
def test_an_order_mail_is_two_ways_to_the_server_and_a_reply_one_more(
    playing: World, monkeypatch: pytest.MonkeyPatch, head: str, ways: int
) -> None:
    report = playing.reports["ada"]
    to = str(report["Reply-To"])
    written = f"From: ada@players.test\nMessage-ID: <one@x>\n{head.format(report['Message-ID'])}\nA VIE - GAL\n"
    playing.parts.intake.keep(RawMail(written.encode(), "test", playing.now, "ada@players.test", (to,)))
    sent: list[str] = []
    send = pipeline._sent

    def counted(*statements: Any) -> Any:
        sent.append("by us")
        return send(*statements)

    monkeypatch.setattr(pipeline, "_sent", counted)
    event.listen(playing.parts.store.engine, "before_cursor_execute", lambda *_: sent.append("by SQLAlchemy"))
    playing.parts.intake.work_turn("ardennes")
    assert sent == ["by us"] * ways  # the first takes the mail, the last finds no other
    playing.settle()
    assert "= A VIE - GAL is on file" in text_of(playing.box.take("ada")[-1])

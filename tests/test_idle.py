"""Idle loops look at the tables only after mail or when work is due."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.service.engine.run import Loop
from judge.storage import Store
from judge.storage.idle import NEXT_GAME, NEXT_LETTER, NEXT_MAIL, IdleCheck
from judge.storage.prepared import Prepared
from tests.database import only_sqlite
from tests.office import Office

pytestmark = only_sqlite
NEXT = {"mail": NEXT_MAIL, "game": NEXT_GAME, "letter": NEXT_LETTER}
SECOND = timedelta(seconds=1)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    one = Office(tmp_path)
    one.open_game("2 days")
    yield one
    one.stop()


def check_of(office: Office, next_due: Prepared) -> IdleCheck:
    idle_check = office.parts.store.idle_check(next_due, lambda: office.now)
    assert idle_check is not None
    idle_check.begin()
    return idle_check


def assert_lasts(office: Office, next_due: Prepared, time: timedelta) -> None:
    """Check that the idle check lasts for exactly this time."""
    idle_check = check_of(office, next_due)
    office.now += time - SECOND
    assert idle_check.lasts()
    office.now += SECOND
    assert not idle_check.lasts()
    idle_check.close()


@pytest.mark.parametrize("next_due", NEXT.values(), ids=NEXT)
def test_it_lasts_until_somebody_writes(office: Office, next_due: Prepared) -> None:
    idle_check = check_of(office, next_due)
    assert [idle_check.lasts(), idle_check.lasts()] == [True, True]
    office.keep("france", "A PAR - BUR")
    assert [idle_check.lasts(), idle_check.lasts()] == [False, False]
    office.settle()
    idle_check.begin()
    assert idle_check.lasts()
    idle_check.close()


def test_it_lasts_until_a_game_is_due(office: Office) -> None:
    with office.parts.store.look() as work:
        game = work.games.get("ardennes")
    assert game is not None
    assert game.wakes is not None
    idle_check = check_of(office, NEXT_GAME)
    office.now = game.wakes - SECOND
    assert idle_check.lasts()
    office.now = game.wakes
    assert not idle_check.lasts()
    idle_check.close()


def test_it_lasts_until_a_letter_is_due_again(office: Office) -> None:
    office.keep("france", "STATUS")
    office.parts.intake.work_all()
    assert not check_of(office, NEXT_LETTER).lasts()
    with office.parts.store.work() as work:
        (queued,) = work.outbox.lease(office.now, 9, timedelta(minutes=5))
        work.outbox.deferred(queued.id, office.now + timedelta(hours=1), "busy")
        work.commit()
    assert_lasts(office, NEXT_LETTER, timedelta(hours=1))


def test_mail_that_waits_leaves_no_calm_and_a_suspect_has_its_pause(office: Office) -> None:
    number = office.keep("france", "STATUS")
    assert not check_of(office, NEXT_MAIL).lasts()
    with office.parts.store.work() as work:
        work.inbox.suspect(number, office.now + timedelta(minutes=5))
        work.commit()
    assert_lasts(office, NEXT_MAIL, timedelta(minutes=5))


def test_a_clock_that_goes_back_ends_it(office: Office) -> None:
    idle_check = check_of(office, NEXT_GAME)
    assert idle_check.lasts()
    office.now -= timedelta(hours=1)
    assert not idle_check.lasts()
    idle_check.close()


def test_a_loop_looks_when_it_is_woken_or_there_may_be_something(office: Office) -> None:
    looked: list[str] = []

    def look() -> int:
        looked.append("the tables")
        return 0

    loop = Loop("one", look, threading.Event())
    loop.idle_check = office.parts.store.idle_check(NEXT_MAIL, lambda: office.now)
    loop._look()
    loop._look()
    assert len(looked) == 1
    loop.wake()
    loop._look()
    assert len(looked) == 2
    office.keep("france", "A PAR - BUR")
    loop._look()
    assert len(looked) == 3


def test_in_memory_nobody_counts_what_is_written() -> None:
    store = Store.open("sqlite://")
    assert store.idle_check(NEXT_MAIL, lambda: datetime(2026, 11, 24, tzinfo=UTC)) is None
    store.close()

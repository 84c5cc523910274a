"""Several processes, of one machine or of many, share one PostgreSQL by Procrastinate's queue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from judge.errors import InstallationError
from judge.mail.letters import RawMail
from judge.service import Part, Service
from judge.storage import DELIVER, Arrived, CloseGame, Errand, Store, WorkMail
from judge.storage.store import Work, make_engine
from tests.database import IS_POSTGRESQL, only_postgresql, url_in_memory, url_of
from tests.house import EVERYBODY, ORDERS, PLAYED, POWERS, House, end
from tests.office import Office
from tests.wire import wait_until

if IS_POSTGRESQL:
    from procrastinate.exceptions import ConnectorException
    from procrastinate.jobs import Job, Status
    from procrastinate.manager import JobManager
    from procrastinate.schema import SchemaManager

    from judge.storage.jobs import (
        Claims,
        Jobs,
        has_read,
        put_in_place,
        refuse_an_older_queue,
        take_over,
        unread_since,
        without_a_job,
    )

pytestmark = only_postgresql

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def store() -> Iterator[Store]:
    opened = Store.open(url_in_memory())
    assert isinstance(opened.waker, Jobs)
    opened.waker.clock = lambda: NOW
    yield opened
    opened.close()


def jobs(store: Store) -> list[tuple[str | None, ...]]:
    """Queue, turn and state of every job, in the order in which they are done."""
    with store.look() as work:
        found = work.connection.execute(text("SELECT queue_name, lock, status FROM procrastinate_jobs ORDER BY id"))
        return [tuple(row) for row in found]


def run(store: Store, statement: str) -> None:
    with store.work() as work:
        work.connection.execute(text(statement))
        work.commit()


def say(store: Store, *errands: WorkMail | CloseGame) -> None:
    with store.work() as work:
        for errand in (*errands, DELIVER):
            work.wake(errand)
        work.commit()


def keep(store: Store, identity: str) -> int:
    raw = RawMail(b"A PAR - BUR", "loopback", NOW, "alice@players.test", ())
    (id_,) = store.keep_all([Arrived(raw, identity, None, "alice@players.test")])
    assert id_ is not None
    return id_


def two_letters(work: Work) -> None:
    work.wake(DELIVER)
    work.wake(DELIVER)


SAID: tuple[tuple[Callable[[Work], object], list[tuple[str | None, ...]]], ...] = (
    (lambda work: work.wake(WorkMail("ardennes")), [("mail", "ardennes", "todo")]),
    (lambda work: work.wake(WorkMail("from a@b")), [("mail", "from a@b", "todo")]),
    (lambda work: work.wake(CloseGame("ardennes", NOW)), [("close", "ardennes", "todo")]),
    # A job for later would have all later jobs of the game wait.
    (lambda work: work.wake(CloseGame("ardennes", NOW + HOUR)), []),
    (two_letters, [("deliver", None, "todo")]),
)


@pytest.mark.parametrize(("act", "deferred"), SAID)
def test_a_job_exists_exactly_if_its_change_does(
    store: Store, act: Callable[[Work], object], deferred: list[tuple[str | None, ...]]
) -> None:
    with store.work() as work:
        act(work)
    assert jobs(store) == []
    with store.work() as work:
        act(work)
        work.commit()
    assert jobs(store) == deferred


def defer_now(work: Work, errand: Errand) -> None:
    """What would travel with the commit is done, and not committed yet."""
    work.waker.within(work.connection, [errand])
    work.connection.execute(text("SELECT 1"))


def test_what_was_not_begun_is_not_deferred_twice(store: Store) -> None:
    say(store, WorkMail("ardennes"), CloseGame("ardennes", NOW))
    say(store, WorkMail("ardennes"), WorkMail("bulge"), CloseGame("ardennes", NOW))
    assert Counter(queue for queue, *_ in jobs(store)) == {"mail": 2, "close": 1, "deliver": 1}


def test_a_job_that_does_a_change_as_well_cannot_begin_before_the_change_is_there(store: Store) -> None:
    say(store)
    with store.work() as work:
        defer_now(work, DELIVER)
        assert fetched(store, "deliver") is None
        work.connection.commit()
    assert fetched(store, "deliver") is not None


def test_who_defers_what_another_defers_waits_for_nobody(store: Store) -> None:
    with store.work() as first, store.work() as second:
        defer_now(first, DELIVER)
        second.wake(DELIVER)
        second.commit()
        first.connection.commit()
    assert jobs(store) == [("deliver", None, "todo")] * 2
    say(store)
    assert jobs(store) == [("deliver", None, "todo")] * 2


def test_what_has_begun_is_deferred_again(store: Store) -> None:
    say(store, WorkMail("ardennes"))
    assert fetched(store, "mail") is not None
    say(store, WorkMail("ardennes"))
    assert Counter(jobs(store)) == {
        ("mail", "ardennes", "doing"): 1,
        ("mail", "ardennes", "todo"): 1,
        ("deliver", None, "todo"): 1,
    }


def fetched(store: Store, queue: str) -> int | None:
    """The job that a worker begins, whom nobody has heard of for a minute."""
    with store.work() as work:
        new = "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 minute') RETURNING id"
        worker = work.connection.execute(text(new)).scalar_one()
        fetch = text("SELECT (procrastinate_fetch_job_v2(ARRAY[:queue], :worker)).id")
        job: int | None = work.connection.execute(fetch, {"queue": queue, "worker": worker}).scalar()
        work.commit()
    return job


def test_what_a_dead_worker_had_begun_is_done_again_in_its_place(store: Store) -> None:
    say(store, WorkMail("ardennes"))
    fetched(store, "mail")
    say(store, WorkMail("ardennes"))
    assert [state for *_, state in jobs(store)] == ["doing", "todo", "todo"]
    with store.work() as work:
        assert take_over(work.connection) == 1
        work.commit()
    assert jobs(store) == [("mail", "ardennes", "todo"), ("deliver", None, "todo"), ("mail", "ardennes", "todo")]


def test_what_comes_by_the_clock_is_dropped_if_its_worker_died(store: Store) -> None:
    clock = "INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock) VALUES ('clock', 'look', 'look')"
    run(store, clock)
    fetched(store, "clock")
    run(store, clock)
    with store.work() as work:
        assert take_over(work.connection) == 0
        work.commit()
    assert jobs(store) == [("clock", None, "todo")]


def test_a_mail_without_a_job_is_found(store: Store) -> None:
    first, second = keep(store, "one"), keep(store, "two")
    with store.look() as work:
        assert without_a_job(work.connection, NOW, 10) == []
    run(store, "DELETE FROM procrastinate_jobs WHERE queue_name = 'mail'")
    run(store, f"UPDATE inbox SET state = 'done' WHERE id = {second}")
    run(store, f"UPDATE inbox SET state = 'suspect', retry_at = '{NOW:%F %T}' WHERE id = {first}")
    with store.look() as work:
        assert without_a_job(work.connection, NOW - HOUR, 10) == []
        assert without_a_job(work.connection, NOW, 10) == [WorkMail("from alice@players.test")]


def test_a_mailbox_is_read_by_one_until_he_lets_go(store: Store) -> None:
    one, other = Claims(store.engine), Claims(store.engine)
    assert one.take("mailbox")
    assert not other.take("mailbox")
    one.close()
    wait_until(lambda: other.take("mailbox"))
    other.close()


def test_a_closing_waits_for_mailboxes_that_were_not_read_since_but_not_for_ever(store: Store) -> None:
    with store.work() as work:
        for mailbox, at in (("long ago", NOW - 25 * HOUR), ("before", NOW - HOUR), ("after", NOW + HOUR)):
            has_read(work.connection, mailbox, at)
        has_read(work.connection, "after", NOW + 2 * HOUR)
        assert unread_since(work.connection, NOW, NOW - 24 * HOUR) == ["before"]


def test_an_older_queue_is_brought_to_the_newest_version_and_only_once(tmp_path: Path) -> None:
    """Its own migrations lead from what 3.1 made to what 3.10 makes anew."""
    engine = make_engine(url_of(tmp_path, empty=True))
    steps = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    older = [step for step in steps if step.name < "03.02"]
    for step in older:
        with engine.begin() as connection:
            connection.connection.cursor().execute(step.read_text("utf-8"))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"COMMENT ON TABLE procrastinate_jobs IS '{older[-1].name}'")
    with pytest.raises(InstallationError, match=r"the queue in the database is older than .*; run `judge migrate`"):
        refuse_an_older_queue(engine)
    put_in_place(engine)
    refuse_an_older_queue(engine)
    put_in_place(engine)
    fresh = make_engine(url_in_memory())
    assert made(engine) == made(fresh)
    engine.dispose()
    fresh.dispose()


def made(engine: Engine) -> Mapping[str, list[tuple[object, ...]]]:
    """The queue's functions, columns and words, and the version it is said to have."""
    queries = {
        "functions": "SELECT proname, proargnames FROM pg_proc WHERE proname LIKE 'procrastinate_%' ORDER BY 1, 2",
        "columns": "SELECT table_name, column_name, data_type FROM information_schema.columns "
        "WHERE table_name LIKE 'procrastinate_%' ORDER BY 1, 2",
        "words": "SELECT enumlabel FROM pg_enum ORDER BY 1",
        "version": "SELECT obj_description('procrastinate_jobs'::regclass, 'pg_class')",
    }
    with engine.connect() as connection:
        return {what: [tuple(row) for row in connection.execute(text(sql))] for what, sql in queries.items()}


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    made.migrate()
    return made


def test_two_workers_and_two_deliverers_share_the_opening_and_one_of_each_is_killed(house: House) -> None:
    with house.running(Part.RECEIVE, Part.CLOCK, Part.WORK, Part.DELIVER):
        killed = [house.start("--only", part.value) for part in (Part.WORK, Part.DELIVER)]
        begun = house.open_game()
        wait_until(lambda: house.phase() == "S1901M")
        orders = {power: house.send(POWERS[power], order, "READY") for power, (order, _) in ORDERS.items()}
        for process in killed:
            end(process)
        wait_until(lambda: house.phase() == "F1901M" and house.is_quiet())
    game = house.game()
    assert game is not None
    assert set(map(str, game.position.units)) >= PLAYED
    assert house.rows("select phase from history") == [("S1901M",)]
    assert set(house.results("ardennes S1901M")) == set(EVERYBODY)
    copies = {id_: {str(mail["Message-ID"]) for mail in found} for id_, found in house.replies().items()}
    assert {id_: len(found) for id_, found in copies.items() if id_ != "None"} == dict.fromkeys(
        [*begun, *orders.values()], 1
    )


def test_what_was_under_way_as_the_database_went_away_keeps_nothing_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job is done and its end is not noted: its worker lives, and would have it for ever."""
    office, ended = Office(tmp_path), JobManager.finish_job
    lost: list[Job] = []

    async def end_if_it_is_there(manager: JobManager, job: Job, status: Status, delete_job: bool) -> None:  # noqa: FBT001
        if job.queue == "mail" and not lost:
            lost.append(job)
            raise ConnectorException
        await ended(manager, job, status, delete_job)

    monkeypatch.setattr(JobManager, "finish_job", end_if_it_is_there)
    service = Service(office.parts)
    service.start()
    try:
        for place, asked in enumerate(("HELP", "LIST")):
            office.keep("cho", asked)
            wait_until(lambda place=place: len(office.letters("cho@players.test")) > place)  # type: ignore[misc]
    finally:
        service.stop()
    assert len(lost) == 1

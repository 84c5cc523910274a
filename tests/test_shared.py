"""Several processes share one PostgreSQL by Procrastinate's queue.

They run on one machine or on many.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, insert, text

from judge.errors import InstallationError
from judge.mail.letters import LetterKind, Outgoing, RawMail
from judge.resources import shipped
from judge.service.engine.part import Part
from judge.service.engine.run import Service
from judge.storage import DELIVER, Arrived, CloseGame, LetterTags, Store, Task, WorkMail, migrate, tables
from judge.storage.store import make_engine
from tests.database import IS_POSTGRESQL, change, only_postgresql, rows, url_in_memory, url_of
from tests.house import EVERYBODY, ORDERS, PLAYED, POWERS, House, end
from tests.office import Office
from tests.wire import wait_until

if IS_POSTGRESQL:
    from procrastinate import App, PsycopgConnector, SyncPsycopgConnector
    from procrastinate.exceptions import ConnectorException
    from procrastinate.jobs import Job, Status
    from procrastinate.manager import JobManager
    from procrastinate.schema import SchemaManager

    from judge.storage.jobs import (
        Claims,
        Jobs,
        connection_info,
        has_read,
        put_in_place,
        refuse_an_older_queue,
        unread_since,
        what_is_due,
        what_waits,
    )

pytestmark = only_postgresql

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def url() -> str:
    return url_in_memory()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = Store.open(url)
    opened.waker = waker = Jobs(url)
    waker.clock = lambda: NOW
    yield opened
    waker.close()
    opened.close()


@pytest.fixture
def queue(url: str) -> Iterator[JobManager]:
    """Yield the library's own view of its jobs."""
    with App(connector=SyncPsycopgConnector(conninfo=connection_info(url), min_size=1)).open() as app:
        yield app.job_manager


def jobs(queue: JobManager) -> list[tuple[str, str, object]]:
    """Return queue, state and arguments of every job, the oldest first."""
    return [(job.queue, str(job.status), job.task_kwargs) for job in queue.list_jobs()]


def say(store: Store, *tasks: Task) -> None:
    with store.work() as work:
        for task in tasks:
            work.wake(task)
        work.commit()


def keep(store: Store, identity: str, sender: str = "alice@players.test", game: str | None = None) -> int:
    raw = RawMail(b"A PAR - BUR", "loopback", NOW, sender, ())
    (id_,) = store.keep_all([Arrived(raw, identity, None, sender, game)])
    assert id_ is not None
    return id_


def run(store: Store, statement: str) -> None:
    with store.work() as work:
        work.connection.execute(text(statement))
        work.commit()


SAID: tuple[tuple[Task, list[tuple[str, str, object]]], ...] = (
    (WorkMail("ardennes"), [("mail", "todo", {"turn": "ardennes"})]),
    (WorkMail("from a@b"), [("mail", "todo", {"turn": "from a@b"})]),
    (CloseGame("ardennes", NOW), [("close", "todo", {"game": "ardennes"})]),
    (CloseGame("ardennes", NOW + HOUR), []),  # the clock finds it when it is due
    (DELIVER, [("deliver", "todo", {})]),
)


@pytest.mark.parametrize(("task", "deferred"), SAID)
def test_a_job_is_deferred_once_its_reason_is_committed(
    store: Store, queue: JobManager, task: Task, deferred: list[tuple[str, str, object]]
) -> None:
    with store.work() as work:
        work.wake(task)
    assert jobs(queue) == []
    say(store, task)
    say(store, task, task)
    assert jobs(queue) == deferred


def test_a_turn_and_a_game_of_one_name_are_two_jobs(store: Store, queue: JobManager) -> None:
    say(store, WorkMail("ardennes"), CloseGame("ardennes", NOW), WorkMail("bulge"))
    assert [name for name, *_ in jobs(queue)] == ["mail", "close", "mail"]


def test_a_wake_up_that_fails_undoes_nothing(store: Store, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.storage.jobs._PATIENCE_SECONDS", 0.1)
    store.waker = lost = Jobs(url.replace("host=", "host=/nowhere"))
    kept = keep(store, "one")
    lost.close()
    with store.look() as work:
        assert work.inbox.get(kept) is not None
        assert what_waits(work.connection, NOW, 10) == [WorkMail("from alice@players.test")]


def test_letters_that_follow_others_at_once_need_no_job_of_their_own(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs, told = Jobs(url), list[str]()
    monkeypatch.setattr(Jobs, "_once", lambda _, queue, what: told.append(queue + what))
    for seconds, count in ((0.0, 1), (0.05, 1), (0.2, 2)):
        monkeypatch.setattr("judge.storage.jobs.monotonic", lambda now=seconds: now)
        jobs.after([DELIVER])
        assert told == ["deliver"] * count


def waiting(store: Store, now: datetime = NOW) -> list[str]:
    with store.look() as work:
        return [mail.turn for mail in what_waits(work.connection, now, 10)]


def test_mail_whose_wake_up_was_lost_is_found(store: Store) -> None:
    first, second = keep(store, "one"), keep(store, "two", "ben@players.test", "ardennes")
    keep(store, "three", "cho@players.test", "ardennes")
    assert waiting(store) == ["from alice@players.test", "ardennes"]
    run(store, f"UPDATE inbox SET state = 'done' WHERE id >= {second}")
    run(store, f"UPDATE inbox SET state = 'suspect', retry_at = '{NOW:%F %T}' WHERE id = {first}")
    assert waiting(store, NOW - HOUR) == []
    assert waiting(store) == ["from alice@players.test"]
    run(store, "UPDATE inbox SET owner = 'alpha'")
    assert waiting(store) == ["from alice@players.test"]
    run(store, "INSERT INTO worker VALUES ('alpha', timezone('UTC', now()), '')")
    assert waiting(store) == []


def test_a_letter_that_is_due_wakes_a_deliverer(store: Store) -> None:
    def due(now: datetime) -> list[Task]:
        with store.look() as work:
            return list(what_is_due(work.connection, now, HOUR, 10))

    with store.work() as work:
        letter = Outgoing(LetterKind.REPLY, "a@b", "<1@x>", NOW, "judge@x", None, "s", "t\n")
        work.outbox.queue(letter, LetterTags("key"), NOW)
        work.commit()
    assert (due(NOW - HOUR), due(NOW)) == ([], [DELIVER])


def test_one_turn_is_worked_by_one_worker_as_long_as_it_lives(store: Store, url: str) -> None:
    other = Store.open(url, "other")
    taken: list[int] = []

    def take(by: Store) -> list[int]:
        with by.work() as work:
            work.inbox.take("ardennes", NOW, lambda mail: taken.append(mail.id))
            work.commit()
        return taken

    first = keep(store, "one", "ada@players.test", "ardennes")
    second = keep(store, "two", "ben@players.test", "ardennes")
    store.beat()
    other.beat()
    assert take(store) == [first]
    assert take(other) == [first]  # the first worker lives, and goes on with the second mail
    with store.work() as work:
        work.inbox.done(first, kind="person")
        work.commit()
    assert take(other) == [first, second]
    assert take(store) == [first, second]
    other.close()


def test_mail_that_a_worker_could_not_come_back_to_is_free_again(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.keep("ada", "HELP")
    store = office.parts.store
    store.beat()
    with store.work() as work:
        work.inbox.take("from ada@players.test", office.now, lambda _: None)
        work.commit()
    assert waiting(store) == []
    office.parts.intake.resume()
    assert waiting(store) == ["from ada@players.test"]


def test_what_the_server_has_prepared_outlives_a_beat(tmp_path: Path) -> None:
    office = Office(tmp_path)

    def first_prepared() -> object:
        with office.parts.store.work() as work:
            found = work.connection.exec_driver_sql("SELECT min(prepare_time) FROM pg_prepared_statements").scalar_one()
            work.commit()
        return found

    with office.parts.store.work() as work:
        for _ in range(10):  # psycopg prepares what comes often
            work.people.at("ada@players.test")
        work.commit()
    before = first_prepared()
    assert before is not None
    office.parts.intake.resume()
    assert first_prepared() == before


def test_the_job_of_a_dead_worker_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.service.engine.queue.SILENT_SECONDS", -1)
    monkeypatch.setattr("judge.service.engine.queue._WATCH", "* * * * * */1")
    office = Office(tmp_path)
    jobs = Jobs(office.url)
    jobs.after([WorkMail("ardennes")])
    fetch_as_a_worker_that_dies(office.url)
    assert jobs.in_queues()["mail", "doing"] == 1
    service = Service(office.parts, Part.CLOCK)
    service.start()
    try:
        wait_until(lambda: jobs.in_queues().get(("mail", "doing"), 0) == 0)
    finally:
        service.stop()
        jobs.close()


def fetch_as_a_worker_that_dies(url: str) -> None:
    async def fetched() -> None:
        async with App(connector=PsycopgConnector(conninfo=connection_info(url), min_size=1)).open_async() as app:
            worker = await app.job_manager.register_worker()
            assert await app.job_manager.fetch_job(queues=["mail"], worker_id=worker) is not None

    asyncio.run(fetched())


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
    """The library's migrations from 3.1 give the same as a new installation."""
    engine = make_engine(url_of(tmp_path, empty=True))
    steps = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    older = [step for step in steps if step.name < "03.02"]
    for step in older:
        with engine.begin() as connection:
            connection.connection.cursor().execute(step.read_text("utf-8"))
    with engine.begin() as connection:
        tables.library.create(connection)
        connection.execute(insert(tables.library).values(name="procrastinate", version=older[-1].name))
    with pytest.raises(InstallationError, match=r"the queue in the database is older than .*; run `judge migrate`"):
        refuse_an_older_queue(engine)
    put_in_place(engine)
    refuse_an_older_queue(engine)
    put_in_place(engine)
    fresh = make_engine(url_of(tmp_path, "fresh", empty=True))
    with fresh.begin() as connection:
        tables.library.create(connection)
    put_in_place(fresh)
    assert made(engine) == made(fresh)
    engine.dispose()
    fresh.dispose()


@pytest.mark.parametrize("comment", ["NULL", "'03.02.00_01_pre_cancel_notification.sql'"])
def test_the_version_moves_from_a_comment_into_a_row_of_ours(tmp_path: Path, comment: str) -> None:
    url = url_of(tmp_path)
    migrate(url)
    change(
        url,
        "DROP TABLE library",
        "UPDATE alembic_version SET version_num = '0017'",
        f"COMMENT ON TABLE procrastinate_jobs IS {comment}",
        "CREATE INDEX judge_jobs_lock ON procrastinate_jobs (lock)",
    )
    upgrade = Config()
    upgrade.set_main_option("script_location", str(shipped("migrations")))
    upgrade.set_main_option("path_separator", "os")
    upgrade.set_main_option("sqlalchemy.url", url)
    command.upgrade(upgrade, "0018")
    version = "03.04.00_50_post_add_retry_failed_job_procedure.sql" if comment == "NULL" else comment.strip("'")
    assert rows(url, "SELECT name, version FROM library") == [("procrastinate", version)]
    assert rows(url, "SELECT obj_description('procrastinate_jobs'::regclass, 'pg_class')") == [(None,)]
    assert rows(url, "SELECT to_regclass('judge_jobs_lock')") == [(None,)]
    change(url, "UPDATE alembic_version SET version_num = 'not to be used again'")


def made(engine: Engine) -> Mapping[str, list[tuple[object, ...]]]:
    """Return the queue's functions, columns and enum values, and its recorded version."""
    queries = {
        "functions": "SELECT proname, proargnames FROM pg_proc "
        "WHERE pronamespace = 'public'::regnamespace ORDER BY 1, 2",
        "columns": "SELECT table_name, column_name, data_type FROM information_schema.columns "
        "WHERE table_schema = 'public' ORDER BY 1, 2",
        "words": "SELECT enumlabel FROM pg_enum ORDER BY 1",
        "version": "SELECT name, version FROM library",
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
    """The next job of a turn runs although the last one's end is unrecorded.

    The worker of that job still lives.
    """
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

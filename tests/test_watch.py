"""Running a judge for months: alarms, metrics, logs, backups, new keys, old data."""

from __future__ import annotations

import json
import logging
import shutil
import sqlite3
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from sqlalchemy import create_engine, event
from sqlalchemy.pool import NullPool, Pool

from judge.errors import JudgeError
from judge.mail.letters import RawMail
from judge.mail.proof import bounce_address
from judge.service.archive import archived_games
from judge.service.engine.assemble import TOKENS
from judge.service.engine.metrics import EventCounter, Gauges
from judge.service.engine.run import Loop, Service
from judge.storage import Store, back_up, put_back
from tests.database import IS_POSTGRESQL, only_sqlite
from tests.office import JUDGE, NOON, OPERATOR, POWERS, Office
from tests.wire import free_port

DATABASES = Path(__file__).parent / "databases"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


# Alarms


def subjects(office: Office) -> list[str]:
    return [letter.subject for letter in office.letters(OPERATOR)]


def full(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    del office
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=3_000_000))


def waiting(office: Office, _: pytest.MonkeyPatch) -> None:
    office.keep("cho", "HELP")
    office.now += timedelta(minutes=61)


def stuck(office: Office, _: pytest.MonkeyPatch) -> None:
    office.keep("cho", "HELP")
    office.parts.intake.work_all()
    office.now += timedelta(minutes=61)


def late(office: Office, _: pytest.MonkeyPatch) -> None:
    office.open_game()
    office.now += timedelta(days=3, minutes=61)


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        pytest.param(full, "the disk is nearly full", marks=only_sqlite),
        (waiting, "mail waits"),
        (stuck, "mail waits"),
        (late, "a phase is not closed"),
    ],
)
def test_the_operator_hears_of_trouble_once_a_day(
    office: Office,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[Office, pytest.MonkeyPatch], None],
    said: str,
) -> None:
    office.parts.watch.look()
    assert subjects(office) == []
    trouble(office, monkeypatch)
    for _ in range(3):
        office.parts.watch.look()
        office.parts.delivery.deliver_due()
        office.now += timedelta(minutes=1)
    assert subjects(office) == [f"Alarm: {said}"]
    office.now += timedelta(days=1)
    trouble(office, monkeypatch) if trouble is stuck else None
    office.parts.watch.look()
    assert subjects(office) == [f"Alarm: {said}"] * 2


def test_the_operator_hears_how_the_judge_is_if_he_wishes(tmp_path: Path) -> None:
    office = Office(tmp_path, watch={"health_mail": True})
    office.open_game()
    for _ in range(6):
        office.parts.watch.look()
        office.parts.delivery.deliver_due()
        office.now += timedelta(hours=5)
    assert subjects(office) == ["How the judge is"] * 2
    assert "8 done" in office.letters(OPERATOR)[0].text


# Old mail


def clean(office: Office) -> None:
    while office.parts.watch.clean():
        pass


def test_what_people_wrote_is_emptied_when_it_is_old(tmp_path: Path) -> None:
    office = Office(tmp_path, watch={"redact_after_days": 30})
    office.open_game()
    old = office.keep("france", "A PAR - BUR")
    office.settle()
    office.now += timedelta(days=2)
    young = office.keep("france", "A MAR - SPA")
    office.settle()
    office.now += timedelta(days=29)
    waits = office.keep("cho", "HELP")
    clean(office)
    with office.parts.store.work() as work:
        contents = {id_: mail.raw.content for id_ in (old, young, waits) if (mail := work.inbox.get(id_))}
        assert [bool(content) for content in contents.values()] == [False, True, True]
    office.now += timedelta(days=10)
    clean(office)
    assert all(not letter.text for letter in office.letters("france@players.test"))
    assert office.orders("FRANCE") == ["A PAR - BUR", "A MAR - SPA"]


def test_a_message_id_is_remembered_for_400_days_though_old_mail_is_kept(tmp_path: Path) -> None:
    office = Office(tmp_path, watch={"redact_after_days": 0})
    hash_, content = b"h" * 16, b"c" * 16
    with office.parts.store.work() as work:
        work.inbox.use(hash_, content, office.now.date())
        work.commit()
    remembered = []
    for days in (400, 1):
        office.now += timedelta(days=days)
        clean(office)
        with office.parts.store.look() as work:
            remembered.append(work.inbox.used_for(hash_))
    assert remembered == [content, None]


@only_sqlite
def test_the_file_shrinks_when_what_is_in_it_is_emptied(tmp_path: Path) -> None:
    office = Office(tmp_path, watch={"redact_after_days": 30})
    for number in range(5):
        office.keep("cho", Random(number).randbytes(600_000).hex())  # nothing that could be packed
    office.settle()
    back_up(office.url, tmp_path / "before")
    office.now += timedelta(days=40)
    clean(office)
    back_up(office.url, tmp_path / "after")
    office.stop()
    assert (tmp_path / "after").stat().st_size < 0.3 * (tmp_path / "before").stat().st_size


@only_sqlite
def test_the_file_of_an_older_version_shrinks_as_well(tmp_path: Path) -> None:
    file = tmp_path / "judge.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(min(DATABASES.glob("*.sql")).read_text("utf-8"))
        assert database.execute("PRAGMA auto_vacuum").fetchone() == (0,)
    Office(tmp_path).stop()
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA auto_vacuum").fetchone() == (2,)


# A new key


def test_what_was_made_with_the_key_before_still_counts(office: Office) -> None:
    office.open_game()
    report = office.letters("france@players.test")[-1]
    office.keep("cho", "CREATE verdun", proved=False)
    office.settle()
    question = office.letters("cho@players.test")[-1]
    assert report.reply_to
    assert question.reply_to
    for order in ("A PAR - BUR", "A PAR - PIC"):
        with office.parts.store.work() as work:
            work.change_secret(TOKENS)
            work.commit()
        office.stop()
        office.start()
        office.keep("france", order, to=report.reply_to, proved=False)
        office.keep("cho", "YES", to=question.reply_to, proved=False)
        office.settle()
        assert office.orders("FRANCE") == ["A PAR - BUR"]
    with office.parts.store.work() as work:
        assert work.games.get("verdun") is not None
    newest = office.letters("france@players.test")[-1]
    assert newest.reply_to != report.reply_to


def test_bounces_of_mails_from_before_the_change_are_known(office: Office) -> None:
    writer = office.parts.intake.writer
    to = bounce_address(JUDGE, writer.secret, 1)
    office.open_game()
    with office.parts.store.work() as work:
        work.change_secret(TOKENS)
        work.commit()
    office.stop()
    office.start()
    bounce = (
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    )
    office.parts.intake.keep(RawMail(bounce, "test", office.now, "", (to,)))
    office.settle()
    with office.parts.store.work() as work:
        assert work.outbox.counts()["bounced"] == 1


# Logs and metrics


def test_the_log_names_mails_and_games_and_tells_nothing_of_their_contents(office: Office) -> None:
    counter = EventCounter()
    lines: list[str] = []

    def write(_logger: object, _level: str, line: Any) -> str:
        lines.append(json.dumps(line, default=str))
        raise structlog.DropEvent

    structlog.configure(processors=[counter, write], wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))
    office.play_opening()
    office.keep("france", "A PAR - BUR", "PRESS TO ENGLAND", "secret words", "END PRESS")
    for power in POWERS:
        office.keep(power.lower(), "READY")
    office.settle()
    log = "\n".join(lines)
    for hidden in ("PAR", "BUR", "secret", "players.test", "JOIN", "READY"):
        assert hidden not in log
    assert {json.loads(line).get("game") for line in lines} >= {"ardennes"}
    assert {json.loads(line).get("mail") for line in lines} >= set(range(1, 16))
    counted = counter.registry.get_sample_value
    assert counted("judge_events_total", {"event": "mail worked", "kind": "person"}) == 16
    assert counted("judge_events_total", {"event": "phase closed", "kind": ""}) == 1
    assert (counted("judge_events_total", {"event": "mail sent", "kind": "report"}) or 0) > 8


def ask(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_metrics_and_health_can_be_asked_for(tmp_path: Path) -> None:
    port = free_port()
    office = Office(tmp_path, watch={"port": port})
    office.open_game()
    service = Service(office.parts, registry=EventCounter().registry)
    service.start()
    try:
        assert ask(port, "/healthz") == (200, "well\n")
        metrics = ask(port, "/metrics")[1]
        assert 'judge_inbox_mails{state="done"} 8.0' in metrics
        assert 'judge_games{state="active"} 1.0' in metrics
        ours = ("queue_jobs", "workers", "database_megabytes") if IS_POSTGRESQL else ("disk_free_megabytes",)
        for name in ("inbox_oldest_seconds", "outbox_oldest_seconds", "clock_late_seconds", *ours):
            assert f"judge_{name}" in metrics

        def fail() -> int:
            raise JudgeError("bitten")

        lame = Loop("lame", fail, service.stopping)
        service.all_loops.append(lame)
        lame.thread.start()
        lame.wake()
        while not lame.complaint:
            pass
        assert ask(port, "/healthz") == (503, "lame: JudgeError\n")
    finally:
        service.stop()


# Reading only


def health(office: Office) -> object:
    return list(office.parts.watch.complaints())


def metrics(office: Office) -> object:
    return next(iter(Gauges(office.parts.watch).collect())).samples[0].value


LOOKS: Mapping[str, tuple[Callable[[Office], object], object]] = {
    "metrics": (metrics, 8),
    "health": (health, []),
    "alarms": (lambda office: office.parts.watch.look(), 0),
    "deadlines": (lambda office: office.parts.closing.close_due(), 0),
    "a game": (lambda office: office.parts.closing.look_after("ardennes"), None),
    "a clock that goes back": (lambda office: office.parts.closing.heed_the_clock(NOON - timedelta(days=1)), None),
    "mail in somebody's name": (lambda office: office.parts.intake.ask_what_waits(), 0),
    "archive": (lambda office: archived_games(office.parts.store, NOON), ()),
}
"""What reads the database → its result for a game that has just begun."""
WRITING = {
    "sqlite": ("BEGIN IMMEDIATE", "UPDATE game SET version = version + 1"),
    "postgresql": ("LOCK TABLE game, seat, person, inbox, outbox IN EXCLUSIVE MODE",),
}
"""Statements by which another connection holds locks."""


@pytest.fixture
def hasty(office: Office) -> Iterator[Office]:
    """Yield a judge with a game, which waits only briefly for locks."""
    office.open_game()
    office.stop()
    event.listen(Pool, "connect", be_impatient)
    office.start()
    office.parts.closing.heed_the_clock(office.now)
    yield office
    event.remove(Pool, "connect", be_impatient)
    office.stop()


def be_impatient(connection: Any, _: object) -> None:
    connection.execute("SET lock_timeout = 100" if IS_POSTGRESQL else "PRAGMA busy_timeout = 100")
    connection.commit()


@pytest.mark.parametrize(("look", "seen"), LOOKS.values(), ids=LOOKS)
def test_who_only_looks_waits_for_nobody_who_writes(
    hasty: Office, look: Callable[[Office], object], seen: object
) -> None:
    with closing(create_engine(hasty.url, poolclass=NullPool).connect()) as writer:
        for statement in WRITING[writer.dialect.name]:
            writer.exec_driver_sql(statement)
        assert look(hasty) == seen


# Backups and upgrades


@only_sqlite
def test_a_backup_made_while_mail_arrives_is_whole(office: Office, tmp_path: Path) -> None:
    enough = threading.Event()

    def write() -> None:
        while not enough.is_set():
            office.keep("cho", "HELP")

    writing = threading.Thread(target=write)
    writing.start()
    counts = []
    for _ in range(5):
        (tmp_path / "copy").unlink(missing_ok=True)
        back_up(office.url, tmp_path / "copy")
        with closing(sqlite3.connect(tmp_path / "copy")) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            counts.append(copy.execute("SELECT count(*), max(id) FROM inbox").fetchone())
    enough.set()
    writing.join()
    office.stop()
    assert all(count == (most or 0) for count, most in counts)
    put_back(office.url, tmp_path / "copy")
    with closing(Store.open(office.url)) as store, store.work() as work:
        assert sum(work.inbox.counts().values()) == counts[-1][0]


@only_sqlite
@pytest.mark.parametrize("revision", sorted(path.stem for path in DATABASES.glob("*.sql")))
def test_a_game_that_an_older_version_began_is_played_on(tmp_path: Path, revision: str) -> None:
    with closing(sqlite3.connect(tmp_path / "judge.sqlite3")) as database:
        database.executescript((DATABASES / f"{revision}.sql").read_text("utf-8"))
    office = Office(tmp_path)
    office.now += timedelta(hours=3)
    assert office.phase() == "F1901M"
    assert office.orders("FRANCE") == ["A BUR - MUN"]
    (report,) = office.letters("france@players.test")
    assert report.reply_to
    office.keep("france", "A BUR - BEL", to=report.reply_to, proved=False)
    for _ in range(2):  # READY again, after the answer that lists what is missing: now it counts without orders
        for power in POWERS:
            office.keep(power.lower(), "READY")
        office.settle()
    assert office.phase() == "W1901A"
    with office.parts.store.work() as work:
        assert [str(one.phase) for one in work.records.phases("ardennes")] == ["S1901M", "F1901M"]
    office.stop()

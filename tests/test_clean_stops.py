"""A start checks all pages of a database, unless the last stop was clean.

The tests use real processes, files and kills.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from judge.errors import InstallationError
from judge.service.engine.part import Part
from judge.service.engine.run import Service
from judge.storage import ProcessLocks, Soundness, Store, back_up, migrate, put_back
from tests.database import only_sqlite
from tests.house import House
from tests.office import Office
from tests.wire import PATIENCE_SECONDS

pytestmark = only_sqlite
READ = "pages=read"


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    migrate(made.url)
    return made


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.stop()


def start(house: House, *parts: Part) -> list[subprocess.Popen[str]]:
    processes = [house.start("--only", part.value) for part in parts] or [house.start()]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline(), house.log()
    return processes


def stop(processes: list[subprocess.Popen[str]], how: signal.Signals = signal.SIGTERM) -> None:
    for process in processes:
        process.send_signal(how)
        process.communicate(timeout=PATIENCE_SECONDS)


def judge(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "judge", *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)


def times_read(house: House) -> int:
    return house.log().count(READ)


LIGHT = (Part.RECEIVE, Part.DELIVER)
"""Parts that start quickly, as they read no grammar."""


@pytest.mark.long
def test_all_pages_are_read_after_a_kill_and_not_after_a_clean_stop(house: House) -> None:
    for how, read in (
        (signal.SIGTERM, 1),  # a new database has no note yet
        (signal.SIGKILL, 1),
        (signal.SIGINT, 2),
        (signal.SIGTERM, 2),
    ):
        processes = start(house)
        house.send("gil@players.test", "HELP")
        assert times_read(house) == read, house.log()
        stop(processes, how)


def test_a_judge_killed_before_it_wrote_anything_was_not_stopped_cleanly(house: House) -> None:
    for how, read in ((signal.SIGTERM, 1), (signal.SIGKILL, 1), (signal.SIGTERM, 2)):
        processes = start(house, Part.DELIVER)
        assert times_read(house) == read, house.log()
        stop(processes, how)


@pytest.mark.long
def test_where_others_run_on_it_nothing_is_read_again(house: House) -> None:
    stop(start(house, *LIGHT))
    before = times_read(house)
    processes = start(house, *LIGHT)  # all were stopped cleanly
    assert times_read(house) == before, house.log()
    for how in (signal.SIGKILL, signal.SIGTERM):
        stop([processes.pop()], how)
        processes += start(house, LIGHT[-1])
        assert times_read(house) == before, house.log()
    stop(processes, signal.SIGKILL)  # as a power cut does
    processes = start(house, *LIGHT)
    assert times_read(house) > before
    stop(processes)


def test_what_the_last_to_stop_leaves_is_whole_though_another_was_killed(house: House) -> None:
    """SQLite repairs its log here: only a crash of the machine breaks pages."""
    receiving, delivering = start(house, *LIGHT)
    house.send("gil@players.test", "HELP")
    stop([receiving], signal.SIGKILL)
    stop([delivering])
    before = times_read(house)
    stop(start(house, Part.DELIVER))
    assert times_read(house) == before, house.log()


def test_damage_while_the_judge_stood_still_is_found(house: House, tmp_path: Path) -> None:
    stop(start(house, Part.DELIVER))
    database = tmp_path / "judge.sqlite3"
    age = database.stat()
    content = bytearray(database.read_bytes())
    for page in range(3, len(content) // 4096, 2):
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    database.write_bytes(content)
    os.utime(database, ns=(age.st_atime_ns, age.st_mtime_ns))  # the same time as before, as rsync would keep it
    for _ in range(2):  # a start that failed is no clean stop
        ended = judge("serve", "--only", "deliver", "--config", str(house.config))
        assert ended.returncode == 2
        assert "damaged" in ended.stderr or "malformed" in ended.stderr


def test_a_judge_that_could_not_start_leaves_no_note(office: Office, tmp_path: Path) -> None:
    file = tmp_path / "judge.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE filler (content BLOB)")
        database.execute("INSERT INTO filler SELECT zeroblob(100000)")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(file.read_bytes())
    content[-4096 * 3 :] = b"\xff" * 4096 * 3
    file.write_bytes(content)
    service = Service(office.parts)
    with pytest.raises(InstallationError, match="damaged"):
        service.start()
    service.soundness.note_clean_stop()  # type: ignore[union-attr]
    assert not Soundness(file).is_known()
    service.locks.close()


# The note itself


@pytest.fixture
def left(tmp_path: Path) -> Soundness:
    """Return the soundness of a database after a clean stop."""
    file = tmp_path / "judge.sqlite3"
    migrate(f"sqlite:///{file}")
    with closing(Store.open(f"sqlite:///{file}")) as store, store.look():
        """The first use gives it a write-ahead log."""
    soundness = Soundness(file)
    soundness.note_start()
    soundness.note_clean_stop()
    assert soundness.is_known()
    return soundness


def _written(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE more (x)")


def _copied_over(file: Path) -> None:
    age = file.stat()
    shutil.copy2(file, file.with_name("copy"))
    shutil.copy2(file.with_name("copy"), file)
    os.utime(file, ns=(age.st_atime_ns, age.st_mtime_ns))


def _restored(file: Path) -> None:
    back_up(f"sqlite:///{file}", file.with_name("backup"))
    put_back(f"sqlite:///{file}", file.with_name("backup"))


def _with_a_log(file: Path) -> None:
    file.with_name(f"{file.name}-wal").write_bytes(b"x")


def _with_a_torn_note(file: Path) -> None:
    note = file.with_name(f"{file.name}.stopped")
    note.write_bytes(note.read_bytes()[:-3] + b"\xff\xff")


def _gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("change", [_written, _copied_over, _restored, _with_a_log, _with_a_torn_note, _gone])
def test_nothing_is_known_of_a_file_that_changed_since(left: Soundness, change: Callable[[Path], None]) -> None:
    change(left.file)
    assert not left.is_known()


def test_only_looking_changes_nothing(left: Soundness, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'database = {{ url = "sqlite:///{left.file}" }}\nsources = []\n', "utf-8")
    for command in ("games", "outbox"):
        assert judge(command, "--config", str(config)).returncode == 0
    back_up(f"sqlite:///{left.file}", tmp_path / "backup")
    assert left.is_known()


def test_without_room_for_the_note_the_stop_goes_on(left: Soundness) -> None:
    left.note_start()
    left.file.with_name(f"{left.file.name}.stopped.part").mkdir()
    left.note_clean_stop()
    assert not left.is_known()


def test_a_task_is_taken_only_while_somebody_has_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a [strange] name?.sqlite3'}"
    with closing(ProcessLocks(url)) as one, closing(ProcessLocks(url)) as other:
        one.claim("work")
        assert not one.others_run()
        assert other.others_run()
        other.claim("clock")
        assert one.others_run()
        one.close()
        assert not other.others_run()

"""`judge migrate` and `judge restore` refuse what a live judge could not read.

The database does not change beneath it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest

from judge import __version__
from judge.cli.doctor import examine
from judge.config import load_config
from judge.errors import UnmigratedError
from judge.games import GameState
from judge.resources import shipped
from judge.storage import Store
from judge.storage.migrate import head_revision, known_revisions
from tests.command_line import judge
from tests.database import IS_POSTGRESQL, change, only_postgresql, rows, url_of
from tests.house import House, end
from tests.versions import add_step


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    made.migrate()
    return made


def test_a_live_judge_refuses_a_migration_until_it_has_stopped(house: House) -> None:
    process = house.start()
    assert process.stdout is not None
    assert process.stdout.readline(), house.log()
    refusing: list[tuple[str, ...]] = [("upgrade", str(house.folder))]
    for words in refusing if IS_POSTGRESQL else [*refusing, ("migrate",)]:  # there would be nothing to do
        refused = judge(*words, "--config", str(house.config))
        assert (refused.returncode, refused.stdout) == (75, "")
        assert refused.stderr.startswith("judge: another judge is running")
        assert refused.stderr.count("\n") == 1
    assert not list(house.folder.glob("judge-*"))  # not even a backup was made
    process.terminate()
    process.wait()
    end(process)
    done = judge("migrate", "--config", str(house.config))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"is up to date, at revision {head_revision()}\n")


@pytest.mark.parametrize("words", [("migrate",), ("upgrade", "backups")])
def test_a_migration_tells_from_which_revision_to_which(
    tmp_path: Path, old_revision: Callable[[str], str], words: tuple[str, ...]
) -> None:
    (tmp_path / "backups").mkdir()
    config = tmp_path / "config.toml"
    config.write_text(f'database = {{ url = "{old_revision(known_revisions()[-2])}" }}\n', "utf-8")
    done = judge(*words, "--config", str(config), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"is migrated from revision {known_revisions()[-2]} to {head_revision()}\n" in done.stdout
    assert len(list((tmp_path / "backups").iterdir())) == (words[0] == "upgrade")


@pytest.fixture
def old_revision(tmp_path: Path) -> Callable[[str], str]:
    """Return a function that makes a database at an older revision; it returns the URL.

    The database is as a judge of that time left it.
    """

    def made(revision: str) -> str:
        from alembic import command
        from alembic.config import Config

        url = url_of(tmp_path, empty=True)
        config = Config()
        config.set_main_option("script_location", str(shipped("migrations")))
        config.set_main_option("path_separator", "os")
        config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
        command.upgrade(config, revision)
        return url

    return made


@only_postgresql
def test_a_worker_without_its_locks_still_counts_while_its_beat_is_fresh(house: House) -> None:
    store = Store.open(house.url, "alpha:7:abc")
    store.beat()
    change(house.url, "UPDATE worker SET reads = ''")  # as an older judge
    refused = judge("migrate", "--config", str(house.config))
    assert refused.returncode == 75
    assert re.search(rf"alpha:7 \(heard \d+ s ago, judge {re.escape(__version__)}\); stop it first", refused.stderr)
    change(house.url, "UPDATE worker SET seen = seen - interval '1 hour'")  # nothing was heard of it for a long time
    assert judge("migrate", "--config", str(house.config)).returncode == 0
    store.beat()
    store.leave()
    assert store.live_workers() == ()
    store.close()


@only_postgresql
def test_the_metrics_count_the_live_judges_by_version(house: House) -> None:
    from judge.service.engine.queue import QueueGauges
    from judge.storage.jobs import Jobs

    stores = [Store.open(house.url, name) for name in ("alpha:7:abc", "alpha:8:def", "beta:8:def")]
    for store in stores:
        store.beat()
    change(house.url, "UPDATE worker SET version = '0.1' WHERE name LIKE 'beta%'")
    with closing(Jobs(house.url)) as jobs:
        (family,) = (one for one in QueueGauges(stores[0], jobs).collect() if one.name == "judge_workers")
    assert {one.labels["version"]: one.value for one in family.samples} == {"0.1": 1, __version__: 2}
    for store in stores:
        store.close()


@only_postgresql
def test_doctor_names_the_live_judges_and_warns_of_two_versions(house: House) -> None:
    def told() -> list[tuple[bool, str]]:
        findings = examine(load_config(house.config))
        return [(one.is_warning, one.told("en")) for one in findings if one.about.told("en") == "running judges"]

    assert told() == [(False, "running judges: good, none")]
    stores = [Store.open(house.url, name) for name in ("alpha:7:abc", "beta:8:def")]
    for store in stores:
        store.beat()
    assert [warning for warning, _ in told()] == [False]
    change(house.url, "UPDATE worker SET version = '0.0.1' WHERE name LIKE 'beta%'")
    ((warns, said),) = told()
    assert warns
    assert "beta:8 (heard" in said
    assert "judge 0.0.1)" in said
    for store in stores:
        store.close()


# Two versions on one database

MODULE = import_module("judge.storage.migrate")  # `judge.storage` has a function of that name


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Yield a function that adds a migration of a kind to this judge.

    It returns the new revision.
    """

    def made(kind: str) -> str:
        folder = tmp_path / "migrations"
        shutil.copytree(shipped("migrations"), folder)
        revision = add_step(folder, kind)
        monkeypatch.setattr(MODULE, "shipped", lambda _: folder)
        MODULE._steps.cache_clear()
        return revision

    yield made
    monkeypatch.undo()
    MODULE._steps.cache_clear()


@only_postgresql
@pytest.mark.parametrize(
    ("kind", "harm", "code"),
    [
        ("expand", "", 0),
        ("contract", "", 75),
        ("expand", "UPDATE worker SET reads = ''", 75),
        ("expand", "UPDATE worker SET reads = '0001'", 75),
    ],
    ids=["expand", "contract", "an older worker", "a much older worker"],
)
def test_a_migration_runs_beneath_live_workers_only_if_all_can_read_it(
    house: House, next_version: Callable[[str], str], kind: str, harm: str, code: int
) -> None:
    with closing(Store.open(house.url, "alpha:7:abc")) as live:
        live.beat()
        if harm:
            change(house.url, harm)
        before, after = head_revision(), next_version(kind)
        done = judge("migrate", "--config", str(house.config))
        assert done.returncode == code, done.stderr
        assert rows(house.url, "SELECT version_num FROM alembic_version") == [(before if code else after,)]
        live.beat()
        with live.work() as work:
            assert work.games.names(GameState) == ()
        assert rows(house.url, "SELECT reads FROM worker") == [(before,)]


@only_postgresql
def test_the_queue_is_not_migrated_beneath_live_workers(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Store.open(house.url, "alpha:7:abc")) as live:
        live.beat()
        monkeypatch.setattr("judge.storage.jobs.is_newest", lambda _: False)
        assert judge("migrate", "--config", str(house.config)).returncode == 75


@only_postgresql
@pytest.mark.parametrize("kind", ["expand", "contract"])
def test_a_judge_of_the_version_before_starts_on_what_was_expanded(
    house: House, next_version: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    next_version(kind)
    assert judge("migrate", "--config", str(house.config)).returncode == 0
    Store.open(house.url).close()
    monkeypatch.setattr(MODULE, "shipped", shipped)
    if kind == "expand":
        Store.open(house.url).close()
    else:
        with pytest.raises(UnmigratedError):
            Store.open(house.url)

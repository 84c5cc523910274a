"""Setup of all tests: each starts from a clean state, whatever earlier tests left behind."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import resource_tracker
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog
from hypothesis import HealthCheck, settings

from judge.resources import look_for_boards
from judge.service.engine import closing
from judge.service.talk import handling
from judge.storage import store
from tests import database
from tests.openings import CHANCE
from tests.shelf import Shelf
from tests.soak import Soak
from tests.wire import PATIENCE_SECONDS

_PR_SET_CHILD_SUBREAPER = 36
BOARDS = {folder.name: folder for folder in (Path(__file__).parent / "boards").iterdir() if folder.is_dir()}
"""Boards that no wheel contains; they are found by name like an operator's boards."""
_FAILED = pytest.StashKey[bool]()
_SOAK = "soak"
_WAITING = {
    *("test_failpoints", "test_suspects", "test_process", "test_real_servers", "test_demo", "test_faults"),
    *("test_setup", "test_setup_documents", "test_front_door", "test_trial", "test_sources", "test_mail_servers"),
}
_SAME_EVERY_TIME = "same every time"
settings.register_profile(
    _SAME_EVERY_TIME, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add an option with which `make looks` keeps its pictures."""
    parser.addoption("--gallery", default="", help="the folder for pictures of letters and pages")


def pytest_configure(config: pytest.Config) -> None:
    """Clear the settings of the environment, and adopt orphaned processes.

    Variables of the person who runs the tests must not change them. Processes whose parent has died become our
    children.
    """
    del config
    for name in [name for name in os.environ if name.startswith("JUDGE_")]:
        del os.environ[name]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    resource_tracker.ensure_running()  # a child of ours that outlives the test that first needs it
    os.environ["AIOSMTPD_CONTROLLER_TIMEOUT"] = str(PATIENCE_SECONDS)  # how long a server may take to start
    settings.load_profile(_SAME_EVERY_TIME)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that wait for processes first in each half.

    Only short tests are left at the end, which the workers of the test run can share evenly.
    """
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.nodeid.partition("::")[0], []).append(item)
    waiting = [found for name, found in modules.items() if Path(name).stem in _WAITING]
    first, second = ([item for found in waiting[start::2] for item in found] for start in (0, 1))
    rest = [item for name, found in modules.items() if Path(name).stem not in _WAITING for item in found]
    half = max(0, len(items) // 2 - len(first))
    items[:] = [*first, *rest[:half], *second, *rest[half:]]


def pytest_collection_finish() -> None:
    """Freeze the objects that exist now, to spare the garbage collector.

    Scanning them again and again would take an eighth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(autouse=True)
def _boards_of_the_tests() -> None:
    look_for_boards(lambda: BOARDS)


@pytest.fixture(autouse=True)
def _quiet_logs() -> Iterator[None]:
    """Log nothing, and do not leave a test's own logger to the next test."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def _same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make random choices and secrets the same in every run.

    Otherwise a test could pass or fail by the luck of one address.
    """
    of_bytes, of_bits = CHANCE
    of_bytes.seed(1)
    of_bits.seed(1)
    lot = SimpleNamespace(token_bytes=of_bytes.randbytes, randbits=of_bits.getrandbits)
    monkeypatch.setattr(store, "secrets", lot)
    monkeypatch.setattr(closing, "secrets", lot)
    monkeypatch.setattr(handling, "secrets", lot)


@pytest.fixture(scope="session", autouse=True)
def _served() -> Iterator[None]:
    with database.served():
        yield


@pytest.fixture(autouse=True)
def _tidied() -> Iterator[None]:
    with database.tidied():
        yield


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """End the children that a test leaves, and restore its environment and current folder."""
    before, environment, folder = children(), dict(os.environ), Path.cwd()
    yield
    if left := children() - before:
        end_all(left)
    if dict(os.environ) != environment:
        os.environ.clear()
        os.environ.update(environment)
    os.chdir(folder)


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> Iterator[Soak]:
    """Yield a long run, and report at the end how far it came."""
    soak = Soak()
    yield soak
    request.node.user_properties.append((_SOAK, str(soak)))


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            properties = dict(getattr(report, "user_properties", ()))
            if report.__class__ is pytest.TestReport and report.when == "teardown" and _SOAK in properties:
                terminalreporter.write_line(f"SOAK {report.nodeid.rpartition('::')[2]}: {properties[_SOAK]}")


def children() -> set[int]:
    """Return our child processes, with orphans that we adopted; none where /proc lacks them."""
    found: set[int] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found |= set(map(int, task.read_text("ascii").split()))
    return found


def end_all(processes: set[int]) -> None:
    """Kill processes with all their children, which become ours as their parents die."""
    before = children() - processes
    while processes:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(process, 0)
        processes = children() - before
    for one in gc.get_objects():
        if isinstance(one, subprocess.Popen) and one.returncode is None and one.poll() is not None:
            for stream in filter(None, (one.stdin, one.stdout, one.stderr)):
                stream.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report: pytest.TestReport = yield  # type: ignore[assignment]
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report  # type: ignore[return-value]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Close what a failed test left open, to keep blame from the next test."""
    result = yield
    if item.stash.get(_FAILED, False):
        for name in ("last_exc", "last_value", "last_traceback"):  # these hold the objects of the test
            vars(sys).pop(name, None)
        hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
        sys.unraisablehook = hook
    return result

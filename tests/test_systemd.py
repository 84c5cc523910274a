"""The judge under systemd: notifications of start, life and stop; sandboxed units."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from judge.service.engine import run
from judge.service.engine.notify import READY, notify, watchdog_seconds
from judge.service.engine.run import Loop, Service
from tests.house import House, end
from tests.office import World
from tests.steps import ROOT
from tests.wire import PATIENCE_SECONDS

UNITS = ("judge.service", "judge@.service", "judge-backup.service")
HIGHEST = 2.0
"""The highest exposure, out of 10, in `systemd-analyze security`."""


@pytest.fixture(params=["a file", "an abstract name"])
def manager(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Yield the socket of systemd."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = str(tmp_path / "notify") if request.param == "a file" else f"@judge-{os.getpid()}"
    listening.bind(name.replace("@", "\0"))
    listening.settimeout(PATIENCE_SECONDS)
    monkeypatch.setenv("NOTIFY_SOCKET", name)
    with closing(listening):
        yield listening


def test_systemd_is_told_of_start_life_and_stop(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "600000")
    house = House(tmp_path)
    house.migrate()
    process = house.start()
    try:
        told = [manager.recv(99).decode() for _ in range(4)]
        assert told == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
        process.send_signal(signal.SIGTERM)
        while (said := manager.recv(99).decode()) != "STOPPING=1":
            assert said == "WATCHDOG=1"
        assert process.wait(PATIENCE_SECONDS) == 0
    finally:
        end(process)


def test_nobody_is_told_where_nobody_asks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    notify(READY)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify(READY)
    assert watchdog_seconds() is None


@pytest.mark.parametrize(
    ("wanted", "process", "seconds"),
    [
        ("120000000", "", 120),
        ("120000000", "ours", 120),
        ("120000000", "1", None),
        ("0", "", None),
        ("x", "", None),
    ],
)
def test_the_watchdog_is_that_of_this_process(
    monkeypatch: pytest.MonkeyPatch, wanted: str, process: str, seconds: float | None
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", wanted)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    if process:
        monkeypatch.setenv("WATCHDOG_PID", process.replace("ours", str(os.getpid())))
    assert watchdog_seconds() == seconds


def test_a_stuck_loop_is_no_life(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    now = [0.0]
    monkeypatch.setattr(run, "notify", told.append)
    monkeypatch.setattr(run, "time", SimpleNamespace(monotonic=lambda: now[0]))
    service = Service(World().parts)
    for loop in service.all_loops:
        monkeypatch.setattr(loop, "thread", SimpleNamespace(name=loop.thread.name, is_alive=lambda: True))
    first: Loop = service.all_loops[0]
    first.busy_since = 0.0
    for now[0] in (0, 899):
        service._say_alive()
    assert told == ["WATCHDOG=1"] * 2
    now[0] = 901
    service._say_alive()
    assert told == ["WATCHDOG=1"] * 2, "stuck"
    assert not first.is_told_to_stop()
    service._say_alive()
    assert told == ["WATCHDOG=1"] * 3, "a long turn that goes on"
    monkeypatch.setattr(first, "thread", SimpleNamespace(name="work", is_alive=lambda: False))
    service._say_alive()
    assert told == ["WATCHDOG=1"] * 3, "dead"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_may_do_little(unit: str, tmp_path: Path) -> None:
    file = tmp_path / unit.replace("@", "@work")
    shutil.copy(ROOT / "docs" / "systemd" / unit, file)
    command = ("systemd-analyze", "security", "--offline=true", "--no-pager", str(file))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= HIGHEST, done.stdout

"""Tests do not affect each other."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import children, end_all

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
print(child.pid, flush=True)
input()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it is asked for in /proc")
def test_children_are_ended_with_their_children() -> None:
    before = children()
    process = subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    grandchild = int(process.stdout.readline())
    end_all(children() - before)
    assert children() == before
    assert process.returncode is not None
    with pytest.raises(ProcessLookupError):
        os.kill(grandchild, 0)


def test_the_settings_of_whoever_runs_the_tests_are_no_tests() -> None:
    assert [name for name in os.environ if name.startswith("JUDGE_")] == []

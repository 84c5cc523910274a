"""docs/figures.md states every promise of `benchmarks/`, with the bound of `make bench`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent.parent
_ROW = re.compile(
    r"^\| (?:`(?P<script>\w+\.py)` )?\| (?P<what>[^|]+?) \| (?P<bound>[^|]+?) \| (?P<measured>[^|]+?) \|$"
)


def test_the_document_has_the_promises_that_are_measured() -> None:
    command = (sys.executable, "benchmarks/promised.py", "--list")
    listed = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(listed) > 30
    script, stated = "", []
    for line in (HERE / "docs" / "figures.md").read_text("utf-8").splitlines():
        row = _ROW.match(line)
        if row and re.fullmatch(r"(at least )?[\d.]+", row["bound"]):
            script = row["script"] or script
            stated.append(f"{script} | {row['what']} | {row['bound']}")
    assert sorted(stated) == sorted(listed)


def test_every_script_with_a_promise_is_run() -> None:
    source = (HERE / "benchmarks" / "promised.py").read_text("utf-8")
    for script in (HERE / "benchmarks").glob("*.py"):
        if "run(measure)" in script.read_text("utf-8"):
            assert f'"{script.stem}": ' in source, script

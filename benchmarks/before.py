"""A deadline today beside one of the commit in which the design was brought up to date, in alternating turns.

Promise: without pictures at most 1.2 times its CPU. The other commit is checked out into a folder that goes away.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

COMMIT = "d05e52f"
MOST = 1.2
TURNS = 5
HERE = Path(__file__).parent.parent


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        _git("worktree", "add", "--detach", str(before), COMMIT)
        try:
            turns = [(_deadline_ms(HERE), _deadline_ms(before)) for _ in range(TURNS)]
        finally:
            _git("worktree", "remove", "--force", str(before))
    now, then = (statistics.median(figures) for figures in zip(*turns, strict=True))
    ratio = statistics.median(one / other for one, other in turns)
    print(
        f"a deadline without pictures: {now:.2f} ms CPU; {COMMIT}: {then:.2f} ms CPU; ratio {ratio:.2f}, at most {MOST}"
    )
    print("kept" if ratio <= MOST else "BROKEN")
    return 0 if ratio <= MOST else 1


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(HERE), *words], check=True, capture_output=True)


def _deadline_ms(tree: Path) -> float:
    """What the tree's own benchmark prints."""
    command = [sys.executable, "benchmarks/deadline.py"]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    run = subprocess.run(command, cwd=tree, env=environment, check=True, capture_output=True, text=True)
    found = re.search(r": ([\d.]+) ms CPU", run.stdout)
    assert found is not None, run.stdout
    return float(found[1])


if __name__ == "__main__":
    sys.exit(main())

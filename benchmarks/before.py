"""A deadline today beside one of the commit in which the design was brought up to date, in alternating turns.

Promise: without pictures at most 0.6 of its CPU. The other commit is checked out into a folder that goes away; where
there is no git, or a copy without that commit, nothing can be measured, and the exit code is 1.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import in_turns, is_kept, report, share

COMMIT = "d05e52f"
MOST = 0.6
TURNS = 7
HERE = Path(__file__).parent.parent


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        try:
            _git("worktree", "add", "--detach", str(before), COMMIT)
        except (FileNotFoundError, subprocess.CalledProcessError):
            print(f"nothing to compare with: there is no git here, or no commit {COMMIT}")
            return 1
        figures: dict[Path, list[float]] = {HERE: [], before: []}
        try:
            for number in range(TURNS):
                for tree in in_turns(figures, number):
                    figures[tree].append(_deadline_ms(tree))
        finally:
            _git("worktree", "remove", "--force", str(before))
    now, then = figures.values()
    report("a deadline without pictures", statistics.median(now), "ms CPU", COMMIT, statistics.median(then))
    return 0 if is_kept("a deadline beside one of that commit", share(now, then), most=MOST) else 1


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(HERE), *words], check=True, capture_output=True)


def _deadline_ms(tree: Path) -> float:
    """What the tree's own benchmark prints."""
    command = [sys.executable, "benchmarks/deadline.py"]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    # Not checked: whether it keeps a promise of its own is another question.
    run = subprocess.run(command, cwd=tree, env=environment, check=False, capture_output=True, text=True)
    found = re.search(r": ([\d.]+) ms CPU", run.stdout)
    assert found is not None, run.stderr
    return float(found[1])


if __name__ == "__main__":
    sys.exit(main())

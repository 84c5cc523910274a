"""Measure all promises, one script after another.

    python benchmarks/promised.py              as `make bench`: fails at a missed promise
    python benchmarks/promised.py --short      as `.ci/run`, on noisy machines: fewer rounds
    python benchmarks/promised.py --list       only list the promises, as in docs/figures.md

In the short form, a script that misses a promise runs again with twice the rounds, and fails only beyond 1.3 times the
promise. The last lines list every figure in between.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

from measure import BROKEN, MISSED, Promise

HERE = Path(__file__).parent
ROOT = HERE.parent
BESIDE_THE_PACKAGE = ROOT / ".venv-bench" / "bin" / "python"
"""The environment in which the package `diplomacy` is installed."""
TOLERANCE = 1.3
SHORT = {
    "adjudication": 0.1,
    "compiled": 0.1,
    "storage": 1.0,
    "starting": 0.6,
    "order_mail": 0.5,
    "whole_way": 0.5,
    "deadline": 0.3,
    "illustrated": 0.4,
    "pictures": 0.4,
    "attached": 0.6,
    "crowd": 0.6,
    "large": 0.1,
    "intake": 0.3,
    "imap": 0.2,
    "delivery": 0.3,
    "language": 0.1,
    "large_board": 0.3,
    "robots": 0.2,
    "crowd_postgres": 0.5,
}
"""All scripts → the part of its rounds each makes in the short form."""


@dataclass(frozen=True, slots=True)
class Run:
    """The exit code of a script, and the lines of the promises it missed."""

    code: int
    missed: Sequence[str]


def main() -> int:
    """Run all scripts; return 1 if a promise is broken or a script failed."""
    if "--list" in sys.argv[1:]:
        _list()
        return 0
    short = "--short" in sys.argv[1:]
    broken, between = [], []
    for name, part in SHORT.items():
        print(f"== benchmarks/{name}.py", flush=True)
        began = time.monotonic()
        done = _run(name, "--rounds", str(part if short else 1))
        if short and done.code == BROKEN and done.missed:
            print("-- a promise was missed: again, with twice the rounds", flush=True)
            done = _run(name, "--rounds", str(2 * part), "--tolerance", str(TOLERANCE))
        between += [f"beyond: {name}: {line}" for line in done.missed]
        if done.code:
            broken.append(name)
        print(f"-- {time.monotonic() - began:.0f} seconds", flush=True)
    for line in between:
        print(line)
    print(f"promises broken: {', '.join(broken)}" if broken else "all promises are kept")
    return 1 if broken else 0


def _list() -> None:
    sys.path.insert(0, str(ROOT))
    for name in SHORT:
        for promise in _promises_in(vars(importlib.import_module(name))):
            print(f"{name}.py | {promise.what} | {promise.bound}")


def _promises_in(value: object) -> Iterator[Promise]:
    """Yield all promises in the values of a script, nested ones too."""
    inner: Iterable[object] = ()
    if isinstance(value, Promise):
        yield value
    elif isinstance(value, Mapping):
        inner = [one for key, one in value.items() if not str(key).startswith("__")]
    elif isinstance(value, tuple | list):
        inner = value
    elif is_dataclass(value) and type(value).__module__ in SHORT:
        inner = [getattr(value, field.name) for field in fields(value)]
    for one in inner:
        yield from _promises_in(one)


def call(name: str, judge: Path, *arguments: str) -> tuple[Sequence[str], Mapping[str, str]]:
    """Return the command and the environment of a script that imports the `judge` in that folder."""
    python, path = sys.executable, [str(judge)]
    if name == "adjudication" and BESIDE_THE_PACKAGE.exists():
        python, path = str(BESIDE_THE_PACKAGE), [*path, *(one for one in sys.path if "site-packages" in one)]
    return (python, str(HERE / f"{name}.py"), *arguments), os.environ | {"PYTHONPATH": os.pathsep.join(path)}


def _run(name: str, *arguments: str) -> Run:
    command, environment = call(name, ROOT, *arguments)
    missed = []
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            if line.rstrip().endswith(MISSED):
                missed.append(line.rstrip())
    return Run(process.returncode, missed)


if __name__ == "__main__":
    sys.exit(main())

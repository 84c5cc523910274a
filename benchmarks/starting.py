"""Run commands as processes, compared with a Python that imports typer.

Promise: commands without a database take at most 5 times `python -c 'import typer'`, those with one at most 16 times.
Each round runs all of them once, and the floor before and after. The work itself is small: one line, one game.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from statistics import mean, median

from measure import Figure, Promise, process_ms, report, run, share, times

ROUNDS = 9
FLOOR = "python -c 'import typer'"
WITHOUT = Promise("`--version`, `config`, `adjudicate` of a line, the dearest, beside `import typer`", most=5)
WITH = Promise("`games`, `backup` of an empty database, the dearest, beside `import typer`", most=16)
LINE = {"phase": "S1901M", "units": {"FRANCE": ["A PAR", "F BRE"]}, "orders": {"FRANCE": ["A PAR - BUR", "F BRE H"]}}
COMMANDS = {
    "--version": (),
    "adjudicate": ("line.jsonl",),
    "config": (),
    "games": (),
    "backup": ("--keep", "1", "copies"),
}
OF_A_DATABASE = ("games", "backup")


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "line.jsonl").write_text(json.dumps(LINE), "utf-8")
        (folder / "copies").mkdir()
        process_ms("-m", "judge", "migrate", folder=folder)
        taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
        floors = []
        for _ in range(times(ROUNDS, rounds)):
            around = [_floor()]
            for name, arguments in COMMANDS.items():
                taken[name].append(process_ms("-m", "judge", name, *arguments, folder=folder))
            floors.append(mean([*around, _floor()]))
    for name, found in taken.items():
        report(f"judge {name}", median(found), "ms CPU", FLOOR, median(floors))
    return [
        Figure(promise, max(share(taken[name], floors) for name in COMMANDS if (name in OF_A_DATABASE) is with_one))
        for promise, with_one in ((WITHOUT, False), (WITH, True))
    ]


def _floor() -> float:
    return process_ms("-c", "import typer")


if __name__ == "__main__":
    run(measure)

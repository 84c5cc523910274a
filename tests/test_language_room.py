"""The room that reads, looked at from outside: its doors, its names, and where its words live."""

from __future__ import annotations

import ast
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import judge.language
from judge.language.line import ATTEMPTS

ROOM = Path(judge.language.__file__).parent


def _modules() -> dict[str, Path]:
    """Module → its file."""
    files = {".".join(path.relative_to(ROOM.parents[1]).with_suffix("").parts): path for path in ROOM.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for name, path in files.items()}


def test_no_module_of_the_room_leads_back_to_itself() -> None:
    modules = _modules()
    imported: dict[str, set[str]] = defaultdict(set)
    for name, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                named = (f"{node.module}.{alias.name}" for alias in node.names)
                imported[name] |= {one if one in modules else node.module for one in named}
    assert len(imported) > 10
    TopologicalSorter(imported).prepare()  # raises where there is a circle


def test_each_attempt_at_a_line_has_a_name_of_its_own() -> None:
    names = [name for name, _ in ATTEMPTS]
    assert len(names) > 10
    assert len(set(names)) == len(names)

"""The room that reads, looked at from outside: its doors, its names, and where its words live."""

from __future__ import annotations

import ast
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import judge.language
from judge.language.line import ATTEMPTS
from judge.language.words import TERMINALS, load_lexicon
from judge.resources import shipped

ROOM = Path(judge.language.__file__).parent
NOT_YET: frozenset[str] = frozenset(("clerk.py", "asking.py"))


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


def test_grammars_and_words_have_no_other_terminals_than_the_type_checker_knows() -> None:
    grammar = shipped("grammar")
    declared = {
        terminal
        for path in grammar.glob("*.lark")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("%declare")
        for terminal in line.split()[1:]
    }
    assert {"PLACE", "ARROW", "WO"} <= declared
    assert declared <= TERMINALS
    assert set(load_lexicon("standard").terminals.values()) <= TERMINALS


def test_whether_a_word_is_japanese_is_asked_of_the_word() -> None:
    asking = [path for path in ROOM.rglob("*.py") if "isascii()" in path.read_text("utf-8")]
    assert {path.name for path in asking} <= {"tongue.py", *NOT_YET}

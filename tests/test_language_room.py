"""The package judge.language from outside: its imports, its names, and its words."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import judge.language
from judge.language.line import ATTEMPTS
from judge.language.words import TERMINALS, load_lexicon
from judge.resources import shipped

ROOM = Path(judge.language.__file__).parent
CLASSES = frozenset(("language/words/tongue.py", "mail/charsets.py"))
"""Modules that tell Japanese letters from others, and contain no words."""
_JAPANESE = re.compile("[ぁ-ゖァ-ヺー々〆一-鿿]")


def _modules() -> dict[str, Path]:
    """Map each module to its file."""
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
    asking = {
        path.relative_to(ROOM).as_posix() for path in ROOM.rglob("*.py") if "isascii()" in path.read_text("utf-8")
    }
    assert asking == {"words/tongue.py"}


def _files() -> dict[str, Path]:
    package = ROOM.parent
    files = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    return {name: path for name, path in files.items() if not name.startswith("demo/")}


def _japanese(path: Path) -> list[str]:
    """Return the constants of a file with kana or kanji, in any spelling.

    Docstrings and comments may contain them.
    """
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings)
    written = [
        node.value.decode("utf-8", "ignore") if isinstance(node.value, bytes) else node.value for node in constants
    ]
    return [text for text in written if isinstance(text, str) and _JAPANESE.search(_unescaped(text))]


def _unescaped(text: str) -> str:
    """Decode the escaped letters of a regular expression in a raw string."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)


def test_no_japanese_word_stands_in_python() -> None:
    files = _files()
    assert len(files) > 100
    assert set(files) >= CLASSES
    found = {name for name, path in files.items() if _japanese(path)}
    assert found <= CLASSES, "words belong to grammar/words, patterns of mail programs to judge/mail/patterns.toml"


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_where_letters_are_told_apart_stand_no_words(name: str) -> None:
    """Only single letters, classes and rows of letters appear there."""
    rows = [text for text in _japanese(_files()[name]) if re.search("[一-鿿]{2}|[ぁ-ゖ]{2}", _without_classes(text))]
    assert all("一二三" in row for row in rows)


def _without_classes(text: str) -> str:
    return re.sub(r"\[[^]]*\]|.-.", "", text)

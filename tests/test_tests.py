"""Shared code of tests is in helper modules: no test module imports another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parent.rglob("*.py"))
_IMPORT = re.compile(r"^\s*(?:from|import)\s.*\btest_\w+", re.MULTILINE)
"""An import of a test module, or from one."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_test_is_imported(file: Path) -> None:
    assert [match.group().strip() for match in _IMPORT.finditer(file.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "line", ["from tests.test_rules import CASES", "import tests.test_rules", "from tests import test_rules"]
)
def test_an_import_of_a_test_is_seen(line: str) -> None:
    assert _IMPORT.search(line)

"""The shape of the service: short functions with few branches."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SERVICE = Path(__file__).parent.parent / "judge" / "service"
FILES = sorted(SERVICE.rglob("*.py"))
LONGEST, MOST_TURNS = 40, 8


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SERVICE)))
def test_no_function_of_the_service_is_longer_than_a_screen(file: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    long = {node.name: node.end_lineno - node.lineno + 1 for node in functions if node.end_lineno is not None}
    assert {name: lines for name, lines in long.items() if lines > LONGEST} == {}


def test_no_function_of_the_service_turns_more_often_than_can_be_followed() -> None:
    options = ["--isolated", "--ignore-noqa", "--select", "C901", "--output-format", "concise"]
    options += ["--config", f"lint.mccabe.max-complexity={MOST_TURNS}"]
    found = subprocess.run(
        [sys.executable, "-m", "ruff", "check", *options, str(SERVICE)], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr

"""Docstrings are in plain English: a short first line, and named subjects."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_WORDS = 15
"""The most words of the first line."""
UNNAMED = re.compile(r"\b(he|his|him|she|her|hers|somebody|nobody|whoever|someone|anybody)\b", re.IGNORECASE)
KEPT = (
    "benchmarks",
    "cartography",
    "judge/__init__.py",
    "judge/__main__.py",
    "judge/boards",
    "judge/budget.py",
    "judge/calendar",
    "judge/cli",
    "judge/commands",
    "judge/complaints.py",
    "judge/config.py",
    "judge/demo",
    "judge/durable.py",
    "judge/errors.py",
    "judge/failpoints.py",
    "judge/language",
    "judge/languages.py",
    "judge/mail",
    "judge/names.py",
    "judge/resources.py",
    "judge/robots",
    "judge/rules",
    "judge/schematic",
    "judge/service",
    "judge/settings.py",
    "judge/setup",
    "judge/storage",
    "judge/trial",
    "tests",
)
"""The files and folders whose docstrings follow the rule."""


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each docstring of a file with its line, also those below attributes."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
                yield one.lineno, one.value.value.strip()


@pytest.mark.parametrize("place", KEPT)
def test_docstrings_begin_in_a_few_words_and_name_their_subjects(place: str) -> None:
    paths = sorted((ROOT / place).rglob("*.py")) or [ROOT / place]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {text.splitlines()[0]}"
        for path in paths
        for number, text in docstrings(path)
        if len(text.partition("\n")[0].split()) > MOST_WORDS or UNNAMED.search(text)
    ]
    assert not found, "\n".join(found)

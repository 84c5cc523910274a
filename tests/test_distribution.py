"""Our documents install our distribution: `judge` on PyPI is another project's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PLACES = (
    "*.md", "*.toml", "Makefile", ".ci/*", "docs/**/*", "judge/**/*.py", "grammar/**/*", "templates/**/*",
    "migrations/**/*.py", "benchmarks/**/*.py",
)  # fmt: skip
_COMMAND = re.compile(r"\b(?:pipx?|uv (?:pip|tool))\"? (?:install|download|wheel)\b(?P<rest>[^\n`]*)")
_WITH_EXTRA = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9._-]*)\[(?P<extra>[a-z-]+)\]")
_TAKES_A_VALUE = ("-r", "--requirement", "--wheel-dir", "-c", "--constraint", "-i", "--index-url")


def named(text: str) -> Iterator[str]:
    """Yield the distributions that a text installs by name."""
    for command in _COMMAND.finditer(text):
        words = iter(re.split(r"\s+", command["rest"].strip()))
        for word in words:
            plain = word.strip("'\".,;:)")
            if plain in _TAKES_A_VALUE:
                next(words, None)
            elif plain in ("&&", "|", "||", "#", "brings"):
                break
            elif re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]*(\[[a-z,-]+\])?([=<>~!].*)?", plain):
                yield re.split(r"[\[=<>~!]", plain)[0]
    for match in _WITH_EXTRA.finditer(text):
        if match["extra"] in EXTRAS:
            yield match["name"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pip install judge", ["judge"]),
        ("`pip install 'judge[demo]'` brings it", ["judge", "judge"]),
        ("install judge[demo], which", ["judge"]),
        ("pip install --quiet --require-hashes -r requirements.lock", []),
        ("uv tool install judge==0.1", ["judge"]),
        ('"$elsewhere/env/bin/pip" install -qq --no-deps "$elsewhere"/dist/*.whl', []),
        ("/opt/judge/bin/pip install --no-deps .", []),
    ],
)
def test_hints_are_found(text: str, found: list[str]) -> None:
    assert list(named(text)) == found


def test_every_hint_names_our_distribution() -> None:
    files = [file for place in PLACES for file in sorted(ROOT.glob(place)) if file.suffix != ".pyc" and file.is_file()]
    assert len(files) > 100
    hints = [(str(file.relative_to(ROOT)), name) for file in files for name in named(file.read_text("utf-8"))]
    assert len(hints) >= 4
    assert {name for _, name in hints} - {"pipx", "scikit-learn"} == {PROJECT["name"]}, hints


def test_the_distribution_is_not_called_like_the_package() -> None:
    assert PROJECT["name"] != "judge"
    assert list(PROJECT["scripts"]) == ["judge"]
    assert set(packages_distributions()["judge"]) == {PROJECT["name"]}


def test_the_lock_is_made_from_it() -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert f"# via {PROJECT['name']} (pyproject.toml)" in lock
    assert "via judge " not in lock

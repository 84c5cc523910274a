"""The documents for whoever carries on name files that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = (
    *("CONTRIBUTING.md", "docs/architecture.md", "docs/rules.md", "docs/rules.ja.md", "README.md", "README.ja.md"),
    *("docs/player.md", "docs/player.ja.md", "docs/master.md", "docs/master.ja.md"),
    *("docs/setup.md", "docs/setup.ja.md", "docs/providers.md", "docs/providers.ja.md"),
)
_PATH = re.compile(r"`((?:judge|grammar|templates|tests|docs|benchmarks|migrations)/[\w./-]+)`")
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_that_is_named_is_there(name: str) -> None:
    document = ROOT / name
    text = document.read_text("utf-8")
    named = [ROOT / path for path in _PATH.findall(text)] + [document.parent / link for link in _LINK.findall(text)]
    assert named
    assert [path for path in named if not path.exists()] == []

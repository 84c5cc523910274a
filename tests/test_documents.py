"""The documents for maintainers name only files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = (
    *("CONTRIBUTING.md", "docs/architecture.md", "docs/rules.md", "docs/rules.ja.md", "README.md", "README.ja.md"),
    *("docs/player.md", "docs/player.ja.md", "docs/master.md", "docs/master.ja.md"),
    *("docs/setup.md", "docs/setup.ja.md", "docs/providers.md", "docs/providers.ja.md"),
    *("docs/operating.md", "docs/operating.ja.md", "docs/upgrading.md", "docs/upgrading.ja.md"),
    *("docs/log.md", "docs/log.ja.md", "docs/architecture.ja.md", "CONTRIBUTING.ja.md"),
    *("docs/scale.md", "docs/scale.ja.md", "docs/language.md", "docs/language.ja.md"),
    *("docs/container/README.md", "docs/container/README.ja.md", "docs/boards.md"),
)
TRANSLATED = (
    *("docs/operating", "docs/upgrading", "docs/log", "docs/architecture", "CONTRIBUTING"),
    *("docs/scale", "docs/language", "docs/container/README"),
)
_PATH = re.compile(r"`((?:judge|grammar|templates|tests|docs|benchmarks|migrations)/[\w./-]+)`")
_CODE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
_ROW = re.compile(r"^\|", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
_TO_A_HEADING = re.compile(r"\]\((?!https?:)([^)#]*)#([^)]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_NO_ANCHOR = re.compile(r"[^\w\- ]")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_that_is_named_is_there(name: str) -> None:
    document = ROOT / name
    text = document.read_text("utf-8")
    named = [ROOT / path for path in _PATH.findall(text)] + [document.parent / link for link in _LINK.findall(text)]
    assert named
    assert [path for path in named if not path.exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_to_a_heading_finds_it(name: str) -> None:
    document = ROOT / name
    links = _TO_A_HEADING.findall(document.read_text("utf-8"))
    assert [
        (file, anchor) for file, anchor in links if anchor not in _anchors(document.parent / file if file else document)
    ] == []


@pytest.mark.parametrize("name", TRANSLATED)
def test_both_languages_say_the_same(name: str) -> None:
    """Both have the same depths of headings, lines to type, and lengths of tables."""
    english, japanese = ((ROOT / f"{name}{end}").read_text("utf-8") for end in (".md", ".ja.md"))
    assert _depths(english) == _depths(japanese)
    assert _CODE.findall(english) == _CODE.findall(japanese)
    assert len(_ROW.findall(english)) == len(_ROW.findall(japanese))


def test_both_languages_have_the_same_names() -> None:
    english, japanese = (
        re.findall(r"^\| [A-Z]{3}.*$", (ROOT / f"docs/language{end}").read_text("utf-8"), re.MULTILINE)
        for end in (".md", ".ja.md")
    )
    assert len(english) > 80
    assert japanese == english


def _anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as the forge names them."""
    headings = _HEADING.findall(_CODE.sub("", document.read_text("utf-8")))
    return {_NO_ANCHOR.sub("", heading.lower()).replace(" ", "-") for heading in headings}


def _depths(text: str) -> list[int]:
    return [len(found) for found in re.findall(r"^(#+) ", _CODE.sub("", text), re.MULTILINE)]

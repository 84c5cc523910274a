"""Citations in the code exist: rules in docs/rules.md, paragraphs, cases and options.

All languages of docs/rules.md are checked, and each option with its profiles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import get_type_hints

import pytest

import judge
from judge.languages import Language
from judge.reports.rulebook import document_in
from judge.rules import Options
from judge.rules.options import PROFILES
from tests.tables import read_cases

PRODUCT = Path(judge.__file__).parent
DOCS = PRODUCT.parent / "docs"
DOCUMENTS = {language: document_in(language, "rules").read_text("utf-8") for language in Language}
ENGLISH = DOCUMENTS[Language.ENGLISH]
SOURCES = ("Sources: ", "出典: ", "Quellen: ")

_RULE = re.compile(r"R-[A-Z]+-\d+")
_RANGE = re.compile(r"(R-[A-Z]+-)(\d+) to (\d+)")
_FAMILY = re.compile(r"R-([A-Z]+)\b(?!-\d)")
_PARAGRAPHS = (
    re.compile(r"000\[[^\]]+\]"),
    re.compile(r"001 P\d[A-Z]?"),
    re.compile(r"002 r\d+"),
    re.compile(r"003 §\d+(?:\.\d+)*[a-d]?"),
    re.compile(r"DATC [1-5]\.[A-Z](?:\.\d+)?"),
)
_CASE = re.compile(r"DATC (6\.[A-Z](?:\.\d+)?)")


def sections(document: str) -> dict[str, str]:
    """Map the number of each rule to its section."""
    parts = re.split(r"^### (?=R-)", document, flags=re.MULTILINE)
    return {part.split(maxsplit=1)[0]: part for part in parts[1:]}


PLACES = (PRODUCT, DOCS, PRODUCT.parent / "templates", PRODUCT.parent / "grammar")
KINDS = (".py", ".toml", ".po", ".jinja", ".html", ".txt", ".md", ".lark")


def cited(pattern: re.Pattern[str]) -> Iterator[tuple[str, Path]]:
    for path in sorted(path for place in PLACES for path in place.rglob("*") if path.suffix in KINDS):
        yield from ((match[min(1, match.re.groups)], path) for match in pattern.finditer(path.read_text("utf-8")))


def test_every_rule_that_is_cited_has_its_section() -> None:
    written = sections(ENGLISH)
    found = list(cited(_RULE))
    assert len(found) > 40
    assert {(rule, path.name) for rule, path in found if rule not in written} == set()
    families = {rule.split("-")[1] for rule in written}
    assert {(name, path.name) for name, path in cited(_FAMILY) if name not in families} == set()
    for path in PRODUCT.rglob("*.py"):
        for head, first, last in _RANGE.findall(path.read_text("utf-8")):
            assert {f"{head}{number}" for number in range(int(first), int(last) + 1)} <= written.keys(), path


@pytest.mark.parametrize("pattern", _PARAGRAPHS, ids=lambda pattern: pattern.pattern)
def test_every_paragraph_that_is_cited_is_the_source_of_a_rule(pattern: re.Pattern[str]) -> None:
    sources = "\n".join(line for line in ENGLISH.splitlines() if line.startswith("Sources: "))
    found = list(cited(pattern))
    assert found
    assert {(text, path.name) for text, path in found if text not in sources} == set()


def test_every_case_that_is_cited_is_played() -> None:
    played = {case.id.split("/")[0] for case in read_cases(Path(__file__).parent / "datc")}
    played |= {name.rsplit(".", 1)[0] for name in played}
    found = list(cited(_CASE))
    assert found
    assert {(text, path.name) for text, path in found if text not in played} == set()


@pytest.mark.parametrize("language", Language)
def test_all_languages_have_the_same_sections(language: Language) -> None:
    english, own = sections(ENGLISH), sections(DOCUMENTS[language])
    assert list(english) == list(own)
    assert len(english) > 80
    for rule, section in english.items():
        assert sources(section) == sources(own[rule])
        assert _values(section) == _values(own[rule])
        assert re.findall(r"Option `(\w+)`", section) == re.findall(r"(?:オプション|Option) `(\w+)`", own[rule])


def sources(section: str) -> str:
    (line,) = (line for line in section.splitlines() if line.startswith(SOURCES))
    return line.partition(": ")[2]


@pytest.mark.parametrize("language", Language)
def test_a_rule_can_be_linked_to(language: Language) -> None:
    document = DOCUMENTS[language]
    rules = list(sections(document))
    assert re.findall(r'^<a id="(r-[a-z]+-\d+)"></a>$', document, flags=re.MULTILINE) == [
        rule.lower() for rule in rules
    ]
    assert {rule for rule in _RULE.findall(document) if rule not in rules} == set()


def _values(section: str) -> dict[str, list[str]]:
    """Map each value to the profiles it is said to be in."""
    rows = re.findall(r"^\* `([^`]+)`([^:]*):", section, flags=re.MULTILINE)
    return {value: re.findall(r"`([^`]+)`", profiles) for value, profiles in rows}


@pytest.mark.parametrize("language", DOCUMENTS)
@pytest.mark.parametrize("option", get_type_hints(Options))
def test_every_option_stands_beneath_a_rule_with_its_values_and_profiles(option: str, language: Language) -> None:
    found = [
        section
        for section in sections(DOCUMENTS[language]).values()
        if re.search(rf"(?:Option|オプション) `{option}`", section)
    ]
    assert len(found) == 1
    kind = get_type_hints(Options)[option]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        by_hand = option == "update_type"  # no profile is about it
        assert _values(found[0]) == {
            str(value): [] if by_hand else [name for name in PROFILES if getattr(PROFILES[name], option) is value]
            for value in kind
        }

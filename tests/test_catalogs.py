"""The message catalogs: nothing is missing, and English replaces what a language lacks.

They contain no reference to a message that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from judge.commands import Language
from judge.reports.catalogs import FALLBACK, Catalog, Speech, files_of
from judge.reports.wording import wording_in

ROOT = Path(__file__).parent.parent
ASKED = re.compile(r"""\bmessage\(\s*(['"])(?P<name>[\w-]+)\1(?=\s*[,)])""")
PLACEHOLDER = re.compile(r"\{(?P<path>[\w.]*):(?P<form>[\w-]+)\}")


def _entries(language: str) -> Iterator[tuple[str, Message]]:
    """Yield every message of a language, with its id."""
    for path in files_of(language):
        with path.open("rb") as file:
            for entry in read_po(file, locale=language):
                if entry.id:
                    yield entry.id if isinstance(entry.id, str) else entry.id[0], entry


def _texts(entry: Message) -> tuple[str, ...]:
    return (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())


def _lacking(language: str) -> list[str]:
    """Return the messages that English has and the language lacks."""
    said = {name for name, entry in _entries(language) if all(_texts(entry))}
    return sorted({name for name, _ in _entries(FALLBACK)} - said)


@pytest.mark.parametrize("language", list(Language))
def test_no_catalog_lacks_a_message(language: str) -> None:
    assert _lacking(language) == []


def test_what_a_catalog_lacks_is_named() -> None:
    assert "list-and" in _lacking("xx")


@pytest.mark.parametrize("language", list(Language))
def test_no_catalog_has_a_message_twice(language: str) -> None:
    seen = [(name, entry.context) for name, entry in _entries(language)]
    files = [path.read_text("utf-8") for path in files_of(language)]
    written = sum(len(re.findall(r'^msgid "[^"]', text, re.MULTILINE)) for text in files)
    assert len(seen) == len(set(seen)) == written


def _blanks_twice(language: str) -> Iterator[tuple[str, str]]:
    """Yield texts with a blank before a message that itself begins with one."""
    entries = [(name, text) for name, entry in _entries(language) for text in _texts(entry)]
    with_a_blank = {name for name, text in entries if text.startswith(" ")}
    for name, text in entries:
        forms = [found["form"] for found in PLACEHOLDER.finditer(text) if text[: found.start()].endswith(" ")]
        yield from ((name, text) for form in forms if form in with_a_blank)


@pytest.mark.parametrize("language", list(Language))
def test_what_may_be_left_out_brings_the_only_blank_before_it(language: str) -> None:
    assert list(_blanks_twice(language)) == []


def _asked_for() -> Iterator[tuple[str, str]]:
    """Yield each message used by its id in templates or code, and where."""
    for path in sorted([*(ROOT / "templates").rglob("*.*"), *(ROOT / "judge").rglob("*.py")]):
        if path.suffix in (".jinja", ".txt", ".html", ".py"):
            yield from ((found["name"], path.name) for found in ASKED.finditer(path.read_text("utf-8")))


def test_every_message_that_is_asked_for_is_there() -> None:
    known = {name for name, _ in _entries(FALLBACK)}
    asked = set(_asked_for())
    assert len(asked) > 100
    assert [(name, where) for name, where in sorted(asked) if name not in known] == []


@pytest.mark.parametrize("language", list(Language))
def test_every_form_of_a_value_is_a_function_a_macro_or_a_message(language: Language) -> None:
    known = {
        *wording_in(language).speech.forms,
        *(name for one in (FALLBACK, language.value) for name, _ in _entries(one)),
    }
    forms = {
        (name, found["form"])
        for name, entry in _entries(language.value)
        for text in _texts(entry)
        for found in PLACEHOLDER.finditer(text)
    }
    assert len(forms) > 100
    assert [one for one in sorted(forms) if one[1] not in known] == []


@pytest.mark.parametrize("language", list(Language))
def test_a_plural_has_as_many_forms_as_its_language(language: str) -> None:
    for path in files_of(language):
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
        assert catalog.locale is not None
        for entry in catalog:
            if entry.pluralizable:
                assert len(_texts(entry)) == catalog.num_plurals, (path.name, entry.id)


def test_a_language_without_a_message_says_it_in_english_and_one_that_nobody_has_by_its_name() -> None:
    speech = Speech(Catalog("xx"), html=False)
    assert speech.message("list-and") == " and "
    assert speech.message("days", n=1) == "1 day"
    assert speech.message("no-such-message") == "no-such-message"


CONDITIONS = (
    ("reached", {"kind": "A"}, "Army"),
    ("not reached", {"kind": "F"}, "Fleet"),
)


@pytest.mark.parametrize(("_why", "values", "said"), CONDITIONS)
def test_the_first_variant_whose_conditions_hold_is_said(_why: str, values: dict[str, str], said: str) -> None:
    assert Speech(Catalog("en"), html=False).message("unit-kind", it=values["kind"]) == said


@pytest.mark.parametrize("language", Language)
def test_words_are_no_html(language: Language) -> None:
    """An address in angle brackets is shown, not taken for a tag."""
    speech = Speech(Catalog(language.value), html=True)
    assert "&lt;a@b.test>" in speech.message("answer-Registered", name="Ada", address="a@b.test", language="", zone="")


def test_a_value_is_escaped_in_html_and_the_words_are_not() -> None:
    catalog = Catalog("en")
    assert Speech(catalog, html=False).message("quoted", it="<b>") == "“<b>”"
    assert Speech(catalog, html=True).message("quoted", it="<b>") == "“&lt;b&gt;”"

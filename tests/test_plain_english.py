"""Docstrings, HELP and mails are in plain words.

Docstrings begin in a few words. Sentences of HELP and mails are short, in English and in German. Docstrings and
English HELP name their subjects.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
MOST_WORDS = 15
"""The most words of the first line."""
UNNAMED = re.compile(r"\b(he|his|him|she|her|hers|somebody|nobody|whoever|someone|anybody)\b", re.IGNORECASE)
KEPT = (
    "benchmarks",
    "cartography",
    "judge",
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


SPACED = ("en", "de")
"""The languages that put spaces between words."""
HELP = ("commands", "guides")
MOST_WORDS_OF_A_SENTENCE = 30
RIDDLES = re.compile(r"\b(whoever|somebody)\b", re.IGNORECASE)


def told_in(
    language: str, entries: Mapping[str, Any], place: str = "", *, is_within: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield each text of HELP in a language with its place.

    Lists, such as the forms of a command, are left out.
    """
    for name, entry in entries.items():
        there, is_told = f"{place}.{name}".lstrip("."), is_within or name == language
        if isinstance(entry, Mapping):
            yield from told_in(language, entry, there, is_within=is_told)
        elif isinstance(entry, str) and is_told:
            yield there, entry


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, without rows of tables and example lines."""
    for paragraph in re.split(r"\n(?:[ \t]+.*)?(?=\n)", f"\n{text}\n"):
        lines = [line for line in paragraph.splitlines() if not line.startswith((" ", "* "))]
        yield from filter(None, re.split(r"(?<=[.?!])\s+", " ".join(lines).strip()))


@pytest.mark.parametrize("language", SPACED)
@pytest.mark.parametrize("name", HELP)
def test_sentences_of_help_are_short_and_name_their_subjects(name: str, language: str) -> None:
    texts = list(told_in(language, tomllib.loads((ROOT / "templates" / f"{name}.toml").read_text("utf-8"))))
    assert texts
    found = [
        f"{place}: {sentence}"
        for place, text in texts
        for sentence in sentences(text)
        if len(sentence.split()) > MOST_WORDS_OF_A_SENTENCE
    ]
    found += [f"{place}: {riddle[0]}" for place, text in texts if (riddle := RIDDLES.search(text))]
    assert not found, "\n".join(found)


MAILS = [path for language in SPACED for path in sorted((ROOT / "templates" / "locale" / language).glob("*.po"))]
_FILLED_IN = re.compile(r"\{[^{}]*\}")
"""A gap of a message; it counts as one word."""


@pytest.mark.parametrize("path", MAILS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_sentences_of_mails_are_short(path: Path) -> None:
    with path.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    assert messages
    found = [
        f"{message.id}: {sentence}"
        for message in messages
        for text in ((message.string,) if isinstance(message.string, str) else message.string or ())
        for sentence in sentences(text)
        if len(_FILLED_IN.sub("gap", sentence).split()) > MOST_WORDS_OF_A_SENTENCE
    ]
    assert not found, "\n".join(found)


def test_a_sentence_ends_before_a_row_and_at_its_full_stop() -> None:
    text = "One. Two\nand a half? Three:\n\n    A Par - Bur  a row\n    A Mun H\n\nFour.\n* [a](b): five"
    assert list(sentences(text)) == ["One.", "Two and a half?", "Three:", "Four."]

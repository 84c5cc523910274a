"""The languages the judge reads and writes, one file of `grammar/words` each."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any

from judge.resources import shipped


class Language(StrEnum):
    """A language by its code (ISO 639-1): English, and each with a file of words."""

    _ignore_ = "code"

    ENGLISH = "en"
    """The fallback for anything another language lacks."""
    for code in sorted(file.stem for file in (shipped("grammar") / "words").glob("*.toml")):
        if code != ENGLISH:
            vars()[code.upper()] = code

    @property
    def is_latin(self) -> bool:
        """Whether it is written in Latin letters, like province codes and command names."""
        return _is_latin(self)

    @property
    def is_in_words(self) -> bool:
        """Whether letters show `Army Munich` for `A MUN` unless their reader wishes otherwise."""
        return self is not Language.ENGLISH


@cache
def _is_latin(language: Language) -> bool:
    text = (shipped("grammar") / "words" / f"{language}.toml").read_text("utf-8")
    letters = [letter for letter in text if letter.isalpha() and not letter.isascii()]
    return sum(map(is_latin, letters)) * 2 >= len(letters)


def is_latin(letter: str) -> bool:
    """Whether a letter is Latin, with or without an accent."""
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN ")


def said_in(table: Mapping[str, Any], language: str) -> Any:  # noqa: ANN401 - a text, or a table of texts
    """Return the entry of a table for a language, or the English one."""
    return table.get(language, table[Language.ENGLISH])

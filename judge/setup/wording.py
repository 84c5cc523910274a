"""The sentences of `judge setup`, `judge doctor` and `judge serve`, in the operator's language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from judge.languages import said_in
from judge.resources import shipped

_FILES = ("setup", "operator")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of `templates/setup.toml` or `templates/operator.toml`, and its values."""

    sentence: str
    values: Mapping[str, object] = field(default_factory=dict)

    def told(self, language: str) -> str:
        """Return the sentence in a language."""
        return say(language, self.sentence, **self.values)


def saying(sentence: str, **values: object) -> Said:
    """Make a `Said` of a sentence and its values."""
    return Said(sentence, values)


@cache
def sentences() -> Mapping[str, Mapping[str, str]]:
    """Return all sentences: name → language → text."""
    texts = [(shipped("templates") / f"{name}.toml").read_text("utf-8") for name in _FILES]
    return tomllib.loads("\n".join(texts))  # parsed as one, so that a name in both files is an error


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the words for something in all languages."""
    return tuple(tomllib.loads((files("judge.setup") / "words.toml").read_text("utf-8"))[name])


def say(language: str, sentence: str, **values: object) -> str:
    """Return a sentence with its values filled in."""
    return str(said_in(sentences()[sentence], language)).format(**values)

"""The words that may surround a command, from `grammar/words/commands/lines.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from judge.language.words.shipped import apart_and_run_on
from judge.languages import Language, said_in
from judge.names import names_on
from judge.resources import shipped_data
from judge.rules.map import load_map


@cache
def _data() -> Mapping[str, Mapping[str, Any]]:
    return shipped_data("grammar/words/commands/lines.toml")


@cache
def words_for(name: str) -> tuple[str, ...]:
    """Return the words or patterns under a name, of all languages."""
    return tuple(word for words in _data()[name].values() for word in words)


@cache
def latin_words_for(name: str) -> tuple[str, ...]:
    """Return the words under a name, of languages that separate words by blanks."""
    return tuple(apart_and_run_on(_data()[name])[0])


@cache
def run_on_words_for(name: str) -> tuple[str, ...]:
    """Return the words under a name, of languages without blanks between words."""
    return tuple(apart_and_run_on(_data()[name])[1])


def any_of(name: str) -> str:
    """Return one pattern for all patterns under a name, of any language."""
    return f"(?:{'|'.join(words_for(name))})"


@cache
def pattern_of(shape: str, *names: str) -> re.Pattern[str]:
    """Return the pattern `shape`; each `%s` becomes the patterns under one of the names."""
    return re.compile(shape % tuple(map(any_of, names)))


def stands(text: str, start: int, end: int, name: str) -> bool:
    """Whether words under a name stand beside a part of a text.

    They stand before it, or behind it in languages without blanks.
    """
    before, behind = "|".join(latin_words_for(name)), "|".join(run_on_words_for(name))
    return re.search(f"(?:{before})$", text[:start]) is not None or re.match(behind, text[end:]) is not None


def example_of(command: str, board: str, phase: str) -> str | None:
    """Return an example of a command that lacks its end, or None.

    `board` and `phase`: of the game, for names and the open phase.
    """
    for language, lines in _data()["examples"].items():
        if command in lines:
            example: str = lines[command]
            return example.format(phase=phase, **_on(board, language))
    return None


def hint_of(key: str, language: Language, board: str, powers: Sequence[str] = ()) -> str | None:
    """Return how to write a command that a sender asked for in a sentence.

    None if there is no hint. `powers`: those that the sentence names.
    """
    hints, there = _data()["hints"].get(language, {}), _on(board, language)
    hint: str | None = hints.get(key)
    return None if hint is None else hint.format(powers=hints["between"].join(powers) or there["other"], **there)


@cache
def _on(board: str, language: str) -> Mapping[str, str]:
    """Return names for examples: two powers, and the first one's home center."""
    map_, names = load_map(board), names_on(board)
    powers = [str(said_in(names["powers"][power], language)[0]) for power in map_.powers]
    home = min(map_.home_centers[map_.powers[0]])
    return {
        "power": powers[0],
        "other": powers[len(powers) // 3],
        "home": str(said_in(names["provinces"][home], language)[0]),
    }


@cache
def macros() -> Mapping[str, str]:
    """Return word in capitals → the pattern that it stands for in sentences.

    A pattern may contain words that are defined before it.
    """
    found: dict[str, str] = {}
    for words in _data()["macros"].values():
        for name, pattern in zip(words[::2], words[1::2], strict=True):
            found[name] = re.sub(r"[A-Z]{3,}", lambda match: found.get(match[0], match[0]), pattern)
    return found


@cache
def _figures() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns of number words before a length of time, with their figures."""
    rows = _data()["figures"].values()
    return tuple((re.compile(words, re.IGNORECASE), number) for row in rows for words, number in row.items())


def in_figures(text: str) -> str:
    """Return a length of time with its numbers as figures."""
    for words, number in _figures():
        text = words.sub(number, text)
    return text

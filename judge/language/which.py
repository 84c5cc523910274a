"""Guess the language of a text from its letters and from the word tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from judge.language.asking.phrases import load_phrases
from judge.language.words import Tongue, normal_form
from judge.language.words.shipped import names_on, written_like
from judge.languages import Language

_WORD = re.compile(r"[^\W\d_]+")
_READ = 2000
"""How many characters are looked at."""
_SHARE = 3
"""One word in this many must belong to the language."""
_BOARD = "standard"
"""The board whose names tell a language: a stranger is in no game yet."""


def language_of(text: str, usual: Language) -> Language:
    """Return the language of a text; `usual` if it may as well be that, or English.

    >>> language_of("ミュンヘン陸軍をベルリンへ移動", Language.ENGLISH).value
    'ja'
    >>> language_of("LIST", Language("ja")).value
    'ja'
    """
    likely = [language for language in written_like(text) if language is not Language.ENGLISH]
    words = frozenset(_WORD.findall(normal_form(text[:_READ]).text))
    for language in likely:
        own, english = _words_of(language), _words_of(Language.ENGLISH)
        said, in_english = len(words & own - english), len(words & english - own)
        if not language.is_latin or (said * _SHARE >= max(1, len(words)) and said > in_english):
            return language
    return usual


@cache
def _words_of(language: Language) -> frozenset[str]:
    """Return the words of orders and commands in a language, and its names on the usual board."""
    listed = (*_listed(Tongue(language.value).words()), *_names_in(language, names_on(_BOARD)))
    asked = (word for entry in load_phrases().entries for word in entry.own_words.get(language, ()))
    return frozenset(word for words in (*listed, *asked) for word in _WORD.findall(normal_form(words).text))


def _names_in(language: Language, names: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]) -> Iterator[str]:
    for kind in ("powers", "provinces"):
        for called in names[kind].values():
            yield from called.get(language, ())


def _listed(table: Mapping[str, object]) -> Iterator[str]:
    for words in table.values():
        if isinstance(words, Mapping):
            yield from _listed(words)
        elif isinstance(words, list):
            yield from words

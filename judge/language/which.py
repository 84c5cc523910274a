"""Guess the language of a text from its letters and from the word tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from judge.language.asking.phrases import load_phrases
from judge.language.words import Tongue, normal_form
from judge.language.words.shipped import SPOKEN, small_words, written_like
from judge.language.words.tongue import HIRAGANA
from judge.languages import Language
from judge.names import names_on
from judge.rules.map import USUAL_BOARD

_WORD = re.compile(r"[^\W\d_]+")
_HIRAGANA = re.compile(f"[{HIRAGANA}]{{2}}")
_FEWEST_SMALL_WORDS = 2
"""How many small words of a language make a sentence count as its."""
_READ = 2000
"""In characters: how much of a text is looked at."""
_SHARE = 3
"""One word in this many must belong to a language."""


def language_of(text: str, usual: Language) -> Language:
    """Return the language of a text.

    `usual` is returned for a text that may be in it, or in English.

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


def spoken_in(sentences: Sequence[str]) -> Language | None:
    """Return the language of spoken sentences, or None.

    None if too few words show the language.

    >>> spoken_in(["Ich bin noch nicht sicher, was die Türkei macht."]).value
    'de'
    >>> spoken_in(["A Par - Bur", "READY"])
    """
    if any(_HIRAGANA.search(one) for one in sentences):
        return Language("ja")
    words = [word for one in sentences for word in SPOKEN.findall(one.lower())]
    found = sorted((sum(word in small for word in words), language) for language, small in small_words().items())
    (less, _), (most, language) = found[-2:]
    return Language(language) if most >= _FEWEST_SMALL_WORDS and most > 2 * less else None


@cache
def _words_of(language: Language) -> frozenset[str]:
    """Return a language's words of orders and commands, and its names on the usual board."""
    listed = (*_listed(Tongue(language.value).words()), *_names_in(language, names_on(USUAL_BOARD)))
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

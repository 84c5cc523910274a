"""Features of sentences, for comparing sentences by likeness.

They are words, pieces of words, and whether a sentence asks, tells or refuses.
Names and numbers are replaced by symbols, so sentences that differ only in them have the same features.
"""

from __future__ import annotations

import re
from itertools import pairwise

from judge.language.asking.data import pattern_of
from judge.language.asking.named import written_alike
from judge.language.context import Role
from judge.language.words import is_japanese

_KINDS = (
    "demands", "requests", "asks_about", "asks_whether", "remarks", "tells", "believes", "negated", "cannot",
    "conditional", "is_past", "was_away",
)  # fmt: skip
"""Patterns of `lines.toml`: whether a line asks, tells, refuses or sets a condition."""
_WORD = re.compile(r"[a-zA-Z0-9']+|[@?!:\"]")
_SIGNS = re.compile(r"[\s、。!,.:;「」『』()~-]+")
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "’": "'", "é": "e", "è": "e", "à": "a"})
_PIECES, _PIECES_OF_A_RUN = range(3, 6), range(1, 4)
"""In letters: lengths of the pieces of words, and of text without blanks."""


def features(text: str, map_name: str, role: Role | None) -> frozenset[str]:
    """Return the features of a line in normal form."""
    is_run_on = is_japanese(text)
    kinds = {f"={kind}" for kind in _KINDS if pattern_of("%s", kind).search(text)}
    if role is not None:
        kinds.add(f"={role}")
    for pattern, symbol in written_alike(map_name, is_run_on=is_run_on):
        text = pattern.sub(symbol, text)
    return frozenset(kinds | (_of_a_run(text) if is_run_on else _of_words(text)))


def _of_words(text: str) -> set[str]:
    words = _WORD.findall(text.translate(_SPELLED_OUT))
    found = {f"{one} {other}" for one, other in pairwise(("^", *words, "$"))} | set(words)
    for word in set(words):
        found |= _pieces(f"<{word}>", _PIECES)
    return found


def _of_a_run(text: str) -> set[str]:
    return _pieces(f"^{_SIGNS.sub('、', text).strip('、')}$", _PIECES_OF_A_RUN)


def _pieces(text: str, lengths: range) -> set[str]:
    return {text[place : place + length] for length in lengths for place in range(len(text) - length + 1)}

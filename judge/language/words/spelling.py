"""Compare a written word with names by counting slips."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import lru_cache

from judge.language.words.tongue import is_japanese

UNITS_OF_A_COMPARISON = 1000
"""The cost of comparing a word with all names, in units of the budget."""
_LEAST_CODE = 3
_SHORT, _LONG = 4, 8
_MOST_SLIPS = 3


def names_like(word: str, names: Iterable[str], most: int) -> list[str]:
    """Return the names within a plausible number of slips.

    Fewer slips are allowed if the first letter differs: it is seldom wrong.
    """
    if len(word) < _LEAST_CODE and not is_japanese(word):
        return []
    # Names whose length differs by more than the allowed slips need not be compared.
    letters, size = frozenset(word), len(word)
    likely = [
        name
        for name in names
        if abs(len(name) - size) <= _MOST_SLIPS
        and len(letters - _letters(name)) <= _MOST_SLIPS
        and max(abs(len(name) - size), len(letters - _letters(name))) <= _most_slips(word, name)
    ]
    return [
        name
        for name in difflib.get_close_matches(word, likely, n=most, cutoff=0.61)
        if slips_between(word, name) <= _most_slips(word, name)
    ]


@lru_cache(maxsize=8192)
def _letters(name: str) -> frozenset[str]:
    return frozenset(name)


def likeness_of(word: str, name: str) -> float:
    """Return the likeness of two words, from 0 (nothing in common) to 1 (the same)."""
    return difflib.SequenceMatcher(None, word, name).ratio()


def _most_slips(word: str, name: str) -> int:
    """Return how many slips `word` may have if it is `name` misspelled."""
    letters = min(len(word), len(name))
    if word[0] != name[0] and not is_japanese(word):
        return 1 if letters > _SHORT else 0
    return 1 if letters <= _SHORT else 2 if letters <= _LONG else 3


def slips_between(word: str, other: str) -> int:
    """Count letters left out, added, changed or swapped with the next (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, start=1):
        before, above, row = row, before, [i]
        for j, right in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != right))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == right:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]

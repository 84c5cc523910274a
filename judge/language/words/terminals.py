"""A word of a line, with its terminal of the grammars."""

from __future__ import annotations

from typing import NamedTuple

UNKNOWN = "UNKNOWN"
VERBS = frozenset(("HOLD", "MOVE", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "WAIVE"))
PARTICLES = frozenset(("HE", "GA", "WO", "NO", "DE"))
BRACKETS = {"(": ")", "[": "]", "「": "」", "『": "』", "【": "】", "〈": "〉", "《": "》", "{": "}"}


class Word(NamedTuple):
    """A word of a line in normal form."""

    kind: str
    """The terminal of the grammars; `UNKNOWN` for a word that is none of ours."""
    start: int
    end: int
    text: str

"""A word of a line and its terminal in the grammars."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from judge.language.words.tongue import is_japanese

Terminal: TypeAlias = Literal[
    "PLACE",
    "POWER",
    "COAST",
    "LETTER",
    "KIND",
    "HOLD",
    "MOVE",
    "SUPPORT",
    "CONVOY",
    "VIA",
    "RETREAT",
    "BACK",
    "DISBAND",
    "BUILD",
    "WAIVE",
    "ARROW",
    "TO",
    "HE",
    "GA",
    "WO",
    "NO",
    "DE",
    "FROM",
    "WITH",
    "THROUGH",
    "COMMA",
    "SEP",
    "COLON",
    "OPEN",
    "CLOSE",
    "IN",
    "ALL",
    "OTHERS",
    "NOT",
    "NOISE",
    "LEAD",
    "ASIDE",
    "WITH_SUPPORT",
    "IT",
    "IDLE",
    "UNKNOWN",
]
"""All kinds of words; grammars of orders and files of words use no others."""
TERMINALS: Final[frozenset[Terminal]] = frozenset(get_args(Terminal))

UNKNOWN: Final = "UNKNOWN"
VERBS: Final[frozenset[Terminal]] = frozenset(
    ("HOLD", "MOVE", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "WAIVE")
)
PARTICLES: Final[frozenset[Terminal]] = frozenset(("HE", "GA", "WO", "NO", "DE"))
BRACKETS = {"(": ")", "[": "]", "「": "」", "『": "』", "【": "】", "〈": "〉", "《": "》", "{": "}"}


class Word(NamedTuple):
    """A word of a line in normal form."""

    kind: Terminal
    """The terminal in the grammars; `UNKNOWN` for an unknown word."""
    start: int
    end: int
    text: str

    @property
    def is_japanese(self) -> bool:
        """Whether it is written in kana or kanji."""
        return is_japanese(self.text)

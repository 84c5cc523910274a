"""The words of a line: normal form, terminals, meanings, and names similar to misspelled words.

See `load_lexicon`, `normal_form`.
"""

from judge.language.words.lexicon import Lexicon, in_one, misspelled
from judge.language.words.loading import load_lexicon
from judge.language.words.names import Names, load_names, pattern
from judge.language.words.normal import LONGEST_LINE, Line, normal_form
from judge.language.words.shipped import SHIPPED, Tongue
from judge.language.words.spelling import UNITS_OF_A_COMPARISON
from judge.language.words.terminals import PARTICLES, TERMINALS, UNKNOWN, VERBS, Terminal, Word
from judge.language.words.tongue import is_japanese

__all__ = [
    "LONGEST_LINE",
    "PARTICLES",
    "SHIPPED",
    "TERMINALS",
    "UNITS_OF_A_COMPARISON",
    "UNKNOWN",
    "VERBS",
    "Lexicon",
    "Line",
    "Names",
    "Terminal",
    "Tongue",
    "Word",
    "in_one",
    "is_japanese",
    "load_lexicon",
    "load_names",
    "misspelled",
    "normal_form",
    "pattern",
]

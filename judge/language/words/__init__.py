"""The words of a line: its normal form, the words in it, what they name, and what a misspelled one is like.

See `load_lexicon`, `normal_form`.
"""

from judge.language.words.lexicon import Lexicon, in_one, load_lexicon, misspelled
from judge.language.words.names import Names, load_names, pattern
from judge.language.words.normal import Line, normal_form
from judge.language.words.terminals import PARTICLES, UNKNOWN, VERBS, Word

__all__ = [
    "PARTICLES",
    "UNKNOWN",
    "VERBS",
    "Lexicon",
    "Line",
    "Names",
    "Word",
    "in_one",
    "load_lexicon",
    "load_names",
    "misspelled",
    "normal_form",
    "pattern",
]

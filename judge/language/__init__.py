"""Turn text into commands and orders, line by line.

It is lenient and reads several languages. Mistakes are returned as values. See `read`.
"""

from judge.language.context import Context
from judge.language.faults import OF_ORDERS, OF_SENTENCES, Fault, FaultKind
from judge.language.hearing import gives_order, may_ask
from judge.language.lines import ReadLine
from judge.language.meant_units import lines_set_aside
from judge.language.reading import read
from judge.language.unused import unused
from judge.language.which import language_of, spoken_in
from judge.language.words import is_japanese

__all__ = [
    "OF_ORDERS",
    "OF_SENTENCES",
    "Context",
    "Fault",
    "FaultKind",
    "ReadLine",
    "gives_order",
    "is_japanese",
    "language_of",
    "lines_set_aside",
    "may_ask",
    "read",
    "spoken_in",
    "unused",
]

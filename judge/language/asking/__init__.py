"""Lines that ask something of the judge: text to commands, and back.

The words and phrases are data, in `grammar/words/commands/`. A grammar is built from them once for each map.
"""

from judge.language.asking.builder import load_asker
from judge.language.asking.lines import (
    Asked,
    asked,
    first_word,
    intended,
    lacks_time,
    similar_commands,
    without_politeness,
)
from judge.language.asking.phrases import words_asking_for

__all__ = [
    "Asked",
    "asked",
    "first_word",
    "intended",
    "lacks_time",
    "load_asker",
    "similar_commands",
    "without_politeness",
    "words_asking_for",
]

"""`python -m tests.learning` counts anew what people's sentences have in common, for `asking.likeness`.

It reads `tests/asking/spoken.txt`, whose headings name commands, and `examples.txt`, and writes
`grammar/words/commands/learned.txt`. What stands in one sentence alone is left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from judge.language.asking.likeness import TALK, features
from judge.language.asking.phrases import load_phrases
from judge.language.words import is_japanese, normal_form
from judge.resources import shipped

TABLES = Path(__file__).parent / "asking"
LEARNED = shipped("grammar") / "words" / "commands" / "learned.txt"
MAP = "standard"
LEAST = 2
"""In so many sentences something has to stand."""
ONE = {"deadline": "extend", "our_name": "name", "refused": TALK}
"""What people say in the same words."""
_HEAD = """\
# What sentences that ask for a command have in common: `python -m tests.learning` writes it for `asking.likeness`.
# For each tongue the commands and how many sentences they have; then a row for each feature: the commands it is found
# with, by their numbers from 0, and how often if more than once.
"""


def sentences() -> Iterator[tuple[str, str]]:
    """Sentences, and the command that each asks for."""
    known = {TALK, *(entry.key for entry in load_phrases().entries)}
    for name in ("spoken", "examples"):
        key = ""
        for line in (TABLES / f"{name}.txt").read_text("utf-8").splitlines():
            said, arrow, meant = (part.strip() for part in line.partition("=>"))
            if line.startswith("#"):
                key = line.removeprefix("#").strip().replace(" ", "_")
            elif said and arrow and (not meant or key == TALK):
                yield said, TALK
            elif said and (key in known or key in ONE):
                yield said, ONE.get(key, key)


def learned() -> str:
    """The counts, as they are written."""
    known: dict[str, list[tuple[str, frozenset[str]]]] = {"en": [], "ja": []}
    for said, key in dict(sentences()).items():
        text = normal_form(said).text.strip()
        known["ja" if is_japanese(text) else "en"].append((key, features(text, MAP)))
    return _HEAD + "".join(f"\n# {tongue}\n{_table(rows)}" for tongue, rows in known.items())


def _table(rows: list[tuple[str, frozenset[str]]]) -> str:
    of_each = Counter(key for key, _ in rows)
    keys = sorted(of_each)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for key, there in rows:
        for feature in there:
            found[feature][key] += 1
    lines = ["\t".join(f"{key}:{of_each[key]}" for key in keys)]
    for feature, counted in sorted(found.items()):
        if counted.total() >= LEAST:
            cells = ((keys.index(key), number) for key, number in sorted(counted.items()))
            lines.append(f"{feature}\t{' '.join(f'{place}:{n}' if n > 1 else str(place) for place, n in cells)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    LEARNED.write_text(learned(), "utf-8")

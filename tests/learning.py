"""`python -m tests.learning` teaches the reader of free sentences anew, for `asking.intent`.

It reads the sentences of `tests/asking` with the commands that they ask for, and writes the weights of their features
to `grammar/words/commands/intents`, a file for each language. `--check` writes nothing: it leaves out one writer after
the other, and prints what share of their sentences is taken for what it means, for something else or for nothing by
what is learned from all others, before phrases and rules, and how often each stated likelihood is right.

It needs scikit-learn, in an environment of its own:

    python -m venv .venv-learning
    .venv-learning/bin/pip install --editable . scikit-learn
    .venv-learning/bin/python -m tests.learning
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from math import sqrt
from pathlib import Path

from judge.commands import Command, Give, Help, PressToMaster, SetMail, Sitter
from judge.language import Context, read
from judge.language.asking.features import features
from judge.language.asking.intent import IS_MEANT, NOTHING, SCALE, Weights, key_meant, ranked
from judge.language.asking.phrases import load_phrases
from judge.language.asking.slots import lines_that_stand_for
from judge.language.context import Role
from judge.language.words import normal_form
from judge.language.words.shipped import likely_spoken
from judge.language.writing import entry_of
from judge.languages import Language
from judge.resources import shipped
from judge.rules import load_map

TABLES = Path(__file__).parent / "asking"
MAP = "standard"
FOLDER = shipped("grammar") / "words" / "commands" / "intents"
SITUATIONS: Mapping[int, str] = {
    0: NOTHING, 1: "extend", 2: "absence", 3: "no_absence", 4: "press_to_master", 5: "draw", 6: "no_draw", 7: NOTHING,
    8: "ready", 9: "not_ready", 10: "resign", 11: "map", 12: "status", 13: "less_mail", 14: "address", 15: "language",
    16: "zone", 17: "press", 18: "broadcast", 19: "rules_of_play", 20: "whatif", 21: "pause", 22: "orders", 23: "order",
    24: NOTHING, 25: "extend", 26: "process", 27: "replace", 28: "replace", 29: "invite", 30: "set", 31: "pause",
    32: "rollback", 33: "start", 34: "join", 35: "help", 36: "create", 41: "name", 47: "list", 59: "set", 60: NOTHING,
    61: "sitter", 62: "coach", 63: "hours", 64: "muster", 65: "adopt", 66: "one_of_several", 67: "lot_word",
    68: "report", 69: "block", 70: "house_rules",
}  # fmt: skip
"""Situation → what people ask for in it, unless the line names it."""
MASTERS, STRANGERS = (*range(25, 34), *range(55, 61), 64, 70, 71), (34, 35, 36)
ANYBODYS = (0, 65)
"""Situations that do not depend on the role of the writer."""
ANSWERS = (37, 38, 39, 40)
"""Situations in which people answer a letter; its question is read first."""
ONE = {
    "deadline": "extend", "our_name": "name", "refused": NOTHING, "talk": NOTHING, "propose_extend": "extend",
    "propose_pause": "pause", "propose_resume": "resume", "propose_end": "end", "propose_replace": "replace",
    "extend_all": "extend", "pause_all": "pause", "resume_all": "resume",
}  # fmt: skip
"""Requests that people word alike."""
LEAST = 3
"""The least number of sentences that must have a feature."""
COST = 2.0
"""The cost of a misread sentence, relative to the size of the weights."""
WEIGHT_OF_MANY = 0.5
"""The weight of sentences that come from no single writer or that ask for nothing.

The former are short and alike, the latter are many.
"""
TELLING = 2.0
"""The weight of word pairs and sentence kinds, relative to words and their pieces."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that a person wrote, and the request it makes."""

    writer: str
    role: Role | None
    text: str
    key: str
    language: Language


def sentences() -> Iterator[Sentence]:
    """Yield all sentences, each once."""
    chat = {normal_form(line).text.strip() for line in (TABLES / "chat.txt").read_text("utf-8").splitlines()}
    found = (*_below_headings(), *_of_tables(), *_of_writers())
    yield from {(one.role, one.text): one for one in found if one.text not in chat}.values()


def _below_headings() -> Iterator[Sentence]:
    known = {NOTHING, *(entry.key for entry in load_phrases().entries)}
    for name in ("spoken", "examples"):
        key = ""
        for line in (TABLES / f"{name}.txt").read_text("utf-8").splitlines():
            said, arrow, meant = (part.strip() for part in line.partition("=>"))
            if line.startswith("#"):
                key = line.removeprefix("#").strip().replace(" ", "_")
            elif said and arrow and (not meant or key == "talk"):
                yield _sentence(name, None, said, NOTHING)
            elif said and ONE.get(key, key) in known:
                yield _sentence(name, None, said, ONE.get(key, key))
            elif said and arrow and (meant_key := _key_of(meant)):
                yield _sentence(name, None, said, meant_key)


def _of_tables() -> Iterator[Sentence]:
    """Yield the sentences of the tables that list readings, each with its first command."""
    for name in ("requests", "roles", "prose"):
        for line in (TABLES / f"{name}.txt").read_text("utf-8").splitlines():
            said, arrow, meant = (part.strip() for part in line.rpartition("=>"))
            if not arrow or line.startswith("#"):
                continue
            who, colon, rest = said.partition(": ")
            role = Role(who) if colon and who in list(Role) else None
            key = _key_of(meant)
            if key:
                yield _sentence(name, role, rest if role is not None else said, key)


def _key_of(meant: str) -> str:
    """Return what a line of a table asks for; "" if it is no sentence."""
    first = re.split(r" or | [|] ", meant.lstrip("!? "))[0].split(" (")[0]
    if not first:
        return NOTHING
    request = next(
        (one for line in read(first, Context(load_map(), hears_sentences=False)) for one in line.requests), None
    )
    match request:
        case Give():
            return "order"
        case Help(topic="orders" | "命令" | "befehle"):
            return "rules_of_play"
        case SetMail():
            return "less_mail"
        case PressToMaster():
            return "press_to_master"
        case Sitter():  # ABSENCE … WITH
            return "sitter"
    alone = next((key for key, one in _lines_that_stand_alone().items() if one == request), "")
    if alone:
        return alone
    entry = entry_of(first)
    if entry is None or entry.key == "set":  # SET ADDRESS, too
        made = [one for one in load_phrases().entries if isinstance(request, one.makes) and _gives(one.gives, request)]
        entry = max(made, key=lambda one: len(one.gives), default=None)
    return ONE.get(entry.key, entry.key) if entry is not None else ""


@cache
def _lines_that_stand_alone() -> Mapping[str, Command]:
    """Return key without a command → the command that it stands for."""
    alone = {key: lines[0] for key, lines in lines_that_stand_for().items() if len(lines) == 1}
    return {key: read(line, Context(load_map()))[0].requests[0] for key, line in alone.items()}


def _gives(values: Mapping[str, object], request: object) -> bool:
    return all(getattr(request, name) == value for name, value in values.items())


def _of_writers() -> Iterator[Sentence]:
    for file in files():
        named = Language(file.stem[:2])
        for line in file.read_text("utf-8").splitlines():
            heading, _, said = line.partition("|")
            number, _, key = heading.strip().partition(" ")
            situation = int(number)
            if situation not in ANSWERS:
                of_one = (
                    Role.MASTER if situation in MASTERS else Role.STRANGER if situation in STRANGERS else Role.PLAYER
                )
                writer = file.parent.name if file.parent.name != "learned" else file.stem[-1]
                for role in Role if situation in ANYBODYS else (of_one,):
                    yield _sentence(writer, role, said.strip(), key or SITUATIONS[situation], named)


def files() -> list[Path]:
    """Return the files of writers who were given situations."""
    return sorted((*TABLES.glob("unseen-[123]/*.txt"), *TABLES.glob("learned/*.txt")))


def _sentence(writer: str, role: Role | None, said: str, key: str, language: Language | None = None) -> Sentence:
    text = normal_form(said).text.strip()
    return Sentence(writer, role, text, key, language or likely_spoken(text)[0])


# Teaching


def learned(rows: Sequence[Sentence]) -> Weights:
    """Return the weights that tell the requests of sentences apart."""
    sparse, svm = import_module("scipy.sparse"), import_module("sklearn.svm")  # reading needs neither
    found = [features(row.text, MAP, row.role) for row in rows]
    of_texts = {row.text: each for row, each in zip(rows, found, strict=True)}
    number = Counter(one for each in of_texts.values() for one in each)
    known = sorted(one for one, count in number.items() if count >= LEAST)
    place = {one: column for column, one in enumerate(known)}
    cells = [
        (line, place[one], _telling(one) / sqrt(len(each)))
        for line, each in enumerate(found)
        for one in each
        if one in place
    ]
    lines, columns, values = zip(*cells, strict=True)
    teacher = svm.LinearSVC(C=COST, random_state=0)
    teacher.fit(
        sparse.csr_matrix((values, (lines, columns)), (len(rows), len(known))),
        [row.key for row in rows],
        list(map(_worth, rows)),
    )
    table = {one: _row(weights * _telling(one)) for one, weights in zip(known, teacher.coef_.T, strict=True)}
    bias = tuple(round(SCALE * float(one)) for one in teacher.intercept_)
    return Weights(tuple(map(str, teacher.classes_)), bias, {one: row for one, row in table.items() if row})


def _telling(feature: str) -> float:
    return TELLING if " " in feature or feature.startswith("=") else 1.0


def _worth(row: Sentence) -> float:
    return WEIGHT_OF_MANY if row.role is None or row.key == NOTHING else 1.0


def _row(weights: Sequence[float]) -> str:
    found: dict[int, list[str]] = defaultdict(list)
    for number, weight in enumerate(weights):
        found[round(SCALE * float(weight))].append(str(number))
    return "|".join(f"{weight}:{' '.join(numbers)}" for weight, numbers in sorted(found.items()) if weight)


def digest() -> str:
    """Return a digest of the sentences that the weights are learned from."""
    told = "\n".join(f"{one.language} {one.role} {one.key} {one.text}" for one in sentences())
    return hashlib.sha256(told.encode()).hexdigest()[:16]


_HEAD = """\
# How much each feature of a sentence speaks for what it may ask for, written by `python -m tests.learning`.
# Learned from the sentences of tests/asking with the digest {digest}.
"""


def write(show: Callable[[str], None] = print) -> None:
    """Write the weights of all languages."""
    rows = list(sentences())
    FOLDER.mkdir(exist_ok=True)
    for language in Language:
        own = [row for row in rows if row.language == language]
        weights = learned(own)
        table = {"keys": " ".join(weights.keys), "bias": " ".join(map(str, weights.bias)), **weights.rows}
        lines = "".join(f"{feature}\t{row}\n" for feature, row in table.items())
        (FOLDER / f"{language}.txt").write_text(_HEAD.format(digest=digest()) + lines, "utf-8")
        show(f"{language}: {len(weights.rows)} features of {len(own)} sentences")


# Checking

WRITERS = ("a", "b", "d", "unseen-1", "unseen-2", "unseen-3")
"""The writers who had seen nothing of the judge."""
BESIDE_THE_WORK = "c"
"""The writer who added what the others had shown to be missing.

Checking leaves these sentences out: they would reveal too much about the others' sentences.
"""
BANDS = (0.0, 0.2, 0.4, IS_MEANT, 0.7, 0.8, 0.9, 1.0)
"""The bands of likelihood; in each, the share of right guesses is counted."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The reading of a sentence whose writer was left out of the learning."""

    meant: str
    guessed: str
    likelihood: float
    """The stated likelihood of the guess."""

    @property
    def verdict(self) -> str:
        heard = self.guessed if self.likelihood >= IS_MEANT else NOTHING
        return "right" if heard == self.meant else "nothing" if heard == NOTHING else "wrong"


def weighed(writer: str, rows: Sequence[Sentence]) -> list[Weighed]:
    """Return how one writer's sentences are read when only the others' are learned from."""
    left_out = [row for row in rows if row.writer == writer]
    texts = {row.text for row in left_out}
    weights = learned([row for row in rows if row.writer != writer and row.text not in texts])
    return [_weighed(row, weights) for row in left_out]


def _weighed(row: Sentence, weights: Weights) -> Weighed:
    is_playing = row.role is Role.PLAYER
    guesses = ranked(weights.keys, weights.scores(features(row.text, MAP, row.role)), row.role, is_playing=is_playing)
    likelihood, guessed = guesses[0]
    return Weighed(key_meant(row.key, row.role, is_playing=is_playing) or NOTHING, guessed, likelihood)


def check(show: Callable[[str], None] = print) -> None:
    """Print the figures of each writer left out, and of each language."""
    rows = [row for row in sentences() if row.writer != BESIDE_THE_WORK]
    for language in Language:
        own = [row for row in rows if row.language == language]
        everybody: list[Weighed] = []
        for writer in WRITERS:
            found = weighed(writer, own)
            show(_figures(f"{language} without {writer}", found))
            everybody += found
        show(_figures(f"{language} in all", everybody))
        show("\n".join(_calibration(everybody)) + "\n")


def _figures(name: str, found: Sequence[Weighed]) -> str:
    number = Counter(one.verdict for one in found)
    right, wrong, nothing = (f"{number[one] / len(found):6.1%}" for one in ("right", "wrong", "nothing"))
    return f"{name:20} {len(found):5} sentences: right {right}, wrong {wrong}, nothing {nothing}"


def _calibration(found: Sequence[Weighed]) -> Iterator[str]:
    for least, most in pairwise(BANDS):
        inside = [one for one in found if least <= one.likelihood < most or one.likelihood == most == BANDS[-1]]
        if inside:
            stated = sum(one.likelihood for one in inside) / len(inside)
            right = sum(one.guessed == one.meant for one in inside) / len(inside)
            yield (
                f"  stated {least:4.0%} to {most:4.0%}: {len(inside):5} sentences,"
                f" on average {stated:4.0%}, right {right:4.0%}"
            )


ENVIRONMENT = "python -m venv .venv-learning && .venv-learning/bin/pip install --editable . scikit-learn"


def main() -> None:
    """Teach the reader, or check how well it can be taught."""
    parser = argparse.ArgumentParser(prog="python -m tests.learning", description="Teach the reader of free sentences.")
    parser.add_argument("--check", action="store_true", help="write nothing, and print how well it reads other writers")
    wanted = parser.parse_args()
    if find_spec("sklearn") is None:
        sys.exit(f"scikit-learn is missing; make an environment that has it: {ENVIRONMENT}")
    check() if wanted.check else write()


if __name__ == "__main__":
    main()

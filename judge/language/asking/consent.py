"""Whether a reply to a request for confirmation says yes.

Only a bare yes counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from judge.commands import Reading
from judge.language.asking.data import pattern_of
from judge.language.lines import ReadLine
from judge.language.words import normal_form
from judge.languages import Language
from judge.resources import shipped_data

_SIGNS = re.compile(r"[,.!;:~*_\"'()\[\]<>|…、。！「」・\s-]+")
_PHRASES = re.compile(r"[,!;。、！]+|\.(?=\s|$)")


class Consent(StrEnum):
    """The answer of a person."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class _Answers:
    """The words of `answers.toml`, without blanks and punctuation."""

    yes: frozenset[str]
    no: frozenset[str]
    refusing: tuple[str, ...]
    greetings: frozenset[str]
    honorifics: tuple[str, ...]
    plain_yes: frozenset[str]
    plain_no: frozenset[str]
    question: tuple[str, ...]
    """Patterns of numbered answers: see `question_patterns`."""
    readings: Mapping[str, Reading]
    """Words → the reading of a letter that they choose."""


def without_answers(own_text: str) -> tuple[Consent, str]:
    """Return the answer of a mail, and its text without that answer.

    Only lines that hold nothing but an answer count; they are left blank.
    The answer is unclear without such a line, with a yes beside a no, and in a mail without words.

    >>> without_answers("Yes, please.")
    (<Consent.YES: 'yes'>, '')
    >>> without_answers("OK but this was not me")
    (<Consent.UNCLEAR: 'unclear'>, 'OK but this was not me')
    """
    lines = own_text.splitlines()
    said = [answer_of(line) for line in lines]
    rest = "\n".join("" if answer else line for line, answer in zip(lines, said, strict=True))
    found = set(filter(None, said))
    return found.pop() if len(found) == 1 else Consent.UNCLEAR, rest


def settled(answered: Consent, rest: Sequence[ReadLine], names: Collection[str]) -> Consent:
    """Return the answer of a mail, considering everything else it says.

    A yes counts only beside readable orders and commands, a greeting, or the sender's name. Beside anything else it is
    unclear, and the question must be asked again. Words that refuse are a no. `names`: the sender's.
    """
    others = [line.text for line in rest if line.faults or line.is_guess or not line.requests]
    if answered is Consent.NO:
        return Consent.NO
    known = _known_words(names)
    is_whole = not any(line.is_unread for line in rest)
    if answered is Consent.YES and is_whole and all(_is_greeting(line, known) for line in others):
        return Consent.YES
    return Consent.NO if any(map(_refuses, others)) else Consent.UNCLEAR


def is_courtesy(line: str, names: Collection[str]) -> bool:
    """Whether a line only greets, thanks or signs; `names`: the sender's."""
    return _is_greeting(line, _known_words(names))


def only_courtesies(own_text: str, names: Collection[str]) -> bool:
    r"""Whether a mail has words, and each line only greets, thanks or signs.

    >>> only_courtesies("Hi judge,\n\nmany thanks!\nBen", ["Ben"]), only_courtesies("Thanks, A Par - Bur", [])
    (True, False)
    """
    known, lines = _known_words(names), [line for line in own_text.splitlines() if line.strip()]
    return bool(lines) and all(_is_greeting(line, known) or _only_greets(line) for line in lines)


def _only_greets(line: str) -> bool:
    return pattern_of("%s", "only_greets").fullmatch(_folded(line).strip()) is not None


def _known_words(names: Collection[str]) -> Collection[str]:
    return _answers().greetings | {part for name in names for part in _words(name)} | set(map(_bare, names))


def reading_chosen(own_text: str) -> tuple[Reading | Consent, str]:
    """Return the reading of a letter that an answer chooses, and the other text.

    NO if the answer chooses none. The lines of the answer are left blank.

    >>> reading_chosen("Yes, press")
    (<Reading.PRESS: 'press'>, '')
    """
    said: set[Reading | Consent] = set()
    rest = []
    for line in own_text.splitlines():
        found = _reading_in(line) or (Consent.NO if answer_of(line) is Consent.NO else None)
        rest.append("" if found else line)
        said |= {found} if found else set()
    return said.pop() if len(said) == 1 else Consent.UNCLEAR, "\n".join(rest)


def _reading_in(line: str) -> Reading | None:
    """Return the reading that a line chooses, ignoring courtesies: `Yes, as press please`."""
    answers = _answers()
    said = "".join(word for word in _words(line) if word not in answers.greetings)
    return answers.readings.get(_bare(line)) or answers.readings.get(said)


def plain_answers(consent: Consent) -> frozenset[str]:
    """Return the words that answer a question about orders when alone on a line."""
    answers = _answers()
    return answers.plain_yes if consent is Consent.YES else answers.plain_no


def question_patterns() -> tuple[str, str, str]:
    """Return patterns for numbered answers.

    They match what precedes a question's number, separates two numbers, and precedes the answer.
    """
    number, between, behind = _answers().question
    return number, between, behind


def answer_of(line: str) -> Consent | None:
    """Return yes or no if the line says only that, else None."""
    answers = _answers()
    phrases = [phrase for phrase in map(_bare, [line, *_PHRASES.split(_folded(line))]) if phrase]
    if not phrases:
        return None
    whole, *parts = phrases
    for words, consent in ((answers.no, Consent.NO), (answers.yes, Consent.YES)):
        if whole in words or (parts and parts[0] in words and all(part in words | answers.greetings for part in parts)):
            return consent
    if parts and parts[0] in answers.no:
        return Consent.NO
    return None


def _refuses(line: str) -> bool:
    bare = _bare(line)
    return any(words in bare for words in _answers().refusing)


def _is_greeting(line: str, known: Collection[str]) -> bool:
    words = [word for word in _words(line) if word]
    return all(word in known or _without_honorific(word) in known for word in words) or _bare(line) in known


def _without_honorific(word: str) -> str:
    for ending in _answers().honorifics:
        word = word.removesuffix(ending)
    return word


def _words(line: str) -> list[str]:
    return [word for word in _SIGNS.split(_folded(line)) if word]


def _bare(line: str) -> str:
    return "".join(_words(line))


def _folded(line: str) -> str:
    return normal_form(line[:500]).text


@cache
def _answers() -> _Answers:
    data = shipped_data("grammar/answers.toml")

    def bare(table: str, *keys: str) -> list[str]:
        return [_bare(words) for key in keys for words in data[table].get(key, ())]

    return _Answers(
        yes=frozenset(bare("yes", *Language)),
        no=frozenset(bare("no", *Language)),
        refusing=tuple(bare("no", *(f"in_a_line_{language}" for language in Language))),
        greetings=frozenset(bare("greetings", *Language)),
        honorifics=tuple(word for words in data["honorifics"].values() for word in words),
        plain_yes=frozenset(bare("plain", "yes")),
        plain_no=frozenset(bare("plain", "no")),
        question=tuple(data["question"][key] for key in ("number", "between", "behind")),
        readings={words: reading for reading in Reading for words in bare(f"{reading}_meant", *Language)},
    )

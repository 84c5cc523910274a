"""Whether a reply to a request for confirmation says yes: a yes is a bare yes, and nothing else is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from judge.commands import Reading
from judge.language.lines import ReadLine
from judge.language.words import normal_form
from judge.languages import Language
from judge.resources import shipped

_SIGNS = re.compile(r"[,.!;:~*_\"'()\[\]<>|…、。！「」・\s-]+")
_PHRASES = re.compile(r"[,!;。、！]+|\.(?=\s|$)")


class Consent(StrEnum):
    """What somebody answered."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class _Answers:
    """The words of `answers.toml`, without blanks and signs."""

    yes: frozenset[str]
    no: frozenset[str]
    refusing: tuple[str, ...]
    greetings: frozenset[str]
    honorifics: tuple[str, ...]
    plain_yes: frozenset[str]
    plain_no: frozenset[str]
    question: tuple[str, ...]
    """Patterns."""
    readings: Mapping[str, Reading]
    """Words → which reading of a letter they choose."""


def without_answers(own_text: str) -> tuple[Consent, str]:
    """What the lines that are nothing but an answer say, and the text with these lines left blank.

    No such line, or a yes beside a no, says nothing; so does a mail without words.

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
    """What the mail says, with all that it says beside its answer.

    A yes stands only beside orders and commands that can be read, a greeting, or the name of whoever writes;
    with anything else it has to be asked once more. Words that refuse are a no. `names` are the writer's.
    """
    others = [line.text for line in rest if line.faults or not line.requests]
    if answered is Consent.NO:
        return Consent.NO
    known = _known_words(names)
    is_whole = not any(line.is_unread for line in rest)
    if answered is Consent.YES and is_whole and all(_is_greeting(line, known) for line in others):
        return Consent.YES
    return Consent.NO if any(map(_refuses, others)) else Consent.UNCLEAR


def is_courtesy(line: str, names: Collection[str]) -> bool:
    """Whether a line greets, thanks or signs, and says no more; `names` are the writer's."""
    return _is_greeting(line, _known_words(names))


def _known_words(names: Collection[str]) -> Collection[str]:
    return _answers().greetings | {part for name in names for part in _words(name)} | set(map(_bare, names))


def reading_chosen(own_text: str) -> tuple[Reading | Consent, str]:
    """Which reading of a letter an answer chooses, NO for none of them; and the text without the lines that say so.

    >>> reading_chosen("Yes, press")
    (<Reading.PRESS: 'press'>, '')
    """
    said: set[Reading | Consent] = set()
    rest = []
    for line in own_text.splitlines():
        found = _answers().readings.get(_bare(line)) or (Consent.NO if answer_of(line) is Consent.NO else None)
        rest.append("" if found else line)
        said |= {found} if found else set()
    return said.pop() if len(said) == 1 else Consent.UNCLEAR, "\n".join(rest)


def plain_answers(consent: Consent) -> frozenset[str]:
    """The words that answer a question about orders wherever they stand alone on a line."""
    answers = _answers()
    return answers.plain_yes if consent is Consent.YES else answers.plain_no


def question_patterns() -> tuple[str, str, str]:
    """What may stand before the number of a question, between two of them, and between the last and the answer."""
    number, between, behind = _answers().question
    return number, between, behind


def answer_of(line: str) -> Consent | None:
    """Yes or no, if the line says that and no more."""
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
    data = tomllib.loads((shipped("grammar") / "answers.toml").read_text("utf-8"))

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

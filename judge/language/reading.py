"""A mail's own words, line by line, into requests and faults."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lark.exceptions import LarkError, UnexpectedInput

from judge.commands import Command, Create, ForPower, Give
from judge.language.asking import COMMAND_WORDS, first_word, load_asker, similar_commands
from judge.language.faults import Fault, FaultKind
from judge.language.meaning import Context, SeveralReadings, in_strict_notation, meaning
from judge.language.normal import Line, normal_form
from judge.language.sentences import Heading, Sentence, Spoken, Vocabulary, load_vocabulary

_SETTING = re.compile(r"\s*([A-Za-z][A-Za-z ]{1,30}?)\s*[:=：]\s*(\S.*?)\s*$")
_WORD = re.compile(r"[a-z]{3,}(?:/[a-z]{2})?|[ァ-ヺー]{2,}海?|[一-龠]{2,}")
_LONGEST_ORDER = 200
_LONGEST_COMMAND = 100


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of a mail and what was made of it; small talk has neither requests nor faults."""

    number: int
    text: str
    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()


def read(text: str, context: Context) -> tuple[ReadLine, ...]:
    """Read the sender's own words; blank lines are left out, numbers count all lines from 1."""
    lines: list[ReadLine] = []
    creating = False
    for number, written in enumerate(text.splitlines(), start=1):
        if not written.strip():
            creating = False
            continue
        setting = _SETTING.match(written) if creating else None
        if setting is not None:
            lines[-1] = _with_setting(lines[-1], setting[1], setting[2])
            continue
        line = _read_line(number, written, context)
        creating = any(isinstance(request, Create) for request in line.requests)
        lines.append(line)
    return tuple(lines)


def _with_setting(line: ReadLine, name: str, value: str) -> ReadLine:
    *others, create = line.requests
    assert isinstance(create, Create)
    settings = {**create.settings, " ".join(name.split()).lower(): value}
    return replace(line, requests=(*others, replace(create, settings=settings)))


def _read_line(number: int, written: str, context: Context) -> ReadLine:
    line = normal_form(written)
    text = line.text.strip()
    if len(text) > _LONGEST_ORDER or not text:
        return ReadLine(number, written)
    vocabulary = load_vocabulary(context.map.name)
    if len(text) <= _LONGEST_COMMAND and first_word(text) in COMMAND_WORDS:
        command = _command(line, context)
        if command is not None:
            return ReadLine(number, written, (command,))
    try:
        spoken = vocabulary.sentences(line.text)
    except UnexpectedInput as error:
        return ReadLine(number, written, (), _trouble(number, line, vocabulary, error))
    return _understood(number, line, spoken, context, vocabulary)


def _command(line: Line, context: Context) -> Command | None:
    try:
        return load_asker(context.map.name).command(line)
    except LarkError:  # a word in the wrong place, or one that is no topic, language or unit
        return None


def _understood(
    number: int, line: Line, spoken: tuple[Spoken, ...], context: Context, vocabulary: Vocabulary
) -> ReadLine:
    requests: list[Command] = []
    faults: list[Fault] = []
    for part in spoken:
        if isinstance(part, Heading):
            requests.append(ForPower(part.power))
        elif isinstance(part, Sentence):
            meant = meaning(part, context, vocabulary.names)
            if isinstance(meant, SeveralReadings):
                start, end = _extent(line)
                word = line.written[start:end]
                candidates = in_strict_notation(meant)
                faults.append(Fault(FaultKind.AMBIGUOUS_ORDER, number, start, end, word, candidates))
            else:
                requests.append(Give(meant))
    return ReadLine(number, line.written, tuple(requests), tuple(faults))


def _trouble(number: int, line: Line, vocabulary: Vocabulary, error: UnexpectedInput) -> tuple[Fault, ...]:
    """What is wrong with a line that no grammar fits; nothing, if it looks like small talk."""
    text = line.text.strip()
    word = first_word(text)
    if word in COMMAND_WORDS and len(text.split()) <= 3:
        start, end = _extent(line)
        return (Fault(FaultKind.MALFORMED_COMMAND, number, start, end, line.written[start:end], (word,)),)
    similar = similar_commands(word)
    if similar and len(text.split()) <= 3:
        start, end = line.span(line.text.index(word), line.text.index(word) + len(word))
        return (Fault(FaultKind.UNKNOWN_COMMAND, number, start, end, line.written[start:end], similar),)
    if not _looks_like_an_order(text, vocabulary):
        return ()
    for match in _WORD.finditer(line.text):
        if not _is_known(match[0], vocabulary):
            start, end = line.span(*match.span())
            near = vocabulary.names.near(match[0])
            return (Fault(FaultKind.UNKNOWN_PLACE, number, start, end, line.written[start:end], near),)
    at = getattr(error, "pos_in_stream", None) or 0
    start, end = line.span(at, len(line.text.rstrip())) if at < len(line.text.rstrip()) else _extent(line)
    return (Fault(FaultKind.NOT_UNDERSTOOD, number, start, end, line.written[start:end].strip()),)


def _extent(line: Line) -> tuple[int, int]:
    start = len(line.written) - len(line.written.lstrip())
    return start, len(line.written.rstrip())


def _is_known(word: str, vocabulary: Vocabulary) -> bool:
    names = vocabulary.names
    known = (names.places, names.powers, names.coasts, vocabulary.verbs, vocabulary.kinds, _SMALL_WORDS)
    if any(word in words for words in known):
        return True
    return any(word in name.split() for name in names.places) or _ends_in_known(word, vocabulary)


def _ends_in_known(word: str, vocabulary: Vocabulary) -> bool:
    """Japanese words run together: the kind of a unit and the verb follow the name at once."""
    return any(word == verb or word in (verb, *vocabulary.kinds) for verb in vocabulary.verbs)


_SMALL_WORDS = frozenset(("via", "the", "with", "and", "from", "into", "convoy", "coast", "north", "south", "east"))


def _looks_like_an_order(text: str, vocabulary: Vocabulary) -> bool:
    """A unit's kind and a word; or a place with a verb or a dash; in a short line."""
    words = re.findall(r"[a-z]+|->?|[^\x00-\x7f\s]+", text)
    if len(words) > 14 or len(words) < 2:
        return any(kind in text for kind in vocabulary.kinds if not kind.isascii()) and _has_verb(text, vocabulary)
    if words[0] in vocabulary.kinds and len(words[1]) >= 3 and (len(words) > 2 or words[0] != "a"):
        return words[0] != "a" or _has_verb(text, vocabulary) or "-" in words or "->" in words
    places = [word for word in words if word in vocabulary.names.places]
    if words[0] in vocabulary.names.places:
        return any(word in vocabulary.verbs or word in ("-", "->", "to") for word in words[1:])
    japanese = any(not kind.isascii() and kind in text for kind in vocabulary.kinds)
    return (japanese and _has_verb(text, vocabulary)) or (len(places) > 1 and "-" in words)


def _has_verb(text: str, vocabulary: Vocabulary) -> bool:
    words = set(re.findall(r"[a-z]+", text))
    return any(verb in words if verb.isascii() else verb in text for verb in vocabulary.verbs)

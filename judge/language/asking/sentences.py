"""Commands in people's own sentences.

Examples: `please extend the deadline by two days`, 地図をください.
The sentences are data beside each command in `grammar/words/commands/phrases.toml`. The words around a sentence in a
line are removed first. A sentence stands for a written command line, which is then parsed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import get_args

from lark.exceptions import LarkError

from judge.commands import (
    AsWritten,
    CheckSettings,
    Command,
    Export,
    Object,
    Override,
    Perhaps,
    Preview,
    UseGame,
    questions,
)
from judge.language.asking.builder import load_asker
from judge.language.asking.data import in_figures, macros, pattern_of, words_for
from judge.language.asking.phrases import Entry, load_phrases, made_by, written_line
from judge.language.context import Context
from judge.language.times import with_plain_dates, with_plain_phases
from judge.language.words import Line, is_japanese, normal_form
from judge.language.words.names import pattern

_LONGEST = 160
_MOST_AROUND = 8
_HARMLESS = (*get_args(questions.OfAGame), *get_args(questions.General), CheckSettings, Export, Preview)
"""Commands that change nothing."""
_NO_END = r"(?!(?<=[a-z0-9])[a-z0-9'])"
_BETWEEN = rf"{_NO_END}[ ,、]*"
_SIGNS = {
    "(": "(?:(?:",
    ")": f"){_NO_END})?",
    "{": "(?:(?:",
    "}": f"){_NO_END})",
    "[": "(?:(?:",
    "]": f"){_NO_END})?",
    "|": "|",
}
_TOKEN = re.compile(r"<(?:(?P<field>\w+):)?(?P<slot>\w+)>|(?P<sign>[(){}\[\]|])|(?P<macro>[A-Z]+)|(?P<space> +)")
_OPTIONAL = r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|<[^<>]*>|[A-Z]+"
_CHOICE = re.compile(r"\{([^{}]*)\}")
_END = re.compile(r"[\s.。!?、,~:;)(^♪…-]+$")
_TIMES = frozenset(("period", "moment", "length"))
_NO_WORD = frozenset(("any",))
"""Slots that fill no field: their text is ignored."""


_AROUND = ("before", "asking", "behind")
_NAME_OF_GROUP = re.compile(r"\(\?P<\w+>")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One way to express a command."""

    entry: Entry
    words: str
    """The sentence as written in the data."""
    is_whole: bool
    """Whether it says all that the command needs."""
    is_offered: bool = False
    """Whether the command is only offered, because it may not be meant."""
    needs: tuple[frozenset[str], ...] = ()
    """Sets of words: a text that is this sentence contains one of each."""

    def may_match(self, text: str) -> bool:
        """Whether a text contains the words that this sentence needs."""
        return all(any(word in text for word in words) for words in self.needs)

    def match(self, text: str, map_name: str) -> re.Match[str] | None:
        """Match a text that is this sentence and nothing more."""
        return _compiled(self.words, map_name).fullmatch(text)


@dataclass(frozen=True, slots=True)
class Said:
    """What a sentence asks for."""

    entry: Entry
    requests: tuple[Command, ...] = ()
    """Empty if something that the command needs is missing or not understood."""
    either: tuple[Said, ...] = ()
    """The possible meanings, if it is unclear which is meant."""
    is_about: bool = False
    """Whether it asks how the command works."""


@dataclass(frozen=True, slots=True)
class _Bare:
    """A part of the line without the words around it."""

    start: int
    end: int
    is_asking: bool = False
    game: str | None = None
    reason: str = ""


def said(line: Line, reason: str, end: int, context: Context) -> Said | None:
    """Return what the sentence on a line asks for; its reason begins at `end`."""
    if end > _LONGEST or not line.text.strip():
        return None
    lacks: Said | None = None
    for bare in _without_what_is_around(line, line.text[:end]):
        text = line.text[bare.start : bare.end]
        for sentence in _sentences_in(text):
            match = sentence.match(text, context.map.name)
            if match is None:
                continue
            command = _command(sentence, match, bare, line, context) if sentence.is_whole else None
            if command is None:
                lacks = lacks or (Said(sentence.entry) if _tells_time(sentence, match) else None)
                continue
            steered = (UseGame(bare.game),) if bare.game is not None else ()
            return Said(
                sentence.entry, (*steered, _as_meant(_with_reason(command, reason or bare.reason), sentence, bare))
            )
    return lacks


def wished(line: Line, context: Context) -> Said | None:
    """Return commands to offer for a wish that no command fulfills literally.

    Example: `stop mailing me`. None if the line holds no such wish.
    """
    text = pattern_of("%s", "polite").sub("", line.text.strip(" .!?。、"))
    lines = next((lines for lines, words in _may_mean() if words.fullmatch(text)), ())
    commands = [line_as_command(normal_form(one), context) for one in lines]
    made = [Said(made_by(one), (one if is_harmless(one) else Perhaps(one),)) for one in commands if one is not None]
    return made[0] if len(made) == 1 else Said(made[0].entry, either=tuple(made)) if made else None


@cache
def _may_mean() -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    rows = (row.split(" | ", 1) for row in words_for("may_mean"))
    return tuple((tuple(lines.split("; ")), re.compile(words)) for lines, words in rows)


def is_harmless(command: Command) -> bool:
    """Whether a command only shows something."""
    return isinstance(command, _HARMLESS) or command.card.shows is not None


def with_reason(requests: Iterable[Command], reason: str) -> tuple[Command, ...]:
    """Return the requests, with this reason where one is missing."""
    return tuple(
        replace(one, command=_reasoned(one.command, reason)) if isinstance(one, Perhaps) else _reasoned(one, reason)
        for one in requests
    )


def without_reason(line: Line) -> tuple[str, str]:
    """Return a line's text before its reason, and the reason as written.

    The reason is "" if it is still to be written.
    """
    match = pattern_of(r"\s*%s\s*(?P<reason>.*?)\)?\s*$", "reason").search(line.text)
    if match is None or not match.start():
        return line.text, ""
    start, end = line.span(*match.span("reason"))
    return line.text[: match.start()], line.written[start:end].strip() if match["reason"] else ""


def _reasoned(command: Command, reason: str) -> Command:
    is_lacking = isinstance(command, Override) and not command.reason
    return _with_reason(command, reason) if reason and is_lacking else command


def _with_reason(command: Command, reason: str) -> Command:
    if isinstance(command, Override) or (isinstance(command, Object) and not command.reason):
        return replace(command, reason=reason)
    return command


def _as_meant(command: Command, sentence: Sentence, bare: _Bare) -> Command:
    """Return the command, as `Perhaps` if it needs confirmation.

    Changes that are only asked about, or must not happen by mistake, need it.
    """
    if is_harmless(command) or command.card.is_final:
        return command
    is_asked = bare.is_asking or sentence.is_offered or sentence.entry.is_asked_first
    return Perhaps(command) if is_asked else command


def _command(sentence: Sentence, match: re.Match[str], bare: _Bare, line: Line, context: Context) -> Command | None:
    """Return the command of the sentence; None if a part is not understood."""
    values = {
        name: _as_written(line, bare.start + match.start(name), bare.start + match.end(name))
        for name, value in match.groupdict().items()
        if value and name not in _NO_WORD
    }
    if any(name not in values for name in sentence.entry.needed):
        return None
    if values.get("game", "").lower() in load_asker(context.map.name).names.powers:
        return None
    written = written_line(sentence.entry, lambda name: in_figures(values.get(name, "")))
    if is_japanese(line.written):
        written = with_plain_dates(written)
    command = line_as_command(normal_form(written), context)
    # `orders follow`: the word in place of a phase is not the name of a game.
    if command is None or (getattr(command, "game", None) and "game" not in values):
        return None
    told = [getattr(command, name) for name in sentence.entry.fields]
    return command if all(one.meant is not None for one in told if isinstance(one, AsWritten)) else None


def line_as_command(line: Line, context: Context) -> Command | None:
    """Return the command of a line that is written as one, or None."""
    asker = load_asker(context.map.name)
    phase = context.position.phase if context.position else None
    for plain in dict.fromkeys((line.text, " ".join(with_plain_phases(line.text, phase).split()))):
        with suppress(LarkError):
            return asker.command(line.text, plain, line, context)
    return None


def _tells_time(sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether only the time in the sentence was not understood."""
    times = [match[name] for name in _TIMES.intersection(match.re.groupindex)]
    return not sentence.is_whole or any(pattern_of("%s", "time_words").search(time) for time in times)


def _as_written(line: Line, start: int, end: int) -> str:
    first, last = line.span(start, end)
    return line.written[first:last].strip(' 、,「」『』"“”')


# What surrounds a sentence


def _without_what_is_around(line: Line, text: str) -> Iterator[_Bare]:
    """Yield the text, then ever shorter texts without greetings and politeness."""
    end = len(_END.sub("", text))
    is_question = "?" in text[end:] or text[:end].endswith(words_for("ends_a_question"))
    asks = is_question and pattern_of("%s", "requesting").search(text) is None
    bare = _Bare(len(text) - len(text.lstrip()), end, asks)
    for _ in range(_MOST_AROUND):
        if bare.start >= bare.end:
            return
        yield bare
        shorter = _shorter(line, bare)
        if shorter is None:
            return
        bare = shorter


def _shorter(line: Line, bare: _Bare) -> _Bare | None:
    part = line.text[bare.start : bare.end]
    if _anything_around().search(part) is None:
        return None
    for name in _AROUND:
        for around in _around(name):
            match = around.match(part) if name == "before" else around.search(part)
            if match is None or not match[0]:
                continue
            groups = match.groupdict()
            known = replace(
                bare,
                is_asking=bare.is_asking or name == "asking",
                game=groups.get("game") or bare.game,
                reason=_reason(line, match, bare) or bare.reason,
            )
            if match.start() == 0:
                return replace(known, start=bare.start + match.end())
            if match.end() == len(part):
                return replace(known, end=bare.start + len(_END.sub("", part[: match.start()])))
    return None


def _reason(line: Line, match: re.Match[str], bare: _Bare) -> str:
    if not match.groupdict().get("reason"):
        return ""
    return _as_written(line, bare.start + match.start("reason"), bare.start + match.end("reason"))


@cache
def _anything_around() -> re.Pattern[str]:
    """Return one pattern for all words that may surround a sentence.

    It is a quick test: most lines have none.
    """
    return re.compile("|".join(_NAME_OF_GROUP.sub("(?:", one.pattern) for name in _AROUND for one in _around(name)))


@cache
def _around(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(words if words.endswith("$") else f"^(?:{words})") for words in words_for(name))


# The patterns


@cache
def _sentences() -> Mapping[str, tuple[Sentence, ...]]:
    """Return word → sentences that contain it or an alternative to it.

    "" → sentences without a required word.
    """
    found: dict[str, list[Sentence]] = defaultdict(list)
    for entry in load_phrases().entries:
        sentences = [Sentence(entry, words, is_whole=True) for words in entry.said]
        sentences += [Sentence(entry, words, is_whole=True, is_offered=True) for words in entry.offered]
        sentences += [Sentence(entry, words, is_whole=False) for words in entry.lacking]
        for sentence in sentences:
            keys, *needs = _needs(sentence.words) or [frozenset(("",))]
            for key in keys:
                found[key].append(replace(sentence, needs=tuple(needs)))
    return {word: tuple(sentences) for word, sentences in found.items()}


@cache
def _by_beginning() -> Mapping[str, tuple[tuple[int, str], ...]]:
    """Return first two letters → words of `_sentences`, with their positions in it."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for place, word in enumerate(_sentences()):
        found[word[:2]].append((place, word))
    return {beginning: tuple(words) for beginning, words in found.items()}


def _sentences_in(text: str) -> list[Sentence]:
    """Return the sentences that may match the text; complete ones first."""
    beginnings = {"", *text, *(text[place : place + 2] for place in range(len(text)))}
    known = _by_beginning()
    words = sorted(
        pair for beginning in beginnings if beginning in known for pair in known[beginning] if pair[1] in text
    )
    some = [one for _, word in words for one in _sentences()[word] if one.may_match(text)]
    return sorted(some, key=lambda sentence: (not sentence.is_whole, sentence.is_offered))


def _needs(words: str) -> list[frozenset[str]]:
    """Return sets of words of a sentence, the longest first.

    The text must contain a word of each.
    """
    choices = [
        frozenset(max(part.split(), key=len, default="") for part in match[1].split("|"))
        for match in _CHOICE.finditer(_without_options(words, r"\([^()]*\)|\[[^\[\]]*\]"))
    ]
    plain = _without_options(words, _OPTIONAL).split()
    sets = [frozenset((word,)) for word in plain] + choices
    return sorted(sets, key=lambda one: min(map(len, one)), reverse=True)


def _without_options(words: str, options: str) -> str:
    while (shorter := re.sub(options, " ", words)) != words:
        words = shorter
    return words


@cache
def _compiled(words: str, map_name: str) -> re.Pattern[str]:
    return re.compile(_pattern(words, pattern(load_asker(map_name).names.powers)))


def _pattern(sentence: str, powers: str) -> str:
    """Return a sentence of the data as a regular expression."""
    parts: list[str] = []
    place = 0
    for token in _TOKEN.finditer(sentence):
        parts.append(re.escape(sentence[place : token.start()]))
        place = token.end()
        if token["slot"]:
            parts.append(f"(?P<{token['field'] or token['slot']}>{_slot(token['slot'], powers)})")
        elif token["macro"]:
            parts.append(macros()[token["macro"]])
        else:
            parts.append(_BETWEEN if token["space"] else _SIGNS[token["sign"]])
    return "".join((*parts, re.escape(sentence[place:]), _NO_END))


def _slot(name: str, powers: str) -> str:
    match name:
        case "power":
            return f"(?:{powers}){_NO_END}"
        case "game" | "ended_game":
            return r"[a-z][a-z0-9-]*"
        case "return":
            return pattern_of("%s", "named_return").pattern
        case "length":
            return pattern_of("%s", "named_length").pattern
        case "address":
            return pattern_of("%s", "named_address").pattern
        case _:
            return r"\S.*?"

"""Find what a free sentence asks for by what it speaks of, in any order and whatever else it tells.

A frame, from `grammar/words/commands/frames.toml`, names a command, the senders who may mean it, what the sentence must
speak of, and what it must not. The first frame that fits decides. Frames are only for senders whose role is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.language.asking.about import named
from judge.language.asking.builder import load_asker
from judge.language.context import Context, Role
from judge.language.words import Line
from judge.language.words.names import pattern
from judge.language.words.shipped import likely_spoken
from judge.language.words.tongue import is_japanese
from judge.languages import Language
from judge.resources import shipped_data

NOTHING = "nothing"
"""The key of frames for sentences that ask for nothing: chat, and votes on a condition."""
_LONGEST, _SHORTEST = 400, 7
_SLOT = re.compile(r"<(\w+)>")
_WORD = re.compile(r"\{([a-z_]+)\}")
_LONGEST_CODE = 3
"""Codes of places are words of many languages."""
_MOST_WITHIN = 3
"""How deep words may stand within words."""


@dataclass(frozen=True, slots=True)
class _Frame:
    key: str
    by: frozenset[Role]
    has: tuple[re.Pattern[str], ...]
    lacks: re.Pattern[str] | None
    fills: Mapping[str, str]
    """Fields of the command, and what fills them."""
    finds: tuple[tuple[str, re.Pattern[str]], ...]
    """Fields of the command, and patterns with what fills them as their first group."""

    def fits(self, text: str) -> bool:
        return all(one.search(text) for one in self.has) and not (self.lacks and self.lacks.search(text))


@dataclass(frozen=True, slots=True)
class Framed:
    """What a frame makes of a sentence."""

    key: str
    """The key of the command, or `NOTHING`."""
    values: Mapping[str, str]
    """What fills fields of the command, as it was written."""


def framed(line: Line, context: Context) -> Framed | None:
    """Return what a sentence asks for; None if no frame fits."""
    if context.role is None or not context.hears_sentences or not _SHORTEST <= len(line.text) <= _LONGEST:
        return None
    roles = {context.role, Role.PLAYER} if context.powers else {context.role}
    for language in likely_spoken(line.text):
        notation = _notation(language)
        if notation is None or notation.search(line.text):
            continue
        text = line.text.translate(_letters(language))
        frames = _frames(language, context.map.name)
        found = next((one for one in frames if roles & one.by and one.fits(text)), None)
        if found is not None:
            return Framed(found.key, {**found.fills, **dict(_found(found, line))})
    return None


def _found(frame: _Frame, line: Line) -> Iterator[tuple[str, str]]:
    for name, looks in frame.finds:
        match = looks.search(line.text)
        if match is not None:
            first, last = line.span(*match.span(1))
            yield name, line.written[first:last]


@cache
def _letters(language: Language) -> Mapping[int, str]:
    """Return the letters that a language also writes otherwise, with what its patterns have for them."""
    return str.maketrans(shipped_data("grammar/words/commands/frames.toml").get(language, {}).get("letters", {}))


@cache
def _notation(language: Language) -> re.Pattern[str] | None:
    """Return the pattern for lines in which no frames are looked for; None if a language has no frames."""
    data = shipped_data("grammar/words/commands/frames.toml").get(language)
    return None if data is None else re.compile(data["notation"])


@cache
def _frames(language: Language, map_name: str) -> tuple[_Frame, ...]:
    data = shipped_data("grammar/words/commands/frames.toml")[language]
    return tuple(_Compiler(data["words"], map_name, language).frames(data["frames"]))


class _Compiler:
    def __init__(self, words: Mapping[str, str], map_name: str, language: Language) -> None:
        self.words = words
        self.shape = "(?<![a-z0-9])(?:%s)(?![a-z0-9])" if language.is_latin else "%s"
        names = load_asker(map_name).names
        slots = {name: looks.pattern for name, looks in named(map_name).items()}
        shortest = _LONGEST_CODE if language.is_latin else 0
        places = (
            one
            for one in names.places
            if is_japanese(one) != language.is_latin and len(one) > shortest and one != words["no_place"]
        )
        self.slots = {**slots, "place": pattern(places)}
        if not language.is_latin:  # 土 is Turkey, and Saturday.
            self.slots["power"] = pattern(one for one in names.powers if len(one) > 1)

    def frames(self, rows: list[Mapping[str, Any]]) -> Iterator[_Frame]:
        for row in rows:
            by = frozenset(map(Role, row["by"].split()))
            has = tuple(map(self.pattern, row["has"]))
            lacks = self.pattern("|".join(row["lacks"])) if "lacks" in row else None
            finds = tuple((name, self.pattern(looks)) for name, looks in row.get("finds", {}).items())
            yield _Frame(row["is"], by, has, lacks, row.get("fills", {}), finds)

    def pattern(self, text: str) -> re.Pattern[str]:
        for _ in range(_MOST_WITHIN):
            text = _WORD.sub(lambda word: f"(?:{self.words[word[1]]})", text)
        return re.compile(self.shape % _SLOT.sub(lambda slot: f"(?:{self.slots[slot[1]]})", text))

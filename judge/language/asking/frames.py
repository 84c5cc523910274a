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
from judge.language.words.shipped import written_like
from judge.language.words.tongue import is_japanese
from judge.languages import Language
from judge.resources import shipped_data

NOTHING = "nothing"
"""The key of frames for sentences that ask for nothing: chat, and votes on a condition."""
_LONGEST, _SHORTEST = 400, 7
_SLOT = re.compile(r"<(\w+)>")
_WORD = re.compile(r"\{([a-z_]+)\}")
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
    frames, notation = _frames(written_like(line.text)[0], context.map.name)
    if not frames or notation.search(line.text):
        return None
    roles = {context.role, Role.PLAYER} if context.powers else {context.role}
    found = next((one for one in frames if roles & one.by and one.fits(line.text)), None)
    return None if found is None else Framed(found.key, {**found.fills, **dict(_found(found, line))})


def _found(frame: _Frame, line: Line) -> Iterator[tuple[str, str]]:
    for name, looks in frame.finds:
        match = looks.search(line.text)
        if match is not None:
            first, last = line.span(*match.span(1))
            yield name, line.written[first:last]


@cache
def _frames(language: Language, map_name: str) -> tuple[tuple[_Frame, ...], re.Pattern[str]]:
    """Return the frames of a language, and the pattern for lines in which they are not looked for."""
    data = shipped_data("grammar/words/commands/frames.toml").get(language)
    if data is None:
        return (), re.compile("")
    compiled = _Compiler(data["words"], map_name)
    return tuple(compiled.frames(data["frames"])), compiled.pattern(data["notation"])


class _Compiler:
    def __init__(self, words: Mapping[str, str], map_name: str) -> None:
        self.words = words
        names = load_asker(map_name).names
        slots = {name: looks.pattern for name, looks in named(map_name).items()}
        # 土 is Turkey, and Saturday.
        powers = (one for one in names.powers if len(one) > 1)
        places = (one for one in names.places if is_japanese(one) and one != words["no_place"])
        self.slots = {**slots, "power": pattern(powers), "place": pattern(places)}

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
        return re.compile(_SLOT.sub(lambda slot: f"(?:{self.slots[slot[1]]})", text))

"""What a line may ask for that nobody foresaw: by the words in it.

What only shows something is done at once; for anything else the sender is told the line that asks for it, or asked
whether it was meant. Words that say no leave only commands that take something back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from judge.commands import Perhaps
from judge.language.asking.builder import load_asker
from judge.language.asking.data import pattern_of, words_for
from judge.language.asking.phrases import Entry, load_phrases, written_line
from judge.language.asking.sentences import Said, in_figures, is_harmless, line_as_command
from judge.language.context import Context
from judge.language.times import read_moment, read_period
from judge.language.words import Line, normal_form
from judge.language.words.names import pattern
from judge.language.words.tongue import is_japanese

_LONGEST = 90
_SLOT = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class _Words:
    """Words that speak of a command: one of each term has to be there."""

    entry: Entry
    terms: tuple[re.Pattern[str], ...]
    slots: tuple[str, ...]


def guessed(line: Line, context: Context) -> Said | None:
    """What the words of a line speak of, if it asks for something and one command fits best."""
    text = line.text.strip()
    if len(text) > _LONGEST or not pattern_of("%s", "asks").search(text) or pattern_of("%s", "tells").search(text):
        return None
    is_negated = pattern_of("%s", "negated").search(text) is not None
    fitting = [one for one in _fitting(text, context.map.name) if not is_negated or _takes_back(one.entry)]
    best = max(fitting, key=lambda one: len(one.terms) + len(one.slots), default=None)
    if best is None:
        return None
    return _meant(best.entry, line, context)


def _meant(entry: Entry, line: Line, context: Context) -> Said | None:
    values = _values(line, context)
    if any(name not in values for name in entry.needed):
        return Said(entry)
    canonical = normal_form(written_line(entry, lambda name: values.get(name, "") if name in entry.needed else ""))
    command = line_as_command(canonical, context)
    if command is None:
        return Said(entry)
    return Said(entry, (command if is_harmless(command) or command.card.is_final else Perhaps(command),))


def _takes_back(entry: Entry) -> bool:
    return entry.key in words_for("said_with_no")


def _values(line: Line, context: Context) -> Mapping[str, str]:
    """What the line names that a command may need."""
    found: dict[str, str] = {}
    for slot, named in _named(context.map.name).items():
        match = named.search(line.text)
        if match is not None:
            first, last = line.span(*match.span())
            found[slot] = line.written[first:last]
    found |= _times(line)
    if "power" in found:
        found["to"] = found["power"]
    if "length" in found:
        found["length"] = in_figures(found["length"])
    return found


def _times(line: Line) -> dict[str, str]:
    """The longest part at the end of a line, or in Japanese at its beginning, that tells a time."""
    text = line.text.strip(" .!?。")
    parts = [text[: len(text) - cut] for cut in range(len(text))] if is_japanese(text) else _ends(text)
    found: dict[str, str] = {}
    for part in parts:
        if "period" not in found and read_period(part) is not None:
            found["period"] = part
        if "moment" not in found and read_moment(part) is not None:
            found["moment"] = part
    return found


def _ends(text: str) -> list[str]:
    words = text.split(" ")
    return [" ".join(words[begin:]) for begin in range(len(words))]


def _fitting(text: str, map_name: str) -> Iterator[_Words]:
    here = is_japanese(text)
    for words in _all_words():
        if words.terms and is_japanese(words.terms[0].pattern) != here:
            continue
        named = _named(map_name)
        if all(term.search(text) for term in words.terms) and all(named[slot].search(text) for slot in words.slots):
            yield words


@cache
def _all_words() -> tuple[_Words, ...]:
    return tuple(_words(entry, one) for entry in load_phrases().entries for one in entry.about)


def _words(entry: Entry, written: str) -> _Words:
    slots = tuple(match[1] for match in _SLOT.finditer(written))
    terms = tuple(_term(term) for term in _SLOT.sub(" ", written).split())
    return _Words(entry, terms, slots)


def _term(term: str) -> re.Pattern[str]:
    words = "|".join(map(re.escape, term.split("|")))
    return re.compile(words if is_japanese(term) else rf"(?<![a-z])(?:{words})(?![a-z])")


@cache
def _named(map_name: str) -> Mapping[str, re.Pattern[str]]:
    """What can be named in a line → how it looks."""
    shapes = {name: pattern_of("%s", f"named_{name}") for name in ("day", "length", "language", "address")}
    powers = pattern(load_asker(map_name).names.powers)
    return {**shapes, "power": re.compile(f"(?<![a-z])(?:{powers})(?![a-z])"), "game": pattern_of("%s", "named_game")}
